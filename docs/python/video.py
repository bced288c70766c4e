# %% [markdown]
# # Video
# Moving objects before a background that stays, while the frames arrive.

# %%
import numpy as np

from sunder.video import Background

rng = np.random.default_rng(1)
scene = rng.integers(40, 200, (120, 160))


def frame_at(t):
    """The scene, a little noise, a square that moves to the right, and where the square is."""
    inside = np.zeros(scene.shape, bool)
    left = 6 * t % 128
    inside[40:72, left:left + 32] = True
    frame = scene + rng.integers(-3, 4, scene.shape)
    frame[inside] = 240
    return frame.astype(np.uint8), inside


# %% [markdown]
# The model warms up on the first frames; then it judges these, and after that every frame at once.

# %%
background = Background(warm_up=15)
decisions = []
truth = []
for t in range(40):
    frame, inside = frame_at(t)
    truth.append(inside)
    decisions += background.push(frame)
print(background, len(decisions), "decisions")

# %%
overlap = []
for decision, inside in zip(decisions[15:], truth[15:]):
    mask = decision.mask > 0
    overlap.append((mask & inside).sum() / (mask | inside).sum())
print("mean overlap of mask and truth", np.mean(overlap).round(2))
assert np.mean(overlap) > 0.6

# %% [markdown]
# A decision has the background too, without the square.

# %%
error = np.abs(decisions[-1].background.astype(int) - scene)
print("median error of the background", np.median(error), "grey levels")
assert np.median(error) <= 3

# %% [markdown]
# The state can be saved; another process goes on from there.

# %%
background.save("background.state")
later = Background.load("background.state")
assert np.array_equal(later.push(frame_at(39)[0])[0].mask.shape, scene.shape)
