"""A mechanism as a bond graph, and its dynamics by it: reactions of joints as unknown efforts.

Every body has six 1-junctions: the velocity of its mass centre in world axes (inertia m, weight) and its angular
velocity in its own axes (inertia field J, and the ring of gyrators that is Euler's gyroscopic term). The bodies of a
joint are connected by multiport transformers to 0-junctions, one for each equation of the joint, at which an unknown
effort stands, the reaction (Wang, Xu & Chen, Journal of Dynamics and Control 7 (2009), sections 2 and 3): so all
storages keep integral causality, and with X the momenta, U the unknown efforts

    dX/dt = a + B U,   0 = Jc X,   so   U = -(Jc B)^-1 (Jc a + dJc/dt X)                                        (1)

without damping of the joints' equations, the paper's (20). With it, a resistor R stands at each 0-junction beside the
unknown effort, and no derivative is needed, the paper's (19):

    0 = Jc X + D U,   so   U = -D^-1 Jc X,   D = 1/R                                                            (2)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.instant.dynamics import as_state
from duoti.analyses.states.at import with_instant
from duoti.analyses.states.supported import as_system
from duoti.bond import GY, MTF, Graph, I, One, Se, Zero
from duoti.bond import R as Resistor
from duoti.bond.equations.reduce import planned
from duoti.bond.show.text import written_sum
from duoti.dynamics.tree.forward import force_state
from duoti.dynamics.workspace import new_workspace
from duoti.flexible.body import Flexible
from duoti.model.elements import GROUND
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.laws.reaction_feedback import feedback_names
from duoti.model.mechanism.mobility import joint_equations
from duoti.model.model import Model
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.spatial import Pose, Rotation
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

AXES = "xyz"
UNKNOWN = "reaction_{}"
STEP = 1e-5  # of the differences for dJc/dt, in units of time scaled by the rates; errors are of the order STEP^4


@dataclass(frozen=True)
class Reactions:
    """Dynamics by the graph, in world axes: accelerations of mass centres, angular ones, reactions of joints."""

    acceleration: dict[str, Reals]
    angular_acceleration: dict[str, Reals]
    reaction_force: dict[str, Reals]
    """Of the parent on the child."""
    reaction_torque: dict[str, Reals]
    """About the joint's point on the child."""


class MechanismState:
    """Poses and velocities of bodies and joints."""

    def __init__(self, system: System, q: Any, v: Any, t: float):
        y = system.whole_state(np.asarray(q, float), np.asarray(v, float))[None]
        model = system.model
        self.bodies = {name: system.marker_index(name) for name in model.bodies}
        sides = [(name, side) for name in model.joints for side in ("parent_marker", "child_marker")]
        joints = [getattr(system.joints[name], side) for name, side in sides]
        frames = observe(system, np.array([t]), y, FRAMES, [*self.bodies.values(), *joints]).frames[0]
        self.frames = dict(zip(self.bodies, frames, strict=False))
        self.joints = dict(zip(sides, frames[len(self.bodies) :], strict=True))
        self.system, self.q, self.v, self.t = system, q, v, t

    def body(self, name: str) -> tuple[Reals, Reals, Reals]:
        """Rotation matrix, mass centre, angular velocity in body axes."""
        f = self.frames[name]
        R = f[:9].reshape(3, 3)
        inertia: Any = self.system.model.bodies[name].inertia
        return R, f[9:12] + R @ inertia.com, R.T @ f[12:15]

    def joint(self, name: str, side: str) -> Pose:
        """Frame of a joint on one of its sides."""
        f = self.joints[name, f"{side}_marker"]
        return Pose(Rotation.from_matrix(f[:9].reshape(3, 3)), f[9:12])


def word(name: str) -> str:
    """A name that an element may have."""
    found = re.sub(r"\W+", "_", name)
    return found if not found[:1].isdigit() else f"b{found}"


