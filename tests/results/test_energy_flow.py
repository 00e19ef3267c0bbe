"""`energy_flow`: powers against closed forms, differences of energies and the balance of every part."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import duoti as dt
from duoti.examples import all_examples
from duoti.results.result import Result
from support.random_constraints import add_random_constraints
from support.random_forces import add_random_forces
from support.random_models import random_model, random_state

mpl.use("Agg")
TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)
ROUND_OFF = 1e-10  # of the largest flow; a few hundred operations on numbers that cancel, far from the limit


@pytest.mark.full("flexible_crank", "wheelset", "driver_in_cab")
@pytest.mark.parametrize("name", sorted(all_examples()))
def test_balance_of_every_example(name):
    """Every part and the whole, at every output; the residual of a run is some 1e-15 of the largest power."""
    example = all_examples()[name]
    model = example.build()
    result = dt.simulate(model, example.duration, outputs=np.linspace(0, example.duration, 201))
    flow = dt.energy_flow(result)
    assert np.max(flow.residual) < ROUND_OFF * flow.largest
    assert flow.largest > 1e-4


def instants(system, states):
    """A result whose outputs are some states, for what needs no motion between them."""
    y = np.array([system.whole_state(q, v) for q, v in states])
    stats = dt.simulate(pulled(), 0.01).stats
    return Result(system, np.arange(len(y), dtype=float), y, True, "made up", stats)


@pytest.mark.parametrize("seed", range(12))
def test_balance_of_random_models(seed):
    """Joints of all kinds, composite and reversed, all force elements; odd seeds with open constraints."""
    rng = np.random.default_rng(seed)
    meant = random_model(rng, 6)
    add_random_forces(rng, meant)
    if seed % 2:
        add_random_constraints(rng, meant, ("distance", "coupler", "joint_motion", "marker_motion"))
    system = dt.compile(meant.model)
    r = instants(system, [random_state(rng, system)[:2] for _ in range(4)])
    flow = dt.energy_flow(r)
    assert np.max(flow.residual) < 1e-9 * flow.largest  # random states, with multipliers that are large
    e = r.energy
    assert np.allclose(flow.total.kinetic, e.kinetic, rtol=1e-12)
    elastic = sum(p.potential for p in flow.parts.values() if p.kind == "force")
    assert np.allclose(elastic, e.elastic, rtol=1e-12)


def pulled() -> dt.Model:
    """A carriage on a rail, with a spring, a damper, a motor and a rotor, and a load welded to it."""
    m = dt.Model("pulled", gravity=(0, 0, -9.81))
    m.add_body("carriage", dt.Inertia.box(2.0, size=(0.2, 0.1, 0.1)), position=(0, 0, 0))
    m.add_body("load", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.1))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "carriage", at=(0, 0, 0), q0=0.1, v0=0.4, rotor_inertia=0.5)
    m.add_joint("bolt", dt.Fixed(), "carriage", "load", at=(0, 0, 0.1))
    m.add_marker("wall", m.ground, position=(-1, 0, 0))
    m.add_force("spring", dt.SpringDamper("wall", "carriage", stiffness=30.0, damping=2.0, rest_length=1.0))
    m.add_force("motor", dt.JointTorque("rail", "5*sin(3*t)"))
    return m


def test_powers_in_closed_form():
    """3.5 kg along x: the bolt passes on m_load a v, the spring does -(k x + d v) v, the motor's goes through it."""
    r = dt.simulate(pulled(), 2.0, solver=TIGHT)
    flow = dt.energy_flow(r)
    t, x, v = r.t, r["rail.position"], r["rail.velocity"]
    a = (5 * np.sin(3 * t) - 30 * x - 2 * v) / 3.5
    near = {"rtol": 0.0, "atol": 1e-12 * flow.largest}
    assert np.allclose(flow.power("bolt", "load"), 1.0 * a * v, **near)
    assert np.allclose(flow.power("carriage", "bolt"), 1.0 * a * v, **near)
    assert np.allclose(flow.power("spring", "carriage"), -(30 * x + 2 * v) * v, **near)
    assert np.allclose(flow.power("motor", "rail"), 5 * np.sin(3 * t) * v, **near)
    assert np.allclose(flow.power("rail", "carriage"), (5 * np.sin(3 * t) - 0.5 * a) * v, **near)
    assert np.allclose(flow.part("rail").kinetic, 0.25 * v**2, **near)
    assert np.allclose(flow.part("spring").dissipated, 2 * v**2, **near)
    assert np.allclose(flow.part("spring").potential_rate, 30 * x * v, **near)
    assert np.allclose(flow.power("load", "bolt"), -flow.power("bolt", "load"))


def test_rates_are_those_of_the_energies():
    """Rates of body and spring energies against central differences, whose error falls with the square of the step."""
    errors = []
    for n in (400, 800):
        flow = dt.energy_flow(dt.simulate(all_examples()["driver_in_cab"].build(), 0.4, outputs=0.4 / n, solver=TIGHT))
        worst = 0.0
        for part in flow.parts.values():
            slope = (part.stored[2:] - part.stored[:-2]) / (flow.t[2:] - flow.t[:-2])
            worst = max(worst, float(np.max(np.abs(slope - part.rate[1:-1]))))
        errors.append(worst)
    assert errors[1] < 0.27 * errors[0]


