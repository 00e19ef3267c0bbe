"""Smooth motion between two transitions with contacts and with friction or stops in joints.

`dynamics.joint_friction.rates` finds the forces of joints that slide, around `contact.event_driven.smooth_motion`,
which knows all others: rates that friction or a stop holds are rows beside those of the contacts, so that what both
of them hold is shared out as among redundant contacts. Wrenches through joints, on which friction may depend, are
those with the forces of contact.
"""

from __future__ import annotations

from duoti.contact.collide.arrays import CONTACT_CONTEXT
from duoti.contact.event_driven.contact_states import CONTACT_STATES_CONTEXT
from duoti.contact.event_driven.smooth_motion import event_values, project_state, push_contacts
from duoti.dynamics.joint_friction.events import friction_event
from duoti.dynamics.joint_friction.rates import is_held, joint_friction_ydot
from duoti.dynamics.loops.residual import balance, put_loads
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CONTEXT, STOP
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.context import REAL_CONTEXT

ENDLESS = 1e300


@part
def find_held(w, jf, m, v):
    """m.held: rates that joints at rest and stops hold in the friction states of w.y."""
    n = 0
    for s in range(jf.count):
        if is_held(jf, w.y, v, s):
            for k in range(jf.size[s]):
                m.held[n] = jf.first[s] + k
                m.held_bound[n] = ENDLESS if jf.kind[s] == STOP else jf.rest[s] * jf.scales[s, k]
                n += 1
    m.counts[0].held = n


@entry
def joint_friction_contact_ydot_entry(context):
    """Entry YDOT: w.ydot, with contacts and joint friction laws in their friction states; jf.x also of what is held."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    v = w.y[tree.nq : tree.nq + tree.nv]
    find_held(w, jf, m, v)
    joint_friction_ydot(tree, loads, w, jf)
    n = 0
    for s in range(jf.count):
        if is_held(jf, w.y, v, s):
            for k in range(jf.size[s]):
                jf.x[s, k] = m.held_force[n]
                w.tau[jf.first[s] + k] += m.held_force[n]
                n += 1


@entry
def joint_friction_contact_wrenches_entry(context):
    """Entry in the place of RESIDUAL without joint friction laws: w.F, wrenches through joints, for w.ydot's rates of
    v.

    With the multipliers w.multipliers and the forces of contact found last; powers stay as they are.
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    contacts, cw = unpack(m.contact, CONTACT_CONTEXT)
    stored, supplied, lost = w.powers[0], w.powers[1], w.powers[2]
    put_loads(tree, loads, closures, w)
    w.powers[0], w.powers[1], w.powers[2] = stored, supplied, lost
    push_contacts(contacts, cw, w, m)
    balance(tree, w)


@entry
def joint_friction_contact_events_entry(context):
    """Entry EVENTS: those of the model and of contacts (`smooth_motion`), and of joint friction laws (`events`)."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    contacts, cw = unpack(m.contact, CONTACT_CONTEXT)
    v = w.y[tree.nq : tree.nq + tree.nv]
    call_entry(w.calls[0].ydot, w.at[0].system)
    event_values(tree, loads, w, contacts, cw, m)
    for s in range(jf.count):
        if jf.event[s] >= 0:
            w.event[jf.event[s]] = friction_event(tree, w, jf, v, s)


@entry
def joint_friction_contact_project_entry(context):
    """Entry PROJECT: closed loops and gaps; what is held does not move."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    find_held(w, jf, m, w.y[tree.nq : tree.nq + tree.nv])
    project_state(tree, loads, closures, w, m)
