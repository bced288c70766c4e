# %% [markdown]
# # Missing data
# NaN marks an entry that is not known. Integer storage has no NaN: convert it first.

# %%
import numpy as np

import sunder

planted = sunder.generate((50, 50, 50), rank=3, density=0.1, missing=0.4, seed=2)
T = planted.tensor
print(f"{np.isnan(T).mean():.0%} of the entries are missing")

# %%
result = sunder.decompose(T, rank=3)
print(result)
print("missing", result.missing_count)
assert result.missing_count == np.isnan(T).sum()

# %% [markdown]
# L is known everywhere, so that it fills the gaps; S only where T was observed.

# %%
filled = np.where(np.isnan(T), result.low_rank(), T)
truth = planted.low_rank()
gap = np.abs(filled - truth)[np.isnan(T)].max()
print("largest error in a gap", gap, "where the rms of L is", np.sqrt((truth**2).mean()))
assert gap < 1e-10
assert not np.isnan(T.ravel()[result.sparse.positions]).any()

# %% [markdown]
# A masked array is refused rather than taken for complete.

# %%
masked = np.ma.masked_invalid(T)
try:
    sunder.decompose(masked, rank=3)
    raise AssertionError("was not refused")
except sunder.InputError as error:
    print(error)
assert sunder.decompose(masked.filled(np.nan), rank=3).error(planted) < 1e-10
