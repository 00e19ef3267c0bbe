"""Static friction that is larger than sliding friction, in derivatives of time stepping: when points break away.

The friction of a point that begins to slide drops, in one step and whenever it was in that step. It happens where what
is left of static friction, g = mu_s p_n - |p_t|, comes to zero; its time moves by dt = -dg / (dg/dt), and the
velocities by

    (a_stick - a_slip) dt                                                                                          (1)

(`jumps`, there (1) and (2)), with the mean accelerations of the last step that sticks and the first one that slides.
Derivatives of g by time are differences of the last two steps that stick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duoti.analyses.gradients.moreau_blocks import SLIP, STICK, NoDerivativeError, SolvedBlock
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.analyses.gradients.moreau_run import MoreauRun
    from duoti.analyses.gradients.moreau_step import StepChanges

UNIQUE = 1e-6  # part of a change of impulses that is none
TOUCHED = 1e-9  # part of static friction by which it must change in a step to be passed


class Sticking(NamedTuple):
    """A block that sticks, at the end of a step."""

    step: int
    left: float  # of static friction [N]
    change: Reals  # [parameters]
    rate: float | None  # of `left`; None: not known yet
    unique: bool
    static: float  # static friction [N]


class Breakaway:
    """What is known of sticking points of a run."""

    def __init__(self, run: MoreauRun):
        self.run = run
        self.stuck = dict[tuple[bool, int], Sticking]()

    def begin(self) -> None:
        """Nothing is known at the start."""
        self.stuck.clear()

    def moved(self, step: StepChanges) -> Reals:
        """(1) for all parameters, [nv, parameters]; zero in most steps."""
        run, none = self.run, np.zeros((self.run.nv, step.count))
        found = list[tuple[int, Sticking]]()
        for block in step.blocks:
            held = self.stuck.get(self._key(step, block))
            if block.piece == SLIP and held is not None and held.step == step.n - 1:
                found.append((block.number, held))
        if not found:
            return none
        k, held = found[0]
        if len(found) > 1:
            raise NoDerivativeError(k, "breaks away together with others, and the order depends on the parameters")
        if not held.unique:
            raise NoDerivativeError(k, "breaks away from static friction that is not unique")
        if held.rate is None:
            raise NoDerivativeError(k, "sticks for one step only before it breaks away; take a shorter step")
        if not held.rate * step.h < -TOUCHED * held.static:
            raise NoDerivativeError(k, "breaks away although its static friction is not used up: the time is not known")
        stick = run.mean_acceleration(step.n - 1, np.zeros(run.nv))
        # friction of joints is static in the whole step that they begin at rest
        slip = run.mean_acceleration(step.n + step.blocks[k].is_disc, stick)
        return np.outer(stick - slip, -held.change / held.rate)

    def keep(self, step: StepChanges) -> None:
        """Sticking blocks of a step whose static friction is larger than that of sliding."""
        before, self.stuck = self.stuck, {}
        for block in step.blocks:
            if block.piece != STICK:
                continue
            static, static_p, drops = self._static(step, block)
            if not drops:
                continue
            first = step.system.at[block.number]
            p = block.p if block.is_disc else block.p[1:]
            size = float(np.linalg.norm(p))
            by_impulses = np.zeros(len(step.system.p))
            by_impulses[first + len(block.p) - len(p) : first + len(block.p)] = -p / size if size > 0.0 else 0.0
            if not block.is_disc:
                by_impulses[first] = block.mu
            change = static_p + by_impulses @ step.dp[:, : step.count]
            loose = step.system.null @ (step.system.columns * by_impulses)
            unique = bool(np.all(np.abs(loose) <= UNIQUE * np.linalg.norm(step.system.columns * by_impulses)))
            left, key = (static - size) / step.h, self._key(step, block)
            last = before.get(key)
            rate = None if last is None or last.step != step.n - 1 else (left - last.left) / step.h
            self.stuck[key] = Sticking(
                step.n, left, change / step.h, rate, unique, static / step.h
            )  # fmt: skip

    def _static(self, step: StepChanges, block: SolvedBlock) -> tuple[float, Reals, bool]:
        """Static friction as an impulse, its derivatives with p_n held, and whether it drops when the block slides."""
        run, k, c = self.run, block.number, step.c
        if block.owner >= 0:
            return 0.0, np.zeros(step.count), False
        if block.is_disc:
            low, high, high_p = run.of_contacts.laws.drop(int(c.slot[k]))
            return step.h * high, step.h * high_p, high > low
        low, high, high_p = run.of_contacts.drop(int(c.slot[k]))
        return block.radius, float(c.p[k, 0]) * high_p, high > low and block.mu == high

    @staticmethod
    def _key(step: StepChanges, block: SolvedBlock) -> tuple[bool, int]:
        return block.is_disc, int(step.c.slot[block.number])