def test_works_and_numerical_dissipation():
    """Works add up to the energies; what a method damps is a row of its own, and the instants still balance."""
    m = dt.Model("stiff", gravity=(0, 0, 0))
    m.add_body("mass", dt.Inertia.point(1.0))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "mass", at=(0, 0, 0), q0=0.1)
    m.add_force("spring", dt.JointSpring("rail", stiffness=400.0))
    r = dt.simulate(m, 2.0, solver=dt.GeneralisedAlpha(step=0.02, rho=0.5), outputs=0.02)
    flow = dt.energy_flow(r)
    assert np.max(flow.residual) < ROUND_OFF * flow.largest
    lost = r.energy.total[0] - r.energy.total[-1]
    assert lost > 0.1  # of 2 J
    row = next(row for row in flow.works if row.name == "numerical")
    assert row.dissipated == pytest.approx(lost, rel=1e-9)
    accurate = dt.energy_flow(dt.simulate(pulled(), 2.0, solver=TIGHT))
    total = accurate.works[-1]
    assert total.supplied - total.dissipated == pytest.approx(total.stored, abs=1e-9)
    assert (
        np.max(np.abs(accurate.quadrature)) < 1e-9
    )  # outputs every 2 ms of motions at 3 rad/s: (3e-2)^4 of 1 J, over 100
    spring = next(row for row in accurate.works if row.name == "spring")
    assert spring.inflow - spring.dissipated == pytest.approx(spring.stored, abs=1e-9)


def test_cut_joints():
    """Cut joints pass on the same power as joints of the tree: a slider-crank on other trees, one with a seam."""
    m = dt.Model("slider-crank")
    for name, mass, length, x in (("crank", 1.0, 0.3, 0.15), ("rod", 2.0, 0.8, 0.7), ("slider", 0.5, 0.1, 1.1)):
        m.add_body(name, dt.Inertia.box(mass, size=(length, 0.05, 0.05)), position=(x, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), v0=4.0)
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=(0.3, 0, 0))
    m.add_joint("C", dt.Revolute("y"), "rod", "slider", at=(1.1, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=(1.1, 0, 0))
    m.add_force("push", dt.AppliedForce("slider", ("20*cos(9*t)", 0, 5)))
    m.add_force("motor", dt.JointTorque("D", "8*sin(5*t)"))
    systems = [dt.compile(m), dt.compile(m, force_cut=["D"]), dt.compile(m, coordinates="absolute")]
    flows = [dt.energy_flow(dt.simulate(system, 0.5, solver=TIGHT)) for system in systems]
    for flow in flows:
        assert flow.residual.max() < ROUND_OFF * flow.largest
    for joint in m.joints.values():
        for ends in ((joint.parent, joint.name), (joint.name, joint.child)):
            if "ground" in ends:
                continue
            one, *others = (flow.power(*ends) for flow in flows)
            for other in others:
                assert np.allclose(one, other, rtol=0.0, atol=1e-7 * flows[0].largest)  # integrations at 1e-12


def test_pictures_table_and_file(tmp_path):
    """All ways to look at it, also of a result in a file."""
    r = dt.simulate(pulled(), 1.0, out=tmp_path / "run.h5")
    flow = dt.energy_flow(dt.open_result(tmp_path / "run.h5"))
    assert "spring" in flow.table()
    assert "W" in flow.table(t=0.5)
    assert len(flow.to_pandas()) == len(r)
    for number, figure in enumerate((flow.plot(), flow.sankey(), flow.sankey(t=0.5))):
        figure.savefig(tmp_path / f"{number}.png")
    resting = dt.Model("resting")
    resting.add_body("b", dt.Inertia.point(1.0))
    resting.add_joint("J", dt.Prismatic("x"), resting.ground, "b")
    dt.energy_flow(dt.simulate(resting, 0.1)).sankey().savefig(tmp_path / "resting.png")


def test_refusals():
    """What is no result, and parts and times that there are not."""
    with pytest.raises(TypeError, match="simulate"):
        dt.energy_flow(pulled())
    flow = dt.energy_flow(dt.simulate(pulled(), 0.1))
    with pytest.raises(KeyError, match="carriage"):
        flow.part("carrige")
    with pytest.raises(ValueError, match=r"from 0 s to 0\.1 s"):
        flow.sankey(t=3.0)


def test_prescribed_motion_supplies():
    """A pendulum that is turned at constant speed: the drive supplies the torque m g l cos(angle) times the speed."""
    m = dt.Model("turned")
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("-y"), m.ground, "rod", at=(0, 0, 0))
    m.add_constraint("drive", dt.JointMotion("A", "3*t"))
    flow = dt.energy_flow(dt.simulate(m, 1.0, solver=TIGHT))
    expected = 2.0 * 9.81 * 0.5 * np.cos(3 * flow.t) * 3.0
    assert np.allclose(flow.part("drive").supplied, expected, rtol=0.0, atol=1e-10 * np.max(expected))
    assert np.allclose(flow.power("A", "rod"), expected, rtol=0.0, atol=1e-10 * np.max(expected))


def test_what_stops_take_is_said():
    m = dt.Model("gate")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=1.0, limits=[(0.2, 2.0)])
    flow = dt.energy_flow(dt.simulate(m, 1.0))
    lost = 9.81 * 0.5 * (np.cos(0.2) - np.cos(1.0))  # no restitution: all that it had
    assert f"{lost:.3g} J are not in the rows above" in flow.table()


def test_equations_of_velocities_are_refused_by_name():
    m = dt.Model("skate")
    m.add_body("skate", dt.Inertia.box(1.0, size=(0.3, 0.1, 0.1)))
    m.add_joint("free", dt.Free(), m.ground, "skate")
    m.add_marker("blade", "skate")
    m.add_constraint("edge", dt.Equation("blade.velocity.x - 2*blade.velocity.y"))
    with pytest.raises(NotImplementedError, match='constraint "edge" is an equation of velocities'):
        dt.energy_flow(dt.simulate(m, 0.1, outputs=0.05))
