"""The same models in Exudyn and here: random trees, a closed loop, springs.

Trees are integrated by the classical Runge-Kutta method with the same step in both programs, in the same coordinates:
what differs is round-off, and 200 steps of ten or so operations in a row cannot add up to more than 1e-12 of the
largest value. Loops have no such common method: there the error of Exudyn's second-order integrator is estimated from
two step sizes.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import duoti as dt

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    exu = pytest.importorskip("exudyn")
    from exudyn import utilities as eu

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
GRAVITY = (0.3, -0.2, -9.81)
KINDS = {
    "Rx": (exu.JointType.RevoluteX, lambda: dt.Revolute("x")),
    "Ry": (exu.JointType.RevoluteY, lambda: dt.Revolute("y")),
    "Rz": (exu.JointType.RevoluteZ, lambda: dt.Revolute("z")),
    "Px": (exu.JointType.PrismaticX, lambda: dt.Prismatic("x")),
    "Py": (exu.JointType.PrismaticY, lambda: dt.Prismatic("y")),
    "Pz": (exu.JointType.PrismaticZ, lambda: dt.Prismatic("z")),
}


class RandomTree:
    """Links on joints of random kinds, each on a random one of those before it."""

    def __init__(self, seed, links=6):
        rng = np.random.default_rng(seed)
        self.n = links
        self.kinds = [str(each) for each in rng.choice(list(KINDS), links)]
        self.kinds[0] = "Ry"
        self.parents = [-1, *(int(rng.integers(-1, i)) for i in range(1, links))]
        self.rotations = [dt.Rotation.from_vector(rng.normal(size=3)) for _ in range(links)]
        self.offsets = rng.uniform(-0.5, 0.5, (links, 3))
        self.coms = rng.uniform(-0.2, 0.2, (links, 3))
        self.masses = rng.uniform(0.5, 2.0, links)
        self.inertias = []
        for _ in range(links):
            points = rng.normal(size=(5, 3)) * 0.2  # of five masses: principal moments obey the triangle inequality
            self.inertias.append(np.sum([p @ p * np.eye(3) - np.outer(p, p) for p in points], axis=0))
        self.q0 = rng.uniform(-0.3, 0.3, links)
        self.v0 = rng.uniform(-1.0, 1.0, links)

    def by_duoti(self, duration, step):
        m = dt.Model("tree", gravity=GRAVITY)
        for i in range(self.n):
            inertia = dt.Inertia(self.masses[i], self.coms[i], self.inertias[i])
            parent = "ground" if self.parents[i] < 0 else f"link{self.parents[i]}"
            m.add_body(f"link{i}", inertia)
            m.add_marker(f"seat{i}", parent, position=self.offsets[i], rotation=self.rotations[i])
            m.add_marker(f"root{i}", f"link{i}")
            m.add_joint(f"joint{i}", KINDS[self.kinds[i]][1](), f"seat{i}", f"root{i}", q0=self.q0[i], v0=self.v0[i])
        r = dt.simulate(m, duration, outputs=[duration], solver=dt.RK4(step=step))
        assert r.ok, r.reason
        return [np.array([r[f"joint{i}.{what}"][-1] for i in range(self.n)]) for what in "qv"]

    def by_exudyn(self, duration, step):
        mbs = exu.SystemContainer().AddSystem()
        node = mbs.AddNode(eu.NodeGenericODE2(
            referenceCoordinates=[0.0] * self.n, initialCoordinates=list(self.q0), initialCoordinates_t=list(self.v0),
            numberOfODE2Coordinates=self.n,
        ))  # fmt: skip
        mbs.AddObject(eu.ObjectKinematicTree(
            nodeNumber=node, jointTypes=[KINDS[each][0] for each in self.kinds], linkParents=self.parents,
            jointTransformations=exu.Matrix3DList([each.matrix for each in self.rotations]),
            jointOffsets=exu.Vector3DList(self.offsets.tolist()), linkInertiasCOM=exu.Matrix3DList(self.inertias),
            linkCOMs=exu.Vector3DList(self.coms.tolist()), linkMasses=list(self.masses),
            baseOffset=[0.0, 0.0, 0.0], gravity=list(GRAVITY),
        ))  # fmt: skip
        mbs.Assemble()
        mbs.SolveDynamic(settings(duration, step), solverType=exu.DynamicSolverType.RK44)
        data = mbs.systemData
        return np.array(data.GetODE2Coordinates()), np.array(data.GetODE2Coordinates_t())


def settings(duration, step):
    made = exu.SimulationSettings()
    made.timeIntegration.numberOfSteps = round(duration / step)
    made.timeIntegration.endTime = duration
    made.timeIntegration.verboseMode = 0
    made.solutionSettings.writeSolutionToFile = False
    made.solutionSettings.sensorsWritePeriod = duration
    return made


@pytest.mark.parametrize("seed", range(8))
def test_random_trees(seed):
    tree = RandomTree(seed)
    for ours, theirs in zip(tree.by_duoti(0.2, 1e-3), tree.by_exudyn(0.2, 1e-3), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 * max(1.0, np.abs(theirs).max()))


def four_bar(end, stiffness=0.0, damping=0.0):
    """A crank, a coupler and a rocker in the plane x-z, with a spring and damper between the ends of the diagonal."""
    m = dt.Model("four-bar", gravity=(0, 0, -9.81))
    for name, (a, b) in BARS.items():
        m.add_body(name, dt.Inertia(1.0, (0, 0, 0), MOMENTS), position=(a + b) / 2)
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=POINTS["A"])
    m.add_joint("B", dt.Revolute("y"), "crank", "coupler", at=POINTS["B"])
    m.add_joint("C", dt.Revolute("y"), "coupler", "rocker", at=POINTS["C"])
    m.add_joint("D", dt.Revolute("y"), m.ground, "rocker", at=POINTS["D"])
    if stiffness:
        m.add_marker("a", m.ground, position=POINTS["A"])
        m.add_marker("c", "rocker", position=(POINTS["C"] - POINTS["D"]) / 2)
        m.add_force("spring", dt.SpringDamper("a", "c", stiffness, damping, rest_length=LENGTH))
    r = dt.simulate(m, end, outputs=[end], rtol=1e-11, atol=1e-13)
    assert r.ok, r.reason
    return np.concatenate([r[f"{name}.position"][-1] for name in BARS])


POINTS = {"A": np.zeros(3), "B": np.array([0.1, 0, 0.4]), "C": np.array([1.0, 0, 0.7]), "D": np.array([1.2, 0, 0])}
BARS = {
    "crank": (POINTS["A"], POINTS["B"]),
    "coupler": (POINTS["B"], POINTS["C"]),
    "rocker": (POINTS["C"], POINTS["D"]),
}
MOMENTS = (0.02, 0.05, 0.04)
LENGTH = 0.8 * float(np.linalg.norm(POINTS["C"]))  # of the spring without force; the diagonal is longer


def exudyn_four_bar(end, step, stiffness=0.0, damping=0.0):
    mbs = exu.SystemContainer().AddSystem()
    ground = mbs.AddObject(eu.ObjectGround())
    bodies = {}
    for name, (a, b) in BARS.items():
        inertia = eu.RigidBodyInertia(mass=1.0, inertiaTensor=np.diag(MOMENTS))
        made = mbs.CreateRigidBody(inertia=inertia, referencePosition=list((a + b) / 2), gravity=[0, 0, -9.81])
        bodies[name] = made, (a + b) / 2

    def marker(body, point):
        number, centre = (ground, np.zeros(3)) if body == "ground" else bodies[body]
        return mbs.AddMarker(eu.MarkerBodyRigid(bodyNumber=number, localPosition=list(point - centre)))

    upright = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # the joint's z-axis is our y-axis
    # in space a plane loop holds three of its equations twice: the last hinge only closes the plane
    for name, one, two in (("A", "ground", "crank"), ("B", "crank", "coupler"), ("C", "coupler", "rocker"),
                           ("D", "ground", "rocker")):  # fmt: skip
        axes = [1, 1, 0, 0, 0, 0] if name == "D" else [1, 1, 1, 1, 1, 0]
        mbs.AddObject(eu.GenericJoint(
            markerNumbers=[marker(one, POINTS[name]), marker(two, POINTS[name])], constrainedAxes=axes,
            rotationMarker0=upright, rotationMarker1=upright,
        ))  # fmt: skip
    if stiffness:
        mbs.AddObject(eu.SpringDamper(
            markerNumbers=[marker("ground", POINTS["A"]), marker("rocker", POINTS["C"])], stiffness=stiffness,
            damping=damping, referenceLength=LENGTH,
        ))  # fmt: skip
    mbs.Assemble()
    chosen = settings(end, step)
    chosen.timeIntegration.generalizedAlpha.spectralRadius = 1.0
    chosen.timeIntegration.generalizedAlpha.useIndex2Constraints = True
    chosen.timeIntegration.generalizedAlpha.useNewmark = True
    chosen.timeIntegration.newton.relativeTolerance = 1e-12
    mbs.SolveDynamic(chosen)
    places = [mbs.GetObjectOutputBody(number, exu.OutputVariableType.Position) for number, _ in bodies.values()]
    return np.concatenate(places)


@pytest.mark.parametrize(("stiffness", "damping"), [(0.0, 0.0), (400.0, 5.0)])
def test_a_closed_loop_with_and_without_a_spring(stiffness, damping):
    """Exudyn's trapezoidal rule has an error of order h² and, being symmetric, the next term has h⁴.

    So half the step leaves a quarter of the difference to ours, and extrapolation to h = 0 leaves its square, about.
    """
    ours = four_bar(0.5, stiffness, damping)
    coarse, fine = (exudyn_four_bar(0.5, step, stiffness, damping) for step in (1e-3, 5e-4))
    error = np.abs(coarse - ours).max()
    assert error < 1e-4
    assert np.abs(fine - ours).max() == pytest.approx(error / 4, rel=0.05)
    np.testing.assert_allclose((4 * fine - coarse) / 3, ours, rtol=0, atol=10 * error**2 + 1e-11)  # and our tolerance
