"""Letters of the columns of joint coordinates: those of the joint's own axes, or none."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.model.errors import ChannelError


def moving(joint: dt.Joint, **start) -> dt.Result:
    m = dt.Model("m", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.2, 0.3)))
    m.add_joint("J", joint, m.ground, "b", **start)
    return dt.simulate(m, 0.1, outputs=0.05)


def test_slides_are_called_by_their_axes():
    r = moving(dt.Composite.of_axes("yz"), v0=[1.0, 2.0])
    assert r["J.position.y"] == pytest.approx(r["b.position.y"], abs=1e-12)
    assert r["J.position.z"] == pytest.approx(r["b.position.z"], abs=1e-12)
    assert r["J.velocity.z"] == pytest.approx(2.0)
    assert r["J.q.z"] == pytest.approx(r["J.q[1]"])
    with pytest.raises(ChannelError, match=r'"J.position.x".*columns of "J.position" are \.y, \.z, after the axes'):
        r["J.position.x"]


def test_turns_are_called_by_their_axes():
    r = moving(dt.Universal("y", "z"), v0=[1.0, 2.0])
    assert np.array_equal(r["J.angle.y"], r["J.angle[0]"])
    assert np.array_equal(r["J.angle.z"], r["J.angle[1]"])
    gimbal = moving(dt.Composite.of_axes(turns="zyx"), v0=[1.0, 2.0, 3.0])
    assert np.array_equal(gimbal["J.angle.x"], gimbal["J.angle[2]"])
    assert list(gimbal.to_pandas(["J.angle"]).columns) == ["J.angle.z", "J.angle.y", "J.angle.x"]
    twice = moving(dt.Composite.of_axes(turns="zyz"), q0=[0.1, 0.5, 0.2])
    assert np.array_equal(twice["J.angle.y"], twice["J.angle[1]"])
    with pytest.raises(ChannelError, match=r"are \[0\], \.y, \[2\]"):
        twice["J.angle.z"]


def test_numbers_where_there_are_no_letters():
    slanted = moving(dt.Planar((1, 2, 3)), v0=[1.0, 2.0, 0.5])
    with pytest.raises(ChannelError, match=r'"J.position" are \[0\], \[1\]\.'):
        slanted["J.position.x"]
    r = moving(dt.Revolute("y"), v0=[1.0])
    with pytest.raises(ChannelError, match=r'It is one number: write "J\.angle"'):
        r["J.angle.x"]
    assert np.array_equal(r["J.angle.y"], r["J.angle"])


def test_vectors_keep_their_letters():
    r = moving(dt.Free(), v0=[1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
    for k, letter in enumerate("xyz"):
        assert np.array_equal(r[f"J.position.{letter}"], r["J.position"][:, k])
        assert np.array_equal(r[f"J.velocity.{letter}"], r["J.velocity"][:, k])
        assert np.array_equal(r[f"J.angular_velocity.{letter}"], r["J.angular_velocity"][:, k])
        assert np.array_equal(r[f"b.position.{letter}"], r["b.position"][:, k])
        assert np.array_equal(r[f"J.reaction_force.{letter}"], r["J.reaction_force"][:, k])
    for k, letter in enumerate("wxyz"):
        assert np.array_equal(r[f"J.rotation.{letter}"], r["J.rotation"][:, k])


def test_laws_read_the_same_names():
    m = dt.Model("m", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("J", dt.Composite.of_axes("yz"), m.ground, "b", q0=[0.0, 1.0])
    m.add_force("pull", dt.AppliedForce("b", ("0", "0", "-J.position.z")))
    r = dt.simulate(m, 1.0, outputs=0.5)
    assert r["b.position.z"] == pytest.approx(np.cos(r.t), abs=1e-7)  # rtol 1e-8
    m.add_force("wrong", dt.AppliedForce("b", ("0", "J.position.x", "0")))
    report = dt.check(m)
    assert not report.ok
    assert any("J.position.x" in f.what for f in report.errors)