@with_instant
@explained
def mechanism_graph(
    model: Model | System, q: Any = None, v: Any = None, t: float = 0.0, joint_damping: float | None = None
) -> Graph:
    """The bond graph of a mechanism in a state: bodies as inertias, joints as constraint equations.

    Ratios of transformers and gyrators are those of this state.

    Parameters
    ----------
    q, v, t:
        The state; by default the initial one.
    joint_damping:
        Damping of the equations of all joints [N s/m, N m s/rad]: a resistor at each.
    """
    system = as_system(model)
    return graph_of(MechanismState(system, *given_state(system, q, v), t), joint_damping)[0]


def _refuse_others(model: Model) -> None:
    """ValueError for all that the graph would leave out."""
    faults = [f'constraint "{name}"' for name in model.constraints]
    faults += [f'contact "{name}"' for name in model.contacts]
    faults += [f'flexible body "{name}"' for name, body in model.bodies.items() if isinstance(body.inertia, Flexible)]
    for name, joint in model.joints.items():
        if any(joint.rotor_inertias):
            faults.append(f'the rotor inertia of joint "{name}" (of a bond graph, maybe)')
    faults += [f'friction "{name}"' for name, force in model.forces.items() if isinstance(force, JointFriction)]
    faults += [f"what laws make of {name}" for name in feedback_names(model)]
    if faults:
        raise ValueError(
            f'the bond graph of "{model.name}" has rigid bodies, joints and forces only; it would leave out '
            f"{', '.join(faults)}"
        )


def given_state(system: System, q: Any, v: Any) -> tuple[Reals, Reals]:
    """The state that is given, or that at the start."""
    start = system.initial_state()
    return as_state(system, start[0] if q is None else q, start[1] if v is None else v)


def graph_of(state: MechanismState, joint_damping: float | None) -> tuple[Graph, list[tuple[str, Any]]]:
    """The graph in a state, and the joint and unit wrench of each unknown effort."""
    model = state.system.model
    _refuse_others(model)
    if joint_damping is not None and not joint_damping > 0.0:
        raise ValueError(f"joint_damping is {joint_damping}; give a positive number, or None for rigid joints")
    g = Graph(model.name)
    applied = _applied(state)
    for name, body in model.bodies.items():
        inertia: Any = body.inertia
        if not inertia.mass > 0.0:
            raise ValueError(f'body "{name}" has no mass: its momentum would not tell its velocity')
        b, (_, _, omega) = word(name), state.body(name)
        force, torque = applied[name]
        for k, axis in enumerate(AXES):
            g.add(f"{b}.v{axis}", One())
            g.add(f"{b}.m{axis}", I(float(inertia.mass)))
            g.bond(f"{b}.v{axis}", f"{b}.m{axis}")
            g.add(f"{b}.w{axis}", One())
            for letter, value in (("v", force[k]), ("w", torque[k])):
                if value:
                    g.add(f"{b}.{'F' if letter == 'v' else 'M'}{axis}", Se(float(value)))
                    g.bond(f"{b}.{'F' if letter == 'v' else 'M'}{axis}", f"{b}.{letter}{axis}")
        g.add(f"{b}.J", I(inertia.matrix.tolist()))
        h = inertia.matrix @ omega
        for axis in AXES:
            g.bond(f"{b}.w{axis}", f"{b}.J")
        for k in range(3):  # Euler's equations: h x w, a gyrator between each two axes
            i, j, ratio = AXES[k], AXES[(k + 1) % 3], float(h[(k + 2) % 3])
            if ratio:
                g.add(f"{b}.G{i}{j}", GY(ratio))
                g.bond(f"{b}.w{i}", f"{b}.G{i}{j}")
                g.bond(f"{b}.G{i}{j}", f"{b}.w{j}")
    equations: list[tuple[str, Any]] = []
    for name in model.joints:
        _add_joint(g, state, name, equations, joint_damping)
    return g, equations


