"""Equilibria with friction ignored or held, steady motions with rates that are found, and what is linear about them."""

import numpy as np
import pytest

import duoti as dt

G = 9.81


def block_on_floor(angle=0.0, friction=0.5, **law):
    """A block of 10 kg on four compliant balls, on a floor that leans about y, with a spring along x."""
    m = dt.Model("block", gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    m.add_body("block", dt.Inertia.box(10.0, size=(0.4, 0.3, 0.2)), position=(0, 0, 0.15))
    m.add_joint("six", dt.Free(), m.ground, "block")
    for k, (x, y) in enumerate([(0.2, 0.15), (-0.2, 0.15), (-0.2, -0.15), (0.2, -0.15)]):
        m.add_contact(
            f"foot{k}", dt.CompliantContact(1e5, damping=200.0, friction=friction, **law), m.ground, "block",
            shapes=[dt.Shape.plane(), dt.Shape.sphere(0.05, position=(x, y, -0.1))],
        )  # fmt: skip
    m.add_marker("middle", "block")
    m.add_marker("post", m.ground, position=(1.0, 0, 0.15))
    m.add_force("spring", dt.SpringDamper("middle", "post", stiffness=4000.0, rest_length=1.0))
    return m


def test_ignored():
    """It slides on the spring with sqrt(k / m): the friction that is modelled lets it creep only."""
    model = block_on_floor()
    e = dt.equilibrium(model, friction="ignored")
    assert e.ok, e.reason
    assert e["block.position.z"] == pytest.approx(0.15 - 10 * G / 4e5, rel=1e-6)
    slide = np.sqrt(4000.0 / 10.0) / (2 * np.pi)
    assert np.min(np.abs(dt.linearise(model, e).frequencies / slide - 1.0)) < 1e-6
    creeping = dt.equilibrium(model).linear
    assert np.min(np.abs(creeping.frequencies / slide - 1.0)) > 0.3


def test_held():
    """On a slope below the spring's reach: held, the feet bear the weight along the slope, and bounce as before.

    Heave: four springs, sqrt(4 k / m), damped by 4 x 200 N s/m; the spring along x is at rest and only 10 cm up.
    """
    angle = 0.2
    e = dt.equilibrium(block_on_floor(angle), friction="held")
    assert e.ok, e.reason
    assert abs(e["block.position.x"]) < 1e-3  # by the pitch of the block, whose feet stay
    assert len(e.multipliers) == 3  # of eight equations of four feet: no shift along x and y, no turn
    largest = max(abs(value) for value in e.multipliers.values())  # the others are a couple: one foot bears it
    spring = 4000.0 * e["block.position.x"]
    assert largest == pytest.approx(10 * G * np.sin(angle) - spring, rel=1e-5)  # up to the lean of the block
    heave = np.sqrt(4e5 / 10.0) / (2 * np.pi)
    assert np.min(np.abs(e.linear.frequencies / heave - 1.0)) < 1e-3
    assert not np.any(np.abs(e.linear.frequencies / (np.sqrt(400.0) / (2 * np.pi)) - 1.0) < 0.2)  # nothing slides


def test_held_joint():
    """A pendulum with a rusty pin keeps its angle; ignored, it hangs down."""
    m = dt.Model("pendulum", gravity=(0, 0, -G))
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=0.3)
    m.add_force("rust", dt.JointFriction("A", friction=0.2, radius=0.05))
    held = dt.equilibrium(m, friction="held")
    assert held.ok
    assert held["A.angle"] == pytest.approx(0.3, abs=1e-12)
    (torque,) = held.multipliers.values()
    assert abs(torque) == pytest.approx(2.0 * G * 0.5 * np.cos(0.3), rel=1e-9)
    assert dt.equilibrium(m, friction="ignored", stable=True)["A.angle"] == pytest.approx(np.pi / 2, rel=1e-9)


def test_nothing_to_hold():
    m = block_on_floor()
    with pytest.raises(ValueError, match="nothing to hold"):
        dt.equilibrium(m, {"six": {"position": (0, 0, 1.0)}}, friction="held")
    with pytest.raises(ValueError, match="'modelled', 'ignored', 'held'"):
        dt.equilibrium(m, friction="none")


