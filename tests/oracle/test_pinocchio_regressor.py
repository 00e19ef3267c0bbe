"""The inertial regressor against Pinocchio's, column by column."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

pin = pytest.importorskip("pinocchio")
pytestmark = pytest.mark.oracle

# sums of products of numbers of size 10 over chains of up to 12 hinges, in another order: some hundred round-offs
TOLERANCE = 1e-12


def twins(rng: np.random.Generator, n: int) -> tuple[dt.System, object]:
    """A random tree of hinges about z in both programs."""
    model, other = dt.Model("twin"), pin.Model()
    names, ids = ["ground"], [0]
    for i in range(1, n + 1):
        parent = int(rng.integers(max(0, i - 3), i))
        R = dt.Rotation.from_quaternion((x := rng.normal(size=4)) / np.linalg.norm(x))
        p, mass, com = rng.normal(size=3), rng.uniform(0.5, 2.0), 0.1 * rng.normal(size=3)
        axes = dt.Rotation.from_quaternion((x := rng.normal(size=4)) / np.linalg.norm(x)).matrix
        moments = axes @ np.diag(rng.uniform(0.01, 0.02, 3)) @ axes.T
        moments = 0.5 * (moments + moments.T)
        model.add_body(f"b{i}", dt.Inertia(mass, com, moments))
        model.add_marker(f"m{i}", names[parent], p, R)
        model.add_joint(f"j{i}", dt.Revolute("z"), f"m{i}", f"b{i}")
        ids.append(other.addJoint(ids[parent], pin.JointModelRZ(), pin.SE3(R.matrix, p), f"j{i}"))
        other.appendBodyToJoint(ids[i], pin.Inertia(mass, com, moments), pin.SE3.Identity())
        names.append(f"b{i}")
    return dt.compile(model), other


@pytest.mark.parametrize("seed", range(6))
def test_columns_are_those_of_pinocchio(seed):
    rng = np.random.default_rng(seed)
    system, other = twins(rng, 4 + 2 * (seed % 5))
    data, e = other.createData(), dt.Evaluator(system)
    order = np.array([int(system.joints[f"j{i}"].v[0]) for i in range(1, system.nv + 1)])
    places = [other.joints[other.getJointId(f"j{i}")].idx_v for i in range(1, system.nv + 1)]
    columns = np.concatenate([10 * (other.getJointId(f"j{i}") - 1) + np.arange(10) for i in range(1, system.nv + 1)])
    for _ in range(5):
        q, v, a = rng.normal(size=(3, system.nv))
        theirs = [np.zeros(system.nv) for _ in range(3)]
        for x, y in zip((q, v, a), theirs, strict=True):
            y[places] = x[order]
        Y = pin.computeJointTorqueRegressor(other, data, *theirs)[places][:, columns]
        ours = e.inertial_regressor(q, v, a)[order]
        assert np.max(np.abs(ours - Y)) < TOLERANCE * np.max(np.abs(Y))
        assert np.array_equal(dt.identification.inertial_regressor(system, q, v, a).matrix[order], ours)
