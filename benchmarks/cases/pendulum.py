"""A whole simulation at a fixed step, against Exudyn and MuJoCo: a pendulum of ten links, RK4.

    python benchmarks/simulation.py [rounds]

* duoti: `dt.simulate` with `dt.RK4(step)` and a single output at the end, the whole call (compiling the model's arrays,
  the loop, the result); `stats.seconds`, the compiled loop alone, is printed beside it.
* Exudyn: `ObjectKinematicTree` with explicit RK44, minimal coordinates, no solution written, no sensors; the whole
  `SolveDynamic`.
* MuJoCo: `mujoco.rollout`, RK4, one trajectory on one thread, contacts off; only its final state is looked at.

All three hang the same ten links (rod-like, 0.1 m, hinges about y) horizontally, let them fall for half a second in
steps of 1e-4 s, and must agree in the end state. One round runs each once; the ratio reported is the median over the
rounds of the ratio within a round, so that what else the machine does falls on all alike.
"""

from __future__ import annotations

import sys
from statistics import median
from time import perf_counter
from typing import Any

import exudyn as exu
import mujoco
import mujoco.rollout
import numpy as np
from exudyn.utilities import NodeGenericODE2, ObjectKinematicTree

import duoti as dt

LINKS, LENGTH, MASS, WIDTH = 10, 0.1, 0.2, 0.02
DURATION, STEP = 0.5, 1e-4
STEPS = round(DURATION / STEP)
GRAVITY = 9.81
AGREEMENT = 1e-9  # of angles [rad] and rates [rad/s], relative to the largest
TARGETS = {"Exudyn": 5.0, "MuJoCo": 2.0}
MOMENTS = MASS / 12 * np.array([2 * WIDTH**2, LENGTH**2 + WIDTH**2, LENGTH**2 + WIDTH**2])  # a square bar along x

State = tuple[np.ndarray, np.ndarray]


class Duoti:
    def __init__(self) -> None:
        model = dt.Model("pendulum", gravity=(0, 0, -GRAVITY))
        previous = model.ground
        for i in range(LINKS):
            inertia = dt.Inertia(MASS, (LENGTH / 2, 0, 0), MOMENTS)
            body = model.add_body(f"link {i}", inertia, position=(i * LENGTH, 0, 0))
            model.add_joint(f"hinge {i}", dt.Revolute("y"), previous, body, at=(i * LENGTH, 0, 0))
            previous = body
        self.system = dt.compile(model)
        self.loop_seconds: list[float] = []

    def run(self) -> State:
        result = dt.simulate(self.system, DURATION, outputs=[DURATION], solver=dt.RK4(step=STEP), progress=False)
        assert result.ok
        self.loop_seconds.append(result.stats.seconds)
        return result.q[-1], result.v[-1]


class Exudyn:
    def __init__(self) -> None:
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        node = self.system.AddNode(NodeGenericODE2(
            referenceCoordinates=[0.0] * LINKS, initialCoordinates=[0.0] * LINKS,
            initialCoordinates_t=[0.0] * LINKS, numberOfODE2Coordinates=LINKS,
        ))  # fmt: skip
        offsets = [[0.0, 0.0, 0.0]] + [[LENGTH, 0.0, 0.0]] * (LINKS - 1)
        about_centre = [np.diag(MOMENTS)] * LINKS
        self.system.AddObject(ObjectKinematicTree(
            nodeNumber=node, jointTypes=[exu.JointType.RevoluteY] * LINKS, linkParents=np.arange(LINKS) - 1,
            jointTransformations=exu.Matrix3DList([np.eye(3)] * LINKS), jointOffsets=exu.Vector3DList(offsets),
            linkInertiasCOM=exu.Matrix3DList(about_centre),
            linkCOMs=exu.Vector3DList([[LENGTH / 2, 0.0, 0.0]] * LINKS), linkMasses=[MASS] * LINKS,
            baseOffset=[0.0, 0.0, 0.0], gravity=[0.0, 0.0, -GRAVITY],
        ))  # fmt: skip
        self.system.Assemble()
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = STEPS
        settings.timeIntegration.endTime = DURATION
        settings.timeIntegration.verboseMode = 0
        settings.show.computationTime = False
        settings.show.statistics = False
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = DURATION
        self.settings = settings
        self.initial = self.system.systemData.GetSystemState()

    def run(self) -> State:
        self.system.systemData.SetSystemState(self.initial, configuration=exu.ConfigurationType.Initial)
        self.system.SolveDynamic(
            self.settings, solverType=exu.DynamicSolverType.RK44, updateInitialValues=False, storeSolver=False
        )
        data = self.system.systemData
        return np.array(data.GetODE2Coordinates()), np.array(data.GetODE2Coordinates_t())


