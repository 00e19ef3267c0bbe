"""Joints as sequences of elementary motions, against the laws of the joints themselves."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.model.joints import JOINT_TYPES
from duoti.model.joints.base import Joint, angle, position
from duoti.model.mechanism.joint_motions import Motion, motions_of, pose_of
from duoti.spatial import Rotation
from duoti.topology import DOF
from duoti.topology.spanning import KIND_WEIGHTS
from support.joint_motions import law_pose
from support.random_models import ALL_KINDS

# a dozen rotations one after the other, each exact to 1e-16 relative to numbers of order one
ROUND_OFF = 1e-13


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_motions_are_what_the_law_computes(kind):
    rng = np.random.default_rng(11)
    for _ in range(3):
        joint = JOINT_TYPES[kind].sample(rng)
        q, R_FM, p_FM = law_pose(joint, rng)
        motions = motions_of(joint)
        assert motions is not None
        found = pose_of(motions, q)
        assert found.rotation.matrix == pytest.approx(R_FM, abs=ROUND_OFF)
        assert found.position == pytest.approx(p_FM, abs=ROUND_OFF)


class _Slot(Joint):
    """A shift along x of the parent, then a turn about z: a type that no list knows."""

    kind = "slot"
    coordinates = (angle(), position())  # not in the order in which they act

    def __init__(self, moves=((1, 0), (1, 1))):
        self.given = moves

    @property
    def subspace_at_zero(self):
        return ((0.0, 0.0, 1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0, 0.0, 0.0))

    @property
    def moves(self):
        return self.given

    def faults(self):
        return []

    def frame(self):
        return Rotation.identity()

    @staticmethod
    def sample(rng):
        return _Slot()


def test_what_carries_comes_first():
    motions = motions_of(_Slot())
    assert motions == (Motion(1, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0)), Motion(0, (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)))
    point = pose_of(motions, [np.pi / 2, 0.3]) @ np.array([1.0, 0.0, 0.0])
    assert point == pytest.approx([0.3, 1.0, 0.0], abs=ROUND_OFF)
    point = pose_of(motions_of(_Slot(((1, 1), (0, 1)))), [np.pi / 2, 0.3]) @ np.array([1.0, 0.0, 0.0])
    assert point == pytest.approx([0.0, 1.3, 0.0], abs=ROUND_OFF)


def test_no_product_is_made_of_what_is_none():
    assert motions_of(_Slot(((1, 1), (1, 1)))) is None, "two axes that carry each other"
    assert motions_of(_Slot(((1, 0), (0, 1)))) is None, "two axes that leave each other alone, but do not commute"
    assert motions_of(_Slot(((1, 0),))) is None
    assert motions_of(dt.Composite(dt.Revolute("z"), _Slot(((1, 1), (1, 1))))) is None


def test_a_screw_about_an_axis_elsewhere():
    """A turn about an axis through (1, 0, 0), along z, with an advance of 0.2 m/rad; by hand."""
    X = Motion(0, (0.0, 0.0, 1.0, 0.0, -1.0, 0.2)).pose(np.array([np.pi]))
    assert X.position == pytest.approx([2.0, 0.0, 0.2 * np.pi], abs=ROUND_OFF)


def test_a_type_that_nobody_knows_becomes_a_chain_in_a_urdf(tmp_path):
    m = dt.Model("slot")
    body = m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.2, 0.3)))
    m.add_joint("J", _Slot(), m.ground, body, at=(0, 0, 0))
    dt.formats.save_urdf(m, tmp_path / "slot.urdf")
    found = dt.formats.load_urdf(tmp_path / "slot.urdf").joints.values()
    assert [e.kind for e in found] == ["prismatic", "revolute"]
    assert [e.joint.frame().matrix[:, 2].tolist() for e in found] == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def test_kinds_that_topology_knows_by_name_are_those_of_the_joints():
    """The graph knows no physics: it lists kinds for those who give only names. The lists cannot part."""
    rng = np.random.default_rng(1)
    assert {kind: JOINT_TYPES[kind].sample(rng).nv for kind in DOF} == DOF
    assert set(KIND_WEIGHTS) - {"unspecified"} == set(DOF)
