"""Friction and stops in joints within a step of Moreau and Jean's time stepping, by turns with contacts."""

from __future__ import annotations

from duoti.contact.geometry import push_body, turn_body
from duoti.elements.dry_memory import DRY, DRY_CONTEXT, IMPULSES, RESPONSES, STOP
from duoti.integrate.moreau_resistance import solve_resisted
from duoti.kernel import call_entry, part, unpack
from duoti.spatial.algebra import ZERO6, add, get3, put_spatial, scale

DRY_ROUNDS = 100
DRY_SETTLED = 1e-10  # change of a velocity, as part of what gravity makes in a step
ROUND_OFF = 1e-12  # [m or rad]


@part
def begin_dry(w, v, h):
    """Responses to impulses in joints with friction or stops; needs the rates at the middle of the step."""
    (dry,) = unpack(w.context[DRY], DRY_CONTEXT)
    dry.step[0] = h
    call_entry(dry.base[RESPONSES], w.context[0])
    for i in range(v.shape[0]):
        dry.before[i] = v[i]


@part
def solve_dry(address, tree, contacts, cw, w, problem, memory, matrix, v, scale):
    """Impulses of contacts and of joints in turn, until the latter have nothing to change; problem.v follows."""
    (dry,) = unpack(w.context[DRY], DRY_CONTEXT)
    for _ in range(DRY_ROUNDS):
        last = 0.0
        for i in range(tree.nv):
            dry.velocity[i] = problem.v[i]
        _push_bodies(contacts, cw, w, problem, memory, dry)
        call_entry(dry.base[IMPULSES], w.context[0])
        for i in range(tree.nv):
            last = max(last, abs(dry.velocity[i] - problem.v[i]))
            problem.v[i] = dry.velocity[i]
        if cw.counts[0].near == 0 or last <= DRY_SETTLED * scale:
            break
        _add_responses(tree, dry, memory, 1.0)  # contacts begin from v + dv
        for i in range(tree.nv):
            problem.v[i] = v[i] + memory.dv[i]
        solve_resisted(address, tree, contacts, w, problem, memory, matrix, v)
        _add_responses(tree, dry, memory, -1.0)


@part
def _push_bodies(contacts, cw, w, problem, memory, dry):
    """dry.pushes: what the impulses of contacts are as forces over the step."""
    for b in range(dry.pushes.shape[0]):
        put_spatial(dry.pushes, b, ZERO6)
    for c in range(problem.counts[0].blocks):
        s = problem.slot[c]
        force = scale(problem.p[c, 0] / dry.step[0], get3(cw.frame, s, 0))
        if problem.size[c] == 3:
            force = add(force, scale(problem.p[c, 1] / dry.step[0], get3(cw.frame, s, 3)))
            force = add(force, scale(problem.p[c, 2] / dry.step[0], get3(cw.frame, s, 6)))
        force = add(force, scale(1.0 / dry.step[0], get3(memory.beside, s, 0)))
        torque = scale(1.0 / dry.step[0], get3(memory.beside, s, 3))
        pair, p = contacts.slot_pair[s], get3(cw.point, s, 0)
        a, b = contacts.shape_body[contacts.pair_shapes[pair, 0]], contacts.shape_body[contacts.pair_shapes[pair, 1]]
        push_body(w, dry.pushes, a, p, scale(-1.0, force))
        push_body(w, dry.pushes, b, p, force)
        turn_body(w, dry.pushes, a, scale(-1.0, torque))
        turn_body(w, dry.pushes, b, torque)


@part
def _add_responses(tree, dry, memory, sign):
    """memory.dv += what the impulses in joints do, times the sign."""
    for i in range(tree.nv):
        for n in range(dry.impulse.shape[0]):
            memory.dv[i] += sign * dry.response[n, i] * dry.impulse[n]


@part
def end_at_limits(w, problem, memory, middle, h):
    """A step ends at the limit, not beyond it, and all that hangs on the joint moves with it; what that takes."""
    (dry,) = unpack(w.context[DRY], DRY_CONTEXT)
    lost, n = dry.step[1], 0
    for s in range(dry.count):
        if dry.kind[s] == STOP and dry.next_mode[s] != 0.0:
            j = dry.first[s]
            end = middle[dry.coordinate[s]] + problem.x[j]
            shift = (min(max(end, dry.limits[s, 0]), dry.limits[s, 1]) - end) / dry.response[n, j]
            for i in range(dry.velocity.shape[0]):
                problem.x[i] += shift * dry.response[n, i]
            lost += shift * memory.dv[j] / h
        n += dry.size[s]
    return lost


@part
def put_modes(w, new):
    """Modes after the step, for results; a joint at its limit is exactly there."""
    (dry,) = unpack(w.context[DRY], DRY_CONTEXT)
    for s in range(dry.count):
        if dry.mode[s] >= 0:
            new[dry.mode[s]] = dry.next_mode[s]
        if dry.kind[s] == STOP and dry.next_mode[s] != 0.0:
            k = dry.coordinate[s]
            limited = min(max(new[k], dry.limits[s, 0]), dry.limits[s, 1])
            if abs(new[k] - limited) < ROUND_OFF:
                new[k] = limited
