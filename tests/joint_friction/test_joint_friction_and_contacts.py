"""Friction and stops in joints together with rigid contacts: one problem, by both engines."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from support.engines_compared import compare

G = 9.81
PLANE = dt.Shape.plane()


def cart_and_box(constant: float, mu: float, pull: float) -> dt.Model:
    """A cart on rails with friction, pulled by a force that grows, and a box that lies on it."""
    m = dt.Model("cart and box")
    cart = m.add_body("cart", dt.Inertia.box(2.0, size=(2, 0.4, 0.1)), position=(0, 0, -0.05))
    box = m.add_body("box", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.1)), position=(0, 0, 0.05))
    m.add_joint("rails", dt.Prismatic("x"), m.ground, cart, at=(0, 0, -0.05))
    m.add_joint("free", dt.Free(), m.ground, box)
    m.add_force("rub", dt.JointFriction("rails", constant=constant))
    m.add_force("pull", dt.JointTorque("rails", f"{pull}*t"))
    shapes = (PLANE, dt.Shape.box((0.2, 0.2, 0.1)))
    top = m.add_marker("top", cart, (0, 0, 0.05))
    m.add_contact("touch", dt.RigidContact(friction=mu), top, box, shapes=shapes)
    return m


def cart_motion(constant: float, mu: float, pull: float, end: float) -> tuple[float, float, float, float]:
    """When the cart breaks loose, when the box begins to slip, and the speeds of both at the end; masses 2 and 1."""
    loose = constant / pull
    slips = (constant + 3.0 * mu * G) / pull
    together = (pull * (slips**2 - loose**2) / 2 - constant * (slips - loose)) / 3.0
    after = (pull * (end**2 - slips**2) / 2 - (constant + mu * G) * (end - slips)) / 2.0
    return loose, slips, together + after, together + mu * G * (end - slips)


def test_joint_and_contact_stick_and_slip_in_turn():
    """Rest, both together, the box slips: times and speeds in closed form; errors are those of the tolerances."""
    constant, mu, pull, end = 3.0, 0.2, 12.0, 1.2
    loose, slips, cart, box = cart_motion(constant, mu, pull, end)
    r = dt.simulate(cart_and_box(constant, mu, pull), end, outputs=[0.2, end], solver=dt.DOPRI5(rtol=1e-10, atol=1e-12))
    assert r.ok
    assert r.q[0, 0] == 0.0  # not even round-off before it breaks loose
    assert r.events[0].t == pytest.approx(loose, rel=1e-9)
    changes = [each.time for each in r.contact_run.engine.history]
    assert min(abs(t - slips) for t in changes) < 1e-8
    assert r["rails.velocity"][-1] == pytest.approx(cart, rel=1e-9)
    assert r["box.velocity.x"][-1] == pytest.approx(box, rel=1e-9)
    # friction of the rails bears the sum of both at the end: pull - constant
    assert r["rub.force"][-1] == pytest.approx(-constant, rel=1e-12)
    s = dt.simulate(cart_and_box(constant, mu, pull), end, outputs=[0.2, end], solver=dt.Moreau(1e-4))
    assert s.q[0, 0] == 0.0
    assert s["rails.velocity"][-1] == pytest.approx(cart, rel=2e-4)  # of the order of the step
    assert s["box.velocity.x"][-1] == pytest.approx(box, rel=2e-4)


def two_links(mu: float, radius: float, restitution: float = 0.0) -> dt.Model:
    """A stretched arm of two rods that turns as one until its first joint meets a stop; no gravity."""
    m = dt.Model("two links", gravity=(0, 0, 0))
    a = m.add_body("a", dt.Inertia.rod(1.0, length=0.5, axis="x"), position=(0.25, 0, 0))
    b = m.add_body("b", dt.Inertia.rod(0.7, length=0.4, axis="x"), position=(0.7, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0), v0=2.0, limits=[(-1, 0.3)])
    m.add_joint("B", dt.Revolute("y"), a, b, at=(0.5, 0, 0))
    m.add_force("stop", dt.JointStop("A", restitution=restitution))
    m.add_force("pin", dt.JointFriction("B", friction=mu, radius=radius))
    return m


def test_friction_takes_its_share_of_the_impulse_at_a_stop():
    """The first link stops dead; moments of momentum of the second about its centre, and the couple of the pin's
    friction mu r |R|, R the impulse through it: (I + m d² - mu r m d) w' = (I + m (L + d)(d - mu r)) w."""
    mu, radius, w = 0.4, 0.03, 2.0
    mass, length, d = 0.7, 0.5, 0.2
    inertia = mass * 0.4**2 / 12
    after = w * (inertia + mass * (length + d) * (d - mu * radius)) / (inertia + mass * d**2 - mu * radius * mass * d)
    m = two_links(mu, radius)
    # stretched and turning, the pin slides from the impact on; before it rests: no load moves it
    r = dt.simulate(m, 0.1501, outputs=[0.1, 0.1501], solver=dt.DOPRI5(rtol=1e-11, atol=1e-12))
    assert r["A.rate"][-1] == 0.0
    slope = mu * radius * mass * d * after**2 / (inertia + mass * d**2)  # by which friction slows it down then
    assert r["B.rate"][-1] == pytest.approx(after - 1e-4 * slope, rel=1e-6)
    free = w * (inertia + mass * (length + d) * d) / (inertia + mass * d**2)
    assert free - after > 0.05  # without friction in the impact it would be this much faster
    for h in (1e-3, 1e-4):  # a step before the output or after it
        time_stepping = dt.simulate(m, 0.152, outputs=[0.152], solver=dt.Moreau(h))
        assert time_stepping["B.rate"][-1] == pytest.approx(after - 2e-3 * slope, abs=2.0 * h * slope)