def _add_joint(
    g: Graph, state: MechanismState, name: str, equations: list[tuple[str, Any]], joint_damping: float | None
) -> None:
    """0-junctions for the equations of a joint, transformers to both bodies, and the unknown efforts."""
    element, j = state.system.model.joints[name], word(name)
    _, wrenches = joint_equations(element.joint, state.joint(name, "parent"), state.joint(name, "child"))
    for k, wrench in enumerate(wrenches):
        g.add(f"{j}.c{k}", Zero())
        g.add(f"{j}.e{k}", Se(UNKNOWN.format(len(equations))))
        g.bond(f"{j}.e{k}", f"{j}.c{k}")
        if joint_damping is not None:
            g.add(f"{j}.r{k}", Resistor(joint_damping))
            g.bond(f"{j}.c{k}", f"{j}.r{k}")
        equations.append((name, wrench))
    for body, side in ((element.child, "child"), (element.parent, "parent")):
        if body == GROUND or not len(wrenches):
            continue
        R, centre, _ = state.body(body)
        rows = [[*w[3:], *(R.T @ (w[:3] - np.cross(centre, w[3:])))] for w in wrenches]
        sign = -1.0 if side == "child" else 1.0  # an effort pushes the child forward, the parent back
        g.add(f"{j}.{side}", MTF((sign * np.array(rows)).tolist()))
        for letter in "vw":
            for axis in AXES:
                g.bond(f"{word(body)}.{letter}{axis}", f"{j}.{side}")
        for k in range(len(rows)):
            g.bond(f"{j}.{side}", f"{j}.c{k}")


def _applied(state: MechanismState) -> dict[str, tuple[Reals, Reals]]:
    """Weight and what force elements do: force in world axes at the mass centre, torque in body axes."""
    system = state.system
    model, tree = system.model, system.tree
    found = {
        name: (float(body.inertia.mass) * np.asarray(model.gravity, float), np.zeros(3))  # pyright: ignore
        for name, body in model.bodies.items()
    }
    if not model.forces:
        return found
    system = system.unfused
    tree = system.tree
    w = new_workspace(system)
    force_state(tree, system.loads, w, float(state.t), np.array(state.q, float), np.array(state.v, float))
    for name in model.bodies:
        row = system.bodies[name]
        pose = w.X_WB[row]
        R_row, p_row = pose[:9].reshape(3, 3), pose[9:]
        R, centre, _ = state.body(name)
        force, torque = R_row @ w.F_ext[row, 3:], R_row @ w.F_ext[row, :3]
        torque = torque - np.cross(centre - p_row, force)
        found[name] = (found[name][0] + force, found[name][1] + R.T @ torque)
    for name, element in model.joints.items():
        rates = system.joints[name].v
        tau = w.tau[rates] if len(rates) else np.zeros(0)
        if not np.any(tau):
            continue
        if element.kind not in ("revolute", "prismatic"):
            raise ValueError(
                f'joint "{name}" ({element.kind}) is driven: the graph has drives in revolute and prismatic joints'
            )
        frame = state.joint(name, "parent")
        axis = (frame.rotation @ element.joint.frame()).matrix[:, 2]
        for body, sign in ((element.child, 1.0), (element.parent, -1.0)):
            if body == GROUND:
                continue
            R, centre, _ = state.body(body)
            push = sign * float(tau[0]) * axis
            lever = state.joint(name, "child").position - centre
            if element.kind == "revolute":
                found[body] = (found[body][0], found[body][1] + R.T @ push)
            else:
                found[body] = (found[body][0] + push, found[body][1] + R.T @ np.cross(lever, push))
    return found


@dataclass(frozen=True)
class Equations:
    """(1) and (2) in a state: dX/dt = A X + a0 + B U, 0 = Jc X + D U, and U = U_X X + U_0."""

    state: MechanismState
    plan: Any
    names: list[str]
    """Of the unknown efforts."""
    owners: list[tuple[str, Any]]
    """The joint and the unit wrench of each unknown effort."""
    X: Reals
    A: Reals
    a0: Reals
    B: Reals
    Jc: Reals
    D: Reals
    U_X: Reals
    U_0: Reals

    @property
    def efforts(self) -> Reals:
        """U, the reactions."""
        return self.U_X @ self.X + self.U_0


