"""`EnergyFlow`: where the energy of a motion comes from, which way it takes, and where it stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.model.errors import MissingPackageError, did_you_mean
from duoti.system.arrays import Reals
from duoti.text import table as lined_up

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MISSED = 1e-3  # part of the energies that a table may miss without a word
BLANK = 1e-12  # numbers below this part of the largest are left blank in a table: round-off
NUMERICAL = "numerical"
"""The row of what the integration gained or lost."""
SUMS = ("kinetic", "potential", "kinetic_rate", "potential_rate", "supplied", "dissipated", "drift")
"""What of the parts adds up to that of the whole model."""


class Flow(NamedTuple):
    """Power [W] over time from one part of the model to another."""

    source: str
    target: str
    power: Reals


@dataclass(frozen=True)
class Part:
    r"""The energy account of a body, joint, force element, constraint or contact over time.

    $$\dot E = P_{\mathrm{in}} + P_{\mathrm{supplied}} - P_{\mathrm{dissipated}}$$

    Attributes
    ----------
    name, kind:
        Which part it is.
    kinetic, potential:
        Kinetic energy of bodies and rotors, potential energy of gravity and elastic elements [J].
    kinetic_rate, potential_rate:
        Their rates [W].
    inflow:
        Power that flows in from other parts, less what flows out [W].
    supplied, dissipated:
        Power that enters the model here, and that leaves it [W].
    drift:
        Power of multipliers on velocities that open a loop [W]: an error of the states.
    """

    name: str
    kind: str
    kinetic: Reals
    potential: Reals
    kinetic_rate: Reals
    potential_rate: Reals
    inflow: Reals
    supplied: Reals
    dissipated: Reals
    drift: Reals

    @property
    def stored(self) -> Reals:
        """Kinetic and potential energy [J]."""
        return self.kinetic + self.potential

    @property
    def rate(self) -> Reals:
        """d(stored)/dt [W]."""
        return self.kinetic_rate + self.potential_rate

    @property
    def unbalanced(self) -> Reals:
        """inflow + supplied - dissipated + drift - rate [W]: zero but for round-off."""
        return self.inflow + self.supplied - self.dissipated + self.drift - self.rate


class WorkRow(NamedTuple):
    """One line of `EnergyFlow.works`: energies [J] since the start."""

    name: str
    kind: str
    supplied: float
    dissipated: float
    inflow: float
    stored: float


@dataclass(frozen=True)
class EnergyFlow:
    """What `energy_flow` found: powers [W] and energies [J] over time.

    Attributes
    ----------
    t:
        Times [s].
    parts:
        Account of each body, joint, force element and constraint.
    flows:
        Power from one part to another.
    """

    model: str
    t: Reals
    parts: Mapping[str, Part]
    flows: tuple[Flow, ...]
    numerical: Reals
    """Energy [J] that the integration itself has added since the start; negative: dissipated."""
    accumulated: Reals
    """Work supplied and energy dissipated [J] as the solver accumulated them, one row per time."""
    impacts: Mapping[str, Reals] = field(default_factory=dict[str, Reals])
    """Energy [J] that impacts of rigid contacts have taken since the start, by the names of the parts."""

    @cached_property
    def total(self) -> Part:
        """The account of the whole model: what flows between its parts is not in it."""
        parts, zero = self.parts.values(), np.zeros(len(self.t))

        def add(what: str) -> Reals:
            return sum((getattr(part, what) for part in parts), zero)

        return Part("total", "model", inflow=zero, **{name: add(name) for name in SUMS})

    @cached_property
    def residual(self) -> Reals:
        """The largest power [W] that any part, or the whole, leaves unaccounted for at each instant: round-off."""
        every = [np.abs(part.unbalanced) for part in (*self.parts.values(), self.total)]
        return np.max(every, axis=0) if every else np.zeros(len(self.t))

    @property
    def largest(self) -> float:
        """The largest power of any flow, supply, dissipation or change of energy [W]: what `residual` compares with."""
        parts = self.parts.values()
        powers = [each for part in parts for each in (part.kinetic_rate, part.potential_rate, part.supplied)]
        powers += [part.dissipated for part in parts]
        return max((float(np.max(np.abs(p))) for p in (*powers, *(f.power for f in self.flows)) if len(p)), default=0.0)

    def part(self, name: str) -> Part:
        """The account of a part."""
        if name not in self.parts:
            raise KeyError(f'there is no part "{name}".{did_you_mean(name, self.parts)}')
        return self.parts[name]

    def power(self, source: str, target: str) -> Reals:
        """Power [W] from one part to another over time; negative: backwards. Zero where they do not touch."""
        for name in (source, target):
            self.part(name)  # KeyError if there is none
        total = np.zeros(len(self.t))
        for flow in self.flows:
            if (flow.source, flow.target) == (source, target):
                total = total + flow.power
            elif (flow.source, flow.target) == (target, source):
                total = total - flow.power
        return total

    # -------------------------------------------------------------------------------------------------------- works

    def work(self, power: Reals) -> Reals:
        """Energy [J] since the start of a power given at the times `t`.

        By a cubic spline through the outputs, anew after each jump of the state: its error falls with the fourth power
        of their distance where the power is smooth. `quadrature` shows it.
        """
        total, first = np.zeros(len(self.t)), 0
        ends = [*(np.flatnonzero(np.diff(self.t) <= 0.0) + 1).tolist(), len(self.t)]
        for end in ends:
            total[first:end] = (total[first - 1] if first else 0.0) + _integral(self.t[first:end], power[first:end])
            first = end
        return total

    @cached_property
    def quadrature(self) -> Reals:
        """Net work [J] of all parts by `work`, less what the solver accumulated at its own steps: error of `work`.

        What a jump of the state takes or gives is no power; it is here, too.
        """
        net = self.work(self.total.supplied - self.total.dissipated)
        for lost in self.impacts.values():
            net = net - (lost - lost[:1])
        solver = self.accumulated[:, 0] - self.accumulated[:, 1]
        return net - (solver - solver[:1])

    @cached_property
    def works(self) -> tuple[WorkRow, ...]:
        """Energies [J] from the first to the last output: one row for each part, then `numerical` and the total."""
        rows = [self._work_row(part) for part in self.parts.values()]
        if len(self.t):
            gained = float(self.numerical[-1])
            rows.append(WorkRow(NUMERICAL, "error", max(gained, 0.0), max(-gained, 0.0), 0.0, 0.0))
        supplied, dissipated, inflow, stored = np.sum([row[2:] for row in rows], axis=0).tolist() if rows else [0.0] * 4
        return (*rows, WorkRow("total", "model", supplied, dissipated, inflow, stored))

    def _work_row(self, part: Part) -> WorkRow:
        powers = (part.supplied, part.dissipated, part.inflow)
        supplied, dissipated, inflow = (float(self.work(each)[-1]) if len(self.t) else 0.0 for each in powers)
        stored = float(part.stored[-1] - part.stored[0]) if len(self.t) else 0.0
        if len(self.t) and part.name in self.impacts:
            lost = self.impacts[part.name]
            dissipated += float(lost[-1] - lost[0])
        return WorkRow(part.name, part.kind, supplied, dissipated, inflow, stored)

    # ------------------------------------------------------------------------------------------------- for the reader

    def table(self, t: float | None = None) -> str:
        """Energies [J] since the start for all parts, or, at a time t [s], their powers [W], as a text."""
        unit, rows = ("J", self.works) if t is None else ("W", self._powers_at(t))
        head = ("part", "", f"supplied {unit}", f"dissipated {unit}", f"inflow {unit}", f"stored {unit}")
        small = BLANK * max((abs(x) for row in rows for x in row[2:]), default=0.0)
        lines = [[row.name, row.kind, *("" if abs(x) <= small else f"{x:.6g}" for x in row[2:])] for row in rows]
        text = "\n".join(lined_up((head, *lines), left=2))
        return text if t is not None else text + self._missed()

    def _missed(self) -> str:
        """A line where the energies of the table do not add up, since powers at the outputs do not tell them."""
        if not len(self.t):
            return ""
        missed = float(self.quadrature[-1])
        exchanged = max((abs(x) for row in self.works for x in row[2:]), default=0.0)
        if abs(missed) <= MISSED * exchanged:
            return ""
        return (
            f"\n{abs(missed):.3g} J are not in the rows above: works are integrals of powers at the outputs, which "
            "miss what impacts (joints at their stops) take, and what happens between outputs that are too far apart"
        )

    def _powers_at(self, t: float) -> tuple[WorkRow, ...]:
        k = self._index(t)
        parts = (*self.parts.values(), self.total)
        return tuple(
            WorkRow(p.name, p.kind, *(float(x[k]) for x in (p.supplied, p.dissipated, p.inflow, p.rate))) for p in parts
        )

    def _index(self, t: float) -> int:
        """Number of the output nearest to a time."""
        if not len(self.t) or not self.t[0] <= t <= self.t[-1]:
            raise ValueError(f"t={t!r}: the motion is from {self.t[0]:.6g} s to {self.t[-1]:.6g} s")
        return int(np.argmin(np.abs(self.t - t)))

    def to_pandas(self) -> pd.DataFrame:
        """Powers of all flows [W] and energies stored in all parts [J] over time, as a table of pandas."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingPackageError('to_pandas needs pandas: pip install "duoti[data]"') from None
        columns: dict[str, Any] = {f"{f.source} -> {f.target} [W]": f.power for f in self.flows}
        for part in self.parts.values():
            columns[f"{part.name} supplied [W]"] = part.supplied
            columns[f"{part.name} dissipated [W]"] = part.dissipated
            columns[f"{part.name} stored [J]"] = part.stored
        return pd.DataFrame(columns, index=pd.Index(self.t, name="t [s]"))

    def plot(self) -> Figure:
        """Power supplied and dissipated by each part, energy of each part, and the residual, over time."""
        from duoti.results.plot.energy_flow import plot_flow

        return plot_flow(self)

    def sankey(self, t: float | None = None) -> Figure:
        """The way of the energy as bands: net work [J] over the whole motion, or powers [W] at the time t."""
        from duoti.results.plot.energy_flow import draw_sankey

        return draw_sankey(self, t)

    def __str__(self) -> str:
        worst = float(np.max(self.residual, initial=0.0))
        return f"{self.table()}\nlargest power {self.largest:.4g} W, unaccounted for at most {worst:.2g} W"

    def __repr__(self) -> str:
        worst = float(np.max(self.residual, initial=0.0))
        return (
            f"<energy flow of {self.model!r}: {len(self.parts)} parts, {len(self.flows)} flows; largest "
            f"{self.largest:.3g} W, residual {worst:.1g} W>"
        )


def _integral(t: Reals, power: Reals) -> Reals:
    """Integral from t[0] on, by a cubic spline."""
    if len(t) < 2:
        return np.zeros(len(t))
    from scipy.interpolate import CubicSpline

    return np.asarray(CubicSpline(t, power).antiderivative()(t))