def hinged_rod(mu: float, radius: float, restitution: float) -> dt.Model:
    m = dt.Model("rod on a pin")
    rod = m.add_body("rod", dt.Inertia.rod(2.0, length=0.5, axis="x"), position=(0.25, 0, 0.2))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0.2), q0=0.0)
    m.add_force("pin", dt.JointFriction("A", friction=mu, radius=radius))
    tip = m.add_marker("tip", rod, (0.25, 0, 0))
    m.add_contact("floor", dt.RigidContact(restitution=restitution), m.ground, tip, shapes=(PLANE, dt.Shape.point()))
    return m


def test_friction_takes_its_share_of_an_impact_on_the_floor():
    """Newton: the rate after is -e times that before. Friction of the pin brakes the rebound with mu r |R|, and the
    floor must push more: P lever + mu r ... in closed form, both for the impulse and for R."""
    mu, radius, e = 0.3, 0.05, 0.4
    r = dt.simulate(hinged_rod(mu, radius, e), 0.4, solver=dt.DOPRI5(rtol=1e-11, atol=1e-12))
    hit = r.impacts[0]
    assert hit.normal_speed[1] == pytest.approx(-e * hit.normal_speed[0], rel=1e-9)
    angle = np.arcsin(0.2 / 0.5)
    lever = 0.5 * np.cos(angle)
    w = -hit.normal_speed[0] / lever
    mass, d, inertia = 2.0, 0.25, 2.0 * 0.5**2 / 3
    # unknown P: R = m dv_centre - P e_z, with dv_centre = d (1 + e) w along the rod's normal (sin a, cos a)
    turn = (1.0 + e) * w

    def left(P):
        R = mass * d * turn * np.array([np.sin(angle), np.cos(angle)]) - np.array([0.0, P])
        return P * lever - inertia * turn - mu * radius * np.linalg.norm(R)

    low, high = 0.0, 10.0 * inertia * turn / lever
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if left(middle) < 0 else (low, middle)
    assert np.linalg.norm(hit.impulse) == pytest.approx(low, rel=1e-9)
    assert low > 1.01 * inertia * turn / lever  # friction is felt
    s = dt.simulate(hinged_rod(mu, radius, e), 0.4, solver=dt.Moreau(1e-5))
    assert np.linalg.norm(s.impacts[0].impulse) == pytest.approx(low, rel=5e-3)  # weights of a step, and its place


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Moreau(1e-3)])
def test_what_friction_and_floor_hold_moves_by_nothing(solver):
    """An arm on a pin whose tip lies on the floor: the load is shared, nothing moves."""
    m = hinged_rod(0.3, 0.02, 0.0)
    m.joints["A"].q0 = float(np.arcsin(0.2 / 0.5))
    r = dt.simulate(m, 20.0, outputs=1.0, solver=solver)
    assert r.ok
    assert np.all(r.q == r.q[0])
    assert np.all(r["pin.mode"][1:] == 1.0)
    if isinstance(solver, dt.DOPRI5):  # forces are not unique: these are in balance, and within their bounds
        torque, normal = r["pin.torque"][-1], r["floor.normal_force"][-1]
        lever = 0.5 * np.cos(r.q[0, 0])
        assert torque + 2.0 * G * 0.5 * lever - normal * lever == pytest.approx(0.0, abs=1e-9)
        assert abs(torque) <= r["pin.static_bound"][-1]