def equations_of(model: Model | System, q: Any, v: Any, t: float, joint_damping: float | None) -> Equations:
    """All matrices, read off the plan of the graph; dJc/dt by differences of those of neighbouring states."""
    system = as_system(model)
    q, v = given_state(system, q, v)
    state = MechanismState(system, q, v, t)
    graph, owners = graph_of(state, joint_damping)
    plan = planned(graph.flat(), {}, frozenset())
    unknown = UNKNOWN.partition("{")[0]
    names = [name for name, each in graph.elements.items() if isinstance(each, Se) and unknown in str(each.value)]
    X, count = _momenta(state, plan), len(owners)
    Jc, A, a0, B, D = _matrices(plan, count)
    if joint_damping is not None:
        by_flows: Any = -np.linalg.solve(D, Jc) if count else np.zeros((0, len(X)))
        return Equations(state, plan, names, owners, X, A, a0, B, Jc, D, by_flows, np.zeros(count))
    h = STEP / max(1.0, float(np.max(np.abs(v), initial=0.0)))
    slopes = []
    for step in (h, 2.0 * h):
        ends = [MechanismState(system, displace(system, q, s * step * v), v, t) for s in (-1.0, 1.0)]
        low, high = (_matrices(planned(graph_of(e, None)[0].flat(), {}, frozenset()), count)[0] for e in ends)
        slopes.append((high - low) / (2.0 * step))
    drift = (4.0 * slopes[0] - slopes[1]) / 3.0
    right = np.column_stack([Jc @ A + drift, Jc @ a0])
    found: Any = -np.linalg.lstsq(Jc @ B, right, rcond=1e-11)[0] if count else np.zeros((0, len(X) + 1))
    return Equations(state, plan, names, owners, X, A, a0, B, Jc, D, found[:, :-1], found[:, -1])


@with_instant
@explained
def reactions_by_graph(
    model: Model | System, q: Any = None, v: Any = None, t: float = 0.0, joint_damping: float | None = None
) -> Reactions:
    """Accelerations and reactions from the bond graph alone, without tree and recursion.

    With `joint_damping`, reactions are zero in a state that keeps the joints together.

    Parameters
    ----------
    q, v, t:
        The state; by default the initial one.
    joint_damping:
        Damping of the equations of all joints [N s/m, N m s/rad].
    """
    e = equations_of(model, q, v, t, joint_damping)
    return _read(e.state, e.plan, e.A @ e.X + e.a0 + e.B @ e.efforts, e.efforts, e.owners)


def _momenta(state: MechanismState, plan: Any) -> Reals:
    model = state.system.model
    values: dict[str, float] = {}
    for name, body in model.bodies.items():
        inertia: Any = body.inertia
        R, _, omega = state.body(name)
        f = state.frames[name]
        velocity = f[15:18] + np.cross(f[12:15], R @ inertia.com)
        h = inertia.matrix @ omega
        for k, axis in enumerate(AXES):
            values[f"{word(name)}.m{axis}.momentum"] = float(inertia.mass * velocity[k])
            values[f"{word(name)}.J.momentum{k + 1}"] = float(h[k])
    return np.array([values[s.state] for s in plan.states])


def _matrices(plan: Any, count: int) -> tuple[Reals, Reals, Reals, Reals, Reals]:
    """Jc, A, a0, B and D, read off the plan of the graph."""
    a = plan.assembly
    nx, first = plan.nx, 1 + plan.nx + plan.ports
    law_of = {law.law.value: k for k, law in enumerate(plan.laws)}
    order = [first + law_of[UNKNOWN.format(k)] for k in range(count)]
    rates = plan.matrix([plan.variables[a.storages[k].rate[0]] for k in range(len(a.storages))]).toarray()
    rates = rates * np.array([s.rate[1] for s in a.storages])[:, None]
    flows: list[Any] = [None] * count
    for element, ends in zip(a.graph.elements, a.graph.ends, strict=True):
        if isinstance(element, Se) and isinstance(element.value, str):
            flows[int(element.value.split("_")[1])] = plan.variables[a.n + ends[0].bond]
    constraint = plan.matrix(flows).toarray() if count else np.zeros((0, plan.columns))
    return constraint[:, 1 : 1 + nx], rates[:, 1 : 1 + nx], rates[:, 0], rates[:, order], constraint[:, order]


