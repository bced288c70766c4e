"""Builds the true components of a genome, and rivals of them: other models of low rank that the errors can follow.

A model is a list of factors, one matrix for each mode with a column for each component.
"""
import numpy as np

LEAST = 3  # rows of a component in each mode: one that is at work on fewer is no more than an error of S


def full(model):
    """Returns the tensor of a model."""
    if not model[0].shape[1]:
        return np.zeros([len(factor) for factor in model])
    left = model[0]
    for factor in model[1:-1]:  # Khatri-Rao products, so that the last step is a product of matrices
        left = (left[:, None, :] * factor[None, :, :]).reshape(-1, factor.shape[1])
    return (left @ model[-1].T).reshape([len(factor) for factor in model])


def chosen_rows(numbers, extent, share, place, least=1):
    """Returns a mask of a share of the rows, or of as many rows as the share says if it is 1 or more."""
    count = min(extent, max(least, round(share * extent) if share < 1 else int(share)))
    start = {"first": 0, "last": extent - count}.get(place)
    if place == "alternate" and 2 * count <= extent:
        return np.isin(np.arange(extent), np.arange(count) * (extent // count))
    rows = numbers.permutation(extent)[:count] if start is None else np.arange(start, start + count)
    mask = np.zeros(extent, dtype=bool)
    mask[rows] = True
    return mask


def column(numbers, kind, extent):
    made = {"normal": lambda: numbers.standard_normal(extent),
            "uniform": lambda: numbers.random(extent),
            "sparse": lambda: numbers.standard_normal(extent) * (numbers.random(extent) < 0.4),
            "integers": lambda: numbers.integers(-2, 3, extent).astype(float),
            "signs": lambda: numbers.choice([-1.0, 1.0], extent),
            "constant": lambda: np.ones(extent),
            "heavy": lambda: numbers.standard_t(2, extent),
            "decades": lambda: numbers.standard_normal(extent) * 10 ** numbers.uniform(-5, 0, extent)}[kind]()
    return made


def supports(numbers, gene, shape, before):
    """Returns a mask of rows for each mode; `before` has those of the component before, if there is one."""
    kind, share, mode = gene["support"], gene["share"], gene["mode"] % len(shape)
    masks = [np.ones(extent, dtype=bool) for extent in shape]
    if kind == "box" or (before is None and kind not in ("all", "part", "slice")):
        return [chosen_rows(numbers, extent, share, gene["place"], LEAST) for extent in shape]
    if kind == "part":
        masks[mode] = chosen_rows(numbers, shape[mode], share, gene["place"], LEAST)
    elif kind == "slice":  # one row of a mode, and boxes in the others; of a matrix, one row would be no more than S
        masks = [chosen_rows(numbers, extent, max(share, 0.4), gene["place"], LEAST) for extent in shape]
        masks[mode] = chosen_rows(numbers, shape[mode], 1 if len(shape) > 2 else LEAST, gene["place"])
    elif kind in ("nested", "ring"):
        for m, outer in enumerate(before):
            rows = np.flatnonzero(outer)
            inner = chosen_rows(numbers, len(rows), share, gene["place"], LEAST)
            masks[m] = np.isin(np.arange(shape[m]), rows[inner])
    elif kind == "disjoint":
        masks = [m.copy() for m in before] if gene["place"] == "random" else masks
        free = ~before[mode]
        masks[mode] = free if free.sum() >= LEAST else chosen_rows(numbers, shape[mode], share, gene["place"], LEAST)
    elif kind == "same":
        masks = [m.copy() for m in before]
    elif kind == "overlap":
        masks = [np.roll(m, max(1, int(m.sum()) // 2)) for m in before]
    return masks


def shared_groups(genome):
    """Returns the groups of modes that share a factor."""
    shares = genome["options"].get("shared")
    return [] if not shares else [[0, 1]] if shares == "two" else [list(range(len(genome["shape"])))]


def nonnegative_modes(genome):
    which = genome["options"].get("nonnegative")
    return [] if not which else [0] if which == "one" else list(range(len(genome["shape"])))


def constrained(genome, model):
    """Makes a model obey the options: shared factors are equal, and non-negative ones are not negative."""
    model = [factor.copy() for factor in model]
    for group in shared_groups(genome):
        for mode in group[1:]:
            model[mode] = model[group[0]].copy()
    for mode in nonnegative_modes(genome):
        model[mode] = np.abs(model[mode])
    return model


def component(genome, index, gene, earlier, before):
    """Returns the columns of a component, and the masks of its support."""
    shape = genome["shape"]
    numbers = np.random.default_rng([genome["seed"], 1, index])
    masks = supports(numbers, gene, shape, before)
    columns = [column(numbers, gene["factor"], extent) for extent in shape]
    for mode, mask in enumerate(masks):
        columns[mode] *= mask
        if np.count_nonzero(columns[mode]) < min(LEAST, mask.sum()):
            columns[mode][np.flatnonzero(mask)[:LEAST]] = [1, -1, 2][:mask.sum()]
    if "like" in gene and earlier:
        source = earlier[gene["like"] % len(earlier)]
        for mode in {m % len(shape) for m in gene["alike"]}:
            columns[mode] = source[mode] + gene["near"] * columns[mode]
    if gene["support"] == "ring" and earlier:  # it takes the component before away, within a box inside of that one's
        columns = [c * mask for c, mask in zip(earlier[-1], masks)]
        columns[0] = -columns[0]
        return columns, masks
    size = np.prod([np.sqrt(np.mean(c[c != 0] ** 2)) for c in columns])
    plain = gene["factor"] in ("integers", "signs", "constant")
    columns[-1] = columns[-1] * (1 if plain and gene["decade"] == 0 else 10 ** gene["decade"] / size)
    return columns, masks


def true_model(genome):
    made, before = [], None
    for index, gene in enumerate(genome["components"]):
        columns, before = component(genome, index, gene, made, before)
        made.append(columns)
    model = [np.column_stack([columns[m] for columns in made]) for m in range(len(genome["shape"]))]
    if shared_groups(genome):  # the weight of a component is on the last mode, and is spread over all of them
        size = [np.abs(f).max(axis=0) for f in model]
        spread = np.prod(size, axis=0) ** (1 / len(model))
        model = [f / s * spread for f, s in zip(model, size)]
    return reduced(genome, constrained(genome, model))


def reduced(genome, model):
    """Returns a model of the same tensor with fewer components, where these are parallel in all modes but one."""
    keep = np.all([factor.any(axis=0) for factor in model], axis=0)
    model = [factor[:, keep] for factor in model]
    if len(model) == 2 and not genome["options"].get("shared") and not genome["options"].get("nonnegative"):
        u, s, v = np.linalg.svd(full(model), full_matrices=False)
        rank = max(1, int(np.sum(s > 1e-12 * s[0])))
        return model if rank >= model[0].shape[1] else [u[:, :rank] * s[:rank], v[:rank].T]
    if shared_groups(genome):
        return model
    k = 0
    while k < model[0].shape[1]:
        for j in range(k + 1, model[0].shape[1]):
            ratios = [parallel(factor[:, k], factor[:, j]) for factor in model]
            odd = [m for m, ratio in enumerate(ratios) if ratio is None]
            if len(odd) <= 1:
                at = odd[0] if odd else 0
                factor = np.prod([ratio for m, ratio in enumerate(ratios) if m != at])
                model[at][:, k] += factor * model[at][:, j]
                model = [np.delete(f, j, axis=1) for f in model]
                break
        else:
            k += 1
    return model


def parallel(a, b):
    """Returns b / a if the columns are parallel, otherwise None."""
    ratio = float(a @ b / (a @ a)) if a.any() else 0.0
    return ratio if np.abs(b - ratio * a).max() <= 1e-13 * np.abs(b).max() else None
