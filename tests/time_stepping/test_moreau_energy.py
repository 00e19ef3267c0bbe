"""The balance of energy of runs by time stepping: what drives and forces supply, what dampers and contacts take."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.trust.energy_balance import Sampled, what_was_lost

PLANE = dt.Shape.plane()


def belt():
    """A box of 2 kg is set down on a belt that runs at 0.5 m/s, and slides until it runs along."""
    m = dt.Model("belt")
    band = m.add_body("band", dt.Inertia.box(5.0, size=(4, 0.4, 0.1)), position=(0, 0, -0.05))
    box = m.add_body("box", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.1)), position=(0, 0, 0.05))
    m.add_joint("rails", dt.Prismatic("x"), m.ground, band, v0=0.5)
    m.add_joint("free", dt.Free(), m.ground, box)
    m.add_constraint("drive", dt.JointMotion("rails", "0.5*t"))
    top = m.add_marker("top", band, (0, 0, 0.05))
    shapes = (PLANE, dt.Shape.box((0.2, 0.2, 0.1)))
    m.add_contact("touch", dt.RigidContact(friction=0.3), top, box, shapes=shapes)
    return m


def ram():
    """A ram at 0.5 m/s meets a box of 2 kg, which goes along with it."""
    m = dt.Model("ram", gravity=(0, 0, 0))
    for name, mass, x in (("ram", 5.0, 0.0), ("box", 2.0, 0.3)):
        m.add_body(name, dt.Inertia.box(mass, size=(0.2, 0.2, 0.2)), position=(x, 0, 0))
        m.add_joint(f"{name}.rail", dt.Prismatic("x"), m.ground, name)
    m.joints["ram.rail"].v0 = 0.5
    m.add_constraint("drive", dt.JointMotion("ram.rail", "0.5*t"))
    m.add_contact("touch", dt.RigidContact(), "ram", "box", shapes=(dt.Shape.sphere(0.1), dt.Shape.sphere(0.1)))
    return m


@pytest.mark.parametrize("make", [belt, ram])
@pytest.mark.parametrize("solver", [dt.Moreau(step=1e-3), dt.DOPRI5()], ids=["time-stepping", "event-driven"])
def test_a_drive_supplies_what_contacts_take(make, solver):
    """What is brought to the speed v of a drive gets m v²/2, and as much is lost, by friction or in an impact."""
    r = dt.simulate(make(), 0.5, solver=solver)
    assert r.ok
    assert r.energy.supplied[-1] == pytest.approx(2.0 * 0.5**2, rel=1e-9)  # round-off and the solver's tolerance
    assert r.energy.dissipated[-1] == pytest.approx(2.0 * 0.5**2 / 2, rel=1e-9)
    assert abs(r.energy.residual[-1]) < 1e-9


def crank_and_block(friction):
    """A slider-crank whose slider pushes a block with a damper; the crank is driven."""
    m = dt.Model("crank")
    crank = m.add_body("crank", dt.Inertia.box(1.0, size=(0.2, 0.02, 0.02)), position=(0, 0, 0.1),
                       rotation=dt.Rotation.about("y", -np.pi / 2))  # fmt: skip
    rod = m.add_body("rod", dt.Inertia.box(0.5, size=(0.5, 0.02, 0.02)), position=(0.25, 0, 0.1))
    slider = m.add_body("slider", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0.5, 0, 0))
    block = m.add_body("block", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.1)), position=(0.62, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), crank, rod, at=(0, 0, 0.2))
    m.add_joint("C", dt.Spherical(), rod, slider, at=(0.5, 0, 0))
    m.add_joint("D", dt.Cylindrical("x"), m.ground, slider)
    m.add_joint("rail", dt.Prismatic("x"), m.ground, block)
    m.add_force("oil", dt.JointSpring("rail", damping=20.0, stiffness=50.0))
    if friction:
        m.add_force("rub", dt.JointFriction("rail", constant=friction))
    m.add_constraint("drive", dt.JointMotion("A", "1 - cos(5*t)"))
    shapes = (dt.Shape.sphere(0.05), dt.Shape.sphere(0.05))
    m.add_contact("touch", dt.RigidContact(), slider, block, shapes=shapes)
    return m


@pytest.mark.parametrize("friction", [0.0, 3.0])
def test_a_crank_supplies_what_an_event_driven_one_does(friction):
    """Of first order in the step; by way of a closed loop, with an impact on the way, and with friction in the rail."""
    m = crank_and_block(friction)
    event_driven = dt.simulate(m, 0.5, solver=dt.DOPRI5())
    works = (event_driven.energy.supplied - event_driven.energy.dissipated)[-1]
    runs = [dt.simulate(m, 0.5, solver=dt.Moreau(step=h)) for h in (2e-3, 1e-3, 2.5e-4)]
    assert all(r.ok for r in runs)
    lacks = [abs((r.energy.supplied - r.energy.dissipated)[-1] - works) for r in runs]
    assert lacks[0] < (0.02 if friction == 0.0 else 1e-3) * event_driven.energy.supplied[-1]
    assert lacks[2] < 0.5 * lacks[0]
    if not friction:  # with it, an event-driven impact books the work of the drive as energy that is not lost
        assert runs[2].energy.supplied[-1] == pytest.approx(event_driven.energy.supplied[-1], rel=0.01)
    # the motion is prescribed: but for the impact, energies are those of the crank's angle, and the works close
    assert abs(runs[2].energy.residual[-1]) < 1e-3 * event_driven.energy.supplied[-1]


def test_a_drive_supplies_what_friction_of_joints_takes():
    """No contact at all: a block on a belt that friction drags along, held back by a spring."""
    m = dt.Model("belt", gravity=(0, 0, 0))
    for name in ("belt", "block"):
        m.add_body(name, dt.Inertia.point(1.0))
    m.add_joint("drive", dt.Prismatic("x"), m.ground, "belt", v0=0.1)
    m.add_joint("slide", dt.Prismatic("x"), "belt", "block")
    m.add_constraint("motion", dt.JointMotion("drive", "0.1*t"))
    m.add_force("spring", dt.CartesianSpring("ground", "block", [100, 0, 0], [0, 0, 0]))
    m.add_force("friction", dt.JointFriction("slide", constant=4.0, static_constant=6.0))
    event_driven, r = (dt.simulate(m, 3.0, solver=solver) for solver in (dt.DOPRI5(), dt.Moreau(step=1e-4)))
    assert r.ok
    # sticking until 6 N, then sliding at 4 N: instants of the steps are right to 1e-4 s, at some 0.6 W
    assert r.energy.supplied[-1] == pytest.approx(event_driven.energy.supplied[-1], abs=6 * 1e-4 * 0.6)
    assert abs(r.energy.residual[-1]) < 6 * 1e-4 * 0.6


def motor_and_ball(torque, damping=0.0):
    """A motor turns an arm, which pushes a ball about."""
    m = dt.Model("motor")
    arm = m.add_body("arm", dt.Inertia.box(2, size=(0.4, 0.05, 0.05)), position=(0.2, 0, 0))
    ball = m.add_body("ball", dt.Inertia.sphere(0.5, radius=0.1), position=(0.3, 0.2, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, arm, at=(0, 0, 0))
    m.add_joint("B", dt.Planar("z"), m.ground, ball)
    m.add_force("motor", dt.JointTorque("A", torque))
    if damping:
        m.add_force("oil", dt.JointSpring("A", damping=damping, stiffness=0.0))
    law, shapes = dt.RigidContact(friction=0.3), (dt.Shape.box((0.4, 0.05, 0.05)), dt.Shape.sphere(0.1))
    m.add_contact("touch", law, arm, ball, shapes=shapes)
    return m


def test_a_constant_torque_supplies_torque_times_angle():
    r = dt.simulate(motor_and_ball("2"), 0.5, solver=dt.Moreau(step=5e-3))
    assert len(r.impacts) > 0
    assert r.energy.supplied[-1] == pytest.approx(2.0 * r["A.angle"][-1], rel=1e-12)  # to round-off, at any step


def test_a_motor_to_and_fro_is_no_loss_of_energy():
    """Such runs, which are right, were not `ok`: works were those of the rates at the beginning of each step."""
    r = dt.simulate(motor_and_ball("3*sin(25*t)"), 1.0, solver=dt.Moreau(step=5e-3))
    assert r.ok
    exchanged = np.max(np.abs(r.energy.supplied))
    assert abs(r.energy.residual[-1]) < 1e-3 * exchanged


def test_what_dampers_take_is_of_second_order():
    runs = [dt.simulate(motor_and_ball("2", damping=0.4), 0.1, solver=dt.Moreau(step=h)) for h in (4e-3, 2e-3)]
    assert all(not r.impacts for r in runs)  # before it meets the ball
    coarse, fine = (abs(r.energy.residual[-1]) for r in runs)
    assert fine == pytest.approx(coarse / 4, rel=0.1)


def gripper():
    """Two fingers close on a box with unlike forces, and hold it."""
    m = dt.Model("gripper")
    box = m.add_body("box", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
    m.add_joint("free", dt.Free(), m.ground, box)
    for name, side, force in (("left", -1, 30.0), ("right", 1, -30.5)):
        finger = m.add_body(name, dt.Inertia.box(0.3, size=(0.02, 0.1, 0.1)), position=(side * 0.07, 0, 0))
        m.add_joint(f"{name}.rail", dt.Prismatic("x"), m.ground, finger)
        m.add_force(f"{name}.force", dt.JointTorque(f"{name}.rail", force))
        shapes = (dt.Shape.box((0.02, 0.1, 0.1)), dt.Shape.box((0.1, 0.1, 0.1)))
        m.add_contact(f"{name}.pad", dt.RigidContact(friction=0.8), finger, box, shapes=shapes)
    return m


def test_forces_work_along_the_way_that_overlaps_are_taken_out():
    """Fingers meet the box within a step, are in it at its end, and are moved out against their forces."""
    r = dt.simulate(gripper(), 0.1, solver=dt.Moreau(step=2e-3))
    assert r.ok
    way = 30.0 * r["left.rail.position"][-1] - 30.5 * r["right.rail.position"][-1]
    assert r.energy.supplied[-1] == pytest.approx(way, rel=1e-12)
    assert abs(r.energy.residual[-1]) < 1e-12


def test_energy_that_a_driven_run_loses_is_noticed():
    """Runs with prescribed motions were not looked at. A tenth of the rates of the box at the end is a loss of 10 %."""
    m, solver = belt(), dt.Moreau(step=1e-4)
    r = dt.simulate(m, 0.5, solver=solver)
    assert r.ok
    y, nq = np.array(r.states[:]), r.system.nq
    worse = y.copy()
    worse[r.t > 0.4, nq + 1 : nq + 7] *= 0.5
    assert what_was_lost(r.system, solver, dt.Projection(), r.stats.steps, Sampled(np.array(r.t), y)) is None
    lost = what_was_lost(r.system, solver, dt.Projection(), r.stats.steps, Sampled(np.array(r.t), worse))
    assert lost is not None
    assert lost.code == "energy-lost"
