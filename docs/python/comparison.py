# %% [markdown]
# # Comparison of methods
# Several methods on one tensor, under the same budget.

# %%
import sunder

planted = sunder.generate((30, 30, 30), rank=3, density=0.3, seed=6)
methods = ["robust-cp", "rtd-als", "altproj-flat", "pcp-flat"]
found = sunder.compare(planted.tensor, rank=3, methods=methods, truth=planted, time_limit=20)
print(found)
assert found.best == "robust-cp"

# %% [markdown]
# Without a truth the methods are judged by entries that were hidden from them.

# %%
blind = sunder.compare(planted.tensor, rank=3, methods=["robust-cp", "altproj-flat"])
for row in blind:
    print(row.method, row.status, row.held_out)
assert blind.best == "robust-cp"

# %% [markdown]
# All there is to choose from, with the options of one of them.

# %%
for name, method in sunder.methods().items():
    print(f"{name:18}{method['summary']}")
for option, facts in sunder.methods()["rtd-als"]["options"].items():
    print(f"    {option} = {facts['default']}: {facts['meaning']}")
