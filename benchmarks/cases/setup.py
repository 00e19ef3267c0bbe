"""From nothing to the first step, and runs in which the set-up counts, against Exudyn and MuJoCo.

Two models: a chain of 80 hinged rods; a net of 400 masses and 1121 springs, which is all force and hardly any
mechanism. *First step*: each package describes the model, makes it ready and takes one step of RK4. *Run*: ready, it
goes on for 400 steps of the same length, so that the error of integration is the same.

* duoti: `dt.Model` to the end of `dt.simulate`.
* Exudyn: mass points and spring-dampers; `Assemble`, `SolveDynamic` with explicit RK44, nothing written.
* MuJoCo: the text of an MJCF file, `MjModel.from_xml_string`, `mj_step` with RK4; spatial tendons as springs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated

exu: Any = Later("exudyn")
utilities: Any = Later("exudyn.utilities")
mujoco: Any = Later("mujoco")
STEP, GRAVITY = 1e-4, 9.81
SIDE, GRID, MASS = 20, 0.1, 0.01
STIFFNESS, DAMPING = 100.0, 0.01
AGREEMENT = 1e-6  # of positions of the net after the run [m]
STEPS = 400

# --------------------------------------------------------------------------------------------------------- the net

POINTS = [(GRID * i, GRID * j, 0.0) for i in range(SIDE) for j in range(SIDE)]
PAIRS = [
    (SIDE * i + j, SIDE * (i + di) + j + dj)
    for i in range(SIDE)
    for j in range(SIDE)
    for di, dj in ((1, 0), (0, 1), (1, 1))
    if i + di < SIDE and j + dj < SIDE
]
RESTS = [float(np.linalg.norm(np.subtract(POINTS[a], POINTS[b]))) for a, b in PAIRS]
HOLD = (0.0, 0.0, GRID)  # where the first corner hangs


def duoti_net() -> dt.Model:
    m = dt.Model("net", gravity=(0, 0, -GRAVITY))
    inertia = dt.Inertia.point(MASS)
    for k, point in enumerate(POINTS):
        m.add_body(f"b{k}", inertia, position=point)
        m.add_joint(f"j{k}", dt.Translation(), m.ground, f"b{k}", at=point)
    for k, ((a, b), rest) in enumerate(zip(PAIRS, RESTS, strict=True)):
        m.add_force(f"s{k}", dt.SpringDamper(f"b{a}", f"b{b}", STIFFNESS, DAMPING, rest))
    m.add_marker("hold", m.ground, HOLD)
    m.add_force("hold", dt.SpringDamper("hold", "b0", STIFFNESS, DAMPING, GRID))
    return m


def exudyn_net(mbs: Any) -> None:
    nodes = [mbs.AddNode(utilities.NodePoint(referenceCoordinates=list(point))) for point in POINTS]
    for node in nodes:
        mbs.AddObject(utilities.MassPoint(physicsMass=MASS, nodeNumber=node))
    markers = [mbs.AddMarker(utilities.MarkerNodePosition(nodeNumber=node)) for node in nodes]
    for node in nodes:
        marker = mbs.AddMarker({"markerType": "NodePosition", "nodeNumber": node, "name": ""})
        mbs.AddLoad({"loadType": "ForceVector", "markerNumber": marker, "loadVector": [0, 0, -MASS * GRAVITY]})
    ground = mbs.AddNode({"nodeType": "PointGround", "referenceCoordinates": list(HOLD)})
    hold = mbs.AddMarker(utilities.MarkerNodePosition(nodeNumber=ground))
    for (a, b), rest in zip(PAIRS, RESTS, strict=True):
        mbs.AddObject(utilities.ObjectConnectorSpringDamper(
            markerNumbers=[markers[a], markers[b]], referenceLength=rest, stiffness=STIFFNESS, damping=DAMPING
        ))  # fmt: skip
    mbs.AddObject(utilities.ObjectConnectorSpringDamper(
        markerNumbers=[hold, markers[0]], referenceLength=GRID, stiffness=STIFFNESS, damping=DAMPING
    ))  # fmt: skip


def mujoco_net() -> str:
    slide = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    bodies = "".join(
        f'<body pos="{x} {y} {z}">{slide}<inertial pos="0 0 0" mass="{MASS}" diaginertia="1e-9 1e-9 1e-9"/>'
        f'<site name="p{k}"/></body>'
        for k, (x, y, z) in enumerate(POINTS)
    )
    spring = f'stiffness="{STIFFNESS}" damping="{DAMPING}"'
    tendons = "".join(
        f'<spatial {spring} springlength="{rest}"><site site="p{a}"/><site site="p{b}"/></spatial>'
        for (a, b), rest in zip(PAIRS, RESTS, strict=True)
    )
    tendons += f'<spatial {spring} springlength="{GRID}"><site site="hold"/><site site="p0"/></spatial>'
    return _mjcf(f'<site name="hold" pos="0 0 {GRID}"/>{bodies}', f"<tendon>{tendons}</tendon>")


# ----------------------------------------------------------------------------------------------------------- chains

LENGTH, ROD = 0.1, 0.1
MOMENTS = ROD / 12 * LENGTH**2 * np.array([1e-3, 1.0, 1.0])


def duoti_chain(count: int) -> dt.Model:
    m = dt.Model("chain", gravity=(0, 0, -GRAVITY))
    previous: Any = m.ground
    for i in range(count):
        body = m.add_body(f"b{i}", dt.Inertia(ROD, (LENGTH / 2, 0, 0), MOMENTS), position=(i * LENGTH, 0, 0))
        m.add_joint(f"j{i}", dt.Revolute("y"), previous, body, at=(i * LENGTH, 0, 0))
        previous = body
    return m


def exudyn_chain(mbs: Any, count: int) -> None:
    node = mbs.AddNode(utilities.NodeGenericODE2(
        numberOfODE2Coordinates=count, referenceCoordinates=[0.0] * count, initialCoordinates=[0.0] * count,
        initialCoordinates_t=[0.0] * count,
    ))  # fmt: skip
    com = [LENGTH / 2, 0, 0]
    mbs.AddObject(utilities.ObjectKinematicTree(
        nodeNumber=node, jointTypes=[exu.JointType.RevoluteY] * count, linkParents=np.arange(-1, count - 1),
        jointTransformations=exu.Matrix3DList([np.eye(3)] * count),
        jointOffsets=exu.Vector3DList([[0.0, 0, 0]] + [[LENGTH, 0, 0]] * (count - 1)),
        linkInertiasCOM=exu.Matrix3DList([np.diag(MOMENTS)] * count),
        linkCOMs=exu.Vector3DList([com] * count), linkMasses=[ROD] * count, baseOffset=[0, 0, 0],
        gravity=[0, 0, -GRAVITY],
    ))  # fmt: skip


def mujoco_chain(count: int) -> str:
    x, y, z = MOMENTS
    body = (
        f'<body pos="{{at}} 0 0"><joint type="hinge" axis="0 1 0"/><inertial pos="{LENGTH / 2} 0 0" mass="{ROD}" '
        f'diaginertia="{x} {y} {z}"/>'
    )
    text = "".join(body.format(at=LENGTH if i else 0.0) for i in range(count)) + "</body>" * count
    return _mjcf(text, "")


def _mjcf(bodies: str, more: str) -> str:
    option = f'<option timestep="{STEP}" integrator="RK4" gravity="0 0 -{GRAVITY}"/>'
    compiler = '<compiler boundmass="0" balanceinertia="true"/>'
    return f"<mujoco>{compiler}{option}<worldbody>{bodies}</worldbody>{more}</mujoco>"


# --------------------------------------------------------------------------------------------------------- packages


class Duoti:
    def __init__(self, describe: Callable[[], dt.Model]):
        self.describe = describe

    def first_step(self) -> None:
        self.system = dt.compile(self.describe())
        dt.simulate(self.system, STEP, outputs=[STEP], solver=dt.RK4(step=STEP), progress=False)

    def run(self, steps: int) -> np.ndarray:
        end = steps * STEP
        result = dt.simulate(self.system, end, outputs=[end], solver=dt.RK4(step=STEP), progress=False)
        return result.q[-1]


class Exudyn:
    def __init__(self, describe: Callable[[Any], None], sparse: bool = False):
        self.describe, self.sparse = describe, sparse

    def first_step(self) -> None:
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.describe(self.mbs)
        self.mbs.Assemble()
        self.run(1)

    def run(self, steps: int) -> np.ndarray:
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = steps * STEP
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 1e9
        if self.sparse:  # many coordinates, a diagonal mass matrix
            settings.linearSolverType = exu.LinearSolverType.EigenSparse
            settings.timeIntegration.explicitIntegration.computeMassMatrixInversePerBody = True
        self.mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44)
        return np.array(self.mbs.systemData.GetODE2Coordinates())


class Mujoco:
    def __init__(self, describe: Callable[[], str]):
        self.describe = describe

    def first_step(self) -> None:
        self.model = mujoco.MjModel.from_xml_string(self.describe())
        self.run(1)

    def run(self, steps: int) -> np.ndarray:
        data = mujoco.MjData(self.model)
        for _ in range(steps):
            mujoco.mj_step(self.model, data)
        return np.array(data.qpos)


def apart(ours: Any, theirs: Any) -> float:
    """Largest difference of the end states after the run."""
    ours.first_step()
    theirs.first_step()
    return float(np.max(np.abs(ours.run(STEPS) - theirs.run(STEPS))))


def first_step(ours: Any, theirs: Any) -> Pair:
    differ = apart(ours, theirs)
    return Pair(
        Side(repeated(ours.first_step)), Side(repeated(theirs.first_step)), differ, AGREEMENT, "m, rad", "process"
    )


@case("first step, chain of 80, from the description", "MuJoCo", 0.67)
def chain_first_step() -> Pair:
    return first_step(Duoti(lambda: duoti_chain(80)), Mujoco(lambda: mujoco_chain(80)))


@case("first step, net of 1122 springs, from the description", "MuJoCo", 0.67, shown=False)
def net_first_step() -> Pair:
    return first_step(Duoti(duoti_net), Mujoco(mujoco_net))


@case("net of 1122 springs, RK4", "Exudyn", 5.0)
def net_run() -> Pair:
    ours, theirs = Duoti(duoti_net), Exudyn(exudyn_net, sparse=True)
    differ = apart(ours, theirs)
    mine, other = repeated(lambda: ours.run(STEPS)), repeated(lambda: theirs.run(STEPS))
    return Pair(Side(mine), Side(other), differ, AGREEMENT, "m", "process")


@case("description and compilation, chain of 1000")
def thousand() -> Pair:
    return Pair(Side(repeated(lambda: dt.compile(duoti_chain(1000)))), clock="process")
