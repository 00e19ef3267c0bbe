"""Modes of a linear system: eigenvalues with their shapes, by the names of what moves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.analyses.instant.derivatives import displace
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.analyses.linear.linear_system import LinearSystem
    from duoti.results.result import Result

Complexes = NDArray[np.complex128]
ZERO_EIGENVALUE = 1e-7  # an eigenvalue above this part of the largest one is not zero, nor is one that turns so much
TURN = 0.3  # largest turn of a joint in the film of a mode [rad]
SHIFT = 0.1  # largest shift, as part of the size of the mechanism


@dataclass(frozen=True, eq=False)
class Mode:
    """An eigenvalue [1/s] of a linear system and the deviation x that goes with it."""

    linear: LinearSystem
    eigenvalue: complex
    vector: Complexes
    oscillates: bool
    """False for a deviation that grows or fades without any oscillation."""

    @property
    def frequency(self) -> float:
        """|eigenvalue| / 2 pi [Hz]: the natural frequency, without damping."""
        return abs(self.eigenvalue) / (2.0 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """Minus the cosine of the eigenvalue's angle: 0 undamped, 1 critically damped, negative where it grows."""
        return -self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 0.0

    @cached_property
    def shape(self) -> Complexes:
        """Displacements of all joints, those that follow in loops included, in the order of `system.rate_names`."""
        N_h, _, _ = self.linear.directions
        return N_h @ self.vector[: N_h.shape[1]]

    @cached_property
    def states(self) -> dict[str, complex]:
        """Deviations of the first-order states by name."""
        first = len(self.linear.coordinates) + len(self.linear.rates)
        return dict(zip(self.linear.states[first:], self.vector[first:].tolist(), strict=True))

    @cached_property
    def participation(self) -> dict[str, float]:
        """Part of each joint's rate in the motion, by sqrt(M_ii) |displacement or rate|, largest first; they sum to
        one.

        Modes of first-order states alone have the states instead.
        """
        linear = self.linear
        N_h, N, W = linear.directions
        rates = N @ self.vector[N_h.shape[1] : N_h.shape[1] + N.shape[1]] + W @ self.vector[: N_h.shape[1]]
        weight = np.sqrt(np.abs(np.diag(linear.variation.M)))
        moved = weight * np.maximum(
            np.abs(self.shape), np.abs(rates) / max(abs(self.eigenvalue), 1e-300) * bool(self.eigenvalue)
        )
        parts = dict(zip(linear.all_rates, moved.tolist(), strict=True))
        if not np.any(moved > 1e-9 * max([1e-300, *map(abs, self.states.values())])):
            parts = {name: abs(value) for name, value in self.states.items()}
        total = sum(parts.values()) or 1.0
        return {name: part / total for name, part in sorted(parts.items(), key=lambda each: -each[1])}

    @property
    def moves(self) -> tuple[str, ...]:
        """Names of what moves most, first; those that move less than a twentieth of the first are left out."""
        parts = self.participation
        most = max(parts.values(), default=0.0)
        return tuple(name for name, part in parts.items() if part > 0.05 * most)

    def result(self, amplitude: float | None = None, frames: int = 60) -> Result:
        """One period of the motion as a result; of a mode that does not oscillate, the way there and back in 1 s.

        amplitude: largest displacement [rad, or m if nothing turns]; by default one that is well seen. Damping is left
        out of the picture. Loops stay closed. Frequencies of zero take 1 s, too.
        """
        from duoti.analyses.states.assemble import assemble
        from duoti.results.records import Reason, Stats
        from duoti.results.result import Result

        linear, system = self.linear, self.linear.system
        shape = (
            self.shape * np.exp(-1j * np.angle(self.shape[np.argmax(np.abs(self.shape))]))
            if len(self.shape)
            else self.shape
        )
        scale = self._scale(amplitude)
        period = 1.0 / self.frequency if self.oscillates and self.frequency > 0 else 1.0
        t = np.linspace(0.0, period, frames + 1)
        phase = np.exp(2j * np.pi * t / period)
        deltas = scale * np.real(shape[None, :] * phase[:, None])
        rates = scale * np.real(2j * np.pi / period * shape[None, :] * phase[:, None])
        held = np.zeros(system.nv, dtype=bool)
        y: list[Reals] = []
        for delta, rate in zip(deltas, rates, strict=True):
            q = displace(system, linear.q, delta)
            if system.closures.rows:
                q = assemble(system, q, np.zeros(system.nv), linear.t, held=(held, held)).q
            y.append(system.whole_state(q, rate, linear.z))
        text = f"mode of {self.frequency:.4g} Hz" if self.oscillates else f"mode of {self.eigenvalue.real:.4g} 1/s"
        return Result(system, t, np.array(y), True, Reason("end-time", text), Stats(text, frames, 0, 0, 0.0))

    def _scale(self, amplitude: float | None) -> float:
        system, size = self.linear.system, np.abs(self.shape)
        turns = system.tree.angular == 1
        turn, shift = (float(np.max(size[which], initial=0.0)) for which in (turns, ~turns))
        if amplitude is not None:
            return amplitude / max(turn if turn > 1e-9 * shift else shift, 1e-300)
        length = length_of(system, self.linear.q)
        return min(TURN / max(turn, 1e-300), SHIFT * length / max(shift, 1e-300))

    def __repr__(self) -> str:
        kind = f"{self.frequency:.4g} Hz" if self.oscillates else f"{self.eigenvalue.real:.4g} 1/s"
        return f"<mode of {kind}: {', '.join(self.moves[:3])}>"


