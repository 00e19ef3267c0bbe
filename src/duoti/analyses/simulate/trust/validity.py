"""Flexible bodies that a run bends beyond what modes of small deformations can say."""

from __future__ import annotations

import warnings

import numpy as np

from duoti.analyses.simulate.trust.energy_balance import Sampled
from duoti.analyses.states.supported import rigid_elements
from duoti.integrate import Solver
from duoti.model.forces.base import Force
from duoti.strict import user_level
from duoti.system.arrays import Reals
from duoti.system.compile.flexible_bodies import FlexibleLayout
from duoti.system.system import System

LARGE = 0.1  # deflection, as a part of the body's length
MOST_POINTS = 200  # points of a body that are looked at


class LargeDeflectionWarning(UserWarning):
    """A flexible body was bent by more than a tenth of its length: its modes are for small deformations."""


class LawRangeWarning(UserWarning):
    """A force element left the range of its data, and went on with values at the end of it."""


class DeflectionWatch:
    """The largest displacement of each flexible body in its frame, among the outputs of a run."""

    def __init__(self, system: System):
        self.system = system
        self.modes = {name: _points(layout) for name, layout in system.flexible.items()}
        self.largest = dict.fromkeys(self.modes, 0.0)

    def look(self, y: Reals) -> None:
        """Take note of further states."""
        if len(y):
            for name, modes in self.modes.items():
                moved = np.einsum("axj,tj->tax", modes, y[:, self.system.flexible[name].q])
                self.largest[name] = max(
                    self.largest[name], float(np.sqrt(np.max(np.sum(moved**2, axis=2), initial=0.0)))
                )

    def notes(self) -> list[str]:
        """A sentence for each body that was bent too far."""
        found: list[str] = []
        for name, largest in self.largest.items():
            length = self.system.flexible[name].reduced.length
            if length > 0.0 and largest > LARGE * length:
                found.append(
                    f'flexible body "{name}" was deflected by {largest:.3g} m, {100 * largest / length:.0f} % of its '
                    f"length: modes are for small deformations, up to about {100 * LARGE:.0f} %; use beams "
                    "(model.add_beam), or cut it into several flexible bodies"
                )
        return found

    def warn(self) -> None:
        """Say it."""
        for note in self.notes():
            text = f"simulation of {self.system.model.name!r}: {note}"
            warnings.warn(text, LargeDeflectionWarning, stacklevel=user_level())


def _points(layout: FlexibleLayout) -> Reals:
    """[points, 3, n] displacements of nodes and interfaces, of unit modal coordinates."""
    reduced = layout.reduced
    points = [np.asarray([each.displacement for each in reduced.interfaces.values()]).reshape(-1, 3, reduced.n)]
    if reduced.display is not None:
        step = max(1, len(reduced.display.nodes) // MOST_POINTS)
        points.append(np.asarray(reduced.display.modes)[::step])
    return np.concatenate(points)


def out_of_range(system: System, sampled: Sampled) -> str:
    """Which force element left the range in which its law holds, and when; empty if none did."""
    return next(iter(_found(system, sampled, "out_of_range")), "")


def remarks(system: System, sampled: Sampled) -> list[str]:
    """What force elements have to say of a run; it is warned about, too."""
    found = _found(system, sampled, "remark")
    for text in found:
        warnings.warn(f"simulation of {system.model.name!r}: {text}", LawRangeWarning, stacklevel=user_level())
    return found


def _found(system: System, sampled: Sampled, question: str) -> list[str]:
    """Answers of force elements that have a say."""
    from duoti.results.evaluate.channels import seen_force

    found: list[str] = []
    for k, (name, force) in enumerate(system.model.forces.items()):
        if getattr(type(force), question) is not getattr(Force, question):
            answer = getattr(force, question)(seen_force(system, k, sampled.t, sampled.y))
            if answer is not None:
                row, text = answer
                found.append(f'force "{name}" (first seen at t = {sampled.t[row]:.6g} s): {text}')
    return found


# Whether time stepping has pushed bodies through each other because a prescribed motion or a loop left no choice.
#
# Where no impulse changes how fast a contact closes, a step of `dt.Moreau` has no solution, and its residual, which is
# measured by what impulses do, is nothing. But the law can be read off the motion: what overlaps does not come closer.


STEPS = 2.0  # in the first one bodies meet, by the end of the second they do not approach any more
OVERLAP = 1e-6  # m, besides: what steps leave of contacts at rest
ON_STEP, FEW = 1e-6, 16  # part of a step; outputs at ends of steps that are enough to look at
AT_ONCE = 4  # outputs in a row at which what touches approaches; a contact that has just met may do so at one or two


def pressed_through(system: System, solver: Solver, sampled: Sampled) -> str:
    """What happened, of a run by time stepping with loops or constraints; empty if nothing did."""
    if not (solver.treats_contacts and solver.fixed_step and system.closures.rows):
        return ""
    if len(sampled.t) < 2 or not np.isfinite(sampled.y).all():
        return ""
    from duoti.results.evaluate.contact_points import points_of_each

    sampled = _at_steps(solver.fixed_step, sampled)
    names = list(rigid_elements(system))
    for name, points in zip(names, points_of_each(system, sampled.y, names), strict=True):
        speed = points.u[..., 0]
        deep = (speed < 0.0) & (points.gap < STEPS * solver.fixed_step * speed - OVERLAP)
        # where positions are not prescribed, what overlaps is pushed back in each step, against the rates
        held = (speed * solver.fixed_step < -OVERLAP) & (points.gap <= OVERLAP)
        for k in range(len(held) - AT_ONCE + 1):
            deep[k] |= np.all(held[k : k + AT_ONCE], axis=0)
        if np.any(deep):
            k = int(np.argmax(np.any(deep, axis=1)))
            return (
                f'contact "{name}" goes on closing at {-float(np.min(speed[k][deep[k]])):.3g} m/s (first seen at '
                f"t = {sampled.t[k]:.6g} s): no impulse of it changes the motion, which constraints or drives "
                "prescribe; let the drive give way (a spring, a force), or take the contact out"
            )
    return ""


def _at_steps(step: float, sampled: Sampled) -> Sampled:
    """Outputs at ends of steps, and all if these are few.

    Between steps states are lines, projected to the constraints: a driven body is then where it belongs, and one that
    it pushes is not, by up to 1/8 a h².
    """
    steps = (sampled.t - sampled.t[0]) / step
    at = np.abs(steps - np.round(steps)) < ON_STEP
    if np.count_nonzero(at) < FEW:  # or an event has shifted them
        return sampled
    return Sampled(sampled.t[at], sampled.y[at])
