"""Columns above their Euler load, elements of beams beyond their range, and beams on a hub that turns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import duoti as dt


def section(EI=(1.0, 2.0), EA=1e5, rotary=1e-3) -> dt.Beam:
    return dt.Beam.from_stiffness(
        EA=EA,
        GAy=EA,
        GAz=EA,
        GJ=1,
        EIy=EI[0],
        EIz=EI[1],
        mass_per_length=1,
        rotary_inertia=(2 * rotary, rotary, rotary),
    )


def cantilever(part: float, elements: int = 6, order: int = 1, side: float = 0.0, EI=(1.0, 2.0)) -> dt.Model:
    """A column of 1 m, clamped below, with `part` of its lower Euler load pi²/4 EI / L² on top."""
    m = dt.Model("column", gravity=(0, 0, 0))
    b = m.add_beam("b", section(EI), (0, 0, 0), (0, 0, 1), elements=elements, order=order, up=(1, 0, 0))
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    m.add_force("load", dt.AppliedForce(b.end, (side, 0, -(np.pi**2) / 4 * min(EI) * part)))
    return m


def elastica(part: float) -> tuple[float, float]:
    """Sideways and upright coordinate of the tip of Euler's elastica: K(k) = pi/2 sqrt(P/P_E)."""
    k = float(brentq(lambda k: ellipk(k * k) - np.pi / 2 * np.sqrt(part), 1e-6, 1 - 1e-9))  # pyright: ignore
    return 2 * k / ellipk(k * k), 2 * ellipe(k * k) / ellipk(k * k) - 1


@pytest.mark.full
@pytest.mark.parametrize(("elements", "order", "near"), [(8, 1, 2e-3), (3, 4, 1e-4)])
def test_all_states_of_a_column_above_its_euler_load(elements, order, near):
    """The straight one, not stable, and both buckled ones; shapes folded at a node were called stable.

    near: error of eight arcs, by the square of their turn (0.2 rad)²/24, and strain P/EA = 3e-5 of order 4.
    """
    found = dt.equilibria(cantilever(1.2, elements, order), starts=4)
    x, z = elastica(1.2)
    tips = sorted(float(e["b.end.position"][0]) for e in found)
    assert len(found) == 3
    assert tips == pytest.approx([-x, 0.0, x], abs=near)
    assert [e["b.end.position"][2] for e in found.stable] == pytest.approx([z, z], abs=near)
    assert sorted(e.stable for e in found) == [False, True, True]


@pytest.mark.full
def test_saddles_between_buckled_states():
    """Above both Euler loads: the shapes bent about the strong axis are equilibria, too, and not stable."""
    found = dt.equilibria(cantilever(1.5, EI=(1.0, 1.2)), starts=2)
    kinds = {(*np.sign(np.round(e["b.end.position"][:2], 6)).astype(int).tolist(), e.stable) for e in found}
    assert kinds == {(0, 0, False), (1, 0, True), (-1, 0, True), (0, 1, False), (0, -1, False)}


@pytest.mark.parametrize("side", [1e-3, -1e-3, 1e-8])
@pytest.mark.parametrize(("elements", "order"), [(6, 1), (3, 4)])
def test_a_column_bends_with_the_side_load(side, elements, order):
    e = dt.equilibrium(cantilever(1.2, elements, order, side))
    assert e.ok
    assert e.stable
    assert np.sign(e["b.end.position"][0]) == np.sign(side)
    assert abs(e["b.end.position"][0]) > 0.6


def test_a_perfect_column_stays_straight_and_says_so():
    e = dt.equilibrium(cantilever(1.2))
    assert e.ok
    assert not e.stable
    assert e["b.end.position"][:2] == pytest.approx([0, 0], abs=1e-12)


@pytest.mark.parametrize("push", [0.02, -0.02])
def test_a_column_between_joints_bends_with_its_load(push):
    """The same with a loop: hinged below, guided above (equations of closures, dense algebra)."""
    m = dt.Model("strut", gravity=(0, 0, 0))
    b = m.add_beam("b", section(), (0, 0, 0), (0, 0, 1), elements=6, up=(1, 0, 0))
    top = m.add_body("top", dt.Inertia.box(0.1, size=(0.1, 0.1, 0.1)), position=(0, 0, 1))
    m.add_joint("below", dt.Revolute("y"), m.ground, b.start)
    m.add_joint("guide", dt.Prismatic("z"), m.ground, top)
    m.add_joint("above", dt.Revolute("y"), top, b.end)
    m.add_force("load", dt.AppliedForce(top, (0, 0, -1.1 * np.pi**2)))
    m.add_force("side", dt.AppliedForce(b.nodes[3], (push, 0, 0)))
    e = dt.equilibrium(m)
    assert e.ok
    assert e.stable
    assert e["b.node3.position"][0] * np.sign(push) > 0.1


