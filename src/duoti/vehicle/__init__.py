"""Cars from parametrised parts, and the manoeuvres by which they are judged.

Axes are those of ISO 8855: x forward, y left, z up.
"""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.vehicle.corners": "double_wishbone, mcpherson, trailing_arm",
    "duoti.vehicle.axles": "axle, command, rigid_axle",
    "duoti.vehicle.driver": "follow_path, hold_speed",
    "duoti.vehicle.manoeuvres": (
        "braking, double_lane_change, Manoeuvre, ride, steady_state_cornering, step_steer, straight_running"
    ),
    "duoti.vehicle.car": "car, saloon_tyre",
    "duoti.vehicle.travel": "SuspensionTravel, roll_stiffness, suspension_travel",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
