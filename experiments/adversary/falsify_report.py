"""The tables at the end of experiments/falsify."""
import collections
import json

from falsify_genome import kind_of, option_of

COLUMNS = ["instances", "recoverable", "recovered of those", "certified", "false", "false, recoverable",
           "false, small", "ties", "undetermined", "other", "beaten", "right, not certified", "not done"]


def figures(part):
    done = [d for d in part if d["status"] == "done"]
    able = [d for d in done if d["recoverable"]]
    missed = [d for d in done if d["right"] and not d["exact"] and not d["genome"]["noise"]]
    return [len(part), len(able), sum(d["recovered"] for d in able), sum(d["exact"] for d in done),
            sum(bool(d["false"]) for d in done), sum(bool(d["false"]) for d in able),
            sum(d.get("small", False) for d in done), sum(d["tie"] for d in done),
            sum(d["undetermined"] for d in done), sum(d["other"] for d in done),
            sum(d["beaten"] for d in done), len(missed), len(part) - len(done)]


def table(title, groups):
    print(f"\n| {title} | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    for name in sorted(groups, key=lambda name: (name == "all", name)):
        print(f"| {name} | {' | '.join(map(str, figures(groups[name])))} |")


def summarise(done):
    """Prints the tables and the failures; returns the false certificates."""
    views = {"theme": lambda d: d["genome"].get("theme", "none"), "errors": lambda d: kind_of(d["genome"]),
             "options": lambda d: option_of(d["genome"]), "asked rank": lambda d: d["genome"]["rank"],
             "order": lambda d: str(len(d["genome"]["shape"])),
             "source": lambda d: "fresh" if d["parent"] is None else "mutated"}
    for title, view in views.items():
        groups = collections.defaultdict(list)
        for d in done:
            groups[view(d)].append(d)
        table(title, {**groups, "all": done})
    seconds = [d["seconds"] for d in done if d["status"] == "done"]
    if seconds:
        print(f"\nSeconds of a run: mean {sum(seconds) / len(seconds):.3f}, most {max(seconds):.2f}")
    for status, count in sorted(collections.Counter(d["status"] for d in done).items()):
        print(f"{status}: {count}")
    for d in done:
        if d["status"] in ("crashed", "timed out", "failed"):
            print(f"{d['status']}: instance {d['number']}, {d.get('message', '')}: {json.dumps(d['genome'])}")
    for d in done:
        for word in ("undetermined", "beaten", "small"):
            if d.get(word):
                print(f"{word}: instance {d['number']}, error {d['error']:.2g}, fits {d['fitted']}, "
                      f"a model fits {d['fitted_by_best']}: {json.dumps(d['genome'])}")
    false = [d for d in done if d.get("false")]
    for d in false:
        note = ", recoverable" if d["recoverable"] else ""
        print(f"false exact: instance {d['number']}, {d['false']}, error {d['error']:.2g}, fits {d['fitted']}, "
              f"a model fits {d['fitted_by_best']}{note}: {json.dumps(d['genome'])}")
    return false
