"""The small parts of a result: statistics, why it ended, events, energies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from duoti.contact.event_driven.records import ImpactRecord
from duoti.integrate.record import CONTACT
from duoti.model.errors import ChannelError
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.results.result import Result


def impacts_of(result: Result) -> tuple[ImpactRecord, ...]:
    """Impacts of rigid contacts and of rigid stops in joints, in the order of time: when, where, impulse, energy lost.

    Time stepping lists no stops: these are a part of its steps.
    In time stepping: points that were open in the last step, meet in this one, and come faster than by twice what
    forces change their speed by in a step; contacts that were closed already are not listed.
    """
    if result.known_impacts is not None:
        return tuple(result.known_impacts)
    if result.record_layout.columns_of(CONTACT):
        raise ChannelError("the file was written before impacts were kept in files")
    return ()


@dataclass(frozen=True)
class Stats:
    """What the solver did.

    Attributes
    ----------
    solver:
        The solver with its settings.
    steps, rejected:
        Accepted and rejected steps.
    evaluations, jacobians:
        Evaluations of the equations of motion, and of their derivatives.
    seconds:
        Wall time of the integration, without compilation.
    repartitions:
        New choices of independent coordinates.
    notes:
        What the solver reports: switches, contacts that were not solved, differences in place of derivatives.
    chosen:
        Why this solver was chosen.
    """

    solver: str
    steps: int
    rejected: int
    evaluations: int
    seconds: float
    repartitions: int = 0  # how often `CoordinatePartitioning` chose other independent coordinates
    jacobians: int = 0  # of implicit solvers
    notes: tuple[str, ...] = ()  # what the solver chose by itself, and why
    chosen: tuple[str, ...] = ()  # why it is this solver, where the user named none (`choose_solver`)
    # of time stepping: steps with contacts or joint friction ("steps"), how many each stage of the solver's cascade
    # solved ("kept": the impulses of the last step still held, "newton", "continued", "cold", "swept", "interior"),
    # and those left above the tolerance ("unsolved")
    contacts: dict[str, int] = field(default_factory=dict[str, int])
    # of time stepping: the largest residuals of the run of Signorini's condition [m/s], Coulomb's cone [N] and the
    # principle of maximum dissipation [W] ("signorini", "cone", "dissipation"): value, contact, end of the step [s]
    contact_residuals: dict[str, tuple[float, str, float]] = field(default_factory=dict[str, tuple[float, str, float]])


ReasonCode = Literal[
    "end-time", "event", "interrupted", "error", "not-finite", "no-convergence", "step-too-small",
    "jumps-without-end", "energy-lost", "loops-open", "lost-digits", "closures-unsolved", "contact-unsolved",
    "reactions-unsolved", "jammed", "stop-passed", "out-of-range", "running", "killed", "unknown",
]  # fmt: skip


class Reason(NamedTuple):
    """Why a run ended: a short stable word for programs, and a sentence, whose words may change."""

    code: ReasonCode
    text: str


@dataclass(frozen=True)
class EventRecord:
    """An event that happened: its name, the time [s], and the coordinates, velocities and first-order states then."""

    name: str
    t: float
    q: Reals
    v: Reals
    z: Reals


@dataclass(frozen=True)
class Energy:
    r"""Energies over time [J], and their balance.

    $$E = T + V, \qquad \mathrm{residual} = \left( E - W + D \right) - \left( E - W + D \right)_{t = 0}$$

    Attributes
    ----------
    kinetic:
        Kinetic energy $T$.
    gravity, elastic:
        Potential energies of gravity and of elastic elements.
    supplied:
        Work $W$ of drives and applied forces since the start.
    dissipated:
        Energy $D$ lost in dampers, friction and impacts since the start.
    residual:
        Error of the balance since the first output: the error of integration.
    """

    kinetic: Reals
    gravity: Reals
    elastic: Reals
    supplied: Reals
    dissipated: Reals

    @property
    def potential(self) -> Reals:
        """Of gravity and elastic elements."""
        return self.gravity + self.elastic

    @property
    def total(self) -> Reals:
        """Kinetic and potential."""
        return self.kinetic + self.gravity + self.elastic

    @property
    def residual(self) -> Reals:
        """What the balance of energy does not account for."""
        balance = self.total - self.supplied + self.dissipated
        return balance - balance[..., :1]
