"""Runs that hardly advance: laws that chatter, and motions that are too fast for the steps to get anywhere.

Laws that chatter jump where the motion stays, so that a solver takes one tiny step after the other.

A force `-5*sign(v)` holds v at zero by jumping to and fro. Between two states of a few steps' distance such a law
differs by as much as between states ten times as far apart; a law that is only steep differs by a tenth of that.

A hard spring on a light body, or a pendulum of a picometre, oscillates so fast that the end of the run is out of reach.
The steps that are left follow from those of the last second.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from duoti.analyses.states.diagnose import SingleForce, state_in_words
from duoti.integrate import Solver
from duoti.integrate import state as S
from duoti.model.element_id import ElementId
from duoti.results.evaluate.observe import STATE_RATES, observe
from duoti.results.records import Reason
from duoti.system.arrays import Reals
from duoti.system.system import System

FIRST_LOOK = 20_000  # steps
DISTANCES = (3.0, 10.0, 30.0)  # between the states that are compared, in steps
STAYS = 1e-2  # change of a state, relative to one plus its size, within all these steps where the motion stays
JUMP = 0.5  # part of the difference over ten times the distance that is a jump
NOTICED = 1e-9  # difference of a law, as part of its values, that is more than round-off


SECONDS, STEPS = 1.0, 2_000  # of a run, after which it is looked how far they have come
MANY, HOPELESS = 1e7, 1e9  # steps left: enough for a warning, too many to go on
PATIENCE = 3.0  # seconds for which they must be too many
STEEPEST = 0.5  # part of all changes of forces that makes one the cause


class Chatter:
    """Watches a run for laws that chatter, and for steps that lead nowhere."""

    def __init__(self, system: System, solver: Solver):
        self.system, self.adaptive, self.implicit = system, solver.adaptive, solver.enforces_constraints
        self.next_look = FIRST_LOOK
        self.notes: tuple[str, ...] = ()
        self.mark: tuple[float, float, int] | None = None  # seconds, time and steps at the last look at the progress
        self.hopeless_since = np.inf
        self.warned = False
        self.stop = ""  # why the run should end

    def look(self, run: S.Run, seconds: float) -> str:
        """A sentence on what makes the steps so small, once, if there are very many; otherwise nothing.

        seconds: that the run has taken so far.
        """
        if not self.adaptive:
            return ""
        chatters = self._look_for_jumps(run)
        slow = self._look_at_progress(run, seconds)
        return chatters or slow

    def _look_at_progress(self, run: S.Run, seconds: float) -> str:
        counts, clock = run.counts[0], run.clock[0]
        t, steps, t_end = float(clock.t), int(counts.steps + counts.rejected), float(clock.t_end)
        if self.mark is None:
            self.mark = seconds, t, steps
        if seconds - self.mark[0] < SECONDS or steps - self.mark[2] < STEPS:
            return ""
        done, made = t - self.mark[1], steps - self.mark[2]
        left = made * (t_end - t) / done if done > 0.0 else np.inf
        rate = made / (seconds - self.mark[0])
        self.mark = seconds, t, steps
        self.hopeless_since = min(self.hopeless_since, seconds) if left > HOPELESS else np.inf
        hopeless = seconds - self.hopeless_since >= PATIENCE
        if left <= MANY or (self.warned and not hopeless):
            return ""
        cause = self._cause(run) or "the motion is that fast"
        text = (
            f"at t = {t:.6g} s steps are as short as {float(clock.h):.2g} s: {left:.1g} more are needed to come to "
            f"{t_end:.6g} s, {_in_words(left / rate)} at the present rate; {cause}. "
            f"{OF_STEPS if self.implicit else OF_EXPLICIT_STEPS}; {OF_UNITS}"
        )
        if hopeless:
            self.stop = text
            return ""
        self.warned = True
        if self.notes:
            return ""  # the law that chatters was named
        self.notes = (text,)
        return text

    def explain(self, run: S.Run, status: int, failure: Callable[[], Reason]) -> Reason:
        """Why a run ended: because it was stopped, or by a failure, with the force that makes the steps short."""
        if self.stop:
            return Reason("step-too-small", f"the run was stopped: {self.stop}")
        reason, errors = failure(), self.system.callbacks.errors
        if status not in (S.STEP_TOO_SMALL, S.NEWTON_FAILED) or errors:
            return reason
        jumps, cause = self._jumping(run), self.force_at_fault(run)
        errors.clear()  # of laws that were tried further on
        if jumps:  # the equation that is worst is only where it shows
            return Reason(reason.code, f"{cause}; {reason.text}")
        return Reason(reason.code, f"{reason.text}; {cause}") if cause else reason

    def force_at_fault(self, run: S.Run) -> str:
        """The law that jumps, or the force that changes most, in words; empty if there is none."""
        if names := self._jumping(run):
            return f"{' and '.join(map(self._called, names))} jumps where the motion stays: make the law continuous"
        steepest = self._steepest(run)
        return f"{self._called(steepest)} changes most there" if steepest is not None else ""

    def _called(self, owner: object) -> str:
        """A force as its user knows it: compliant contacts are force elements, one for each pair of shapes."""
        name = getattr(owner, "name", "").partition("[")[0]
        return f'contact "{name}"' if name in self.system.model.contacts else str(owner)

    def _cause(self, run: S.Run) -> str:
        """What makes the steps short, in words: a law that jumps, or the fastest motion and the force that makes it."""
        force = self.force_at_fault(run)
        nq, nv = self.system.nq, self.system.nv
        rates = np.abs(run.K[0, nq : nq + nv]) / (1.0 + np.abs(run.y[nq : nq + nv]))
        if not nv or not np.isfinite(rates).all() or not rates.any():
            return force
        fastest = f"the fastest motion is that of {state_in_words(self.system, nq + int(np.argmax(rates)))}"
        return f"{fastest}, and {force}" if force else fastest

    def _steepest(self, run: S.Run) -> ElementId | None:
        """The force that changes far more than the others within a step, if there is one."""
        t, h, nq = float(run.clock[0].t), float(run.clock[0].h), self.system.nq
        moved, rates = run.y.copy(), run.K[0, :nq]
        if not np.isfinite(rates).all():
            return None
        moved[:nq] += h * rates + 0.5 * h * h * np.max(np.abs(run.K[0]), initial=0.0)  # also where rates are zero
        changes: dict[str, float] = {}
        for f, name in enumerate(self.system.model.forces):
            force = SingleForce(self.system, f)
            values = [_values(force, t, y) for y in (run.y, moved)]
            changes[name] = float(np.max(np.abs(values[1] - values[0]), initial=0.0))
        if not changes or not all(np.isfinite(each) for each in changes.values()):
            return None
        name = max(changes, key=lambda each: changes[each])
        return ElementId("force", name) if changes[name] > STEEPEST * sum(changes.values()) else None

    def _look_for_jumps(self, run: S.Run) -> str:
        """A sentence on laws that chatter, once, if there have been very many steps; otherwise nothing."""
        if self.notes or run.counts["steps"][0] < self.next_look:
            return ""
        counts, clock = run.counts[0], run.clock[0]
        self.next_look = 2 * int(counts.steps)
        names = self._jumping(run)
        if not names:
            return ""
        who = " and ".join(str(name) for name in names)
        text = (
            f"{who} chatters about t = {float(clock.t):.6g} s: {'it jumps' if len(names) == 1 else 'they jump'} to and "
            f"fro where the motion stays, and the solver takes steps of {float(clock.h):.2g} s "
            f"({int(counts.steps)} so far); make the law continuous, such as tanh(v/0.001) in place of sign(v), "
            "with an implicit solver such as dt.Radau() if it is then stiff, or let dt.JointFriction hold the joint"
        )
        self.notes = (text,)
        return text

    def _jumping(self, run: S.Run) -> list[ElementId]:
        """Forces and states whose laws jump within a few steps of the present state."""
        t, h, n = float(run.clock[0].t), float(run.clock[0].h), self.system.nq + self.system.nv + self.system.nz
        direction = np.zeros_like(run.y)
        rates = np.abs(run.K[:, :n])
        direction[:n] = h * np.max(rates, axis=0, where=np.isfinite(rates), initial=0.0)
        if np.max(10.0 * DISTANCES[-1] * direction / (1.0 + np.abs(run.y))) > STAYS:
            return []  # steps are not that short
        found: list[ElementId] = []
        for f, name in enumerate(self.system.model.forces):
            force = SingleForce(self.system, f)

            def value(y: Reals, force: SingleForce = force) -> Reals:
                return _values(force, t, y)

            if _jumps(value, run.y, direction):
                found.append(ElementId("force", name))
        if self.system.nz:
            for i, name in enumerate(self.system.state_names):

                def rate(y: Reals, i: int = i) -> Reals:
                    return observe(self.system, np.array([t]), y[None], STATE_RATES).zdot[0, i : i + 1]

                if _jumps(rate, run.y, direction):
                    found.append(ElementId("state", name))
        return found


OF_EXPLICIT_STEPS = "If such a motion does not matter, an implicit solver may step over it: dt.Radau()"
OF_STEPS = (
    "If such a motion does not matter, looser tolerances or constant steps pass it: dt.GeneralisedAlpha(step=...)"
)
OF_UNITS = (
    "or replace what makes it by a joint or a rigid constraint. Look at units, too: a length or mass far too small, a "
    "stiffness far too large"
)


def _values(force: SingleForce, t: float, y: Reals) -> Reals:
    work = force.at(t, y)
    return np.concatenate([work.tau.ravel(), work.F_ext.ravel()])


def _in_words(seconds: float) -> str:
    for size, name in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds:.0f} seconds"


def _jumps(value: Callable[[Reals], Reals], y: Reals, direction: Reals) -> bool:
    """Whether a law differs over a small distance by as much as over one ten times as large."""
    for distance in DISTANCES:
        near, far = (np.abs(value(y + d * direction) - value(y - d * direction)) for d in (distance, 10.0 * distance))
        size = np.max(np.abs(value(y + distance * direction)), initial=0.0)
        if np.any((near > JUMP * far) & (near > NOTICED * size) & (far > 0.0)):
            return True
    return False