def _are_round_off(linear: LinearSystem, values: Complexes, errors: Reals) -> NDArray[np.bool_]:
    """Eigenvalues that are zero but for round-off; those of conservative systems have been looked at one by one
    (`linear_system`).
    """
    if linear.conservative or not len(values):
        return np.abs(values) == 0.0
    return (np.abs(values) <= ZERO_EIGENVALUE * float(np.max(np.abs(values)))) & (np.abs(values) <= errors)


def find_modes(linear: LinearSystem, values: Complexes, vectors: Complexes, errors: Reals) -> tuple[Mode, ...]:
    """One mode for each pair of conjugate eigenvalues, by frequency; then the real ones by size."""
    zero = _are_round_off(linear, values, errors)
    swings, others, zeros = list[Any](), list[Any](), list[Any]()
    for value, vector, still in zip(values, vectors.T, zero, strict=True):
        if still:
            zeros.append((0.0 + 0.0j, vector))
        elif abs(value.imag) <= ZERO_EIGENVALUE * abs(value):
            others.append((complex(value.real), vector))
        elif value.imag > 0:
            swings.append((complex(value), vector))
    if linear.conservative:  # there, a zero is a double one: a body that drifts, an oscillation of 0 Hz
        swings, zeros = [*swings, *zeros[: (len(zeros) + 1) // 2]], []
    swings, others = sorted(swings, key=lambda each: abs(each[0])), [*zeros, *others]
    found = [Mode(linear, value, vector, True) for value, vector in swings]
    return (*found, *(Mode(linear, value, vector, False) for value, vector in sorted(others, key=lambda e: abs(e[0]))))


def length_of(system: Any, q: Reals) -> float:
    """How large a mechanism is: the largest distance of frames from their mean [m]; one if all are in one place."""
    from duoti.results.evaluate.observe import FRAMES, observe

    markers = list(range(len(system.loads.markers.body)))
    states = system.whole_state(q, np.zeros(system.nv))[None]
    places = observe(system, np.zeros(1), states, FRAMES, markers).frames[0, :, 9:12]
    size = float(np.max(np.linalg.norm(places - places.mean(axis=0), axis=1), initial=0.0))
    return size or 1.0
