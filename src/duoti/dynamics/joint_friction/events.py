"""When friction and stops in joints change their mode: event functions, positive as long as the mode can last.

at rest                 1 - |force that holds| / static bound
sliding                 speed in the direction of sliding, but for a speed that is none
free                    distance to the nearer limit, and what the solver's errors may take it beyond
at a limit              force that holds, towards the inside
beyond a limit          how far beyond, and the rate at which it comes back
"""

from __future__ import annotations

from duoti.dynamics.joint_friction.rates import is_held
from duoti.elements.joint_friction import speed_of
from duoti.elements.joint_friction_memory import ABOVE, BACKWARD, BELOW, DRY_CONTEXT, IGNORED, STOP, UPPER
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.context import REAL_CONTEXT

NO_DISTANCE = 1e-12  # [rad or m] beyond a limit: a joint that friction holds there has not reached it again
NO_SPEED = 1e-9  # [rad/s or m/s] sliding speed that is round-off


@part
def mode_value(tree, w, dry, v, s):
    """Event function of a slot with modes; of a held one, needs the rates."""
    mode = w.y[dry.mode[s]]
    if dry.options[0].time_stepping != 0:
        return 1.0
    if dry.kind[s] == STOP:
        q = w.y[dry.coordinate[s]]
        low, high = dry.limits[s, 0], dry.limits[s, 1]
        if mode == IGNORED:
            return 1.0
        if mode == ABOVE:
            return min(q - high, NO_SPEED - v[dry.first[s]])
        if mode == BELOW:
            return min(low - q, NO_SPEED + v[dry.first[s]])
        if is_held(dry, w.y, v, s):
            return -dry.x[s, 0] if mode == UPPER else dry.x[s, 0]
        return min(q - low, high - q) + NO_DISTANCE + dry.load[s]
    if is_held(dry, w.y, v, s):
        square = 0.0
        for k in range(dry.size[s]):
            if dry.scales[s, k] > 0.0:
                square += (dry.x[s, k] / dry.scales[s, k]) ** 2
        return 1.0 - square**0.5 / dry.rest[s] if dry.rest[s] > 0.0 else -1.0
    if dry.size[s] == 1:
        speed = v[dry.first[s]]
        return (-speed if mode == BACKWARD else speed) + NO_SPEED
    return speed_of(dry, v, s) - NO_SPEED


@entry
def dry_events_entry(context):
    """Entry EVENTS of systems with dry laws: w.event, those of the user's events first."""
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    (dry,) = unpack(w.at[0].joint_friction, DRY_CONTEXT)
    nq, nv = tree.nq, tree.nv
    v = w.y[nq : nq + nv]
    held = False
    for s in range(dry.count):
        held = held or is_held(dry, w.y, v, s)
    if held:
        call_entry(w.calls[0].rates, w.at[0].system)
    if dry.user_events > 0:
        call_entry(dry.calls[0].events, w.at[0].system)
    for s in range(dry.count):
        if dry.event[s] >= 0:
            w.event[dry.event[s]] = mode_value(tree, w, dry, v, s)
