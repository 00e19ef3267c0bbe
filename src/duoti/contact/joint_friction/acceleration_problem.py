"""The problem of accelerations of a system whose joints have friction or stops, with its rigid contacts if it has any.

All is affine in the forces of contacts and of friction: accelerations by the mass matrix and loops, wrenches through
joints by one evaluation for each force.
"""

from __future__ import annotations

import numpy as np

from duoti.contact.build import ContactSet
from duoti.contact.event_driven.accelerations import Found, RollingState, Touching
from duoti.contact.event_driven.contact_states import OPEN, ROLLING, STICK, TORSIONAL, states_of
from duoti.contact.event_driven.engine import Inconsistent
from duoti.contact.joint_friction.all_solutions import (
    FORWARD,
    REST,
    JointFrictionProblem,
    JointFrictionSolution,
    JointSlot,
)
from duoti.contact.joint_friction.engine import JointFrictionEngine, Trial
from duoti.contact.joint_friction.friction_states import FrictionStates, JammedError
from duoti.contact.joint_friction.impulses import SINGULAR, FrictionShares, inverse_on_loops
from duoti.contact.workspace import ContactPoint
from duoti.dynamics.joint_friction.events import NO_SPEED
from duoti.dynamics.joint_friction.impulse_loads import joint_loads
from duoti.dynamics.joint_friction.installation import joint_friction_of
from duoti.dynamics.mass_matrix import mass_matrix
from duoti.dynamics.workspace import new_workspace
from duoti.elements.joint_friction import ALWAYS
from duoti.elements.joint_friction_memory import AT_REST, COULOMB, STOP, UPPER
from duoti.kernel import run_entry
from duoti.model.forces.joint_friction import JointFriction
from duoti.system.arrays import Reals
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

SLIDES_ON = 2.0 * NO_SPEED  # sliding speed above which a joint moves