def test_elements_beyond_their_range_are_no_equilibrium():
    """From a start in which the last element lies back on the one before, forces balance: it is named."""
    m = cantilever(0.5, 4)
    system = dt.compile(m)
    q = system.state()[0].copy()
    q[system.joints["b.end.free"].q[2]] = -0.5  # the top node a quarter below the last but one
    e = dt.equilibrium(system, (q,))
    assert not e.ok
    assert "beyond their range" in e.reason
    assert '"b.element4" by' in e.reason


def rotor(speed: float, drive: str, elements: int = 12, order: int = 1, on_hub: bool = True) -> dt.Model:
    """A slender cantilever of 1 m on a hub, as one would draw it."""
    m = dt.Model("rotor", gravity=(0, 0, 0))
    slim = section((1.0, 1.0), 1e6, 1e-5)
    b = m.add_beam("b", slim, (0, 0, 0), (1, 0, 0), elements=elements, order=order)
    hub = m.add_body("hub", dt.Inertia.sphere(1.0, 0.1)) if on_hub else b.start
    m.add_joint("shaft", dt.Revolute("z"), m.ground, hub)
    if on_hub:
        m.add_joint("root", dt.Fixed(), hub, b.start)
    if drive == "motion":
        m.add_constraint("drive", dt.JointMotion("shaft", f"{speed}*t"))
    elif drive == "speed":
        m.add_constraint("drive", dt.JointMotion("shaft", velocity=speed))
    return m


@pytest.mark.parametrize(
    ("drive", "order", "on_hub"),
    [("motion", 1, True), ("speed", 1, True), ("rates", 1, True), ("motion", 1, False), ("motion", 4, True)],
)
def test_a_blade_on_a_hub_that_turns(drive, order, on_hub):
    """Steady stretch tan(k)/k - 1, k² = (rho A) w² L²/EA, of a rod that turns, and frequencies of Wright et al. (1982).

    Rotary inertia, shear and stretch change these by 2e-4; 12 arcs by some 1e-3.
    """
    speed, k = 6.0, 6.0 / 1e3
    m = rotor(speed, drive, 3 if order == 4 else 12, order, on_hub)
    e = dt.equilibrium(m, rates={"shaft": speed} if drive == "rates" else None)
    assert e.ok, e.reason
    assert e["b.end.position"][0] - 1 == pytest.approx(np.tan(k) / k - 1, rel=1e-5)
    assert e["b.end.velocity"] == pytest.approx([0, speed * np.tan(k) / k, 0], abs=1e-9)
    assert e.stable
    lin = dt.linearise(m, e)
    omega = 2 * np.pi * lin.frequencies
    flap, lag = 7.360373, 4.263225
    assert np.min(np.abs(omega - flap)) < 1e-3 * flap
    if drive != "rates":  # a hub that turns freely changes the motion in the plane
        assert np.min(np.abs(omega - lag)) < 1e-3 * lag
    assert lin.steady


def test_a_simulation_goes_on_from_the_steady_motion():
    """The state is in the coordinates of the model as it was given: the tip stays on its circle."""
    m = rotor(6.0, "motion", 3, 4)
    e = dt.equilibrium(m)
    r = dt.simulate(m, 0.2, at=e.state, solver=dt.Radau(rtol=1e-8, atol=1e-10))
    assert r.ok
    radius = np.linalg.norm(r["b.end.position"], axis=1)
    assert np.ptp(radius) < 1e-8  # tolerance of the solver, times the speed
    assert np.arctan2(*r["b.end.position"][-1][[1, 0]]) == pytest.approx(1.2, abs=1e-7)


@pytest.mark.full
def test_a_beam_on_a_turntable_under_gravity_droops_as_at_rest():
    """Along the axis nothing changes: a slow turn leaves the droop of the beam, in any position of the table."""

    def table(speed: float) -> dt.Model:
        m = dt.Model("table")
        steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850)
        b = m.add_beam(
            "b", dt.Beam(dt.Section.circle(radius=0.005), steel), (0.1, 0, 0), (1, 0, 0), elements=4, order=3
        )
        disc = m.add_body("disc", dt.Inertia.cylinder(5.0, radius=0.2, length=0.02, axis="z"))
        m.add_joint("axis", dt.Revolute("z"), m.ground, disc)
        m.add_joint("root", dt.Fixed(), disc, b.start)
        m.add_constraint("drive", dt.JointMotion("axis", f"0.8 + {speed}*t"))
        return m

    at_rest, turning = (dt.equilibrium(table(speed)) for speed in (0.0, 1e-3))
    assert at_rest.ok
    assert turning.ok
    assert turning["b.end.position"] == pytest.approx(at_rest["b.end.position"], abs=1e-6)  # (speed/frequency)² = 1e-8


@pytest.mark.full
def test_a_swinging_blade_is_no_steady_motion():
    """Gravity across the axis of the turn: the blade droops the other way half a turn later."""
    m = rotor(6.0, "motion", 3, 4)
    m.gravity = (0, -9.81, 0)
    e = dt.equilibrium(m)
    assert not e.ok
    assert "no steady motion" in e.reason.lower()
