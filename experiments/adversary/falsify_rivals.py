"""Rival models: edits of a model of low rank, which the errors of an instance can follow on part of the tensor.

Each edit takes the random numbers, the gene of the error, the model and the mode and rows to change, and returns the
rival. The rival has as many components as the model, or one to three more (`added`), or one fewer (`dropped`,
`merged`).
"""
import numpy as np

from falsify_truth import LEAST, chosen_rows


def a_column(numbers, old, share):
    """Returns a random column of the size of an old one, zero outside a share of the rows."""
    new = numbers.standard_normal(len(old)) * (np.sqrt(np.mean(old**2)) or 1)
    return new * chosen_rows(numbers, len(old), share, "random", LEAST) if share < 1 else new


def multiple(numbers, gene, model, mode, rows):
    """One component is stronger in some rows of a mode; where it was zero, it is at work now."""
    k = gene["component"] % model[0].shape[1]
    column = model[mode][:, k]
    typical = np.sqrt(np.mean(column[column != 0] ** 2)) if column.any() else 1
    column[rows] = np.where(column[rows] == 0, gene["size"] * typical, column[rows] * (1 + gene["size"]))
    return model


def scaled(numbers, gene, model, mode, rows):
    model[mode][rows] *= gene["size"] if gene["size"] != 1 else 3
    return model


def copied(numbers, gene, model, mode, rows):
    """Some rows repeat others, or a multiple of them."""
    model[mode][rows] = gene["size"] * model[mode][numbers.permutation(len(model[mode]))[:rows.sum()]]
    return model


def permuted(numbers, gene, model, mode, rows):
    at = np.flatnonzero(rows)
    model[mode][at] = model[mode][np.roll(at, 1)]
    return model


def mapped(numbers, gene, model, mode, rows):
    """A linear map acts on some rows of a mode: the components are mixed there."""
    rank = model[0].shape[1]
    model[mode][rows] = model[mode][rows] @ (numbers.standard_normal((rank, rank)) * gene["size"])
    return model


def mapped_twice(numbers, gene, model, mode, rows):
    """Rows of two modes change at once, so that no change of one mode alone gives the rival."""
    model = mapped(numbers, gene, model, mode, rows)
    other = (mode + 1) % len(model)
    return mapped(numbers, gene, model, other, chosen_rows(numbers, len(model[other]), gene["rows"], gene["place"]))


def scaled_twice(numbers, gene, model, mode, rows):
    """Rows of two modes are scaled at once."""
    other = (mode + 1) % len(model)
    second = chosen_rows(numbers, len(model[other]), gene["rows"], gene["place"])
    model[other][second] *= -1 if gene["size"] < 0 else 0.5
    return scaled(numbers, gene, model, mode, rows)


def shifted(numbers, gene, model, mode, rows):
    model[mode][:] = np.roll(model[mode], max(1, int(rows.sum()) % len(rows)), axis=0)
    return model


def exchanged(numbers, gene, model, mode, rows):
    """One component gives way to another, which may be at work on a box only."""
    k = gene["component"] % model[0].shape[1]
    for factor in model:
        factor[:, k] = a_column(numbers, factor[:, k], gene["rows"]) * abs(gene["size"]) ** (1 / len(model))
    return model


def exchanged_twice(numbers, gene, model, mode, rows):
    second = {**gene, "component": gene["component"] + 1}
    return exchanged(numbers, second, exchanged(numbers, gene, model, mode, rows), mode, rows)


def added(numbers, gene, model, mode, rows):
    """One more component, on a box or everywhere."""
    sizes = [np.sqrt(np.mean(factor**2)) or 1 for factor in model]
    share = gene["rows"] if gene["rows"] < 1 else 0.999
    new = [numbers.standard_normal(len(f)) * s * chosen_rows(numbers, len(f), share, gene["place"], LEAST)
           for f, s in zip(model, sizes)]
    new[0] = new[0] * gene["size"]
    return [np.column_stack([factor, column]) for factor, column in zip(model, new)]


def added_twice(numbers, gene, model, mode, rows):
    """Two more components on one box, which may share a column in one mode."""
    model = thrice(numbers, gene, model, mode, rows, 2)
    if gene["component"] == 5:
        model[mode][:, -1] = model[mode][:, -2]
    return model


def thrice(numbers, gene, model, mode, rows, times):
    """Some more components, all on the box of the first of them."""
    before = model[0].shape[1]
    for _ in range(times):
        model = added(numbers, gene, model, mode, rows)
    for factor in model:
        rows = factor[:, before] != 0
        for k in range(before + 1, factor.shape[1]):
            column = numbers.standard_normal(len(factor)) * np.abs(factor[:, k]).max() / 2
            factor[:, k] = column * rows
    return model


def added_thrice(numbers, gene, model, mode, rows):
    return thrice(numbers, gene, model, mode, rows, 3)


def negated(numbers, gene, model, mode, rows):
    model[mode][rows, gene["component"] % model[0].shape[1]] *= -1
    return model


def dropped(numbers, gene, model, mode, rows):
    return [np.delete(factor, gene["component"] % factor.shape[1], axis=1) for factor in model]


def refactored(numbers, gene, model, mode, rows):
    """All of one factor is new; the others stay."""
    model[mode] = np.column_stack([a_column(numbers, column, 1) for column in model[mode].T])
    return model


def turned(numbers, gene, model, mode, rows):
    """The columns of one mode are dealt to other components."""
    model[mode][rows] = np.roll(model[mode][rows], 1, axis=1) * gene["size"]
    return model


def merged(numbers, gene, model, mode, rows):
    """Two components become one: the first takes the sum of both in one mode."""
    if model[0].shape[1] < 2:
        return refactored(numbers, gene, model, mode, rows)
    model[mode][:, 0] += model[mode][:, -1]
    return [factor[:, :-1] for factor in model]


def blocks(numbers, gene, model, mode, rows):
    """Blocks have other signs: rows of every mode are negated for one component."""
    k = gene["component"] % model[0].shape[1]
    for factor in model:
        factor[chosen_rows(numbers, len(factor), gene["share"], gene["place"]), k] *= -1
    return model


EDITS = {function.__name__.replace("_", " "): function
         for function in (multiple, scaled, scaled_twice, copied, permuted, mapped, mapped_twice, shifted, exchanged,
                          exchanged_twice, added, added_twice, added_thrice, negated, dropped, refactored,
                          turned, merged, blocks)}


def rival(numbers, gene, model, mode):
    """Returns the model after the edit that the gene names."""
    rows = chosen_rows(numbers, len(model[mode]), gene["rows"], gene["place"])
    return EDITS[gene["kind"]](numbers, gene, [factor.copy() for factor in model], mode, rows)
