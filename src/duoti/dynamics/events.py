"""Values of event functions."""

from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.elements.laws import law_value
from duoti.kernel import entry, part, unpack
from duoti.model.laws.law import COORDINATE_INPUT, RATE_INPUT, STATE, TIME
from duoti.system.context import REAL_CONTEXT


@part
def _read_frames(loads):
    """Whether an event function reads where a body is, or how it moves; others need no kinematics."""
    laws = loads.laws
    for e in range(laws.event_law.shape[0]):
        law = laws.event_law[e]
        for s in range(laws.law_signals[law, 0], laws.law_signals[law, 1]):
            kind = laws.signals[s, 0]
            if kind not in (TIME, COORDINATE_INPUT, RATE_INPUT, STATE):
                return True
    return False


@part
def evaluate_events(tree, loads, w):
    """w.event, the values of all event functions in the state w.y at the time w.clock."""
    t, q, v = w.clock[0], w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    if _read_frames(loads):
        poses_and_velocities(tree, w, q, v)
    for e in range(loads.laws.event_law.shape[0]):
        w.event[e] = law_value(loads, w, loads.laws.event_law[e], t, q, v, 0.0, 0.0)


@entry
def events_entry(context):
    """Entry: w.event, the values of all event functions in the state w.y at the time w.clock."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    evaluate_events(tree, loads, w)
