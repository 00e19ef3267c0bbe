"""`dt.equilibrium`: starts, rates that run on, misuse, and what the result offers."""

from __future__ import annotations

import numpy as np
import pytest
from test_assembly import four_bar

import duoti as dt


def test_rates_that_run_on_without_a_drive():
    """The bundled governor on a free spindle: the same angle as with a drive of that speed."""
    from duoti.examples import governor

    m = governor.build()
    del m.forces["engine"]
    e = dt.equilibrium(m, rates={"spindle": 25.0})
    assert e.ok, e.reason
    assert e["spindle.rate"] == pytest.approx(25.0, rel=1e-12)
    ball = e["ball.position"]
    assert np.arctan2(np.hypot(*ball[:2]), -ball[2]) == pytest.approx(governor.steady_angle(25.0), abs=1e-9)
    r = dt.simulate(m, 0.3, at=e.state)
    assert np.ptp(r["slide.position"]) < 1e-8


def test_starts():
    """By joint, as q, or as the model starts; loops are closed from there."""
    m = four_bar()
    system = dt.compile(m, force_cut=["C"])
    low = dt.equilibrium(system)
    assert low.ok
    assert low.stable
    again = dt.equilibrium(system, low.q)
    assert again.iterations <= 1
    assert dt.equilibrium(system, low.q + 0.02)["A.angle"] == pytest.approx(low["A.angle"], abs=1e-10)
    drawn = dt.equilibrium(system, {"A": 0.2})
    assert drawn["A.angle"] == pytest.approx(low["A.angle"], abs=1e-10)
    assert low["C.angle"] == pytest.approx(again["C.angle"], abs=1e-10)  # a cut joint has its channels, too
    assert "crank.position" in low
    assert "crank.positio" not in low
    assert set(low.multipliers) == set(dt.analyses.constraint_jacobian(system, low.q).rows)


def test_forces_in_loops_balance():
    """At rest, M a + h - forces = G^T multipliers, and the reactions carry the weight."""
    system = dt.compile(four_bar(), force_cut=["C"])
    e = dt.equilibrium(system)
    G = dt.analyses.constraint_jacobian(system, e.q).matrix
    tree = dt.analyses.inverse_dynamics_derivatives(system, e.q, e.v, 0 * e.v, multipliers=list(e.multipliers.values()))
    assert np.all(np.isfinite(tree.dq))
    zero = np.zeros(3)
    weight = -dt.analyses.generalised_forces(system, e.q, zero)
    a = dt.accelerations(system, e.q, zero)
    assert np.abs(a).max() < 1e-8
    assert weight.shape == (3,)
    total = e["A.reaction_force"] + e["D.reaction_force"]
    assert total == pytest.approx((0, 0, system.model.mass * 9.81), abs=1e-8)
    assert G.shape[1] == 3


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda m: dt.equilibrium("four-bar"), TypeError, "is not a model"),
        (lambda m: dt.equilibrium(m, {"E": 1.0}), dt.errors.ChannelError, 'there is no joint or state "E"'),
        (lambda m: dt.equilibrium(m, [1.0]), ValueError, "needs 3 numbers"),
        (lambda m: dt.equilibrium(m, rates={"E": 1.0}), dt.errors.ChannelError, 'rates: there is no joint "E"'),
        (lambda m: dt.equilibria(3), TypeError, "is not a model"),
        (lambda m: dt.equilibrium_path(m, "load", 3.0), dt.errors.ChannelError, 'has no parameter "load"'),
        (lambda m: dt.root_locus(m, "k", [1.0]), dt.errors.ChannelError, 'has no parameter "k"'),
    ],
)
def test_misuse_is_named(call, error, text):
    with pytest.raises(error, match=text):
        call(four_bar())


def test_a_body_in_free_fall_says_so():
    m = dt.Model("stone")
    m.add_body("stone", dt.Inertia.sphere(2.0, 0.1))
    m.add_joint("F", dt.Free(), m.ground, "stone")
    e = dt.equilibrium(m)
    assert not e.ok
    assert not e.stable
    assert "F.v[2] is pushed by -19.62 N" in e.reason
    with pytest.raises(ValueError, match="no equilibrium to linearise about"):
        dt.linearise(m, e)
    assert "no equilibrium of 'stone'" in str(e)
    m.gravity = (0, 0, 0)
    e = dt.equilibrium(m)
    assert e.ok
    assert len(e.indifferent) == 6


def test_a_beam_on_a_turning_hub_is_carried_along():
    """Nothing prescribes the rates of its nodes: they move with the hub, all at 60 rad/s."""
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850)
    m = dt.Model("blade", gravity=(0, 0, 0))
    blade = m.add_beam("blade", dt.Beam(dt.Section.rectangle(0.03, 0.005), steel), (0, 0, 0), (0.8, 0, 0), elements=4)
    m.add_joint("hub", dt.Revolute("z"), m.ground, blade.start)
    m.add_constraint("drive", dt.JointMotion("hub", "60*t"))
    e = dt.equilibrium(m)
    assert e.ok
    k = 60.0 * 0.8 * np.sqrt(7850 / 2.1e11)  # speed of the tip by that of sound
    # errors of 4 elements: k²/n²
    assert e["blade.end.position"][0] / 0.8 - 1 == pytest.approx(np.tan(k) / k - 1, rel=1e-2)
    assert e["blade.end.velocity"][1] == pytest.approx(60.0 * e["blade.end.position"][0])


