"""Linear systems with directions that are coupled by round-off only, and which real parts are round-off."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

EPS = np.finfo(float).eps


def parked_car(road: str = "0.02*sin(1.5*x)", friction: float = 0.0, spring: float = 2e4) -> dt.Model:
    """A body on four sprung wheels (spheres) on a road along y; nothing holds it sideways unless there is friction."""
    m = dt.Model("car")
    body = m.add_body("body", dt.Inertia.box(1000.0, size=(3, 1.5, 0.6)), position=(0, 0, 0.8))
    m.add_joint("free", dt.Free(), m.ground, body)
    ground = dt.Shape.extrusion(road, 6.0, (-20.0, 20.0), axis="y")
    law = dt.CompliantContact(stiffness=2e5, damping=500.0, friction=friction)
    for x, end in ((1.2, "f"), (-1.2, "r")):
        for y, side in ((0.7, "l"), (-0.7, "r")):
            at = (x, y, 0.3)
            wheel = m.add_body(f"wheel {end}{side}", dt.Inertia.sphere(30.0, radius=0.3), position=at)
            hub = m.add_body(f"hub {end}{side}", dt.Inertia.box(10.0, size=(0.1, 0.1, 0.1)), position=at)
            m.add_joint(f"strut_{end}{side}", dt.Prismatic("z"), body, hub, at=at)
            m.add_joint(f"axle_{end}{side}", dt.Revolute("y"), hub, wheel, at=at)
            m.add_force(f"spring {end}{side}", dt.JointSpring(f"strut_{end}{side}", stiffness=spring, damping=800.0))
            m.add_contact(f"tyre_{end}{side}", law, m.ground, wheel, shapes=(ground, dt.Shape.sphere(0.3)))
    return m


def residuals(lin: dt.analyses.LinearSystem) -> np.ndarray:
    """|A x - s x| of all modes but those of zero, by |A| |x|, in coordinates of unit mass and of the fastest rate."""
    unit = np.sqrt(np.diag(lin.mass))
    unit = np.concatenate([unit, unit / np.abs(lin.eigenvalues).max()])
    A = unit[:, None] * lin.A / unit
    found = []
    for mode in lin.modes:
        if mode.eigenvalue:
            x = unit * mode.vector
            found.append(np.linalg.norm(A @ x - mode.eigenvalue * x) / np.linalg.norm(A) / np.linalg.norm(x))
    return np.array(found)


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("road", ["0.02*sin(1.5*x)", "0*x"])
def test_modes_of_a_parked_car(road, friction):
    """Bounce, roll and pitch move what they are named by; all modes did move sideways."""
    m = parked_car(road, friction)
    e = dt.equilibrium(m)
    lin = dt.linearise(m, e)
    first = {mode.moves[0]: mode.frequency for mode in lin.modes if 1.2 < mode.frequency < 3.0}
    assert {"free.v[2]", "free.v[4]"} <= set(first)  # heave and pitch
    wheels = [mode for mode in lin.modes if mode.frequency > 10.0 and mode.oscillates]
    assert len(wheels) == 4  # wheel hop
    for mode in wheels:
        assert all(name.startswith("strut") for name in mode.moves[:4])
    # backward error of LAPACK: some n eps of the norm of the matrix
    assert residuals(lin).max() < 100 * len(lin.A) * EPS
    assert lin.stable
    assert e.stable


def test_a_root_locus_has_the_same_criterion_of_stability():
    locus = dt.root_locus(lambda k: parked_car("0*x", 0.0, k), "spring", [1e4, 2e4])
    assert locus.stable.tolist() == [True, True]
    assert [each.stable for each in locus.systems] == [True, True]


def test_a_car_across_a_valley_turns_away():
    """Along the valley's axis is unstable in yaw: one large negative stiffness, many of zero (it raised)."""
    m = parked_car("0.02*x^2")
    lin = dt.linearise(m, dt.equilibrium(m))
    assert not lin.stable
    growing = [mode for mode in lin.modes if mode.eigenvalue.real > 0]
    assert [mode.moves[0] for mode in growing] == ["free.v[5]"]


