"""What goes wrong where data are measured. Each damage changes a tensor in place and marks what it spoils in `bad`.

`size` is the root mean square of L. All of them leave most entries of every slice as they were."""
import numpy as np


def fibres(random, shape, mode, share):
    """A mask, constant along a mode, of about this share of the fibres."""
    across = [1 if m == mode else n for m, n in enumerate(shape)]
    return np.broadcast_to(random.random(across) < share, shape)


def along(shape, mode):
    return np.arange(shape[mode]).reshape([-1 if m == mode else 1 for m in range(len(shape))]) / max(shape[mode] - 1, 1)


def any_mode(random, T):
    return int(random.integers(T.ndim))


def add(T, bad, mask, values):
    T[mask] += np.broadcast_to(values, T.shape)[mask]
    bad |= mask


def errors(random, T, bad, size):
    """Anywhere, of both signs."""
    mask = random.random(T.shape) < random.uniform(0.05, 0.35)
    add(T, bad, mask, size * random.uniform(0.8, 4, T.shape) * random.choice([-1, 1], T.shape))


def spikes(random, T, bad, size):
    """Anywhere, of one sign, some of them huge."""
    mask = random.random(T.shape) < random.uniform(0.02, 0.3)
    add(T, bad, mask, random.choice([-1, 1]) * size * (0.7 + random.exponential(random.uniform(1, 8), T.shape)))


def replaced(random, T, bad, size):
    """Values that have nothing to do with L."""
    mask = random.random(T.shape) < random.uniform(0.05, 0.3)
    T[mask] = random.uniform(T.min(), T.max(), T.shape)[mask]
    bad |= mask


def bursts(random, T, bad, size):
    """Runs along a mode."""
    mode = any_mode(random, T)
    begins = random.uniform(-0.1, 1, [1 if m == mode else n for m, n in enumerate(T.shape)])
    length = random.uniform(0.05, 0.3)
    time = along(T.shape, mode)
    mask = fibres(random, T.shape, mode, 0.6) & (time >= begins) & (time < begins + length)
    add(T, bad, mask, size * random.uniform(1, 4) * (1 + 0.5 * random.standard_normal(T.shape)))


def drift(random, T, bad, size):
    """Some sensors drift away in the course of time."""
    mode = any_mode(random, T)
    time = along(T.shape, mode)
    begin = random.uniform(0.2, 0.6)
    mask = fibres(random, T.shape, mode, random.uniform(0.05, 0.3)) & (time > begin)
    slope = random.standard_normal([1 if m == mode else n for m, n in enumerate(T.shape)])
    add(T, bad, mask, size * slope * random.uniform(2, 6) * (time - begin))


def gain(random, T, bad, size):
    """Some fibres are too large or too small by a factor."""
    mode = any_mode(random, T)
    mask = fibres(random, T.shape, mode, random.uniform(0.05, 0.2))
    T[mask] *= np.broadcast_to(np.exp(random.uniform(0.4, 1.2) * random.choice([-1, 1], T.shape[:mode] + (1,) +
                                                                             T.shape[mode + 1:])), T.shape)[mask]
    bad |= mask


def stuck(random, T, bad, size):
    """Some sensors repeat a value from some moment on."""
    mode = any_mode(random, T)
    at = int(random.integers(T.shape[mode] // 4, max(T.shape[mode] // 2, T.shape[mode] // 4 + 1)))
    mask = fibres(random, T.shape, mode, random.uniform(0.05, 0.25)) & (along(T.shape, mode) * (T.shape[mode] - 1) > at)
    T[mask] = np.broadcast_to(np.take(T, [at], mode), T.shape)[mask]
    bad |= mask


def clipped(random, T, bad, size):
    """Saturated at one end or at both."""
    low, high = random.choice([0, random.uniform(0.02, 0.15)]), random.uniform(0.85, 0.97)
    low, high = np.quantile(T, [low, high])
    bad |= (T < low) | (T > high)
    np.clip(T, low, high, out=T)


def missing(random, T, bad, size):
    T[random.random(T.shape) < random.uniform(0.1, 0.5)] = np.nan


def missing_blocks(random, T, bad, size):
    for _ in range(random.integers(1, 5)):
        T[np.ix_(*[np.flatnonzero(random.random(n) < 0.5) for n in T.shape])] = np.nan


def missing_runs(random, T, bad, size):
    """Outages of sensors."""
    mode = any_mode(random, T)
    time = along(T.shape, mode)
    begins = random.uniform(0, 0.8, [1 if m == mode else n for m, n in enumerate(T.shape)])
    T[fibres(random, T.shape, mode, 0.5) & (time >= begins) & (time < begins + 0.4)] = np.nan


def dropouts(random, T, bad, size):
    """Zeros where a value was lost."""
    mask = random.random(T.shape) < random.uniform(0.1, 0.4)
    T[mask] = 0
    bad |= mask


def blocks(random, T, bad, size):
    """Boxes of errors that are all alike."""
    for _ in range(random.integers(1, 6)):
        mask = np.zeros(T.shape, bool)
        mask[np.ix_(*[np.flatnonzero(random.random(n) < 0.25) for n in T.shape])] = True
        add(T, bad, mask, size * random.uniform(1, 4) * random.choice([-1, 1]))


def rank_one_rows(random, T, bad, size):
    """A few slices have a further component in half of their entries."""
    mode = any_mode(random, T)
    rows = (random.random(T.shape[mode]) < 0.15).reshape([-1 if m == mode else 1 for m in range(T.ndim)])
    pattern = np.ones(T.shape)
    for m, n in enumerate(T.shape):
        pattern = pattern * random.standard_normal(n).reshape([-1 if k == m else 1 for k in range(T.ndim)])
    mask = rows & (random.random(T.shape) < 0.5)
    add(T, bad, mask, 3 * size * pattern)


def bad_slices(random, T, bad, size):
    """Random numbers in 60% of the entries of a few slices."""
    mode = any_mode(random, T)
    rows = (random.random(T.shape[mode]) < 0.12).reshape([-1 if m == mode else 1 for m in range(T.ndim)])
    mask = rows & (random.random(T.shape) < 0.6)
    T[mask] = 2 * size * random.standard_normal(T.shape)[mask]
    bad |= mask


DAMAGES = [errors, spikes, replaced, bursts, drift, gain, stuck, blocks, rank_one_rows, bad_slices, dropouts, clipped,
           missing, missing_blocks, missing_runs]
ANYWHERE = [errors, spikes, replaced, bursts, dropouts, clipped, missing, missing_blocks, missing_runs]
LAST = (clipped, missing, missing_blocks, missing_runs)  # an instrument clips what it sees, and gaps have no value


def draw_damage(random, T, bad, size, is_free):
    """One to three of them; returns their names. What rows of a matrix do from one moment on is a component. With a
    component to spare (`is_free`), so are a box of equal errors, a pattern on a few slices, and fibres that drift
    alike."""
    allowed = [d for d in DAMAGES if T.ndim > 2 or d not in (drift, stuck)]
    if is_free:
        allowed = [d for d in ANYWHERE if d is not bursts or T.ndim > 2] + [bad_slices] * (T.ndim > 2)
    chosen = random.choice(len(allowed), random.choice([1, 2, 3], p=[0.4, 0.45, 0.15]), replace=False)
    names = []
    for damage in sorted((allowed[i] for i in chosen), key=lambda d: d in LAST and 1 + LAST.index(d)):
        damage(random, T, bad, size)
        names.append(damage.__name__)
    return names