def spinning_blade(elements: int = 2) -> dt.Model:
    """A blade on a hub that turns at 60 rad/s, pulled along itself at its end by `pull`."""
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850)
    m = dt.Model("blade", gravity=(0, 0, 0))
    m.parameters["pull"] = 0.0
    section = dt.Section.rectangle(0.03, 0.005)
    blade = m.add_beam("blade", dt.Beam(section, steel), (0, 0, 0), (0.8, 0, 0), elements=elements)
    m.add_joint("hub", dt.Revolute("z"), m.ground, blade.start)
    m.add_constraint("drive", dt.JointMotion("hub", "60*t"))
    m.add_force("tip", dt.AppliedForce(blade.end, ("pull", 0, 0), frame="marker"))
    return m


@pytest.mark.full
def test_many_searches_find_the_motion_of_what_is_carried():
    """`equilibria` found none where `equilibrium` finds one."""
    m = spinning_blade()
    one, every = dt.equilibrium(m), dt.equilibria(m, 3)
    assert one.ok
    assert any(np.allclose(e.q, one.q, rtol=0, atol=1e-9) and np.allclose(e.v, one.v, rtol=1e-9) for e in every)
    assert all(e.ok for e in every)


def test_a_path_of_what_is_carried_is_refused_by_name():
    """It said that there was no equilibrium."""
    with pytest.raises(NotImplementedError, match=r'"blade.node1".*moves along with what carries it.*dt.equilibrium'):
        dt.equilibrium_path(spinning_blade(), "pull", 10.0)
    m = spinning_blade()
    for node in ("blade.node1", "blade.end"):  # as the message says
        m.add_joint(f"{node}.on", dt.Free(), "blade.start", node)
    path = dt.equilibrium_path(m, "pull", 10.0)
    assert path.ok, path.reason


@pytest.mark.parametrize("analysis", [dt.equilibrium, dt.linearise])
def test_rigid_contacts_are_refused_by_name(analysis):
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
    m.add_joint("free", dt.Free(), m.ground, ball)
    m.add_contact("floor", dt.RigidContact(), m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    with pytest.raises(NotImplementedError, match=r'"floor".*CompliantContact'):
        analysis(m)


def test_a_bond_graph_by_itself():
    """A capacitor that is charged over a resistor: 5 V at the end, and one eigenvalue -1/(R C)."""
    g = dt.bond.Graph("rc")
    for name, element in {"U": dt.bond.Se(5.0), "s": dt.bond.One(), "R": dt.bond.R(1e3), "C": dt.bond.C(1e-6)}.items():
        g.add(name, element)
    for bond in ("U s", "s R", "s C"):
        g.bond(*bond.split())
    e = dt.equilibrium(g)
    assert e.ok
    assert e["C.effort"] == pytest.approx(5.0)
    assert dt.linearise(g).eigenvalues == pytest.approx([-1e3])


@pytest.mark.parametrize("stiffness", [None, 1e6])
def test_nothing_rests_beyond_a_rigid_stop(stiffness):
    """A rod that would hang at 0, held at 0.2 rad: a stop that is a spring is a force like all others."""
    m = dt.Model("gate")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=1.0, limits=[(0.2, 2.0)])
    m.add_force("stop", dt.JointStop("A", stiffness=stiffness))
    e = dt.equilibrium(m)
    if stiffness is None:
        assert not e.ok
        assert '"A" at' in e.reason
    else:
        assert e.ok
        assert e["A.angle"] == pytest.approx(0.2, abs=1e-5)


@pytest.mark.parametrize(("start", "rests"), [(0.003, True), (0.3, False)])
def test_lugre_friction_of_a_joint_holds_no_more_than_its_bound(start, rests):
    """A bob of 2 kg at 0.5 m on a pin of 10 mm with mu = 0.2: friction holds it up to sin(angle) = mu r / l = 0.004."""
    m = dt.Model("pendulum")
    bob = m.add_body("bob", dt.Inertia.sphere(2.0, radius=0.05), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, bob, at=(0, 0, 0), q0=start)
    m.add_force("pin", dt.JointFriction("A", friction=0.2, radius=0.01, friction_law="lugre"))
    e = dt.equilibrium(m)
    assert e.ok == rests
    assert (abs(e["pin.torque"]) <= e["pin.bound"]) == rests
    if not rests:
        assert '"A" would need' in e.reason


def test_buckling_is_said_where_a_path_passes_it():
    """A clamped column under its Euler load, pi² EI/(4 L²): the straight path goes on, and is not stable any more."""
    L, EI = 1.0, 2.1e11 * 0.03 * 0.005**3 / 12
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850)
    m = dt.Model("column", gravity=(0, 0, 0), parameters={"P": 0.0})
    column = m.add_beam("c", dt.Beam(dt.Section.rectangle(0.03, 0.005), steel), (0, 0, 0), (0, 0, L), "x", elements=4)
    m.add_joint("foot", dt.Fixed(), m.ground, column.start)
    m.add_force("load", dt.AppliedForce(column.end, (0, 0, "-P")))
    euler = np.pi**2 * EI / (4 * L**2)
    path = dt.equilibrium_path(m, "P", to=1.5 * euler)
    k = int(np.argmin(path.stable))
    assert path.values[k - 1] < euler < path.values[k]
    assert f"between {path.values[k - 1]:.5g} and {path.values[k]:.5g} stability changes" in str(path)


def test_a_soft_direction_of_a_stiff_beam_is_not_indifferent():
    """The square of the lowest frequency is 8e-9 of the largest one, which is that of stretching between two nodes."""
    from duoti.examples import diving_board

    e = dt.equilibrium(diving_board.build())
    assert e.ok
    assert e.stable
    assert e.indifferent == ()