@pytest.mark.parametrize("seed", range(6))
def test_directions_that_round_off_couples(seed):
    """Masses in series, each with a spring along one axis of a frame turned by right angles: others are free of it.

    Eigenvectors with the residual of a backward stable method, and frequencies sqrt(k/m) of two masses on a spring.
    """
    random = np.random.default_rng(seed)
    m = dt.Model("decoupled", gravity=(0, 0, 0))
    m.add_body("carrier", dt.Inertia.box(5.0, size=(1, 1, 1)))
    m.add_joint("base", dt.Free(), m.ground, "carrier")
    ground, stiff, damped = m.add_marker("home", m.ground), (300.0, 0, 0, 0, 0, 0), (3.0, 0, 0, 0, 0, 0)
    m.add_force("hold", dt.Bushing(ground, m.add_marker("seat", "carrier"), stiffness=stiff, damping=damped))
    for k in range(3):
        turned = dt.Rotation.about("z", np.pi / 2 * random.integers(1, 4))
        turned = turned @ dt.Rotation.about("x", np.pi / 2 * random.integers(1, 4))
        b = m.add_body(f"b{k}", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), rotation=turned)
        m.add_joint(f"s{k}", dt.Prismatic("z"), "carrier", b, at=(0, 0, 0))
        m.add_force(f"f{k}", dt.JointSpring(f"s{k}", stiffness=10.0 ** random.uniform(1, 7), damping=0.5))
    lin = dt.linearise(m)
    assert residuals(lin).max() < 100 * len(lin.A) * EPS
    assert lin.stable


def inverted(excess: float, extra: str = "0") -> dt.Model:
    """A pendulum upright on a spring of `1 - excess` times what holds it, beside a stiff, strongly damped mass."""
    m = dt.Model("upright")
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="z", com=(0, 0, 0.5)))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod")
    m.add_force("spring", dt.JointSpring("A", stiffness=2.0 * 9.81 * 0.5 * (1.0 - excess), damping=0.01))
    m.add_force("push", dt.JointTorque("A", extra))
    m.add_body("stiff", dt.Inertia.point(1e-3))
    m.add_joint("B", dt.Prismatic("x"), m.ground, "stiff")
    m.add_force("bumper", dt.JointSpring("B", stiffness=1e5, damping=100.0))
    return m


@pytest.mark.parametrize("excess", [0.5, 1e-3, 1e-9, 1e-12, -1e-12, -1e-9, -1e-3])
def test_weak_instability_by_stiffness(excess):
    """Round-off of the stiffness is some eps of its terms: an excess of 1e-12 is seen, on both sides."""
    assert dt.linearise(inverted(excess)).stable == (excess < 0)


@pytest.mark.parametrize(("damping", "stable"), [(1e-3, False), (1e-6, False), (-1e-6, True), (-1e-3, True)])
def test_weak_instability_by_damping(damping, stable):
    """An oscillation that grows by 1e-6 of itself each second, beside eigenvalues of 1e5: 1e-6 of these was none."""
    lin = dt.linearise(inverted(-1.0, f"({damping!r} + 0.01)*A.rate"))
    assert np.abs(lin.eigenvalues).max() > 5e4
    assert lin.stable == stable


def test_what_is_neutral_is_stable():
    """A ball on a plane rolls anywhere; a free body stays; a wheel on its axle, out of balance by nothing."""
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.1), position=(0.3, -0.2, 0.0999))
    m.add_joint("free", dt.Free(), m.ground, ball)
    law = dt.CompliantContact(stiffness=5e4, damping=20.0, friction=0.3)
    m.add_contact("floor", law, m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    e = dt.equilibrium(m)
    assert e.ok
    assert e.stable
    lone = dt.Model("lone", gravity=(0, 0, 0))
    lone.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.2, 0.3)))
    lone.add_joint("free", dt.Free(), lone.ground, "b")
    assert dt.linearise(lone).stable


@pytest.mark.parametrize(("growth", "stable"), [(1e-4, False), (-1e-4, True)])
def test_drifting_bodies_hide_no_weak_instability(growth, stable):
    """Exact double zeros of a body that drifts, beside a rotor (gyroscopic) whose whirl grows or fades by 1e-4 1/s."""
    m = dt.Model("rotor and stone", gravity=(0, 0, 0))
    m.add_body("stone", dt.Inertia.box(1.0, size=(0.1, 0.2, 0.3)))
    m.add_joint("free", dt.Free(), m.ground, "stone")
    m.add_body("shaft", dt.Inertia(1e-3, matrix=1e-6 * np.eye(3)))
    m.add_body("disc", dt.Inertia(2.0, matrix=np.diag([0.02, 0.02, 0.035])))
    m.add_joint("tilt", dt.Universal("x", "y"), m.ground, "shaft")
    m.add_joint("spin", dt.Revolute("z"), "shaft", "disc")
    for k in range(2):
        m.add_force(f"bearing {k}", dt.JointSpring("tilt", stiffness=800.0, coordinate=k))
        m.add_force(f"push {k}", dt.JointTorque("tilt", f"{2 * 0.02 * growth!r}*tilt.v[{k}]", k))
    m.add_constraint("drive", dt.JointMotion("spin", "50*t"))
    lin = dt.linearise(m, dt.equilibrium(m))
    assert np.count_nonzero(np.abs(lin.eigenvalues) == 0.0) >= 12
    assert lin.stable == stable
