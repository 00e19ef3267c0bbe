"""Flexible bodies in modes against the same with geometrically exact beams, which share no code with them.

Deflections are some millimetres, 1e-2 of the lengths: terms of higher order, which modes leave out, are 1e-4 of these.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

BEAM = dt.Beam(
    dt.Section.rectangle(width=0.02, height=0.01),
    dt.Material(youngs_modulus=7e10, poisson_ratio=0.3, density=2700.0),
)
SOLVER = dt.GeneralisedAlpha(step=2.5e-4, rho=0.7)


def link(m: dt.Model, name: str, start, end, modes: bool):
    """Both ends of a link: markers at its interfaces, or end nodes of a beam."""
    if not modes:
        made = m.add_beam(name, BEAM, start=start, end=end, up="z", elements=8)
        return made.start, made.end
    along = np.subtract(end, start)
    turn = dt.Rotation.about("y", -np.arctan2(along[2], along[0]))
    body = dt.Flexible.from_beam(BEAM, length=float(np.linalg.norm(along)), elements=8, modes=4)
    m.add_body(name, body, position=start, rotation=turn)
    return name, name


def robot_arm(modes: bool) -> dt.Model:
    """Shoulder and elbow follow prescribed motions, a load at the end."""
    m = dt.Model("arm")
    places = (0, 0, 0), (0.6, 0, 0), (1.1, 0, 0)
    upper, lower = link(m, "upper", *places[:2], modes), link(m, "lower", *places[1:], modes)
    m.add_body("load", dt.Inertia.sphere(0.2, radius=0.02), position=places[2])
    m.add_joint("A", dt.Revolute("y"), m.ground, upper[0], at=places[0])
    m.add_joint("B", dt.Revolute("y"), upper[1], lower[0], at=places[1])
    m.add_joint("C", dt.Fixed(), lower[1], "load", at=places[2])
    m.add_constraint("a", dt.JointMotion("A", "0.5*(1 - cos(4*t))"))
    m.add_constraint("b", dt.JointMotion("B", "-0.4*(1 - cos(5*t))"))
    return m


def four_bar(modes: bool) -> dt.Model:
    """Crank, flexible coupler, rocker, from rest; a closed loop."""
    m = dt.Model("four-bar")
    m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="z"), position=(0, 0, 0.15))
    m.add_body("rocker", dt.Inertia.rod(1.0, length=0.4, axis="z"), position=(1.0, 0, 0.2))
    left, right = link(m, "coupler", (0, 0, 0.3), (1, 0, 0.4), modes)
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), "crank", left, at=(0, 0, 0.3))
    m.add_joint("C", dt.Revolute("y"), right, "rocker", at=(1, 0, 0.4))
    m.add_joint("D", dt.Revolute("y"), m.ground, "rocker", at=(1, 0, 0))
    m.add_force("motor", dt.JointTorque("A", "10*sin(20*t)"))
    return m


def fast_crank(modes: bool, stiffening: bool = True) -> dt.Model:
    """The slider-crank of the IVP test set (case F01) as a physical one, from rest to 150 rad/s in 20 ms."""
    EI, A = 2e11 * 0.008**4 / 12, 0.008**2
    rod = dt.Beam.from_stiffness(EA=2e11 * A, GAy=2e14 * A, GAz=2e14 * A, GJ=EI, EIy=EI, EIz=EI,
                                 mass_per_length=7870 * A, rotary_inertia=(1e-6, 1e-9, 1e-9))  # fmt: skip
    m = dt.Model("slider-crank", gravity=(0, 0, 0))
    m.add_body("crank", dt.Inertia(0.36, (0, 0, 0), (1, 1, 0.002727)))
    m.add_body("block", dt.Inertia(0.075552, (0, 0, 0), (1, 1, 1)), position=(0.45, 0, 0))
    start = end = "rod"
    if modes:
        body = dt.Flexible.from_beam(rod, length=0.3, elements=8, modes=6, stiffening=stiffening)
        m.add_body("rod", body, position=(0.15, 0, 0))
    else:
        made = m.add_beam("rod", rod, start=(0.15, 0, 0), end=(0.45, 0, 0), up="z", elements=16)
        start, end = made.start, made.end
    m.add_joint("A", dt.Revolute("z"), m.ground, "crank", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("z"), "crank", start, at=(0.15, 0, 0))
    m.add_joint("C", dt.Revolute("z"), end, "block", at=(0.45, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "block", at=(0.45, 0, 0))
    m.add_constraint("drive", dt.JointMotion("A", "if(t < 0.02, 3750*t^2, 1.5 + 150*(t - 0.02))"))
    return m


def test_a_fast_slider_crank():
    """The rod bends by 2.2 mm in its middle; both to 1 % of that, and without stiffening wrong by half of it.

    1 %: (w/L)^2 = 5e-5 is nothing, but the load bends by resonance, w ~ 1/(1 - (150 n/w_1)^2), which makes errors of
    the eight cubic elements' and sixteen exact ones' frequencies (1e-3) some times as large.
    """
    runs = {
        name: dt.simulate(fast_crank(*which), 0.06, outputs=2.5e-4, solver=dt.GeneralisedAlpha(step=2e-5, rho=0.8))
        for name, which in {"beam": (False,), "modes": (True,), "unstiffened": (True, False)}.items()
    }
    assert all(r.ok for r in runs.values())
    a, b, middle = (runs["beam"][f"rod.{node}.position"] for node in ("start", "end", "node8"))
    along = (b - a) / np.linalg.norm(b - a, axis=1, keepdims=True)
    exact = along[:, 0] * (middle - a)[:, 1] - along[:, 1] * (middle - a)[:, 0]

    def across(r):
        return r.displacement("rod", 4)[:, 1] - 0.5 * r.displacement("rod", 8)[:, 1]

    largest = np.abs(exact).max()
    assert largest > 2e-3
    assert np.abs(across(runs["modes"]) - exact).max() < 0.01 * largest
    assert np.abs(across(runs["unstiffened"]) - exact).max() > 0.3 * largest


def largest_difference(build, channel: str) -> float:
    runs = [dt.simulate(build(modes), 0.3, outputs=0.05, solver=SOLVER) for modes in (True, False)]
    assert all(r.ok for r in runs)
    assert np.abs(np.diff(runs[0][channel], axis=0)).max() > 0.05  # it moves
    return float(np.abs(runs[0][channel] - runs[1][channel]).max())


def test_a_robot_arm():
    assert largest_difference(robot_arm, "load.position") < 1e-5


def test_a_four_bar():
    assert largest_difference(four_bar, "rocker.position") < 1e-5


def test_a_part_keeps_its_interfaces():
    """A submodel with a marker at an interface, and an initial deformation."""
    part, m = dt.Model("part"), dt.Model("whole")
    body = dt.Flexible.from_beam(BEAM, length=1.0, elements=4, modes=2)
    part.add_body("rod", body, q0={0: 1e-3})
    part.add_joint("clamp", dt.Fixed(), part.ground, "rod", at=(0, 0, 0))
    part.add_marker("tip", "rod", interface="end")
    m.add_submodel("p", part)
    own, inner = dt.compile(part), dt.compile(m)
    assert m.markers["p.tip"].interface == "end"
    np.testing.assert_array_equal(own.initial_state()[0], inner.initial_state()[0])
