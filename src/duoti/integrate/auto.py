"""The automatic choice: explicit while that is cheaper, implicit where stiffness makes it so."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from duoti.integrate import state as S
from duoti.integrate.base import DrivenLoop, SolverLoop, Tolerances, algebraic_states, friction_in_loops, rigid_laws
from duoti.integrate.explicit.dopri5 import DOPRI5
from duoti.integrate.implicit.radau import Radau
from duoti.integrate.record import NO_RECORD, record_of_multipliers
from duoti.integrate.state import Run
from duoti.integrate.stiffness import spectral_radius
from duoti.model.forces.base import BEAM_ELEMENTS
from duoti.system.arrays import Reals, Work
from duoti.system.system import System

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.integrate.implicit.rodas import Rodas

FIRST_LOOK = 100  # explicit steps before the first look; each further look comes after twice as many
LOOK_IMPLICIT = 50  # implicit steps between looks
SUSPECT = 0.5  # step times spectral radius from which stability may be what limits an explicit step
EXPLICIT_PRODUCT = 1.0  # the same product of implicit steps, in the mean, below which explicit ones would do
FIRST_PATIENCE = 1  # looks in a row at which explicit steps would do, before they are taken again,
MOST_PATIENCE = 16  # and at most, after some changes to and fro
TRIAL = 30  # implicit steps of a trial
SWITCH_GAIN = 1.5  # how much further the trial must come for the same work


@dataclass(frozen=True)
class Auto(Tolerances):
    """Starts explicit and switches to an implicit method where the motion is stiff, and back.

    * `DOPRI5` runs first; `Radau` takes over where it needs less work for the same time.
    * `Rodas` takes the place of `Radau` with located impacts, and where friction may stop joints of closed loops.
    * Stability: that of the method in use.
    * For: models whose stiffness is not known, or changes.

    A motion is stiff if stability, not accuracy, limits the explicit steps. Work is counted in evaluations, never in
    seconds, so the same model gives the same result on every machine. `result.stats.notes` reports each switch.
    """

    enforces_constraints: ClassVar[bool] = True
    event_driven: ClassVar[bool] = True

    @staticmethod
    def entries() -> tuple[Any, ...]:
        """See `Solver.entries`; those of the implicit solver follow when it is needed."""
        return DOPRI5.entries()

    def loop(self, system: System, times: Reals | None, work: Work) -> SolverLoop:
        event_driven = bool(rigid_laws(system) or friction_in_loops(system))
        if (names := algebraic_states(system)) and not event_driven:
            loop = Radau(**vars(self)).loop(system, times, work)
            loop.notes = [f'Radau throughout: state "{names[0]}" is algebraic']
            return loop
        if any(force.kind in BEAM_ELEMENTS for force in system.model.forces.values()):
            name, chosen = ("Rodas", _rodas(self)) if event_driven else ("Radau", Radau(**vars(self)))
            loop = chosen.loop(system, times, work)
            looser = f", to rtol={chosen.rtol:g}, the tightest that it keeps" if chosen.rtol > self.rtol else ""
            loop.notes = [
                f"{name} throughout{looser}: beams stretch and shear much faster than they bend, which is stiff"
            ]
            return loop
        return _AutoLoop(self, system, times, work, event_driven)


def _rodas(settings: Auto) -> Rodas:
    """Rodas with these settings, or the tightest tolerance that it can keep to."""
    from duoti.integrate.implicit.rodas import Rodas

    return Rodas(**{**vars(settings), "rtol": max(settings.rtol, Rodas.least_rtol)})


class _AutoLoop(SolverLoop):
    """Two loops that share one run."""

    def __init__(self, settings: Auto, system: System, times: Reals | None, work: Work, event_driven: bool):
        values = vars(settings)
        self.settings, self.system, self.event_driven = settings, system, event_driven
        self.explicit = DOPRI5(**values).loop(system, times, work)
        self.implicit: DrivenLoop | None = None  # made, and its kernels loaded, only when needed
        self.current: SolverLoop = self.explicit
        self.record_layout = NO_RECORD if event_driven else record_of_multipliers(system)
        self.work = work
        self.explicit.run = S.with_record(self.explicit.run, self.record_layout.size)
        self.explicit.use(self.explicit.run)
        self.run = self.explicit.run
        self.direction = np.zeros_like(self.run.y)
        self.rates = np.zeros_like(self.run.y)
        self.next_look, self.wait = FIRST_LOOK, FIRST_LOOK
        self.mark = (0.0, 0.0, 0)  # time, work and accepted steps at the last look
        self.patience, self.calm = (
            FIRST_PATIENCE,
            0,
        )  # looks in a row that the way back needs, and that were
        self._notes: list[str] = []

    def start(self, first_step: float) -> None:
        self.explicit.start(first_step)
        self._notes = [f"t = {self._t:.4g} s: DOPRI5"]
        self.mark = (self._t, self._work, self._accepted)

    def advance(self, most_steps: int) -> int:
        while most_steps > 0:
            if self._steps >= self.next_look:
                status = self._look()
                if status != S.CONTINUE:
                    return status
            steps = min(most_steps, self.next_look - self._steps)
            status = self.current.advance(steps)
            most_steps -= steps
            if status == S.STEP_TOO_SMALL and self.current is self.explicit:
                status = self._try_implicit("no explicit step", 0.0, otherwise=status)
            if status != S.CONTINUE:
                return status
        return self.current.advance(0)

    def restart(self) -> None:
        self.current.restart()

    def without_a_look(self) -> tuple[DrivenLoop | None, int]:
        return self.current.without_a_look()[0], self.next_look

    def begin_again(self) -> None:
        self.current.begin_again()

    def use(self, run: Run) -> None:
        self.explicit.use(run)
        if self.implicit is not None:
            self.implicit.use(run)
        self.run = run

    def checkpoint_arrays(self) -> list[Any]:
        implicit = [] if self.implicit is None else self.implicit.checkpoint_arrays()
        return [*self.explicit.checkpoint_arrays(), self.direction, self.rates, *implicit]

    def state_dict(self) -> dict[str, Any]:
        return {
            "next_look": self.next_look, "wait": self.wait, "mark": list(self.mark), "notes": list(self._notes),
            "patience": self.patience, "calm": self.calm,
            "has_implicit": self.implicit is not None, "is_explicit": self.current is self.explicit,
        }  # fmt: skip

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.next_look, self.wait = int(state_dict["next_look"]), int(state_dict["wait"])
        t, work, accepted = state_dict["mark"]
        self.mark = (float(t), float(work), int(accepted))
        self.patience, self.calm = int(state_dict["patience"]), int(state_dict["calm"])
        self._notes = list(state_dict["notes"])
        if state_dict["has_implicit"]:
            implicit = self._implicit_loop()
            self.current = self.explicit if state_dict["is_explicit"] else implicit
        else:
            self.implicit, self.current = None, self.explicit
        self.setup_seconds = 0.0

    @property
    def notes(self) -> Sequence[str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._notes

    @property
    def _t(self) -> float:
        return float(self.run.clock[0].t)

    @property
    def _steps(self) -> int:
        return int(self.run.counts[0].steps + self.run.counts[0].rejected)

    @property
    def _accepted(self) -> int:
        return int(self.run.counts[0].steps)

    @property
    def _work(self) -> float:
        """Evaluations; a Jacobian with its factors counts as many as its size says."""
        counts, nv = self.run.counts[0], self.system.nv
        return float(counts.evaluations + counts.jacobians * (4.0 + 0.3 * nv))

    def _look(self) -> int:
        """Judge the stiffness, change the solver if need be; returns a status (a trial may come to an event)."""
        status = S.CONTINUE
        t, work = self._t, self._work
        radius = self._radius()
        if self.current is self.explicit:
            product = float(self.run.clock[0].h) * radius
            speed = (t - self.mark[0]) / max(work - self.mark[1], 1.0)
            self.wait *= 2
            if product > SUSPECT:
                status = self._try_implicit(f"step times spectral radius is {product:.2g}", speed, otherwise=status)
        else:
            # a kink, such as a rope that comes taut, makes a few steps short: the mean tells how far steps come
            product = (t - self.mark[0]) / max(self._accepted - self.mark[2], 1) * radius
            self.calm = self.calm + 1 if product < EXPLICIT_PRODUCT else 0
            if self.calm >= self.patience:
                self._back_to_explicit(product)
        self.next_look = self._steps + (self.wait if self.current is self.explicit else LOOK_IMPLICIT)
        self.mark = (self._t, self._work, self._accepted)
        return status

    def _radius(self) -> float:
        return float(spectral_radius(self.work.at[0].system, self.run, self.direction, self.rates))

    def _try_implicit(self, reason: str, speed: float, otherwise: int) -> int:
        """Some steps of the implicit solver; returns their status if they stay, `otherwise` if they do not."""
        loop, run = self._implicit_loop(), self.run
        kept = [each.copy() for each in (run.clock, run.counts, run.y, run.K[0], run.watches)]
        t, work, h = self._t, self._work, float(run.clock[0].h)
        loop.start(h)
        status, last = S.CONTINUE, self._steps + TRIAL
        while status == S.CONTINUE and self._steps < last:
            status = loop.advance(last - self._steps)
            if status == S.FULL:  # nothing may be taken out of the buffers before it is known whether the trial counts
                self.grow_buffers()
                status = S.CONTINUE
        run = self.run
        gained = (self._t - t) / max(self._work - work, 1.0)
        if status >= 0 and gained > SWITCH_GAIN * speed:
            ratio = f", {gained / speed:.1f} times as far for the same work" if speed > 0 else ""
            self._notes.append(f"t = {t:.4g} s: {'Rodas' if self.event_driven else 'Radau'} ({reason}{ratio})")
            self.current, self.calm = loop, 0
            return status
        evaluations = run.counts[0].evaluations
        for target, values in zip((run.clock, run.counts, run.y, run.K[0], run.watches), kept, strict=True):
            target[...] = values
        run.counts[0].evaluations = evaluations
        self._record_nothing()
        return otherwise

    def _record_nothing(self) -> None:
        """Multipliers of the explicit method follow from the state."""
        self.run.x.fill(np.nan)
        self.run.x_new.fill(np.nan)

    def _implicit_loop(self) -> DrivenLoop:
        if self.implicit is not None:
            return self.implicit
        chosen = _rodas(self.settings) if self.event_driven else Radau(**vars(self.settings))
        made = chosen.loop(self.system, None, self.work)
        self.implicit = made
        made.use(self.run)
        began = time.perf_counter()
        made.start(float(self.run.clock[0].h))  # loads or compiles the kernels
        made.advance(0)
        self.setup_seconds += time.perf_counter() - began
        return made

    def _back_to_explicit(self, product: float) -> None:
        self._notes.append(f"t = {self._t:.4g} s: DOPRI5 (step times spectral radius is {product:.2g})")
        self.current = self.explicit
        self.patience = min(2 * self.patience, MOST_PATIENCE)
        self.wait = FIRST_LOOK
        self._record_nothing()
        self.explicit.start(float(self.run.clock[0].h))
