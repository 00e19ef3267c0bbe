"""A whole simulation at a fixed step, against Exudyn and MuJoCo: a pendulum of ten links, RK4.

* duoti: `dt.simulate` with `dt.RK4(step)` and a single output at the end, the whole call;
* Exudyn: `ObjectKinematicTree` with explicit RK44, minimal coordinates, nothing written, the whole `SolveDynamic`;
* MuJoCo: `mujoco.rollout`, RK4, one trajectory on one thread, contacts off.

All three hang the same ten links (rod-like, 0.1 m, hinges about y) horizontally, let them fall for half a second in
steps of 1e-4 s, and must agree in the end state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated

exu: Any = Later("exudyn")
utilities: Any = Later("exudyn.utilities")
mujoco: Any = Later("mujoco")
rollout: Any = Later("mujoco.rollout")
LINKS, LENGTH, MASS, WIDTH = 10, 0.1, 0.2, 0.02
DURATION, STEP = 0.5, 1e-4
STEPS = round(DURATION / STEP)
GRAVITY = 9.81
AGREEMENT = 1e-9  # of angles [rad] and rates [rad/s], relative to the largest
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

    def run(self) -> State:
        result = dt.simulate(self.system, DURATION, outputs=[DURATION], solver=dt.RK4(step=STEP), progress=False)
        assert result.ok
        return result.q[-1], result.v[-1]


class Exudyn:
    def __init__(self) -> None:
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        node = self.system.AddNode(utilities.NodeGenericODE2(
            referenceCoordinates=[0.0] * LINKS, initialCoordinates=[0.0] * LINKS,
            initialCoordinates_t=[0.0] * LINKS, numberOfODE2Coordinates=LINKS,
        ))  # fmt: skip
        offsets = [[0.0, 0.0, 0.0]] + [[LENGTH, 0.0, 0.0]] * (LINKS - 1)
        about_centre = [np.diag(MOMENTS)] * LINKS
        self.system.AddObject(utilities.ObjectKinematicTree(
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
        rollout.rollout(self.model, self.data, self.initial, nstep=STEPS, state=self.states, sensordata=self.sensors)
        end = self.states[0, -1]
        return end[1 : 1 + LINKS].copy(), end[1 + LINKS : 1 + 2 * LINKS].copy()


def pair(peer: Any) -> Pair:
    ours = Duoti()
    q, v = ours.run()
    differ = max(float(np.max(np.abs(a - b)) / np.max(np.abs(a))) for a, b in zip((q, v), peer.run(), strict=True))
    return Pair(Side(repeated(ours.run)), Side(repeated(peer.run)), differ, AGREEMENT)


@case("pendulum of 10 links, RK4", "Exudyn", 5.0)
def with_exudyn() -> Pair:
    return pair(Exudyn())


@case("pendulum of 10 links, RK4, rollout", "MuJoCo", 2.0)
def with_mujoco() -> Pair:
    return pair(MuJoCo())
