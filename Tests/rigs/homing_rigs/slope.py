"""How fast something grows, and how sure that is."""

import math
import statistics

DAY = 86400


def lasting_rise(figures):
    """How much more the second half has than the first: by the lowest figure or by the median, whichever is less. The
    allocator keeps a block now and then, or gives a block back, and so moves one of the two; a leak lifts both."""
    middle = len(figures) // 2
    return min(level(figures[middle:]) - level(figures[:middle]) for level in (min, statistics.median_low))


def slope(samples, step=0):
    """(growth a day, uncertainty) of samples (seconds, value), by least squares; the uncertainty is twice the standard
    error, and what a single `step` of the values comes to; endless with fewer than six samples."""
    count = len(samples)
    if count < 6:
        return 0.0, math.inf
    middle = sum(x for x, _ in samples) / count
    mean = sum(y for _, y in samples) / count
    spread = sum((x - middle) ** 2 for x, _ in samples)
    growth = sum((x - middle) * (y - mean) for x, y in samples) / spread
    rest = sum((y - mean - growth * (x - middle)) ** 2 for x, y in samples)
    error = math.sqrt(rest / (count - 2) / spread)
    return growth * DAY, (2 * error + step / (samples[-1][0] - samples[0][0])) * DAY
