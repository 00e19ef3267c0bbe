"""Regressor, base parameters, derivatives by parameters: closed forms, complex steps, falling errors of differences."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.model.parameters import find
from duoti.system.parameters import with_values
from support.random_models import random_model, random_state, relative

GRAVITY = 9.81


@pytest.mark.parametrize("seed", range(4))
def test_regressor_times_numbers_is_inverse_dynamics(seed):
    """Joints of all kinds, rotors, welds; and its columns are what a change of mass does."""
    rng = np.random.default_rng(seed)
    model = random_model(rng, 5).model
    for joint in model.joints.values():
        if joint.nv == 1:
            joint.rotor_inertia = 0.3
    system = dt.compile(model)
    q, v, a = random_state(rng, system)
    Y = dt.identification.inertial_regressor(system, q, v, a)
    tau = dt.inverse_dynamics(system, q, v, a)
    assert relative(Y.matrix @ Y.values - tau, tau) < 1e-12
    body = list(model.bodies)[-1]
    com = np.asarray(model.bodies[body].inertia.com)
    d = dt.parameter_derivatives(model, [f"{body}.mass", f"{body}.inertia.xy"], at=(q, v), a=a)
    spread = com @ com * np.eye(3) - np.outer(com, com)  # of a unit mass at the mass centre, about the origin
    numbers = [1.0, *com, *spread[(0, 0, 1, 0, 1, 2), (0, 1, 1, 2, 2, 2)]]
    by_mass = sum(
        x * Y.column(f"{body}.{n}")
        for n, x in zip(("mass", "mx", "my", "mz", "xx", "xy", "yy", "xz", "yz", "zz"), numbers, strict=True)
    )
    assert relative(d.residuals[:, 0] - by_mass, by_mass) < 1e-11
    assert relative(d.residuals[:, 1] - Y.column(f"{body}.xy"), Y.column(f"{body}.xy")) < 1e-11
    assert np.max(d.errors) < 1e-10


def dh_arm(rows) -> dt.Model:
    """An arm by modified Denavit-Hartenberg parameters (alpha, a, d), hinges about z, bodies of any inertia."""
    rng = np.random.default_rng(5)
    m, X, before = dt.Model("arm"), dt.spatial.Pose.identity(), "ground"
    for i, (alpha, a, d) in enumerate(rows):
        X = (
            X
            @ dt.spatial.Pose(dt.Rotation.about("x", alpha), (a, 0, 0))
            @ dt.spatial.Pose(dt.Rotation.identity(), (0, 0, d))
        )
        R = dt.Rotation.from_vector(rng.normal(size=3)).matrix
        inertia = dt.Inertia(rng.uniform(1, 3), com=rng.normal(size=3), matrix=R @ np.diag((0.3, 0.4, 0.5)) @ R.T)
        m.add_body(f"b{i}", inertia, position=X.position, rotation=X.rotation)
        m.add_joint(f"J{i}", dt.Revolute(tuple(X.rotation.matrix[:, 2])), before, f"b{i}", at=X.position)
        before = f"b{i}"
    return m


def test_base_parameters():
    """A planar arm of two links has six, a PUMA 560 thirty-six (Mayeda, Yoshida and Osuka 1990)."""
    h = np.pi / 2
    planar = dh_arm([(h, 0, 0), (0, 0.8, 0)])  # axes level, gravity across them
    base = dt.identification.base_parameters(dt.compile(planar))
    assert len(base) == 6
    puma = dh_arm([(0, 0, 0), (-h, 0, 0.2), (0, 0.43, -0.1), (-h, 0.02, 0.43), (h, 0, 0), (-h, 0, 0)])
    system = dt.compile(puma)
    base = dt.identification.base_parameters(system)
    assert len(base) == 36
    rng = np.random.default_rng(0)
    q, v, a = random_state(rng, system)
    Y = dt.identification.inertial_regressor(system, q, v, a)
    tau = dt.inverse_dynamics(system, q, v, a)
    assert relative(Y.matrix[:, base.chosen] @ base.values - tau, tau) < 1e-9
    assert "b0.mass" in base.unidentifiable
    assert base.names[0] in str(base)
    loop = dt.Model("loop")
    loop.add_body("b", dt.Inertia.point(1.0))
    loop.add_joint("J", dt.Prismatic("x"), loop.ground, "b")
    loop.add_constraint("c", dt.JointMotion("J", "t"))
    with pytest.raises(ValueError, match="tree"):
        dt.identification.base_parameters(dt.compile(loop))


def pendulum() -> dt.Model:
    m = dt.Model("pendulum", parameters={"k": 3.0})
    m.add_body("rod", dt.Inertia(2.0, com=(0.4, 0, 0), matrix=(0.01, 0.2, 0.2)))
    m.add_joint("A", dt.Revolute("-y"), m.ground, "rod", at=(0, 0, 0), rotor_inertia=0.1)
    m.add_force("spring", dt.JointSpring("A", stiffness=5.0))
    m.add_force("law", dt.JointTorque("A", "-k*sin(q)*v"))
    return m


def test_pendulum_in_closed_form():
    """Accelerations by mass, mass centre, moment, rotor, stiffness, gravity and a number of a law, by complex steps."""
    q, v = 0.6, 1.3

    def acceleration(m=2.0, c=0.4, I=0.2, rotor=0.1, s=5.0, g=-GRAVITY, k=3.0):
        return (m * c * g * np.cos(q) - s * q - k * np.sin(q) * v) / (I + m * c * c + rotor)

    names = {"rod.mass": ("m", 2.0), "rod.com.x": ("c", 0.4), "rod.inertia.yy": ("I", 0.2),
             "A.rotor_inertia": ("rotor", 0.1), "spring.stiffness": ("s", 5.0), "gravity.z": ("g", -GRAVITY),
             "k": ("k", 3.0)}  # fmt: skip
    d = dt.parameter_derivatives(pendulum(), list(names), at=([q], [v]))
    for column, (argument, value) in zip(d.accelerations.T, names.values(), strict=True):
        exact = acceleration(**{argument: value + 1e-30j}).imag / 1e-30
        assert column[0] == pytest.approx(exact, rel=1e-11, abs=1e-13)
    assert "rod.com.x" in str(d)


def four_bar(length=3.0, mass=1.0) -> dt.Model:
    """Crank 1, coupler `length`, rocker 2.5 on a base 3, closed at a crank angle of zero."""
    m = dt.Model("four-bar")
    x = (4.0 + length**2 - 6.25) / 4.0
    end = np.array([1 + x, 0, np.sqrt(length**2 - x**2)])
    m.add_body("crank", dt.Inertia.box(1.0, size=(1, 0.1, 0.1)), position=(0.5, 0, 0))
    m.add_body("coupler", dt.Inertia.box(mass, size=(1, 0.1, 0.1)), position=(np.array([1, 0, 0]) + end) / 2)
    m.add_body("rocker", dt.Inertia.box(1.0, size=(2.5, 0.1, 0.1)), position=(np.array([3, 0, 0]) + end) / 2)
    m.add_joint("A", dt.Revolute("-y"), m.ground, "crank", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("-y"), "crank", "coupler", at=(1, 0, 0))
    m.add_joint("C", dt.Revolute("-y"), "coupler", "rocker", at=end)
    m.add_joint("D", dt.Revolute("-y"), m.ground, "rocker", at=(3, 0, 0))
    m.add_force("spring", dt.JointSpring("D", stiffness=60.0))
    m.add_force("damper", dt.JointDamping("A", 0.5))
    return m


def test_loops_against_differences():
    """Accelerations of a loop by a mass, a stiffness, and a length; errors of differences fall by four."""
    m = four_bar()
    system = dt.compile(m)
    q, v = system.state({"A": 0.4}, rates={"A": 2.0})
    d = dt.parameter_derivatives(m, ["coupler.mass", "spring.stiffness", "gravity.z"], at=(q, v))
    for k, name in enumerate(d.parameters):
        p = find(m, name)
        errors = []
        for h in (0.02 * p.size(m), 0.01 * p.size(m)):
            sides = [dt.compile(with_values(m, {p: p.number(m) + s * h})) for s in (1, -1)]
            plain = [dt.accelerations(each, q, v) for each in sides]
            errors.append(np.max(np.abs((plain[0] - plain[1]) / (2 * h) - d.accelerations[:, k])))
        scale = np.max(np.abs(d.accelerations[:, k]))
        assert errors[1] < max(0.27 * errors[0], 1e-9 * scale)
    built = dt.parameter_derivatives(four_bar, {"length": 3.0, "mass": 1.0}, at=(q, v))
    by_mass = dt.parameter_derivatives(m, ["coupler.mass"], at=(q, v)).accelerations  # a box: its moments grow with it
    assert np.allclose(built.accelerations[:, 1], by_mass[:, 0], rtol=1e-9)
    assert np.max(built.errors) < 1e-9


def test_equilibria_and_eigenvalues():
    """A mass on a spring: x = -m g/k, s = i sqrt(k/m). A linkage on a spring: against equilibria at other values."""
    m = dt.Model("mass on a spring")
    m.add_body("mass", dt.Inertia.point(2.0))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "mass")
    m.add_force("spring", dt.JointSpring("J", stiffness=50.0))
    d = dt.analyses.equilibrium_derivatives(m, ["spring.stiffness", "mass.mass"], eigenvalues=True)
    assert d.displacements[0] == pytest.approx([2 * GRAVITY / 2500, -GRAVITY / 50], rel=1e-10)
    slopes = d.eigenvalue_derivatives[np.argmax(d.eigenvalues.imag)]
    assert slopes.imag == pytest.approx([0.5 / np.sqrt(50 * 2.0), -0.5 * np.sqrt(50 / 2.0**3)], rel=1e-8)
    assert np.max(np.abs(slopes.real)) < 1e-9
    bar = four_bar()
    start = {"A": -0.5}
    d = dt.analyses.equilibrium_derivatives(bar, ["spring.stiffness", "coupler.mass"], start)
    for k, name in enumerate(d.parameters):
        p = find(bar, name)
        errors = []
        for h in (0.04 * p.size(bar), 0.02 * p.size(bar)):
            ahead, behind = (dt.equilibrium(with_values(bar, {p: p.number(bar) + s * h}), start).q for s in (1, -1))
            errors.append(np.max(np.abs((ahead - behind) / (2 * h) - d.displacements[:, k])))
        assert errors[1] < 0.27 * errors[0]


def test_refusals():
    """Unknown names with suggestions, wrong kinds, steady motions."""
    m = pendulum()
    with pytest.raises(dt.errors.ChannelError, match=r"rod\.mass"):
        dt.parameter_derivatives(m, ["rod.mas"])
    with pytest.raises(TypeError, match="list of names"):
        dt.parameter_derivatives(m, "k")
    with pytest.raises(TypeError, match="arguments"):
        dt.parameter_derivatives(four_bar, ["length"])


def test_steady_motion_in_closed_form():
    """A pendulum on a turning shaft: cos(angle) = g / (omega² L), by gravity, length, mass and speed."""
    omega, L = 6.0, 0.5
    m = dt.Model("conical pendulum", parameters={"omega": omega})
    m.add_body("shaft", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_body("bob", dt.Inertia(2.0, com=(0, 0, -L), matrix=np.zeros((3, 3))))
    m.add_joint("turn", dt.Revolute("z"), m.ground, "shaft", at=(0, 0, 0))
    m.add_joint("hinge", dt.Revolute("y"), "shaft", "bob", at=(0, 0, 0), q0=-0.8)
    m.add_constraint("drive", dt.JointMotion("turn", "omega*t"))
    d = dt.analyses.equilibrium_derivatives(m, ["gravity.z", "bob.com.z", "bob.mass", "omega"])
    angle = float(d.equilibrium["hinge.angle"])
    assert np.cos(angle) == pytest.approx(GRAVITY / (omega**2 * L), rel=1e-10)
    # of cos(angle) = -gravity.z / (omega² L) and L = -com.z: larger gravity or a shorter rod hang it lower
    s = np.sin(angle)
    exact = [1 / (omega**2 * L * s), -GRAVITY / (omega**2 * L**2 * s), 0.0, 2 * GRAVITY / (omega**3 * L * s)]
    assert d.displacements[d.rates.index("hinge.rate")] == pytest.approx(exact, rel=1e-9, abs=1e-12)


def test_first_order_states():
    """A spring whose end is moved by an actuator with a lag: x = z = u - m g / k, by a number that only a law reads."""
    m = dt.Model("lag", parameters={"u": 0.2, "T": 0.1, "k": 80.0})
    m.add_body("mass", dt.Inertia.point(2.0))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "mass")
    m.add_state("z", "(u - z)/T", initial=0.0)
    m.add_force("spring", dt.JointTorque("J", "k*(z - q)"))
    d = dt.analyses.equilibrium_derivatives(m, ["u", "T", "k", "mass.mass"], eigenvalues=True)
    assert d.state_changes[0] == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=1e-12)
    assert d.displacements[0] == pytest.approx([1.0, 0.0, 2 * GRAVITY / 80.0**2, -GRAVITY / 80.0], rel=1e-10, abs=1e-12)
    lag = np.argmin(np.abs(d.eigenvalues + 10.0))
    assert d.eigenvalue_derivatives[lag].real == pytest.approx([0.0, 100.0, 0.0, 0.0], abs=1e-6)
    assert np.max(d.errors[:3]) < 1e-14  # nothing was differenced but numbers that stand in laws as they are


def test_motion_of_the_mechanism_is_refused():
    """A crank that drives a linkage changes its shape."""
    m = four_bar()
    m.add_constraint("drive", dt.JointMotion("A", "2*t"))
    with pytest.raises(ValueError, match=r"no equilibrium|changes the shape"):
        dt.analyses.equilibrium_derivatives(m, ["coupler.mass"])
