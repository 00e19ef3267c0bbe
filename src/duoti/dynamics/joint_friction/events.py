"""When friction and stops in joints change their friction state: event functions, positive as long as the friction
state can last.

at rest                 1 - |force that holds| / static bound
sliding                 speed in the direction of sliding, but for a speed that is none
free                    distance to the nearer limit, and what the solver's errors may take it beyond
at a limit              force that holds, towards the inside
beyond a limit          how far beyond, and the rate at which it comes back
"""

from __future__ import annotations

from duoti.dynamics.joint_friction.rates import is_held
from duoti.elements.joint_friction import speed_of
from duoti.elements.joint_friction_memory import ABOVE, BACKWARD, BELOW, IGNORED, JOINT_FRICTION_CONTEXT, STOP, UPPER
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.context import REAL_CONTEXT

NO_DISTANCE = 1e-12  # [rad or m] beyond a limit: a joint that friction holds there has not reached it again
NO_SPEED = 1e-9  # [rad/s or m/s] sliding speed that is round-off


@part
def friction_event(tree, w, jf, v, s):
    """Event function of a slot with friction states; of a held one, needs the rates."""
    friction_state = w.y[jf.friction_state[s]]
    if jf.options[0].time_stepping != 0:
        return 1.0
    if jf.kind[s] == STOP:
        q = w.y[jf.coordinate[s]]
        low, high = jf.limits[s, 0], jf.limits[s, 1]
        if friction_state == IGNORED:
            return 1.0
        if friction_state == ABOVE:
            return min(q - high, NO_SPEED - v[jf.first[s]])
        if friction_state == BELOW:
            return min(low - q, NO_SPEED + v[jf.first[s]])
        if is_held(jf, w.y, v, s):
            return -jf.x[s, 0] if friction_state == UPPER else jf.x[s, 0]
        return min(q - low, high - q) + NO_DISTANCE + jf.load[s]
    if is_held(jf, w.y, v, s):
        square = 0.0
        for k in range(jf.size[s]):
            if jf.scales[s, k] > 0.0:
                square += (jf.x[s, k] / jf.scales[s, k]) ** 2
        return 1.0 - square**0.5 / jf.rest[s] if jf.rest[s] > 0.0 else -1.0
    if jf.size[s] == 1:
        speed = v[jf.first[s]]
        return (-speed if friction_state == BACKWARD else speed) + NO_SPEED
    return speed_of(jf, v, s) - NO_SPEED


@entry
def joint_friction_events_entry(context):
    """Entry EVENTS of systems with joint friction laws: w.event, those of the user's events first."""
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    nq, nv = tree.nq, tree.nv
    v = w.y[nq : nq + nv]
    held = False
    for s in range(jf.count):
        held = held or is_held(jf, w.y, v, s)
    if held:
        call_entry(w.calls[0].ydot, w.at[0].system)
    if jf.user_events > 0:
        call_entry(jf.calls[0].events, w.at[0].system)
    for s in range(jf.count):
        if jf.event[s] >= 0:
            w.event[jf.event[s]] = friction_event(tree, w, jf, v, s)
