"""A linear tyre of expressions on a level road, for comparisons with closed forms.

Vertical spring; lateral force = -C alpha and longitudinal force = Ck kappa, whatever the load; no aligning torque.
"""

import duoti as dt
from duoti.vehicle.car import WHEELS, rolling_radius


def add_linear_tyres(car, front=60e3, rear=60e3, longitudinal=80e3, vertical=200e3, damping=100.0, height="0"):
    """Cornering stiffness [N/rad] of a tyre in front and behind, slip stiffness [N], vertical stiffness [N/m].

    height: of the road, an expression of `x` and `t`.
    """
    for wheel in WHEELS:
        end = wheel.partition(".")[0]
        weight = load(car, wheel)
        road = height.replace("x", f"{wheel}.contact.position.x") if height != "0" else "0"
        C = front if end == "front" else rear
        z, v = f"{wheel}.contact.position.z", f"{wheel}.contact.local_velocity"
        up = f"{weight!r} - {vertical!r}*({z} - ({road})) - {damping!r}*{v}.z"
        side = f"-{C!r}*atan2({v}.y, {v}.x)"
        radius, vx = float(rolling_radius(car, wheel)), f"{wheel}.hub.local_velocity.x"
        pull = f"{longitudinal!r}*({radius!r}*{wheel}.bearing.rate - {vx})/{vx}"
        torque = f"-{radius!r}*({pull})"
        car.add_force(f"{wheel}.vertical", dt.AppliedForce(f"{wheel}.contact", (0.0, 0.0, up)))
        car.add_force(f"{wheel}.lateral", dt.AppliedForce(f"{wheel}.contact", (0.0, side, 0.0), frame="marker"))
        car.add_force(f"{wheel}.traction", dt.AppliedForce(f"{wheel}.hub", (pull, 0.0, 0.0), frame="marker"))
        car.add_force(f"{wheel}.rolling", dt.AppliedTorque(f"{wheel}.wheel", (0.0, torque, 0.0), frame="marker"))
    return car


def load(car, wheel):
    """What the wheel carries at rest [N]."""
    total, x = 9.81 * car.mass, centre(car)
    hubs = {end: rolling_place(car, f"{end}.left") for end in ("front", "rear")}
    base = hubs["front"] - hubs["rear"]
    share = (x - hubs["rear"]) / base if wheel.startswith("front") else (hubs["front"] - x) / base
    return float(0.5 * total * share)


def centre(car):
    """Where the mass centre is along the car [m]."""
    return sum(b.inertia.mass * (b.pose @ b.inertia.com)[0] for b in car.bodies.values()) / car.mass


def rolling_place(car, wheel):
    """Where a wheel is along the car [m]."""
    return float(car.bodies[f"{wheel}.wheel"].position[0])
