"""A slider-crank with a flexible rod of solid elements, 20 modes, against Exudyn's FFRF reduced order.

The rod is one mesh of 8-node bricks with the same matrices in both programs; 12 static shapes of its two interfaces (of
which 6 are the frame's in duoti) and normal modes to make 20. Crank and slider are rigid; gravity drives them. Both
integrate by generalised-alpha with the same step; errors are of the slider's position against each program's own run
with a step of 1/16 ms. (Exudyn's FFRF reduced order has no geometric stiffness: the two fine runs differ by 4.5e-5 m.)
"""

from __future__ import annotations

import time

import numpy as np

import duoti as dt
from benchmarks.harness import Pair, Side, case

L, B, R, END = 0.8, 0.02, 0.3, 0.5
DIVISIONS = (24, 2, 2)
FINEST = 6.25e-5
STEEL = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
MODES = 20


def mesh() -> dt.Mesh:
    """The rod from its left end along x, in its own frame."""
    made = dt.Mesh.box((L, B, B), DIVISIONS, kind="hex8")
    nodes = np.asarray(made.nodes) - [np.min(made.nodes[:, 0]), np.mean(made.nodes[:, 1]), np.mean(made.nodes[:, 2])]
    return dt.Mesh(nodes, made.cells, "hex8")


