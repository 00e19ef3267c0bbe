"""How many steps the compiled loop makes before Python looks at progress, signals and outputs."""

from __future__ import annotations

MOST_GROWTH = 32  # from one call to the next: each call costs as much as a hundred steps of a small model
MOST_STEPS = 1 << 40


def steps_of_next_call(steps: int, took: float, wanted: float) -> int:
    """Steps of the next call, if one of `steps` took so long [s] and the wanted time [s] is a good one."""
    if took < 0.5 * wanted:
        growth = int(min(MOST_GROWTH, 0.5 * wanted / max(took, 1e-9)))
        return min(max(2, growth) * steps, MOST_STEPS)
    return max(1, steps // 2) if took > 2.0 * wanted else steps
