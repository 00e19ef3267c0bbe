"""Prescribed motions as inputs of linear systems, against closed forms and against simulations with a small motion."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

MASS, STIFFNESS, DAMPING = 2.0, 300.0, 4.0


def shaken(law="0", given="value"):
    """A mass on a spring on a table that is moved: m x'' = -k y - c y' with x = u + y."""
    m = dt.Model("shaker", gravity=(0, 0, 0))
    m.add_body("table", dt.Inertia.point(5.0))
    m.add_body("mass", dt.Inertia.point(MASS))
    m.add_joint("T", dt.Prismatic("x"), m.ground, "table")
    m.add_joint("J", dt.Prismatic("x"), "table", "mass")
    m.add_force("spring", dt.JointSpring("J", stiffness=STIFFNESS, damping=DAMPING))
    m.add_constraint("drive", dt.JointMotion("T", **{given: law}))
    return m


def test_base_excitation():
    """Transmissibility of position, deflection and driving force; exact columns of B."""
    m = shaken()
    lin = dt.linearise(m, inputs=["drive"], outputs=["mass.position.x", "J.position", "drive.force"])
    assert lin.inputs == ("drive.value", "drive.rate", "drive.acceleration")
    assert lin.states == ("J.position", "J.velocity")
    assert np.allclose(lin.B, [[0, 0, 0], [0, 0, -1]], atol=1e-14)
    assert np.allclose(lin.D[0], [1, 0, 0], atol=1e-14)
    f = np.array([0.3, 1.9, 7.0])
    s = 2j * np.pi * f
    spring = DAMPING * s + STIFFNESS
    whole = spring / (MASS * s**2 + spring)
    response = lin.frequency_response(f)
    assert np.allclose(response[0, 0], whole, rtol=1e-12)
    assert np.allclose(response[1, 0], whole - 1, rtol=1e-12)
    assert np.allclose(response[0, 2], whole / s**2, rtol=1e-12)
    assert np.allclose(response[2, 0], 5.0 * s**2 + MASS * s**2 * whole, rtol=1e-8)  # channels are differences


def test_speeds_and_components():
    """A prescribed speed has its rate and acceleration; components of a marker's motion are inputs of their own."""
    lin = dt.linearise(shaken("0.0", given="velocity"), inputs=["drive"], outputs=["mass.velocity.x"])
    assert lin.inputs == ("drive.rate", "drive.acceleration")
    s = 2j * np.pi * 1.4
    spring = DAMPING * s + STIFFNESS
    assert np.allclose(lin.frequency_response([1.4])[0, 0], spring / (MASS * s**2 + spring), rtol=1e-11)
    m = shaken()
    del m.constraints["drive"]
    m.add_constraint("push", dt.MarkerMotion("table", ("0.1*t", None, None)))
    t = dt.linearise(m, inputs=["push.x"], outputs=["mass.position.x"])
    assert t.inputs[0] == "push.x.value"
    assert np.allclose(t.B, [[0, 0, 0], [0, 0, -1]], atol=1e-12)
    with pytest.raises(ValueError, match=r"prescribed motion: dt\.linearise"):
        dt.Lineariser(m, inputs=["push"])
    with pytest.raises(dt.errors.ChannelError, match="push"):
        dt.linearise(m, inputs=["pusch"])
    function = shaken(lambda t: (0.0, 0.0, 0.0))
    assert dt.linearise(function, inputs=["drive"], outputs=["J.position"]).B[1, 2] == pytest.approx(-1.0)
    with pytest.raises(dt.errors.ChannelError, match="is a function"):
        dt.linearise(function, inputs=["drive"], outputs=["drive.force"])


def crank(push: str) -> dt.Model:
    """A driven crank, a coupler on a spring at its end, and a controller that sees it: geometry, loop and states."""
    m = dt.Model("crank")
    m.add_body("crank", dt.Inertia.box(1.0, size=(1, 0.1, 0.1)), position=(0.5, 0, 0))
    m.add_body("rod", dt.Inertia.box(1.0, size=(2, 0.1, 0.1)), position=(2, 0, 0))
    m.add_body("slider", dt.Inertia.point(2.0), position=(3, 0, 0))
    m.add_body("load", dt.Inertia.point(1.0), position=(3, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), q0=0.7)
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=(1, 0, 0))
    m.add_joint("C", dt.Revolute("y"), "rod", "slider", at=(3, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=(3, 0, 0))
    m.add_joint("E", dt.Prismatic("x"), "slider", "load", at=(3, 0, 0))
    m.add_force("spring", dt.JointSpring("E", stiffness=90.0, damping=1.0))
    m.add_state("seen", "3*(load.position.x - seen)")
    m.add_constraint("drive", dt.JointMotion("A", f"0.7 + 2*t{push}"))
    return m


def test_against_the_equations_themselves():
    """Rates of the states with a little of u, u' or u'' in the law: the error of differences falls as their square."""
    t = 0.05
    plain = dt.compile(crank(""))
    q, v = plain.state({"E": 0.1}, rates={"E": 0.4}, t=t)
    z = np.array([2.9])
    lin = dt.linearise(plain, (q, v, z), inputs=["drive"], t=t, coordinates=["E"])
    assert lin.coordinates == ("E.position",)

    def rates(order, h):
        term = (f"({h})", f"({h})*(t - {t})", f"({h})/2*(t - {t})^2")[order]
        other = dt.compile(crank(f" + {term}"))
        x, w = other.state({"E": 0.1}, rates={"E": 0.4}, t=t)
        a = dt.accelerations(other, x, w, t=t)
        place = other.joints["E"].v[0]
        return np.array([w[place], a[place]])

    angle = 0.7 + 2 * t  # x = cos(angle) + sqrt(4 - sin(angle)²)
    slope = -np.sin(angle) - np.sin(angle) * np.cos(angle) / np.sqrt(4 - np.sin(angle) ** 2)
    assert lin.B[2] == pytest.approx([3 * slope, 0, 0], rel=1e-11, abs=1e-12)
    for order in range(3):
        errors = []
        for h in (2e-2, 1e-2):
            slope = (rates(order, h) - rates(order, -h)) / (2 * h)
            errors.append(np.max(np.abs(slope - lin.B[:2, order])))
        assert errors[1] < max(0.27 * errors[0], 1e-8), order
