"""The genomes of experiments/falsify: a genome is a dictionary of choices that JSON can hold.

fresh() composes a genome at random, mutated() changes one to three of its genes, and repaired() makes the genes agree
with each other. falsify_instance.py builds the tensor of a genome; every genome gives the same tensor at any time.
"""
import copy
import math

LARGE = [(60, 60, 60), (80, 80, 80), (100, 100, 100), (130, 130, 130), (300, 300), (24, 24, 24, 24), (150, 14, 14),
         (200, 40, 12), (14, 14, 150), (100, 100), (120, 60), (60, 60, 20), (30, 30, 30), (40, 40, 40)]
FACTORS = ["normal", "normal", "normal", "uniform", "sparse", "integers", "signs", "constant", "heavy",
           "decades"]
SUPPORTS = ["all", "all", "box", "box", "part", "nested", "same", "disjoint", "overlap", "slice", "ring"]
PLACES = ["first", "last", "random", "alternate"]
# Where an error lies.
AREAS = ["uniform", "uniform", "box", "rows", "rows", "largest", "largest", "smallest", "positive", "periodic",
         "fibres", "crossed", "off diagonal", "everywhere"]
# Errors that follow another model of low rank, and errors that follow none.
MODELS = ["multiple", "multiple", "scaled", "copied", "permuted", "scaled twice", "mapped", "mapped twice",
          "shifted", "exchanged", "exchanged twice", "added", "added", "added twice", "added thrice", "negated",
          "dropped", "refactored", "turned", "merged", "blocks"]
VALUES = ["gauss", "gauss", "noise on top", "constant", "zero", "quantised", "saturated", "integers", "slice copied",
          "sign lost", "reordered"]
SHARES = [0.1, 0.2, 0.3, 0.4, 0.45, 0.48, 0.5, 0.52, 0.55, 0.6, 0.7]
DENSITIES = [0.02, 0.1, 0.3, 0.4, 0.45, 0.48, 0.5, 0.52, 0.55, 0.6, 0.7, 1, 1, 1]


def a_shape(pick, limit):
    """Draws a shape: small ones dominate, and no shape has more entries than the limit."""
    while True:
        if pick.random() < 0.07:
            shape = pick.choice(LARGE)
        else:
            order = pick.choice([2, 3, 3, 3, 3, 4, 4, 5, 6])
            most = {2: 60, 3: 40, 4: 14, 5: 8, 6: 7}[order]
            cube = pick.random() < 0.5
            shape = [pick.randint(6, most)] * order if cube else [pick.randint(6, most) for _ in range(order)]
            if math.prod(shape) > 20000 and pick.random() < 0.8:
                continue
        if math.prod(shape) <= limit:
            return list(shape)


def a_component(pick):
    gene = {"factor": pick.choice(FACTORS),
            "decade": pick.choice([0, 0, 0, 0, pick.uniform(-4, 2), pick.choice([-1, -0.5, 0.5, 1])]),
            "support": pick.choice(SUPPORTS), "share": pick.choice([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]),
            "place": pick.choice(PLACES), "mode": pick.randrange(6)}
    if pick.random() < 0.25:
        gene.update(like=pick.randrange(6), alike=pick.sample(range(6), pick.randrange(1, 6)),
                    near=pick.choice([0, 0, 0, 1e-5, 1e-3, 0.1]))
    return gene


def an_area(pick):
    return {"area": pick.choice(AREAS), "density": pick.choice(DENSITIES), "share": pick.choice(SHARES),
            "place": pick.choice(PLACES), "mode": pick.randrange(6), "of": pick.randrange(-1, 6),
            "period": pick.choice([2, 2, 3, 4])}


def an_error(pick):
    gene = {"kind": pick.choice(MODELS if pick.random() < 0.6 else VALUES),
            "size": pick.choice([1e-5, 0.01, 0.3, 1, 1, 1, 2, 2, 3, 3, -1, -1, -2, 10, 100, 1e6]),
            "rows": pick.choice([1, 1, 2, 3, 0.2, 0.4, 0.5, 0.6, 0.8]), "component": pick.randrange(6),
            "chain": pick.random() < 0.4, **an_area(pick)}
    if gene["kind"] in MODELS and pick.random() < 0.6:  # rival models are most dangerous where they fit about half
        gene.update(area=pick.choice(["uniform", "largest", "box", "smallest", "periodic"]), density=1,
                    share=pick.choice(SHARES[3:]))
    return gene


def missing_rules(pick):
    if pick.random() < 0.7:
        return []
    rule = an_area(pick)
    rule["density"] = min(rule["density"], pick.choice([0.2, 0.5, 0.9]))
    return [rule]