class MuJoCo:
    def __init__(self) -> None:
        link, moments = "", " ".join(map(repr, MOMENTS.tolist()))
        for i in reversed(range(LINKS)):
            position = 0.0 if i == 0 else LENGTH
            link = (
                f'<body pos="{position} 0 0"><joint type="hinge" axis="0 1 0"/>'
                f'<inertial pos="{LENGTH / 2} 0 0" mass="{MASS}" diaginertia="{moments}"/>'
                f"{link}</body>"
            )
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option integrator="RK4" timestep="{STEP}" gravity="0 0 -{GRAVITY}">'
            '<flag contact="disable" constraint="disable"/></option>'
            f"<worldbody>{link}</worldbody></mujoco>"
        )
        self.data = mujoco.MjData(self.model)
        spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
        self.initial = np.zeros((1, mujoco.mj_stateSize(self.model, spec)))
        mujoco.mj_getState(self.model, self.data, self.initial[0], spec)
        self.states = np.zeros((1, STEPS, self.initial.shape[1]))
        self.sensors = np.zeros((1, STEPS, self.model.nsensordata))

    def run(self) -> State:
        mujoco.rollout.rollout(
            self.model, self.data, self.initial, nstep=STEPS, state=self.states, sensordata=self.sensors
        )
        end = self.states[0, -1]
        return end[1 : 1 + LINKS].copy(), end[1 + LINKS : 1 + 2 * LINKS].copy()


def main() -> bool:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    programs: dict[str, Any] = {"duoti": Duoti(), "Exudyn": Exudyn(), "MuJoCo": MuJoCo()}
    ends = {name: program.run() for name, program in programs.items()}  # also compiles
    times: dict[str, list[float]] = {name: [] for name in programs}
    programs["duoti"].loop_seconds.clear()
    for _ in range(rounds):
        for name, program in programs.items():
            start = perf_counter()
            program.run()
            times[name].append(perf_counter() - start)

    q, v = ends["duoti"]
    print(f"pendulum of {LINKS} links, RK4, {STEPS} steps of {STEP:g} s, {rounds} rounds")
    print(f"{'':18} {'best [ms]':>10} {'us/step':>8} {'ratio':>6} {'of best':>8} {'differ':>9}  target")
    ours, loop = np.array(times["duoti"]), np.array(programs["duoti"].loop_seconds)
    print(f"{'duoti':18} {1e3 * ours.min():10.2f} {1e6 * ours.min() / STEPS:8.3f}")
    print(f"{'  compiled loop':18} {1e3 * loop.min():10.2f} {1e6 * loop.min() / STEPS:8.3f}")
    ok = True
    for name, target in TARGETS.items():
        theirs = np.array(times[name])
        differ = max(np.max(np.abs(a - b)) / np.max(np.abs(a)) for a, b in zip((q, v), ends[name], strict=True))
        ratio = median(theirs / ours)
        fine = ratio >= target and differ < AGREEMENT
        ok &= fine
        print(
            f"{name:18} {1e3 * theirs.min():10.2f} {1e6 * theirs.min() / STEPS:8.3f} {ratio:6.2f} "
            f"{theirs.min() / ours.min():8.2f} {differ:9.1e}  >= {target:.1f} {'PASS' if fine else 'FAIL'}"
        )
    return ok


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
