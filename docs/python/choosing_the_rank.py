# %% [markdown]
# # Choosing the rank
# With rank="auto", the default, robust-cp chooses the rank.

# %%
import sunder

planted = sunder.generate((30, 30, 30), rank=4, density=0.1, seed=3)
result = sunder.decompose(planted.tensor)
print(result)
assert result.rank == 4 and result.error(planted) < 1e-10

# %% [markdown]
# A rank that is too small cannot be certified, and the certificate says so. It is a statement about
# the result, which "converged" is not.

# %%
for rank in (2, 3, 4):
    trial = sunder.decompose(planted.tensor, rank=rank)
    print(rank, trial.outcome, trial.certificate.level, f"error {trial.error(planted):.1e}",
          f"S {trial.sparse.density:.0%}")
    assert (trial.certificate.level == "exact") == (rank == 4)

# %% [markdown]
# Methods that need the rank say so.

# %%
try:
    sunder.decompose(planted.tensor, method="rtd-als")
    raise AssertionError("was not refused")
except sunder.OptionError as error:
    print(error)
