"""From nothing to the first step, and a run, with the set-up counted: against Exudyn and MuJoCo.

    python -W ignore benchmarks/setup.py [rounds] [models or parts]      parts: growth, check

Three models: a pendulum; a chain of 80 hinged rods; a net of 400 masses and 1121 springs, which is all force and hardly
any mechanism. Each package describes the model, makes it ready and takes one step of RK4 (*first step*); then, ready,
it goes on for some hundred steps of the same length (*run*), so that the error of integration is the same.

* duoti: `dt.Model` to the end of `dt.simulate`.
* Exudyn: `ObjectKinematicTree` for the trees; mass points and spring-dampers for the net; `Assemble`, `SolveDynamic`
  with explicit RK44, nothing written.
* MuJoCo: the text of an MJCF file, `MjModel.from_xml_string`, `mj_step` with RK4; spatial tendons as springs.

Reported are processor seconds, medians over rounds in which all take their turn; of a first step also the best, which
is judged: other work on the machine makes the same instructions take up to twice as long. End states of the net must
agree.

* growth: chains of 100, 1000 and 10 000 bodies, from the finished `Model` to the `System`, and with its description.
* check: `dt.check` of a new model against `dt.compile` of one, for the chain, the net, a frame of 144 bodies with 48
  loops and a chain of 1000 bodies. A check of loops closes them, and so compiles the model, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import exudyn as exu
import mujoco
import numpy as np
from exudyn.utilities import (
    MarkerNodePosition,
    MassPoint,
    NodeGenericODE2,
    NodePoint,
    ObjectConnectorSpringDamper,
    ObjectKinematicTree,
)

import duoti as dt

STEP, GRAVITY = 1e-4, 9.81
SIDE, GRID, MASS = 20, 0.1, 0.01
STIFFNESS, DAMPING = 100.0, 0.01
AGREEMENT = 1e-6  # of positions of the net after the run [m]
STEPS = {"pendulum": 2000, "chain": 400, "net": 400}
TARGETS = {"net": 5.0}  # run against Exudyn
FIRST_STEP, IN_A_ROW = 1e-3, 200  # s, of the pendulum; turns without the others, whose work empties the caches
OF_MUJOCO = 1.5  # first steps of chain and net, over MuJoCo's
LARGE, COMPILED, GROWTH = 10_000, 1.0, 15.0  # bodies, s to compile them, and how many times that of a tenth of them
OF_COMPILING = 1.0  # a check, over compiling

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
    nodes = [mbs.AddNode(NodePoint(referenceCoordinates=list(point))) for point in POINTS]
    for node in nodes:
        mbs.AddObject(MassPoint(physicsMass=MASS, nodeNumber=node))
    markers = [mbs.AddMarker(MarkerNodePosition(nodeNumber=node)) for node in nodes]
    for node in nodes:
        marker = mbs.AddMarker({"markerType": "NodePosition", "nodeNumber": node, "name": ""})
        mbs.AddLoad({"loadType": "ForceVector", "markerNumber": marker, "loadVector": [0, 0, -MASS * GRAVITY]})
    ground = mbs.AddNode({"nodeType": "PointGround", "referenceCoordinates": list(HOLD)})
    hold = mbs.AddMarker(MarkerNodePosition(nodeNumber=ground))
    for (a, b), rest in zip(PAIRS, RESTS, strict=True):
        mbs.AddObject(ObjectConnectorSpringDamper(
            markerNumbers=[markers[a], markers[b]], referenceLength=rest, stiffness=STIFFNESS, damping=DAMPING
        ))  # fmt: skip
    mbs.AddObject(ObjectConnectorSpringDamper(
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
    node = mbs.AddNode(NodeGenericODE2(
        numberOfODE2Coordinates=count, referenceCoordinates=[0.0] * count, initialCoordinates=[0.0] * count,
        initialCoordinates_t=[0.0] * count,
    ))  # fmt: skip
    com = [LENGTH / 2, 0, 0]
    mbs.AddObject(ObjectKinematicTree(
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


CASES: dict[str, tuple[Duoti, Exudyn, Mujoco]] = {
    "pendulum": (
        Duoti(lambda: duoti_chain(1)), Exudyn(lambda mbs: exudyn_chain(mbs, 1)), Mujoco(lambda: mujoco_chain(1)),
    ),
    "chain": (
        Duoti(lambda: duoti_chain(80)), Exudyn(lambda mbs: exudyn_chain(mbs, 80)), Mujoco(lambda: mujoco_chain(80)),
    ),
    "net": (Duoti(duoti_net), Exudyn(exudyn_net, sparse=True), Mujoco(mujoco_net)),
}  # fmt: skip


def duoti_frame(storeys: int = 48) -> dt.Model:
    """Two columns of rods, joined by a beam at each storey, all on hinges: three bodies and a loop for each."""
    m = dt.Model("frame", gravity=(0, 0, -GRAVITY))
    upright, across = (dt.Inertia.rod(1.0, length=1.0, axis=axis) for axis in "zx")
    below: list[Any] = [m.ground, m.ground]
    for i in range(storeys):
        beam = m.add_body(f"beam{i}", across, position=(0.5, 0, i + 1))
        for k, x in enumerate((0.0, 1.0)):
            column = m.add_body(f"column{k}_{i}", upright, position=(x, 0, i + 0.5))
            m.add_joint(f"foot{k}_{i}", dt.Revolute("y"), below[k], column, at=(x, 0, i))
            m.add_joint(f"head{k}_{i}", dt.Revolute("y"), column, beam, at=(x, 0, i + 1))
            below[k] = column
    return m


def judged(what: str, value: float, limit: float) -> bool:
    """Whether a value is within its limit; says so."""
    print(f"  {'PASS' if value <= limit else 'FAIL'}: {what} {value:.3g}, limit {limit:g}")
    return value <= limit


def growth(rounds: int) -> bool:
    best: dict[int, float] = {}
    for bodies in (LARGE // 100, LARGE // 10, LARGE):
        described = compiled = float("inf")
        for _ in range(max(2, rounds * 100 // bodies)):
            began = process_time()
            model = duoti_chain(bodies)
            middle = process_time()
            dt.compile(model)
            described, compiled = min(described, middle - began), min(compiled, process_time() - middle)
        best[bodies] = compiled
        print(f"growth: {bodies:6} bodies are described in {described:.4f} s and compiled in {compiled:.4f} s (best)")
    fine = judged(f"{LARGE} bodies compiled in s:", best[LARGE], COMPILED)
    return judged("over a tenth of them, times:", best[LARGE] / best[LARGE // 10], GROWTH) and fine


def check(rounds: int) -> bool:
    models = {
        "chain": lambda: duoti_chain(80), "net": duoti_net, "frame": duoti_frame,
        "1000 bodies": lambda: duoti_chain(1000),
    }  # fmt: skip
    fine = True
    for name, describe in models.items():
        checked, compiled = [], []
        for _ in range(max(3, rounds // 2)):
            checked.append(seconds(partial(dt.check, describe())))
            compiled.append(seconds(partial(dt.compile, describe())))
        print(f"check: {name} in {1e3 * min(checked):.2f} ms, compiled in {1e3 * min(compiled):.2f} ms (best)")
        fine &= judged("check over compile, times:", min(checked) / min(compiled), OF_COMPILING)
    return fine


def seconds(what: Callable[[], Any]) -> float:
    began = process_time()
    what()
    return process_time() - began


PARTS: dict[str, Callable[[int], bool]] = {"growth": growth, "check": check}


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    failed = False
    wanted = sys.argv[2:] or [*CASES, *PARTS]
    for name in wanted:
        if name in PARTS:
            failed |= not PARTS[name](rounds)
            continue
        packages = CASES[name]
        for package in packages:  # kernels are loaded, files of the packages read
            package.first_step()
        ends = [package.run(STEPS[name]) for package in packages]
        apart = [float(np.max(np.abs(end - ends[0]))) for end in ends[1:]]
        first: list[list[float]] = [[], [], []]
        runs: list[list[float]] = [[], [], []]
        for _ in range(rounds):
            for k, package in enumerate(packages):
                first[k].append(seconds(package.first_step))
                runs[k].append(seconds(partial(package.run, STEPS[name])))
        print(f"{name}: end states differ from Exudyn's by {apart[0]:.1e}, from MuJoCo's by {apart[1]:.1e}")
        for what, times in (("first step", first), (f"{STEPS[name]} steps", runs)):
            ms = [1e3 * median(each) for each in times]
            ratios = [median(b / a for a, b in zip(times[0], other, strict=True)) for other in times[1:]]
            print(f"  {what:<11} duoti {ms[0]:8.2f} ms   Exudyn {ms[1]:8.2f} ms ({ratios[0]:.2f} times)   "
                  f"MuJoCo {ms[2]:8.2f} ms ({ratios[1]:.2f} times)")  # fmt: skip
            if what == "first step":
                best = [min(each) for each in times]
                print("  best        " + "   ".join(f"{1e3 * each:8.2f} ms" for each in best))
                if name == "pendulum":
                    alone = min(seconds(packages[0].first_step) for _ in range(IN_A_ROW))
                    failed |= not judged(f"best of {IN_A_ROW} in a row, ms:", 1e3 * alone, 1e3 * FIRST_STEP)
                else:
                    failed |= not judged("over MuJoCo's first step, times:", best[0] / best[2], OF_MUJOCO)
            if what != "first step" and name in TARGETS:
                good = ratios[0] >= TARGETS[name] and apart[0] <= AGREEMENT
                failed |= not good
                print(f"  {'PASS' if good else 'FAIL'}: {ratios[0]:.1f} times Exudyn's, target {TARGETS[name]:g}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
