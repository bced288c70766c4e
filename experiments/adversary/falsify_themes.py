"""Themes of experiments/falsify: genes that belong together, where independent draws would seldom meet.

Each theme changes a genome that was composed at random, in place. The themes are guesses of what a certificate misses
if it rests on counts of fitted entries and on a search that changes single rows, adds components or exchanges a few.
"""
from falsify_genome import a_component, an_area, an_error

HALVES = [0.38, 0.42, 0.45, 0.47, 0.48, 0.49, 0.5, 0.52, 0.55, 0.58]


def plain(pick, **changes):
    """Returns a gene of a normal component of weight one, everywhere unless the changes say otherwise."""
    gene = {**a_component(pick), "factor": "normal", "decade": 0, "support": "all", **changes}
    for name in ("like", "alike", "near"):
        gene.pop(name, None)
    return gene


def few_errors(pick):
    """Returns no errors, or some without structure that leave most of T intact."""
    if pick.random() < 0.6:
        return []
    share = pick.choice([0.02, 0.1, 0.3])
    return [{**an_error(pick), "kind": "gauss", "area": "uniform", "share": share, "density": 1, "size": 2}]


def half(pick, kind, **changes):
    """Returns an error that follows a rival on about half of the entries that it changes."""
    area = pick.choice(["largest", "largest", "uniform", "smallest", "box", "periodic", "crossed"])
    return {**an_error(pick), "kind": kind, "area": area, "share": pick.choice(HALVES), "density": 1, "chain": False,
            "size": pick.choice([1, 1.7, 3, -1, -2, 0.3, 10]), **changes}


def background(pick, genome):
    """One component is everywhere, and others are on boxes."""
    support = pick.choice(["box", "box", "part"])
    share = pick.choice([0.12, 0.16, 0.22, 0.3, 0.4, 0.5, 0.6])
    first = plain(pick, support=support, share=share)
    supports = ["same", "same", "overlap", "nested", "box"]
    others = [plain(pick, support=pick.choice(supports), share=pick.choice([share, 0.5]))
              for _ in range(pick.choice([0, 1, 1, 2, 3]))]
    weak = pick.choice([0, 0, -0.5, -1, -2, -4, 1])
    for gene in [first, *others]:
        gene["decade"] = weak
    genome.update(components=[plain(pick), first, *others], errors=few_errors(pick))


def altered_rows(pick, genome):
    """Some rows of one mode follow a rival on about half of their entries."""
    count = pick.choice([1, 2, 2, 2, 3])
    genome["components"] = [plain(pick, support=pick.choice(["part", "part", "all", "box"]) if k else "all")
                            for k in range(count)]
    kind = pick.choice(["multiple"] * 4 + ["scaled"] * 2 + ["copied", "permuted", "mapped", "negated", "turned"])
    error = half(pick, kind, rows=pick.choice([1, 1, 1, 2, 3, 0.3]), component=count - 1)
    if pick.random() < 0.6:
        error.update(area="largest", share=pick.choice([0.42, 0.45, 0.46, 0.47, 0.48, 0.49]), of=0)
    noise = {**an_error(pick), "kind": "gauss", "area": "rows", "share": pick.choice([0.3, 0.5, 0.7]), "size": 2,
             "mode": error["mode"], "density": pick.choice([0.3, 0.5, 0.62])}
    genome["errors"] = pick.choice([[error], [error], [noise, error], few_errors(pick) + [error]])


def two_modes(pick, genome):
    """Rows of two modes or more follow a rival at once; a change of one mode alone gains nothing."""
    genome["components"] = [plain(pick) for _ in range(pick.choice([1, 2, 2, 3]))]
    kind = pick.choice(["mapped twice", "mapped twice", "blocks", "scaled twice", "shifted"])
    genome["errors"] = [half(pick, kind, area=pick.choice(["crossed", "crossed", "uniform", "largest", "box"]),
                             rows=pick.choice([0.1, 0.2, 0.3, 0.5, 0.6]), density=pick.choice([1, 0.9, 0.7, 0.6, 0.5]))]


def rival_boxes(pick, genome):
    """L has some components on one box, and S as many on another box, so that all of them must be exchanged at once."""
    share, count = pick.choice([0.3, 0.4, 0.5, 0.6, 0.7]), pick.choice([1, 1, 2, 2, 3])
    weak = pick.choice([0, 0, -1, -0.5])
    inner = [plain(pick, support="same" if k else "box", share=share, place="first", decade=weak)
             for k in range(count)]
    genome["components"] = ([plain(pick)] if pick.random() < 0.8 else []) + inner
    rows = max(0.1, share - pick.choice([0, 0.05, 0.1, 0.15]))
    kind = ["added", "added twice", "added thrice"][count - 1]
    area, place = pick.choice(["everywhere", "everywhere", "uniform"]), pick.choice(["last", "last", "random"])
    genome["errors"] = [{**an_error(pick), "kind": kind, "rows": rows, "place": place, "density": 1, "area": area,
                         "share": 0.9, "chain": False, "size": pick.choice([1, 3, 10])}]
    genome["rank"] = pick.choice(["true", "true", "true", "auto", "more"])


