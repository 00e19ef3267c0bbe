"""A driver: laws of steering and drive that follow a path and hold a speed."""

from __future__ import annotations

from duoti.model.model import Model
from duoti.model.submodel import renamed
from duoti.strict import explained
from duoti.vehicle.axles import command
from duoti.vehicle.parts_of import names_of_car


@explained
def hold_speed(model: Model, speed: float, gain: float = 5000.0, limit: float = 3000.0, brake: bool = False) -> Model:
    """A copy whose driver holds a speed [m/s] with the drive torque, which also slows it down.

    Parameters
    ----------
    model:
        A car.
    speed:
        Speed [m/s].
    gain:
        Torque of all driven wheels per speed that is missing [N m s/m].
    limit:
        Largest torque of all driven wheels, and of all brakes [N m].
    brake:
        Whether the brakes serve where the torque were negative.
    """
    names = names_of_car(model)
    law = f"{gain!r}*({float(speed)!r} - {names.air}.local_velocity.x)"
    if not brake:
        return command(model, {names.command("drive"): f"clip({law}, -{limit!r}, {limit!r})"})
    laws = {
        names.command("drive"): f"clip({law}, 0, {limit!r})",
        names.command("brake"): f"clip(-({law}), 0, {limit!r})",
    }
    return command(model, laws)


@explained
def follow_path(model: Model, path: str, speed: float, preview: float = 0.5, gain: float = 2.5) -> Model:
    r"""A copy whose driver steers along a path and holds a speed.

    He looks at a point ahead, and steers along the arc that leads from the car to the path there:

    $$\delta_H = g\, i\, l\, \frac{2 e}{s^2}, \qquad s = v T$$

    with the distance $e$ of the point from the path, the wheelbase $l$, the steering ratio $i$ and the gain $g$.

    Parameters
    ----------
    model:
        A car with steering.
    path:
        An expression of `x` that gives the lateral position y of the path [m], or the name of a table of the model.
    speed:
        Speed [m/s].
    preview:
        Time T by which he looks ahead [s].
    gain:
        Factor of the steering angle; it includes what understeer needs.
    """
    names = names_of_car(model)
    if names.command("steer") not in model.parameters:
        raise ValueError("the car has no steering that a driver could use: its front axle needs a steering_ratio")
    made = hold_speed(model, speed, brake=True)
    distance = max(speed * preview, names.wheelbase)
    marker = f"{names.prefix}preview"
    if marker in made.markers:
        raise ValueError("the model has a driver already")
    made.add_marker(marker, names.chassis, (distance, 0.0, 0.0))
    curve = f"{path}(x)" if path in made.tables else path
    wanted = renamed(curve, lambda name: f"{marker}.position.x" if name == "x" else name)
    factor = gain * names.steering_ratio * names.wheelbase * 2.0 / distance**2
    return command(made, {names.command("steer"): f"{factor!r}*(({wanted}) - {marker}.position.y)"})