def an_option(pick):
    draw = pick.random()
    if draw < 0.6:
        return {}
    if draw < 0.75:
        return {"core": pick.choice([10, 10, 12, 15, 20])}
    if draw < 0.88:
        return {"nonnegative": pick.choice(["all", "all", "one"])}
    return {"shared": pick.choice(["all", "two"])}


def a_run(pick):
    draw = pick.random()
    return "memory" if draw < 0.01 else "mpi 2" if draw < 0.02 else "mpi 3" if draw < 0.025 else "python"


def components(pick):
    """Draws the components; in half of the genomes they are of the plain kind that sunder finds most often."""
    made = [a_component(pick) for _ in range(pick.choice([1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6]))]
    if pick.random() < 0.5:
        for gene in made:
            gene.update(factor="normal", decade=0)
    if pick.random() < 0.3:
        for gene in made:
            gene["support"] = "all"
    return made


GENES = {
    "seed": lambda pick, limit: pick.randrange(2**31),
    "shape": a_shape,
    "components": lambda pick, limit: components(pick),
    "errors": lambda pick, limit: [an_error(pick) for _ in range(pick.choice([0, 0, 1, 1, 2, 3]))],
    "missing": lambda pick, limit: missing_rules(pick),
    "noise": lambda pick, limit: 10.0 ** -pick.randint(3, 12) if pick.random() < 0.04 else 0,
    "rank": lambda pick, limit: pick.choice(["true", "true", "true", "auto", "auto", "more", "much more", "fewer"]),
    "dtype": lambda pick, limit: "float32" if pick.random() < 0.08 else "float64",
    "options": lambda pick, limit: an_option(pick),
    "run": lambda pick, limit: a_run(pick),
}


def repaired(genome, limit):
    """Makes modes that share a factor equally long, and keeps the tensor below the limit."""
    shape = genome["shape"]
    shares = genome["options"].get("shared")
    if shares:
        side = shape[0] if shares == "two" else min(shape)
        for mode in range(2 if shares == "two" else len(shape)):
            shape[mode] = side
    while math.prod(shape) > limit:
        shape[:] = [max(6, extent * 3 // 4) for extent in shape]
    return genome


def fresh(pick, limit):
    """Composes a genome at random; most of them follow a theme, and some of these are changed again."""
    from falsify_themes import themed
    made = {name: draw(pick, limit) for name, draw in GENES.items()}
    if pick.random() < 0.3:
        return repaired(made, limit)
    made = themed(pick, made)
    return mutated(pick, made, limit) if pick.random() < 0.4 else repaired(made, limit)


def changed_list(pick, genes, draw):
    """Adds, removes, replaces or edits one gene of a list."""
    how = pick.choice(["add", "remove", "replace", "edit", "edit", "edit"])
    if how == "add" or not genes:
        return genes + [draw(pick)] if len(genes) < 6 else genes
    at = pick.randrange(len(genes))
    if how == "remove":
        return genes[:at] + genes[at + 1:]
    new = draw(pick)
    if how == "edit":
        part = pick.choice(sorted(genes[at]))
        new = {**genes[at], part: new.get(part, genes[at][part])}
    return genes[:at] + [new] + genes[at + 1:]


def mutated(pick, genome, limit):
    """Changes one to three genes, or the seed alone."""
    made = copy.deepcopy(genome)
    if pick.random() < 0.25:
        made["seed"] = pick.randrange(2**31)
        return repaired(made, limit)
    names = ["components"] * 2 + ["errors"] * 3 + ["missing", "rank", "options", "shape", "dtype", "run"]
    for _ in range(pick.choice([1, 1, 2, 3])):
        name = pick.choice(names)
        if name == "components":
            made[name] = changed_list(pick, made[name], a_component) or made[name]
        elif name == "errors":
            made[name] = changed_list(pick, made[name], an_error)
        else:
            made[name] = GENES[name](pick, limit)
    return repaired(made, limit)


def kind_of(genome):
    """Names the errors: the last kind decides, because it overwrites the others."""
    return genome["errors"][-1]["kind"] if genome["errors"] else "no errors"


def option_of(genome):
    if genome["run"] != "python":
        return genome["run"]
    if genome["noise"]:
        return "noise"
    names = [*genome["options"], *(["missing"] if genome["missing"] else [])]
    names += [genome["dtype"]] if genome["dtype"] != "float64" else []
    return " + ".join(names) or "plain"


def cell_of(genome):
    rank = genome["rank"] if genome["rank"] == "auto" else "given"
    return f"{len(genome['shape'])}/{kind_of(genome)}/{option_of(genome)}/{rank}"
