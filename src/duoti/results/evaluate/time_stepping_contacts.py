"""What a run by time stepping knows of the forces in it: means over the step to which an output belongs.

An output at the end of a step, or within it, has the forces of that step, impacts included: impulse over step. The
step has balanced them in its middle, with the velocities before it, and there they are looked at.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from duoti.integrate.record import (
    ACCELERATION,
    JOINT_FRICTION_COLUMNS,
    JOINT_FRICTION_FORCES,
    MIDDLE,
    PUSH,
    RecordLayout,
)
from duoti.model.elements import name_of
from duoti.model.forces.channels import Seen
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.joint_friction import span_of
from duoti.results.evaluate.forces_from_record import Given, observe_given
from duoti.results.evaluate.observe import Observation
from duoti.results.result import columns_of_multipliers
from duoti.system.arrays import ENERGY_ACCUMULATORS, Reals
from duoti.system.system import System


class TimeSteppingRun:
    """Forces of a run, from its record."""

    def __init__(self, system: System, t: Reals, y: Reals, x: Reals, layout: RecordLayout):
        self.system = system
        n, nv = len(t), system.nv

        def block(name: str) -> Reals:
            columns = [k for each in layout.columns_of(name).values() for k in each]
            return np.asarray(x[:, columns])

        middle = block(MIDDLE)
        self.whole = middle.shape[1] > 0  # else free bodies alone: no joint has a reaction
        multipliers, push, bodies = np.zeros((n, 0)), np.zeros((n, 0, 6)), ()
        self.h = np.zeros(n)
        if self.whole:
            t, self.h, y = middle[:, 0], middle[:, 1], np.hstack([middle[:, 2:], np.zeros((n, ENERGY_ACCUMULATORS))])
            columns = columns_of_multipliers(system, layout) if system.closures.rows else []
            multipliers = np.asarray(x[:, columns])
            pushed = layout.columns_of(PUSH)
            bodies = tuple(owner.name for owner in pushed)
            parts = [np.asarray(x[:, list(each)]).reshape(n, -1, 6).sum(axis=1) for each in pushed.values()]
            push = np.stack(parts, axis=1)
        self.given = Given(
            t,
            y,
            block(ACCELERATION)[:, :nv],
            multipliers,
            block(JOINT_FRICTION_FORCES).reshape(n, -1, JOINT_FRICTION_COLUMNS),
            bodies,
            push,
        )

    @property
    def t(self) -> Reals:
        """Times at which forces are looked at [s]: the middle of each step."""
        return self.given.t

    @property
    def y(self) -> Reals:
        """States at which they are."""
        return self.given.y

    def observe(self, markers: list[int] | None = None, unfused: bool = False) -> Observation:
        """Accelerations, and reactions where there are any; unfused: with a row for every body."""
        seen, _ = observe_given(self.system.unfused if unfused else self.system, self.given, markers)
        if not self.whole:
            seen.wrenches[:] = 0.0  # contacts, which are not kept by body, are all that acts on free bodies
        return seen

    @cached_property
    def left_over(self) -> Reals:
        """[n, nv] what the balance of each rate lacks [N, N m]: round-off.

        But where forces are implicit, and in rates of flexible bodies, on which contacts push as on rigid ones here.
        """
        return observe_given(self.system, self.given)[1]

    def observed_joint_friction(self, force: JointFriction | JointStop) -> Seen:
        """As `results.evaluate.channels.observed_joint_friction`."""
        first, count = span_of(self.system.model, force)
        rates = [int(i) for i in self.system.joints[name_of(force.joint)].v]  # pyright: ignore[reportArgumentType]
        n, kept = len(self.t), self.given.jf[:, first : first + count]
        forces = self._joint_friction_forces(first, count)
        return Seen(np.zeros((n, 0, 18)), np.zeros((n, 0, 6)), forces[:, rates], kept[:, :, 3:])

    def dissipated_by(self, force: JointFriction | JointStop) -> Reals:
        """Power that joint friction laws of an element take [W]: forces times the mean of the velocities before and
        after a step.
        """
        forces = self._joint_friction_forces(*span_of(self.system.model, force))
        nq, nv = self.system.nq, self.system.nv
        mean = self.y[:, nq : nq + nv] + 0.5 * self.h[:, None] * self.given.a
        lost = -np.sum(forces * mean, axis=1)
        if isinstance(force, JointFriction) and force.steady:
            lost -= force.steady * mean[:, int(self.system.joints[name_of(force.joint)].v[0])]  # pyright: ignore[reportArgumentType]
        return lost

    def _joint_friction_forces(self, first: int, count: int) -> Reals:
        """[n, nv] generalised forces of some slots."""
        from duoti.dynamics.joint_friction.installation import build_joint_friction

        jf, found = build_joint_friction(self.system), np.zeros((len(self.t), self.system.nv))
        assert jf is not None
        for s in range(first, first + count):
            size, j = int(jf.size[s]), int(jf.first[s])
            found[:, j : j + size] += self.given.jf[:, s, :size]
        return found
