"""Initial assembly: what is given is held, the rest is found on the nearest branch, and what cannot be is refused."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.assemble import assemble
from duoti.analyses.states.initial_state import closed_state

CRANK, COUPLER, ROCKER, BASE = 1.0, 2.0, 1.5, 3.0


def four_bar(crank=None, rocker=None, joint="A", rate=None, rocker_rate=None, coupler=COUPLER) -> dt.Model:
    """Drawn with the crank upright; bars of lengths 1, 2, 1.5 on a base of 3 m. Angles about y, in radians."""
    m = dt.Model("four-bar")
    tip = np.array([0, 0, CRANK])
    # the joint between coupler and rocker in the reference configuration: above the base (two circles meet)
    x, z = _elbow(np.array([0.0, CRANK]), np.array([BASE, 0.0]), COUPLER, ROCKER, up=True)
    elbow = np.array([x, 0, z])
    a = m.add_body("crank", dt.Inertia.cylinder(1.0, 0.05, CRANK, axis="z"), position=tip / 2)
    b = m.add_body("coupler", dt.Inertia.sphere(2.0, 0.3), position=(tip + elbow) / 2)
    c = m.add_body("rocker", dt.Inertia.sphere(1.5, 0.3), position=(elbow + np.array([BASE, 0, 0])) / 2)
    m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0), q0=crank, v0=rate)
    m.add_joint("B", dt.Revolute("y"), a, b, at=tip)
    m.add_marker("end of coupler", b, position=(elbow - tip) / 2 * (2 * coupler / COUPLER - 1))
    m.add_marker("top of rocker", c, position=(elbow - [BASE, 0, 0]) / 2)
    if coupler == COUPLER:
        m.add_joint("C", dt.Revolute("y"), b, c, at=elbow)
    m.add_joint("D", dt.Revolute("y"), m.ground, c, at=(BASE, 0, 0), q0=rocker, v0=rocker_rate)
    return m


def _elbow(p, s, r1, r2, up):
    """Where circles about p and s with these radii meet: the upper or the lower point."""
    d = s - p
    n = np.linalg.norm(d)
    x = (r1**2 - r2**2 + n**2) / (2 * n)
    h = np.sqrt(r1**2 - x**2)
    foot = p + x * d / n
    side = h * np.array([d[1], -d[0]]) / n
    points = sorted([foot + side, foot - side], key=lambda w: w[1])
    return points[1] if up else points[0]


def elbow_of(r):
    return r["top of rocker.position"]


def at_start(m, **options):
    return dt.simulate(m, duration=1e-3, outputs=[0.0], solver=dt.RK4(step=1e-3), **options)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_given_values_are_held_and_the_others_found(coordinates):
    r = at_start(four_bar(crank=0.6, rate=1.5), coordinates=coordinates)
    assert abs(r["A.angle"][0] - 0.6) < 1e-11  # held exactly; in absolute coordinates through a closed state: 1e-12
    assert abs(r["A.rate"][0] - 1.5) < 1e-11
    tip = np.array([np.sin(0.6), np.cos(0.6)])
    wanted = _elbow(tip, np.array([BASE, 0.0]), COUPLER, ROCKER, up=True)
    np.testing.assert_allclose(elbow_of(r)[0, [0, 2]], wanted, atol=1e-11)  # closed to 1e-12, by geometry otherwise
    # the rocker's rate by hand: the coupler keeps its length
    d = wanted - tip
    v_tip = 1.5 * np.array([np.cos(0.6), -np.sin(0.6)])
    arm = wanted - [BASE, 0]
    across = np.array([arm[1], -arm[0]])  # velocity of the elbow per unit rate of the rocker, about y
    np.testing.assert_allclose(r["D.rate"][0], (v_tip @ d) / (across @ d), atol=1e-10)


def test_held_exactly_in_relative_coordinates():
    system = dt.compile(four_bar(crank=0.6, rate=1.5))
    q, v = closed_state(system)
    assert q[system.joints["A"].q[0]] == 0.6
    assert v[system.joints["A"].v[0]] == 1.5


def test_both_branches_are_reachable_by_the_guess():
    """The same crank angle, elbow up or down, chosen by the values from which the assembly begins."""
    system = dt.compile(four_bar(crank=0.3), force_cut=["C"])
    tip = np.array([np.sin(0.3), np.cos(0.3)])
    for up, coupler, rocker in ((True, -0.2, 0.1), (False, 0.5, -1.1)):
        q, v = system.state(guess={"B": coupler, "D": rocker})
        wanted = _elbow(tip, np.array([BASE, 0.0]), COUPLER, ROCKER, up)
        r = at_start(system, at=(q, v))
        np.testing.assert_allclose(elbow_of(r)[0, [0, 2]], wanted, atol=1e-11)  # closed to 1e-12


def test_nearest_branch_without_any_guess_is_the_one_drawn():
    for crank in np.linspace(-0.3, 1.5, 9):
        r = at_start(four_bar(crank=crank))
        tip = np.array([np.sin(crank), np.cos(crank)])
        wanted = _elbow(tip, np.array([BASE, 0.0]), COUPLER, ROCKER, up=True)
        np.testing.assert_allclose(elbow_of(r)[0, [0, 2]], wanted, atol=1e-11)


def test_residuals_before_and_after_are_reported():
    system = dt.compile(four_bar(crank=0.6), force_cut=["C"])
    found = assemble(system)
    assert set(found.before) == set(found.after) == {"C"}
    moved = np.array([np.sin(0.6), np.cos(0.6)]) - [0, CRANK]
    reference = _elbow(np.array([0, CRANK]), np.array([BASE, 0]), COUPLER, ROCKER, True)
    turned = np.array([[np.cos(0.6), np.sin(0.6)], [-np.sin(0.6), np.cos(0.6)]]) @ (reference - [0, CRANK])
    gap = (
        moved + np.array([0, CRANK]) + turned - reference
    )  # where the coupler's end went with the crank, from the rocker's
    # in the axes of the coupler, on which the equations stand: it turned with the crank
    components = np.array([[np.cos(0.6), -np.sin(0.6)], [np.sin(0.6), np.cos(0.6)]]) @ gap
    assert np.isclose(found.before["C"], np.max(np.abs(components)), atol=1e-12)
    assert found.after["C"] <= 1e-12


def test_model_in_order_is_left_alone():
    system = dt.compile(four_bar())
    q, v = closed_state(system)
    np.testing.assert_array_equal(q, system.initial_state()[0])
    np.testing.assert_array_equal(v, np.zeros(system.nv))


# -------------------------------------------------------------------------------------------------------- refusals


def refused(m, **options) -> dt.analyses.Report:
    with pytest.raises(dt.ModelError) as caught:
        at_start(m, **options)
    return caught.value.report


def test_crank_that_cannot_be_reached():
    """Turned away so far that coupler and rocker together are too short."""
    report = refused(four_bar(crank=-1.9))
    (finding,) = report.errors
    assert finding.code == "cannot-assemble"
    assert finding.names[0] == finding.names[-1] == "D"
    assert set(finding.names) == {"A", "B", "C", "D"}
    assert 'joint "D" cannot be closed: ' in finding.what
    assert finding.what.endswith('m are left between "ground" and "rocker"')
    assert "around the loop A, B, C, D" in finding.why
    assert finding.remedy == (
        "the given q0 of A is held: leave one out or correct it; or correct the positions or lengths of the bodies of "
        "this loop, or begin nearer to a closed position"
    )


def test_two_given_positions_that_contradict_each_other():
    report = refused(four_bar(crank=0.6, rocker=-0.4))
    (finding,) = report.errors
    assert finding.code == "cannot-assemble"
    assert "the given q0 of A, D is held" in finding.remedy or "the given q0 of D, A is held" in finding.remedy


def test_two_given_positions_that_agree():
    r = at_start(four_bar(crank=0.6))
    again = at_start(four_bar(crank=0.6, rocker=float(r["D.angle"][0])))
    assert abs(again["D.angle"][0] - r["D.angle"][0]) < 1e-11  # given to full precision: closes to 1e-12
    assert abs(again["B.angle"][0] - r["B.angle"][0]) < 1e-9  # of positions closed to 1e-9 at worst


def test_two_given_rates_that_contradict_each_other():
    report = refused(four_bar(crank=0.6, rate=1.0, rocker_rate=1.0))
    (finding,) = report.errors
    assert finding.code == "inconsistent-rates"
    assert finding.what.startswith("the initial velocities tear joint ")
    assert finding.what.endswith(" m/s")
    assert "v0 given for A, D" in finding.why or "v0 given for D, A" in finding.why
    assert finding.remedy == "give v0 for as many joints as there are degrees of freedom; the others follow"


def test_two_given_rates_that_agree():
    r = at_start(four_bar(crank=0.6, rate=1.0))
    again = at_start(four_bar(crank=0.6, rate=1.0, rocker_rate=float(r["D.rate"][0])))
    assert abs(again["D.rate"][0] - r["D.rate"][0]) < 1e-11


@pytest.mark.parametrize("key", ["q0", "v0"])
def test_all_joints_given_and_one_of_them_wrong(key):
    """One of them must be cut: what was given for it is compared with what the loop makes of the others."""
    right = at_start(four_bar(crank=0.6, rate=1.0))
    m = four_bar()
    for name in "ABCD":
        m.joints[name].q0 = float(right[f"{name}.angle"][0])
        m.joints[name].v0 = float(right[f"{name}.rate"][0])
    same = at_start(m)
    assert abs(same["C.angle"][0] - right["C.angle"][0]) < 1e-9
    cut = dt.compile(m).topology.cut_joints[0]
    setattr(m.joints[cut], key, getattr(m.joints[cut], key) + 0.01)
    (finding,) = refused(m).errors
    assert finding.code == "initial-value"
    assert finding.names == (cut,)
    assert finding.what.startswith(f'joint "{cut}": {key}=[')
    assert "contradicts the other initial values of its loop, which make it [" in finding.what
    assert finding.remedy == "leave out one of them; the loop determines it"


def test_refused_in_absolute_coordinates_with_the_same_names():
    (finding,) = refused(four_bar(crank=-1.9), coordinates="absolute").errors
    assert finding.code == "cannot-assemble"
    assert set(finding.names) == {"A", "B", "C", "D"}


def test_markers_that_miss_each_other_are_found_by_the_check_already():
    """A coupler that is too short: its end and the rocker's top are apart in the drawing."""
    m = four_bar(coupler=1.8)
    m.add_joint("C", dt.Revolute("y"), "end of coupler", "top of rocker")
    report = refused(m)
    assert [f.code for f in report.errors] == ["gap"]
    assert report.errors[0].names == ("C", "coupler", "rocker")


def test_unassembled_state_given_by_the_user_is_taken_as_it_is_or_closed():
    """A state given to simulate that is a little open is closed in the first step, not kept open."""
    system = dt.compile(four_bar())
    q, v = closed_state(system)
    q = q.copy()
    q[0] += 1e-6
    r = dt.simulate(system, duration=0.1, at=(q, v))
    work = assemble(system, r.q[-1], r.v[-1])
    assert max(work.before.values()) < 1e-10
