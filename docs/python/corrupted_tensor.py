# %% [markdown]
# # A corrupted tensor
# A tensor of rank 5, three in ten of whose entries are wrong, is split into L and S.

# %%
import numpy as np

import sunder

planted = sunder.generate((60, 60, 60), rank=5, density=0.3, seed=1)
T = planted.tensor  # an ordinary array
print(f"{planted.sparse.density:.0%} of the entries are wrong")

# %% [markdown]
# T is read where it lies, without a copy.

# %%
result = sunder.decompose(T, rank=5)
print(result)
print(result.certificate.explanation)

# %% [markdown]
# L is held as weights and factors. Any part of it can be had without the rest.

# %%
print("weights", result.weights.round(3))
print("one entry", result.low_rank(3, 5, 7))
print("a slice", result.low_rank(..., 0).shape)

# %% [markdown]
# S is a list of entries.

# %%
print("first entry of S at", result.sparse.coords[:, 0], "is", result.sparse.data[0])
rebuilt = result.low_rank() + result.sparse.to_dense()
print("largest |T - L - S|", np.abs(T - rebuilt).max())

# %% [markdown]
# Here the truth is known.

# %%
print("error of L", result.error(planted))
assert result.error(planted) < 1e-10
assert np.array_equal(result.sparse.positions, planted.sparse.positions)

# %% [markdown]
# An interactive page, and a folder that the command line understands too.

# %%
result.report("report.html")
sunder.write("result", result, force=True)
assert np.array_equal(sunder.read("result").weights, result.weights)