class JointFrictionState:
    """Friction and stops of joints, and contacts, in a state y."""

    def __init__(self, system: System, of: ContactSet | None, t: float, y: Reals):
        self.t, self.y, self.system = t, y.copy(), system
        self.engine = JointFrictionEngine(system, of) if of is not None else None
        self.work = self.engine.work if self.engine else new_workspace(system, ydot=True)
        self.states = self.engine.joints if self.engine else FrictionStates(system, self.work)
        if self.engine:
            self.system = self.engine.system
        self.jf, self.slots = joint_friction_of(self.work), self.states.slots
        self.states.begin(self.y)
        nq, nv = system.nq, system.nv
        self.v = self.y[nq : nq + nv]
        self.hits = self.states.pressing(self.y)
        speed = {s: self.v[int(self.jf.first[s])] for s in self.hits}
        self.stops = [s for s in self.hits if abs(speed[s]) <= SLIDES_ON]
        self.approaching = [s for s in self.hits if s not in self.stops]
        self.friction = [s for s in range(self.jf.count) if self.jf.kind[s] != STOP]

    def name(self, s: int) -> str:
        """Of a slot: that of its joint, with a number if the joint has several; of a stop with the word stop."""
        slot = self.slots[s]
        if not slot.friction:
            return (
                f"{slot.joint}.stop"
                if slot.friction_state.endswith("stop")
                else f"{slot.joint}.{slot.friction_state.split('.')[-1]}"
            )
        same = [k for k in self.friction if self.slots[k].joint == slot.joint]
        return slot.joint if len(same) == 1 else f"{slot.joint} {1 + same.index(s)}"

    # ------------------------------------------------------------------------------------------------- the problem

    def problem(self, points: list[ContactPoint], speeds: list[Reals]) -> JointFrictionProblem:
        """Of points that touch and do not part, with their speeds."""
        system, jf, work = self.system, self.jf, self.work
        nq, nv = system.nq, system.nv
        work.clock[0], work.y[:] = self.t, self.y
        run_entry(work.calls[0].ydot, int(work.at[0].system))  # directions of smooth laws
        smooth = jf.direction.copy()
        a, multipliers = self._free()
        M = mass_matrix(system, self.y[:nq].copy())
        G = dense_jacobian(system.closures, nv, work.G.copy()) if system.closures.rows else np.zeros((0, nv))
        inverse = inverse_on_loops(M, G)
        J = np.zeros((3 * (len(points) + len(self.stops)), nv))
        bias = np.zeros(len(J))
        for i, p in enumerate(points):
            J[3 * i : 3 * i + 3], bias[3 * i : 3 * i + 3] = p.G, p.bias
        for i, s in enumerate(self.stops, len(points)):
            J[3 * i, int(jf.first[s])] = -1.0 if self.hits[s] == UPPER else 1.0
        E = [*J, *(np.eye(nv)[int(jf.first[s]) + k] for s, k in self._rates())]
        turning = [points[i] for i in self._resisting(points)]
        E = np.array([*E, *(row for p in turning for row in p.turning)]).reshape(-1, nv)
        K, b = E @ inverse @ E.T, E @ a
        b[: len(J)] += bias
        if turning:
            b[-3 * len(turning) :] += np.concatenate([p.angular_bias for p in turning])
        slots, first = [], len(J)
        for s in self.friction:
            slots.append(self._slot(s, first, smooth[s], a))
            first += int(jf.size[s])
        shares = FrictionShares(system, work, self.t, self.y, M, inverse, G)
        base = shares.wrenches(a, multipliers)
        by_force = np.zeros((len(E), jf.count, 6))
        for i, row in enumerate(E):
            many = max(1.0, float(np.max(np.abs(a), initial=0.0))) / (float(np.max(np.abs(inverse @ row))) or 1.0)
            change = many * inverse @ row
            loops = np.linalg.lstsq(G.T, M @ change - many * row, rcond=SINGULAR)[0] if len(G) else np.zeros(0)
            self._show(points, i, many, len(J))
            by_force[i] = (shares.wrenches(a + change, multipliers + loops) - base) / many
            self._show(points, i, 0.0, len(J))
        context, always = work.at[0].system, np.where(jf.loaded == 1, jf.arms[:, ALWAYS], 0.0)

        def loads(u: Reals) -> Reals:
            out = np.zeros(jf.count)
            joint_loads(context, base + np.tensordot(u, by_force, 1), out)
            return out[self.friction]

        def own_loads(u: Reals) -> Reals:
            out = np.zeros(jf.count)
            joint_loads(context, np.tensordot(u, by_force, 1), out)
            return (out - always)[self.friction]

        slip = np.zeros((len(J) // 3, 2))
        for i, u in enumerate(speeds):
            slip[i] = u[1:]
        coefficients = np.zeros((2, len(slip)))
        if self.engine:
            pairs = [p.pair for p in points]
            contacts = self.engine.contacts
            coefficients[:, : len(points)] = contacts.friction[pairs], contacts.static_friction[pairs]
        touching = Touching(K[: len(J), : len(J)], b[: len(J)], slip, coefficients[0], coefficients[1])
        return JointFrictionProblem(touching, K, b, slots, loads, own_loads)

    def _free(self) -> tuple[Reals, Reals]:
        """Accelerations and multipliers without friction, stops and contacts."""
        work, nq, nv = self.work, self.system.nq, self.system.nv
        self.jf.x[:], self.jf.bound[:] = 0.0, 0.0
        if self.engine:
            m = self.engine.states
            m.state[:], m.force[:], m.moment[:], m.counts[0].closed, m.counts[0].held = OPEN, 0.0, 0.0, 0, 0
        work.clock[0], work.y[:] = self.t, self.y
        run_entry(int(self.jf.calls[0].ydot), int(work.at[0].system))
        return work.ydot[nq : nq + nv].copy(), work.multipliers[: self.system.closures.rows].copy()

    def _rates(self) -> list[tuple[int, int]]:
        """Slots of friction, each with the numbers of its rates."""
        return [(s, k) for s in self.friction for k in range(int(self.jf.size[s]))]

    def _resisting(self, points: list[ContactPoint]) -> list[int]:
        """Numbers of the points that resist rolling or turning: their moments are the last of u, three each."""
        return self.engine.rolling_friction.resisting(points) if self.engine and self.engine.rolling_friction else []

    def _show(self, points: list[ContactPoint], i: int, many: float, rows: int) -> None:
        """Let the entry of wrenches see so many units of force i (0.0: none again)."""
        if i < 3 * len(points):
            assert self.engine is not None
            m, slot = self.engine.states, points[i // 3].slot
            m.state[slot], m.force[slot, i % 3] = STICK if many else OPEN, many
        elif i < rows:
            self.jf.x[self.stops[(i - 3 * len(points)) // 3], 0] = 0.0
        elif i >= rows + len(self._rates()):
            assert self.engine is not None
            place, k = divmod(i - rows - len(self._rates()), 3)
            m, slot = self.engine.states, points[self._resisting(points)[place]].slot
            m.state[slot], m.moment[slot, k] = STICK if many else OPEN, many
        else:
            s, k = self._rates()[i - rows]
            if self.jf.kind[s] == COULOMB:
                self.jf.x[s, k] = many

    def _slot(self, s: int, first: int, smooth: Reals, a: Reals) -> JointSlot:
        """A slot whose forces begin at place `first` of u."""
        jf, n = self.jf, int(self.jf.size[s])
        scales, rates = jf.scales[s, :n].copy(), self.v[int(jf.first[s]) : int(jf.first[s]) + n]
        columns, u = tuple(range(first, first + n)), scales * rates
        speed = float(np.linalg.norm(u))
        friction, constant = self._law(s, speed)
        direction: Reals | None = None
        if jf.kind[s] != COULOMB:
            direction = smooth[:n].copy()
        elif speed > SLIDES_ON:
            direction = scales * u / speed
        elif jf.driven[s]:
            pushed = scales * a[int(jf.first[s]) : int(jf.first[s]) + n]
            direction = scales * pushed / (float(np.linalg.norm(pushed)) or 1.0)
        preload = float(jf.arms[s, ALWAYS])
        if not jf.loaded[s]:
            friction, constant, preload = 0.0, constant + friction * preload, 0.0
        return JointSlot(columns, scales, direction, friction, constant, preload)

    def law(self, s: int) -> JointFriction:
        """The law of friction of a slot."""
        found = list(self.system.model.forces.values())[int(self.jf.force[s])]
        assert isinstance(found, JointFriction)
        return found

    def _law(self, s: int, speed: float) -> tuple[float, float]:
        """Coefficient and constant part at a sliding speed."""
        reals, smooth = self.law(s).reals(), self.jf.kind[s] != COULOMB
        width = reals["stribeck_velocity"]
        left = 0.0 if smooth else 1.0 if speed <= SLIDES_ON else np.exp(-((speed / width) ** 2)) if width else 0.0
        low, high = (np.array([reals[p + "friction"], reals[p + "constant"]]) for p in ("", "static_"))
        friction, constant = low + left * (high - low)
        return float(friction), float(constant)

    # ------------------------------------------------------------------------------------------ what a run would do

    def as_in_a_run(
        self, problem: JointFrictionProblem, points: list[ContactPoint], speeds: list[Reals]
    ) -> JointFrictionSolution | None:
        """The friction states that an event-driven run would take, which shares out forces that are not unique; None if
        none.
        """
        y, states = self.y.copy(), self.states
        if self.engine:
            m = self.engine.states
            self.engine.joints.trial = Trial(points, speeds, set(), states_of(m))
        try:
            states.choose(self.t, y, set(), self.hits)
        except (JammedError, Inconsistent):
            return None
        if self.jf.status[0].jammed:
            return None
        force = np.zeros(len(problem.b))
        state = [OPEN] * (len(points) + len(self.stops))
        if self.engine:
            for i, p in enumerate(points):
                state[i] = int(self.engine.states.state[p.slot])
                force[3 * i : 3 * i + 3] = self.engine.states.force[p.slot] if state[i] != OPEN else 0.0
        for i, s in enumerate(self.stops, len(points)):
            force[3 * i] = abs(self.jf.x[s, 0])
            state[i] = STICK if y[self.jf.friction_state[s]] != 0.0 else OPEN
        kinds: list[int] = []
        for slot, s in zip(problem.slots, self.friction, strict=True):
            force[list(slot.columns)] = self.jf.x[s, : len(slot.columns)]
            held = slot.direction is None and y[self.jf.friction_state[s]] == AT_REST
            kinds.append(REST if held else FORWARD)
        rows, resisting = len(problem.touching.b), self._resisting(points)
        moments = force[len(force) - 3 * len(resisting) :].reshape(-1, 3)
        if self.engine:
            for moment, i in zip(moments, resisting, strict=True):
                moment[:] = self.engine.states.moment[points[i].slot] if state[i] != OPEN else 0.0
        a = problem.K @ force + problem.b
        rolling_states: dict[int, RollingState] = {}
        for k, i in enumerate(resisting):
            assert self.engine is not None
            m, slot, alpha = self.engine.states, points[i].slot, a[len(a) + 3 * (k - len(resisting)) :][:3]
            roll, torsional = (int(m.rolling_states[slot, each]) for each in (ROLLING, TORSIONAL))
            direction = points[i].frame[1:] @ m.rolling[slot]
            rolling_states[i] = RollingState(roll, torsional, direction, float(m.torsional[slot]), alpha, moments[k])
        at_points = Found(state, np.zeros((len(state), 2)), force[:rows], a[:rows], rolling_states)
        return JointFrictionSolution(at_points, tuple(kinds), force, a)
