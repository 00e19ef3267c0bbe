# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.vehicle.axles import axle, command, rigid_axle
from duoti.vehicle.car import car, saloon_tyre
from duoti.vehicle.corners import double_wishbone, mcpherson, trailing_arm
from duoti.vehicle.driver import follow_path, hold_speed
from duoti.vehicle.manoeuvres import (
    Manoeuvre,
    braking,
    double_lane_change,
    ride,
    steady_state_cornering,
    step_steer,
    straight_running,
)
from duoti.vehicle.travel import SuspensionTravel, roll_stiffness, suspension_travel

__all__ = [
    "Manoeuvre",
    "SuspensionTravel",
    "axle",
    "braking",
    "car",
    "command",
    "double_lane_change",
    "double_wishbone",
    "follow_path",
    "hold_speed",
    "mcpherson",
    "ride",
    "rigid_axle",
    "roll_stiffness",
    "saloon_tyre",
    "steady_state_cornering",
    "step_steer",
    "straight_running",
    "suspension_travel",
    "trailing_arm",
]
