"""The robot kit against Pinocchio and MuJoCo on the bundled robots, and states to and from both.

Tolerance 1e-12 relative to the largest entry: the same sums in another order, over at most 20 bodies of a few metres.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots

pin = pytest.importorskip("pinocchio")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")]
TOLERANCE = 1e-12


def near(x, y, limit=TOLERANCE):
    scale = max(1.0, float(np.max(np.abs(y), initial=0.0)))
    assert np.shape(x) == np.shape(y)
    assert np.max(np.abs(np.subtract(x, y)), initial=0.0) <= limit * scale


class Arm:
    """arm6: six hinges, in the same order in both programs."""

    def __init__(self, seed=1):
        path = robots()["arm6"]
        self.pin = pin.buildModelFromUrdf(str(path))
        self.data = self.pin.createData()
        self.system = dt.compile(dt.load(path))
        assert [n for n in self.pin.names if n != "universe"] == [n.removesuffix(".angle") for n in self.system.coordinate_names]
        rng = np.random.default_rng(seed)
        self.q, self.v = rng.normal(size=(2, 6))
        self.e = dt.Evaluator(self.system)


@pytest.mark.parametrize("seed", range(3))
def test_an_arm_against_pinocchio(seed):
    arm = Arm(seed)
    m, d, q, v, e = arm.pin, arm.data, arm.q, arm.v, arm.e
    pin.computeJointJacobiansTimeVariation(m, d, q, v)
    pin.updateFramePlacements(m, d)
    for frame in m.frames:
        if frame.type != pin.FrameType.BODY or frame.name == "universe":
            continue
        k, body = m.getFrameId(frame.name), frame.name
        near(e.frame(body, q).position, d.oMf[k].translation)
        near(e.frame(body, q).rotation, d.oMf[k].rotation)
        for axes, theirs in (("world", pin.LOCAL_WORLD_ALIGNED), ("local", pin.LOCAL)):
            J = np.roll(pin.getFrameJacobian(m, d, k, theirs), 3, axis=0)  # Pinocchio has the linear part first
            near(e.jacobian(body, q, axes=axes), J)
        # in Pinocchio's local axes the rate is that of the spatial Jacobian; a fixed point of view makes both the same
        J_dot = np.roll(pin.getFrameJacobianTimeVariation(m, d, k, pin.LOCAL_WORLD_ALIGNED), 3, axis=0)
        near(e.jacobian_rate(body, q, v), J_dot)
    near(e.coriolis_matrix(q, v), pin.computeCoriolisMatrix(m, d, q, v))
    near(e.gravity_forces(q), pin.computeGeneralizedGravity(m, d, q))


@pytest.mark.parametrize("seed", range(3))
def test_centroidal_momentum_and_inertia_against_pinocchio(seed):
    """Pinocchio leaves out what is fixed to ground: compared about the world's origin, where it does not matter."""
    arm = Arm(seed)
    m, d, q, v, e = arm.pin, arm.data, arm.q, arm.v, arm.e
    pin.computeCentroidalMapTimeVariation(m, d, q, v)
    found = e.centroidal_momentum(q, v)
    moment = np.cross(found.mass_centre, found.matrix[3:], axis=0)
    theirs = np.cross(d.com[0], d.Ag[:3], axis=0)
    near(found.matrix[:3] + moment, d.Ag[3:] + theirs)
    near(found.matrix[3:], d.Ag[:3])
    bias = d.dAg @ v
    near(found.bias[3:], bias[:3])
    near(found.bias[:3] + np.cross(found.mass_centre, found.bias[3:]), bias[3:] + np.cross(d.com[0], bias[:3]))
    tool = [f.name for f in m.frames if f.type == pin.FrameType.BODY][-1]
    J = np.roll(pin.computeFrameJacobian(m, d, q, m.getFrameId(tool), pin.LOCAL_WORLD_ALIGNED), 3, axis=0)
    M = pin.crba(m, d, q)
    M = np.triu(M) + np.triu(M, 1).T
    expected = np.linalg.inv(J @ np.linalg.solve(M, J.T))
    near(e.operational_space_inertia(tool, q), expected, 1e-9)  # condition numbers of J M^-1 J^T are about 1e3