def _read(state: MechanismState, plan: Any, rate: Reals, U: Reals, equations: list[tuple[str, Any]]) -> Reactions:
    model = state.system.model
    rates = {s.state: float(x) for s, x in zip(plan.states, rate, strict=True)}
    acceleration, angular = dict[str, Reals](), dict[str, Reals]()
    for name, body in model.bodies.items():
        inertia: Any = body.inertia
        R, _, _ = state.body(name)
        p = np.array([rates[f"{word(name)}.m{axis}.momentum"] for axis in AXES])
        h = np.array([rates[f"{word(name)}.J.momentum{k + 1}"] for k in range(3)])
        acceleration[name] = p / inertia.mass
        angular[name] = R @ np.linalg.solve(inertia.matrix, h)  # the derivative in body axes is that in the world
    force = {name: np.zeros(3) for name in model.joints}
    torque = {name: np.zeros(3) for name in model.joints}
    for (name, wrench), effort in zip(equations, U, strict=True):
        point = state.joint(name, "child").position
        force[name] = force[name] + effort * wrench[3:]
        torque[name] = torque[name] + effort * (wrench[:3] - np.cross(point, wrench[3:]))
    return Reactions(acceleration, angular, force, torque)


# The equations of a mechanism's bond graph as text: state equations and those of the constraint forces.


SMALL = 1e-9  # part of the largest coefficient of an equation that is round-off of the differences


@with_instant
@explained
def mechanism_equations(
    model: Model | System, q: Any = None, v: Any = None, t: float = 0.0, joint_damping: float | None = None,
    latex: bool = False,
) -> str:  # fmt: skip
    """State equations and constraint-force equations of `mechanism_graph`, with the names of the model.

    Without damping, the constraint forces follow from the derivative of the constraints; with `joint_damping` from the
    constraints themselves. States are momenta: "arm.mx.momentum" [N s] in world axes, "arm.J.momentum3" [N m s] in body
    axes. Efforts "J1.e0" push the child along the first equation of joint J1.

    Parameters
    ----------
    q, v, t:
        The state; by default the initial one.
    joint_damping:
        Damping of the equations of all joints [N s/m, N m s/rad].
    latex:
        Write the equations in LaTeX.

    References
    ----------
    Wang, Xu, Chen 2009, equations 19 and 20.
    """
    e = equations_of(model, q, v, t, joint_damping)
    states, efforts = [_name(s.state, latex) for s in e.plan.states], [_name(f"{n}.effort", latex) for n in e.names]
    case = "20" if joint_damping is None else "19"
    found: list[tuple[str, list[tuple[str, str]]]] = [
        ("state equations", [
            (_rate(states[i], latex), _sum([(e.a0[i : i + 1], ["1"]), (e.A[i], states), (e.B[i], efforts)], latex))
            for i in range(len(states))
        ]),
        ("constraint equations", [
            ("0", _sum([(e.Jc[i], states), (e.D[i], efforts)], latex)) for i in range(len(efforts))
        ]),
        (f"constraint forces (their equation {case})", [
            (efforts[i], _sum([(e.U_0[i : i + 1], ["1"]), (e.U_X[i], states)], latex)) for i in range(len(efforts))
        ]),
    ]  # fmt: skip
    if latex:
        rows = [rf"{left} &= {right}" for _, each in found for left, right in each]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
    parts: list[str] = []
    for heading, each in found:
        width = max((len(left) for left, _ in each), default=0)
        parts.append("\n".join([f"{heading}:", *(f"  {left:{width}} = {right}" for left, right in each)]))
    return "\n".join(parts)


def _name(name: str, latex: bool) -> str:
    if not latex:
        return name.removesuffix(".effort")
    owner, _, what = name.rpartition(".")
    letter, number = ("e", "") if what == "effort" else ("p", what.removeprefix("momentum"))
    index = re.sub(r"_", r"\\_", owner) + (f",{number}" if number else "")
    return rf"{letter}_{{\mathrm{{{index}}}}}"


def _rate(name: str, latex: bool) -> str:
    return rf"\dot{{{name[0]}}}{name[1:]}" if latex else f"d({name})/dt"


def _sum(parts: list[tuple[Reals, list[str]]], latex: bool) -> str:
    size = max((float(abs(x).max()) for x, _ in parts if len(x)), default=0.0)
    terms = [
        (float(value), name)
        for x, names in parts
        for value, name in zip(x, names, strict=True)
        if abs(value) > SMALL * size
    ]
    return written_sum(terms, latex)
