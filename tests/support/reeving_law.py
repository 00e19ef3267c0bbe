"""The law of slip of `elements.reeving` in random states, by its kernel."""

from __future__ import annotations

import numpy as np

from duoti.elements import reeving as R
from duoti.kernel import kernel


@kernel
def _tensions(ints, c, p, x, stiffness, damping, length):
    R.tensions(x, ints, c, p, stiffness, damping, length)


class RandomRope:
    """A rope with friction on all sheaves, or a belt, whose spans move in any way."""

    def __init__(self, rng: np.random.Generator):
        self.segments, self.closed = int(rng.integers(2, 7)), int(rng.integers(0, 2))
        self.flows = points = self.segments + 1 - self.closed
        head = dict.fromkeys(R.HEADER, 0) | {"points": points, "closed": self.closed, "flows": self.flows,
                                             "segments": self.segments}  # fmt: skip
        inner = range(0 if self.closed else 1, points if self.closed else points - 1)
        rows = [[0, 1, R.NODE if k in inner else R.END, k, 0] for k in range(points)]
        self.integers = np.array([*head.values(), *np.ravel(rows)], np.int64)
        self.numbers = np.concatenate([np.zeros(R.WIDE * points), np.full(self.segments, 1 / self.segments)])
        self.inner = inner
        S, F = self.segments, self.flows
        strain = rng.normal(size=S) * 10 ** rng.uniform(-6, -2, size=S) + rng.choice([0, 1e-3])
        w = rng.normal(size=F) * rng.choice([0, 1])
        if not self.closed:
            w[0] = w[-1] = 0.0
        self.angles = rng.uniform(0.05, 3, size=F)
        rates = rng.normal(size=S) * 10 ** rng.uniform(-4, 0)
        self.x = np.zeros(R.scratch_size(points, F, S, 0))
        first = R.SPAN * points
        inputs = np.concatenate([(1 + strain) / S, rates, w, self.angles, np.zeros(F)])
        self.x[first : first + len(inputs)] = inputs
        self.out = first + len(inputs)

    def violation(self, stiffness: float, damping: float) -> float:
        """How far the tensions are from the law, in parts of the largest one without slip."""
        _tensions(self.integers, self.numbers, 0, self.x, stiffness, damping, 1.0)
        S, F = self.segments, self.flows
        T = self.x[self.out : self.out + S]
        assert np.all(np.isfinite(T))
        assert np.all(T >= 0.0)
        begin = self.out + S + F
        held = self.x[begin : begin + R.PER_SEGMENT * S].reshape(S, -1)[:, R.HELD]
        slips = self.x[begin + R.PER_SEGMENT * S :][: R.PER_FLOW * F].reshape(F, -1)[:, R.SLIP]
        worst = 0.0
        for n in self.inner:
            into, out, grip = T[n - 1], T[n % S], np.exp(self.angles[n])
            beyond = (out - grip * into, into - grip * out)
            worst = max(worst, *beyond)
            if slips[n] != 0.0:
                worst = max(worst, abs(beyond[0] if slips[n] > 0.0 else beyond[1]))
        return worst / max(np.abs(held).max(), 1e-300)


def violations(count: int) -> float:
    """The largest violation of many ropes."""
    rng = np.random.default_rng(1)
    return max(RandomRope(rng).violation(1e5, 1e5 * 10 ** rng.uniform(-5, -2)) for _ in range(count))