def ends(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes of both end faces."""
    return np.flatnonzero(np.abs(nodes[:, 0]) < 1e-9), np.flatnonzero(np.abs(nodes[:, 0] - L) < 1e-9)


def duoti_model() -> dt.Model:
    """The mechanism with the rod straight on the x axis and the crank upright."""
    rod_mesh = mesh()
    left, right = ends(np.asarray(rod_mesh.nodes))
    rod = dt.Flexible.from_mesh(rod_mesh, STEEL, interfaces={"left": left, "right": right}, modes=MODES - 6)
    m = dt.Model("slider-crank")
    m.add_body("crank", dt.Inertia(0.5, (0, 0, 0), (1e-3, 4e-3, 4e-3)), position=(R / 2, 0, 0))
    m.add_body("rod", rod, position=(R, 0, 0))
    m.add_body("slider", dt.Inertia(0.5, (0, 0, 0), (1e-3, 1e-3, 1e-3)), position=(R + L, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), v0=30.0)
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=(R, 0, 0))
    m.add_joint("C", dt.Revolute("y"), "rod", "slider", at=(R + L, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=(R + L, 0, 0))
    return m


def run_duoti(system: dt.System, step: float) -> tuple[float, np.ndarray]:
    """Processor seconds and slider positions at 11 times."""
    before = time.process_time()
    r = dt.simulate(system, END, outputs=END / 10, solver=dt.GeneralisedAlpha(step=step, rho=0.8))
    took = time.process_time() - before
    assert r.ok, r.reason
    return took, r["D.position"]


class Exudyn:
    """The same in Exudyn."""

    def __init__(self) -> None:
        import exudyn as exu
        from exudyn import itemInterface as eii  # noqa: N813
        from exudyn.FEM import FEMinterface, HCBstaticModeSelection, ObjectFFRFreducedOrderInterface
        from exudyn.utilities import RigidBodyInertia

        rod_mesh = mesh()
        nodes = np.asarray(rod_mesh.nodes)
        s = dt.flexible.Structure.from_mesh(rod_mesh, STEEL)
        fem = FEMinterface()
        fem.nodes = {"Position": nodes}
        for name, A in (("massMatrix", s.M), ("stiffnessMatrix", s.K)):
            setattr(fem, name, A.tocsr())
        fem.elements = [{"Name": "rod", "Hex8": np.asarray(rod_mesh.cells)}]
        left, right = ends(nodes)
        fem.ComputeHurtyCraigBamptonModes(
            boundaryNodesList=[left, right], nEigenModes=MODES - 6, useSparseSolver=True,
            computationMode=HCBstaticModeSelection.RBE2,
        )  # fmt: skip
        self.exu, self.SC = exu, exu.SystemContainer()
        self.mbs = mbs = self.SC.AddSystem()
        ground = mbs.AddObject(eii.ObjectGround())
        cms = ObjectFFRFreducedOrderInterface(fem)
        # v0 = 30 rad/s of the crank: pin moves in -z (about y), slider at rest, rod turns by R 30 / L the other way
        v = -30.0 * R
        turn = 30.0 * R / L
        rod = cms.AddObjectFFRFreducedOrder(
            mbs, positionRef=[R, 0, 0], initialVelocity=[0, 0, v], rotationMatrixRef=np.eye(3),
            initialAngularVelocity=[0, -turn, 0], gravity=[0, 0, -9.81], color=[0.1, 0.9, 0.1, 1.0],
        )  # fmt: skip
        inertia = RigidBodyInertia(mass=0.5, inertiaTensor=np.diag([1e-3, 4e-3, 4e-3]))
        crank = mbs.CreateRigidBody(
            referencePosition=[R / 2, 0, 0], inertia=inertia, initialVelocity=[0, 0, v / 2],
            initialAngularVelocity=[0, 30.0, 0], gravity=[0, 0, -9.81],
        )  # fmt: skip
        inertia = RigidBodyInertia(mass=0.5, inertiaTensor=np.diag([1e-3, 1e-3, 1e-3]))
        self.slider = mbs.CreateRigidBody(referencePosition=[R + L, 0, 0], inertia=inertia, gravity=[0, 0, -9.81])

        def rigid(body, place):
            return mbs.AddMarker(eii.MarkerBodyRigid(bodyNumber=body, localPosition=place))

        def face(which):
            weights = np.full(len(which), 1.0 / len(which))
            return mbs.AddMarker(
                eii.MarkerSuperElementRigid(
                    bodyNumber=rod["oFFRFreducedOrder"], meshNodeNumbers=which, weightingFactors=weights
                )
            )

        turning = [1, 1, 1, 1, 0, 1]
        for pair, axes in (
            ((rigid(ground, [0, 0, 0]), rigid(crank, [-R / 2, 0, 0])), turning),
            ((rigid(crank, [R / 2, 0, 0]), face(left)), turning),
            ((face(right), rigid(self.slider, [0, 0, 0])), [1, 1, 1, 0, 0, 0]),
            ((rigid(ground, [R + L, 0, 0]), rigid(self.slider, [0, 0, 0])), [0, 1, 1, 1, 1, 1]),
        ):
            mbs.AddObject(eii.GenericJoint(markerNumbers=list(pair), constrainedAxes=axes))
        seen = exu.OutputVariableType.Displacement
        self.sensor = mbs.AddSensor(eii.SensorBody(bodyNumber=self.slider, storeInternal=True, outputVariableType=seen))
        mbs.Assemble()

    def run(self, step: float) -> tuple[float, np.ndarray]:
        """Processor seconds and slider positions at 11 times."""
        exu, mbs = self.exu, self.mbs
        settings = exu.SimulationSettings()
        settings.timeIntegration.endTime = END
        settings.timeIntegration.numberOfSteps = round(END / step)
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.8
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = END / 10
        settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
        sensor = self.sensor
        before = time.process_time()
        mbs.SolveDynamic(settings)
        took = time.process_time() - before
        return took, np.asarray(mbs.GetSensorStoredData(sensor))[:, 1]


@case("slider-crank, flexible rod of 20 modes, 0.5 ms", "Exudyn", 5.0)
def flexible_rod() -> Pair:
    system, other, step = dt.compile(duoti_model()), Exudyn(), 5e-4
    exact, their_exact = run_duoti(system, FINEST)[1], other.run(FINEST)[1]
    assert np.abs(exact - their_exact).max() < 1e-4, "the two programs solve different problems"
    error = float(np.abs(run_duoti(system, step)[1] - exact).max())
    their_error = float(np.abs(other.run(step)[1] - their_exact).max())
    return Pair(
        Side(taken=lambda: run_duoti(system, step)[0], error=error),
        Side(taken=lambda: other.run(step)[0], error=their_error), unit="m", clock="process",
    )  # fmt: skip
