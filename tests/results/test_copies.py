"""Results with rigid contacts, and linearisers, can be copied and pickled; the copy gives the same bits."""

import copy
import gc
import pickle

import numpy as np
import pytest

import duoti as dt
from duoti.examples import find_example

WAYS = {"pickle": lambda r: pickle.loads(pickle.dumps(r)), "deepcopy": copy.deepcopy, "copy": copy.copy}
CHANNELS = ("floor.force", "floor.gap", "floor.normal_force", "free.reaction_force", "ball.position")


def ball():
    m = dt.Model("ball")
    b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.2))
    m.add_joint("free", dt.Free(), m.ground, b, v0=(0, 0, 0, 1.0, 0, 0))
    law = dt.RigidContact(friction=0.3, restitution=0.5)
    m.add_contact("floor", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("solver", [None, dt.Moreau(step=1e-3)], ids=["event-driven", "time stepping"])
@pytest.mark.parametrize("used", [False, True])
def test_contacts(way, solver, used):
    r = dt.simulate(ball(), 0.4, outputs=0.01, solver=solver)
    if used:
        _ = [r[name] for name in CHANNELS]
    made = WAYS[way](r)
    expected, impacts = {name: r[name] for name in CHANNELS}, [(i.time, *i.impulse) for i in r.impacts]
    assert impacts
    del r
    gc.collect()  # a copy must not live on the memory of the original
    for name, values in expected.items():
        np.testing.assert_array_equal(made[name], values, strict=True)
    assert [(i.time, *i.impulse) for i in made.impacts] == impacts


@pytest.mark.parametrize("way", WAYS)
def test_friction_in_joints(way):
    r = dt.simulate(dt.load(find_example("stick_slip").file), 1.0, outputs=0.1)
    np.testing.assert_array_equal(WAYS[way](r)["slide.reaction_force"], r["slide.reaction_force"])


@pytest.mark.parametrize("way", WAYS)
def test_linearisers(way):
    m = dt.Model("pendulum")
    m.add_body("bob", dt.Inertia.point(1.0), position=(0, 0, -1))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bob", at=(0, 0, 0))
    m.add_force("motor", dt.JointTorque("A", 0.0))
    first = dt.Lineariser(m, inputs=["motor"])
    made = WAYS[way](first)
    first([0.5], [0.1])
    assert made.inputs == first.inputs
    A, B = made([0.0], [0.0])
    np.testing.assert_allclose(A, [[0, 1], [-9.81, 0]], atol=1e-14)  # -g/l
    np.testing.assert_allclose(B, [[0], [1]], atol=1e-14)  # 1/(m l²)
    np.testing.assert_allclose(first([0.5], [0.1])[0][1, 0], -9.81 * np.cos(0.5), rtol=1e-14)