def rolling_cart():
    """A cart that is driven at a speed, and a wheel that slip turns and a bearing brakes: T = k (v - r w) - b w."""
    m = dt.Model("cart")
    m.add_body("cart", dt.Inertia.box(10.0, size=(1, 0.5, 0.2)))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "cart", v0=20.0)
    m.add_body("wheel", dt.Inertia.cylinder(5.0, 0.3, 0.1, axis="y"), position=(0, 0, -0.2))
    m.add_joint("axle", dt.Revolute("y"), "cart", "wheel", at=(0, 0, -0.2), v0=50.0)
    m.add_force("slip", dt.JointTorque("axle", "40*(x.v - 0.3*v) - 0.7*v"))
    m.add_force("push", dt.JointTorque("x", "200 - 0.5*v^2"))
    return m


def test_a_rate_that_is_found():
    """k (v - r w) = b w, so that w = k v / (k r + b); a given speed must be in balance by itself."""
    e = dt.equilibrium(rolling_cart(), rates={"x": 20.0, "axle": None})
    assert e.ok, e.reason
    assert e["axle.rate"] == pytest.approx(40 * 20 / (40 * 0.3 + 0.7), rel=1e-12)
    assert not dt.equilibrium(rolling_cart(), rates={"x": 21.0, "axle": None}).ok


def test_speeds_that_are_found():
    """Where drive and drag are in balance: 200 = 0.5 v^2."""
    e = dt.equilibrium(rolling_cart(), rates={"x": None, "axle": None})
    assert e.ok, e.reason
    assert e["x.v"] == pytest.approx(20.0, rel=1e-12)
    assert e["axle.rate"] == pytest.approx(40 * 20 / (40 * 0.3 + 0.7), rel=1e-12)
    values = np.sort(e.linear.eigenvalues.real)
    inertia = 0.5 * 5.0 * 0.3**2
    expected = np.sort([0.0, 0.0, -(40 * 0.3 + 0.7) / inertia, -20.0 / 15.0])
    np.testing.assert_allclose(values, expected, atol=1e-9 * abs(expected).max())


def test_rates_that_cannot_be_found():
    m = block_on_floor()
    with pytest.raises(ValueError, match='joint "six" cannot be found'):
        dt.equilibrium(m, rates={"six": None})


def single_track(speed):
    """Bicycle model: m, I_z, a, b, and axles with linear side forces F = -C v_y / |v_x| in the axes of the car."""
    m = dt.Model("single track")
    m.add_body("car", dt.Inertia(1500.0, matrix=np.diag([500.0, 2500.0, 2700.0])))
    m.add_joint("plane", dt.Planar("z"), m.ground, "car", v0=[speed, 0.0, 0.0])
    for name, x, C in (("front", 1.2, 80e3), ("rear", -1.5, 100e3)):
        m.add_marker(name, "car", position=(x, 0, 0))
        vx, vy = (f"({name}.velocity.x*cos(plane.angle) + {name}.velocity.y*sin(plane.angle))",
                  f"({name}.velocity.y*cos(plane.angle) - {name}.velocity.x*sin(plane.angle))")  # fmt: skip
        m.add_force(f"{name} tyre", dt.AppliedForce(name, [0, f"-{C}*{vy}/{vx}", 0], frame="marker"))
    return m


@pytest.mark.parametrize("speed", [5.0, 20.0, 40.0])
def test_single_track_over_speed(speed):
    """Eigenvalues in straight running: those of the linear single-track model.

    m (vy' + V r) = -(Cf + Cr) vy / V - (a Cf - b Cr) r / V,  I r' = -(a Cf - b Cr) vy / V - (a^2 Cf + b^2 Cr) r / V
    """
    lin = dt.linearise(single_track(speed))
    m, I, a, b, Cf, Cr = 1500.0, 2700.0, 1.2, 1.5, 80e3, 100e3
    A = np.array([[-(Cf + Cr) / (m * speed), -(a * Cf - b * Cr) / (m * speed) - speed],
                  [-(a * Cf - b * Cr) / (I * speed), -(a * a * Cf + b * b * Cr) / (I * speed)]])  # fmt: skip
    for value in np.linalg.eigvals(A):
        assert np.min(np.abs(lin.eigenvalues - value)) < 1e-8 * abs(value)