def rival_model(pick, genome):
    """Another model of the same rank holds about half of T."""
    genome["components"] = [plain(pick, support=pick.choice(["all", "all", "box"]))
                            for _ in range(pick.choice([1, 2, 2, 3]))]
    kind = pick.choice(["exchanged", "exchanged twice", "refactored", "turned", "merged", "dropped", "negated",
                        "blocks", "scaled", "mapped"])
    genome["errors"] = few_errors(pick) + [half(pick, kind, rows=pick.choice([0.3, 0.5, 0.8, 1000]))]


def veiled(pick, genome):
    """Most of the entries on the box of a component are errors, or missing."""
    background(pick, genome)
    veil = {**an_area(pick), "area": "smallest", "share": 1, "of": 1, "density": pick.choice([0.3, 0.5, 0.6, 0.7, 0.8])}
    if pick.random() < 0.3:
        genome["missing"] = [veil]
    else:
        kind = pick.choice(["gauss", "gauss", "noise on top", "zero"])
        genome["errors"] = [{**an_error(pick), "kind": kind, "size": 2, **veil}]


def thin_rows(pick, genome):
    """Few entries of some rows are known, and about half of these follow a rival."""
    altered_rows(pick, genome)
    error = genome["errors"][-1]
    error.update(place="first", rows=pick.choice([1, 2, 0.3]))
    genome["missing"] = [{**an_area(pick), "area": "rows", "mode": error["mode"], "place": "first",
                          "share": error["rows"], "density": pick.choice([0.5, 0.7, 0.8, 0.9, 0.95])}]


def rings(pick, genome):
    """Components cancel each other within a box, or are at work in a few slices."""
    share = pick.choice([0.4, 0.6, 0.8])
    ring = [plain(pick, support="box", share=share), plain(pick, support="ring", share=pick.choice([0.5, 0.7]))]
    slices = [plain(pick, support="slice", share=share) for _ in range(pick.choice([1, 1, 2]))]
    odd = pick.choice([ring, slices])
    genome.update(components=[plain(pick), *odd], errors=few_errors(pick))


def torn(pick, genome):
    """Blocks of T are connected by few entries, because the others are missing or follow a rival with other scales."""
    genome["components"] = [plain(pick) for _ in range(pick.choice([1, 1, 2, 3]))]
    area = {**an_area(pick), "area": "off diagonal", "density": pick.choice([1, 0.98, 0.9, 0.7]),
            "share": pick.choice([0.3, 0.5])}
    if pick.random() < 0.5:
        genome.update(missing=[area], errors=few_errors(pick))
    else:
        kind = pick.choice(["scaled", "negated", "mapped", "gauss"])
        genome["errors"] = [{**an_error(pick), "kind": kind, "rows": 0.5, **area}]


def tiny_rows(pick, genome):
    """The rows of L differ in size by many decades, so that small ones fit almost any model."""
    genome["components"] = [plain(pick, factor=pick.choice(["decades", "decades", "normal"]))
                            for _ in range(pick.choice([1, 2, 2, 3]))]
    genome["errors"] = pick.choice([few_errors(pick), [half(pick, "multiple", rows=1)],
                                    [half(pick, "scaled", rows=0.3)]])


def in_a_corner(pick, genome):
    """The core of the solver misses most of a component."""
    background(pick, genome)
    genome["options"] = {"core": pick.choice([10, 10, 12])}
    genome["shape"] = pick.choice([[30] * 3, [40] * 3, [25, 40, 30], [60, 60], [16] * 4, [100, 20, 20], [20, 150]])


THEMES = [background, background, altered_rows, altered_rows, altered_rows, two_modes, rival_boxes, rival_boxes,
          rival_model, torn, tiny_rows, in_a_corner, veiled, thin_rows, rings]


def themed(pick, genome):
    """Applies a theme, with nothing else that is unusual in most genomes."""
    if pick.random() < 0.6:
        genome.update(missing=[], options={}, dtype="float64", noise=0, rank=pick.choice(["true", "true", "auto"]))
    theme = pick.choice(THEMES)
    theme(pick, genome)
    return {**genome, "theme": theme.__name__.replace("_", " ")}