def test_load_of_a_joint_has_the_forces_of_contact():
    """A wheel on an axle, pressed on the floor by its frame: the load of the pin is the weight of the frame."""
    m = dt.Model("wheel")
    frame = m.add_body("frame", dt.Inertia.box(5.0, size=(0.3, 0.1, 0.1)), position=(0, 0, 0.1))
    wheel = m.add_body("wheel", dt.Inertia.cylinder(1.0, radius=0.1, length=0.02, axis="y"), position=(0, 0, 0.1))
    m.add_joint("guide", dt.Planar("y"), m.ground, frame, at=(0, 0, 0.1))
    m.add_joint("axle", dt.Revolute("y"), frame, wheel, at=(0, 0, 0.1), v0=10.0)
    m.add_force("pin", dt.JointFriction("axle", friction=0.1, radius=0.01))
    m.add_contact("road", dt.RigidContact(), m.ground, wheel, shapes=(PLANE, dt.Shape.sphere(0.1)))
    # no friction on the road: the frame stays, the wheel turns and is braked by 0.1 * 0.01 * 5 g
    torque = 0.1 * 0.01 * 5.0 * G
    slope = torque / (0.5 * 1.0 * 0.1**2)
    for solver in (dt.DOPRI5(), dt.Moreau(1e-3)):
        r = dt.simulate(m, 0.5, solver=solver)
        assert r.ok
        relative = r["axle.rate"]
        frame_turn = slope * 0.5 * 0.005 / (5.0 * (0.3**2 + 0.1**2) / 12)  # the frame is turned by the same couple
        assert relative[-1] == pytest.approx(10.0 - slope * 0.5 - frame_turn, rel=2e-3)


@pytest.mark.parametrize("seed", [1, 3, 5, 8, 9, 14, 22])
def test_both_engines_find_the_same_motion(seed):
    """Random scenes with joints, friction, stops, loops (`support.engines_compared`): the short form."""
    found = compare(seed, steps=(4e-4, 5e-5))
    assert found.ok, found


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(0, 120, 10))
def test_both_engines_find_the_same_motion_in_many_scenes(first):
    found = [compare(seed) for seed in range(first, first + 10)]
    assert [each for each in found if not each.ok] == []


def test_friction_that_follows_from_loads_refuses_stronge_with_its_reason():
    m = hinged_rod(0.3, 0.05, 0.4)
    m.contacts["floor"].law = dt.RigidContact(restitution=0.4, impact="stronge")
    with pytest.raises(ValueError, match='impact="stronge" is not known together with friction that follows'):
        dt.simulate(m, 0.1, solver=dt.DOPRI5())
    r = dt.simulate(m, 0.1)  # left to itself, it takes time stepping
    assert r.ok
    assert "only time stepping" in r.stats.notes[0]
    m.contacts["floor"].law = dt.RigidContact(restitution=0.0, impact="stronge")  # without rebound all are Newton's
    assert dt.simulate(m, 0.1, solver=dt.DOPRI5()).ok
