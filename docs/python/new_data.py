# %% [markdown]
# # New data
# A model is fitted once and applied to data that come later, gross errors and all.

# %%
import numpy as np

import sunder

planted = sunder.generate((100, 30, 30), rank=5, density=0.2, seed=4)
model = sunder.RobustCP(rank=5).fit(planted.tensor[:50])
print(model, model.result_, sep="\n")

# %% [markdown]
# The slices 50 to 99 were not seen. Their coefficients are found by robust regression onto the
# fitted factors; least squares is what the errors spoil.

# %%
new = planted.tensor[50:]
truth = planted.low_rank()[50:]
coefficients, S = model.transform(new, return_sparse=True)
robust = model.inverse_transform(coefficients)
design = np.einsum("jr,kr->jkr", *model.factors_[1:]).reshape(900, 5)
fitted = np.linalg.lstsq(design, new.reshape(50, 900).T, rcond=None)[0]
plain = (design @ fitted).T.reshape(new.shape)


def error(found):
    return np.linalg.norm(found - truth) / np.linalg.norm(truth)


print(f"robust {error(robust):.1e}, least squares {error(plain):.1e}")
assert error(robust) < 1e-9 < error(plain)

# %% [markdown]
# S of the new data, and a score that the errors in the data do not spoil: 1 is best.

# %%
print(S)
print("score", model.score(new))
assert S.nnz == (np.abs(new - truth) > 1e-9).sum()

# %% [markdown]
# For matrices there is RobustPCA, with samples in rows, as in scikit-learn.

# %%
flat = sunder.generate((150, 60), rank=3, density=0.1, seed=5)
pca = sunder.RobustPCA(n_components=3).fit(flat.tensor[:100])
found = pca.inverse_transform(pca.transform(flat.tensor[100:]))
print("RobustPCA", np.abs(found - flat.low_rank()[100:]).max())
assert np.allclose(found, flat.low_rank()[100:], atol=1e-9)
