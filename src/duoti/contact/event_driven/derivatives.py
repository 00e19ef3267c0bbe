"""Derivatives of the motion with closed contacts, for linearly implicit solvers.

The forces of contact F(q, v)^T lambda and the accelerations G(q) a + bias(q, v) of their rows are differentiated at
constant lambda and a, by differences over the rates that carry the two bodies of each contact. Rates that no contact
has in common are displaced together (Curtis, Powell & Reid 1974): a beam whose nodes lie on a floor needs as many
evaluations as one node has rates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.build import event_driven_contacts
from duoti.contact.collide.arrays import CONTACT_CONTEXT, Contacts
from duoti.contact.collide.geometry import dof_of, find_biases, find_points, row_lengths, slot_rows, slot_speed
from duoti.contact.event_driven.contact_states import CONTACT_STATES_CONTEXT, OPEN, SLIDE, STICK, most_closed
from duoti.contact.event_driven.smooth_motion import ALL_GAPS, slip_direction
from duoti.dynamics.tree.kinematics import calc_qdot, poses_and_velocities
from duoti.kernel import ContextType, address_of, call_entry, entry, entry_address, pack, part, record_dtype, unpack
from duoti.system.arrays import Work
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT
from duoti.system.jacobian_pattern import dofs_to_ground
from duoti.system.system import System

# Equations beside those of motion in linearly implicit steps: what `contact.event_driven.derivatives` writes and an
# integrator reads.
#
#     M a = f + F^T lambda,   G a + bias = 0
#
# The derivatives of F^T lambda at constant lambda belong to K and C; those of the rows at constant a stand here.


COUNTS = record_dtype("BorderCounts", rows=int, redundant=int)


class Border(NamedTuple):
    """Rows and scratch for their elimination; n: unknowns of the step without them."""

    counts: Any  # [1] of type COUNTS: rows in use; 1 if they depend on each other
    entry: Any  # [2] addresses: an entry that calls LINEARISE and writes rows, and its context; 0: LINEARISE alone
    G: Any  # [rows, nv]
    F: Any  # [rows, nv] generalised forces of unit multipliers
    Aq: Any  # [rows, nv] d(G a + bias)/d delta
    Av: Any  # [rows, nv] d(G a + bias)/dv
    R: Any  # [rows, nv] the rows on the unknowns of the step
    Y: Any  # [rows, n] what unit multipliers make of these
    D: Any  # [rows, rows] R Y^T
    LU: Any  # [rows, rows]
    pivot: Any  # [rows]
    scale: Any  # [rows]
    vectors: Any  # [4, rows]


def new_border(rows: int, nv: int, n: int) -> Border:
    """Room for so many rows."""
    square, wide = (rows, rows), (rows, nv)
    return Border(
        counts=np.zeros(1, COUNTS), entry=np.zeros(2, np.int64), G=np.zeros(wide), F=np.zeros(wide),
        Aq=np.zeros(wide), Av=np.zeros(wide), R=np.zeros(wide), Y=np.zeros((rows, n)), D=np.zeros(square),
        LU=np.zeros(square), pivot=np.zeros(rows, np.int64), scale=np.zeros(rows), vectors=np.zeros((4, rows)),
    )  # fmt: skip


@part
def put_closure_rows(tree, closures, w, tan, border):
    """The rows of closed loops, first of all. Needs w.G, and tan.Aq and tan.Av of the entry ACCELERATION_ROWS."""
    border.counts[0].rows = closures.rows
    for r in range(closures.rows):
        for i in range(tree.nv):
            border.G[r, i] = 0.0
            border.Aq[r, i], border.Av[r, i] = tan.Aq[r, i], tan.Av[r, i]
        for k in range(closures.support[r], closures.support[r + 1]):
            border.G[r, closures.support_dofs[k]] = w.G[k]
        for i in range(tree.nv):
            border.F[r, i] = border.G[r, i]


DIFFERENCE = 3e-8  # m, rad, and of rates as part of 1 m/s, 1 rad/s or their size
WORDS = 512


class ContactBranches(NamedTuple):
    """Rates that carry the bodies of each pair, and scratch."""

    colours: int
    first: Any  # [pairs + 1] where the rates of a pair begin
    rates: Any  # ... rates
    colour: Any  # [nv] those of one pair differ; -1: carries no contact
    q: Any  # [nq] displaced position
    v: Any  # [nv] displaced rates
    along: Any  # [nv]
    qdot: Any  # [nq]
    tau: Any  # [2, slots, width] generalised forces of each point: in the state, and displaced
    value: Any  # [2, rows] G a + bias, likewise


def contact_cliques(system: System) -> list[set[int]]:
    """Rates of each pair of shapes: what the derivatives of its forces couple."""
    of = event_driven_contacts(system)
    assert of is not None
    bodies = of.contacts.shape_body[of.contacts.pair_shapes]
    return [dofs_to_ground(system, int(a)) | dofs_to_ground(system, int(b)) for a, b in bodies]


def _coloured(cliques: list[set[int]], nv: int) -> Any:
    """A colour for each rate, so that those of a clique differ; few of them."""
    near: dict[int, set[int]] = {}
    for clique in cliques:
        for rate in clique:
            near.setdefault(rate, set()).update(clique)
    colour = np.full(nv, -1)
    for rate in sorted(near):
        taken = {int(colour[other]) for other in near[rate]}
        colour[rate] = next(c for c in range(len(near) + 1) if c not in taken)
    return colour


def _new_paths(system: System, contacts: Contacts, cliques: list[set[int]]) -> ContactBranches:
    colour, nq, nv = _coloured(cliques, system.nv), system.nq, system.nv
    return ContactBranches(
        colours=int(colour.max(initial=-1)) + 1, first=np.cumsum([0, *map(len, cliques)]),
        rates=np.array([rate for clique in cliques for rate in sorted(clique)], np.int64), colour=colour,
        q=np.zeros(nq), v=np.zeros(nv), along=np.zeros(nv), qdot=np.zeros(nq),
        tau=np.zeros((2, contacts.slots, contacts.width)), value=np.zeros((2, 3 * contacts.slots)),
    )  # fmt: skip


def _example() -> tuple[Any, ...]:
    one, integers = np.zeros(1), np.zeros(1, np.int64)
    paths = ContactBranches(1, integers, integers, integers, one, one, one, one, np.zeros((1, 1, 1)), np.zeros((1, 1)))
    return 0, new_border(1, 1, 1), paths


SLOPES_CONTEXT = ContextType(_example)


class ContactBorder(NamedTuple):
    """The border of a run, and what must live as long as it is used."""

    border: Border
    paths: ContactBranches
    block: Any


def contact_border(system: System, work: Work, n: int) -> ContactBorder:
    """Rows of the contacts of a system whose workspace is that of the event-driven engine; n: see `Border`."""
    of = event_driven_contacts(system)
    assert of is not None
    paths = _new_paths(system, of.contacts, contact_cliques(system))
    made = ContactBorder(
        new_border(system.closures.rows + 3 * most_closed(of.contacts), system.nv, n), paths, np.zeros(WORDS)
    )
    pack(made.block, (int(work.at[0].system), made.border, made.paths), SLOPES_CONTEXT)
    made.border.entry[:] = entry_address(contact_linearise_entry), address_of(made.block)
    return made


@part
def _evaluate(tree, contacts, cw, w, m, p, q, v, a, which):
    """p.tau[which] and p.value[which] of the closed contacts, at the forces m.force; returns the number of rows."""
    poses_and_velocities(tree, w, q, v)
    find_points(contacts, cw, w, ALL_GAPS)
    find_biases(tree, contacts, cw, w, m.zeros)
    n = 0
    for s in range(contacts.slots):
        if m.state[s] == OPEN:
            continue
        m.speed[s, 0], m.speed[s, 1], m.speed[s, 2] = slot_speed(contacts, cw, w, s)
        slot_rows(tree, contacts, cw, w, s, m.packed, 0)
        t_a, n_a, t_b, n_b = row_lengths(contacts, s)
        f0, f1, f2 = m.force[s, 0], m.force[s, 1], m.force[s, 2]
        if m.state[s] == SLIDE:
            d1, d2 = slip_direction(cw, m, s)
            mu = contacts.friction[contacts.slot_pair[s]]
            f1, f2 = -mu * f0 * d1, -mu * f0 * d2
        for k in range(n_a + n_b):
            p.tau[which, s, k] = m.packed[0, k] * f0 + m.packed[1, k] * f1 + m.packed[2, k] * f2
        for axis in range(3 if m.state[s] == STICK else 1):
            x = cw.bias[s, axis]
            for k in range(n_a + n_b):
                x += m.packed[axis, k] * a[dof_of(contacts, t_a, n_a, t_b, k)]
            p.value[which, n] = x
            n += 1
    return n


@part
def _put_rows(tree, contacts, cw, w, m, border, n):
    """G and F, from row n on, in the state that the workspace holds."""
    for s in range(contacts.slots):
        if m.state[s] == OPEN:
            continue
        slot_rows(tree, contacts, cw, w, s, m.packed, 0)
        t_a, n_a, t_b, n_b = row_lengths(contacts, s)
        mu = contacts.friction[contacts.slot_pair[s]] if m.state[s] == SLIDE else 0.0
        d1, d2 = slip_direction(cw, m, s)
        for axis in range(3 if m.state[s] == STICK else 1):
            for i in range(tree.nv):
                border.G[n, i] = border.F[n, i] = border.Aq[n, i] = border.Av[n, i] = 0.0
            for k in range(n_a + n_b):
                i = dof_of(contacts, t_a, n_a, t_b, k)
                border.G[n, i] = m.packed[axis, k]
                border.F[n, i] = m.packed[axis, k] - mu * (d1 * m.packed[1, k] + d2 * m.packed[2, k])
            n += 1


@part
def _add_column(contacts, m, p, matrix, rows, first, colour, by):
    """Derivatives by the rates of a colour: of forces into K or C, of the rows from `first` on into Aq or Av."""
    n = 0
    for s in range(contacts.slots):
        if m.state[s] == OPEN:
            continue
        pair, axes, j = contacts.slot_pair[s], 3 if m.state[s] == STICK else 1, -1
        for k in range(p.first[pair], p.first[pair + 1]):
            if p.colour[p.rates[k]] == colour:
                j = p.rates[k]
        if j >= 0:
            t_a, n_a, t_b, n_b = row_lengths(contacts, s)
            for k in range(n_a + n_b):
                change = p.tau[1, s, k] - p.tau[0, s, k]
                if change != 0.0:
                    matrix[dof_of(contacts, t_a, n_a, t_b, k), j] -= change / by
            for r in range(n, n + axes):
                rows[first + r, j] = (p.value[1, r] - p.value[0, r]) / by
        n += axes


@part
def _add_slopes(tree, contacts, cw, w, m, p, border, tan):
    """Rows, and derivatives of forces and rows, in the state w.y with the accelerations in w.ydot."""
    nq, nv, first = tree.nq, tree.nv, border.counts[0].rows
    y, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    border.counts[0].rows += _evaluate(tree, contacts, cw, w, m, p, y, v, a, 0)
    _put_rows(tree, contacts, cw, w, m, border, first)
    fastest = 1.0
    for i in range(nv):
        fastest = max(fastest, abs(v[i]))
    for colour in range(p.colours):
        for i in range(nv):
            p.along[i] = 1.0 if p.colour[i] == colour else 0.0
        calc_qdot(tree, y, p.along, p.qdot)
        for i in range(nq):
            p.q[i] = y[i] + DIFFERENCE * p.qdot[i]
        _evaluate(tree, contacts, cw, w, m, p, p.q, v, a, 1)
        _add_column(contacts, m, p, tan.K, border.Aq, first, colour, DIFFERENCE)
        by = DIFFERENCE * fastest
        for i in range(nv):
            p.v[i] = v[i] + by * p.along[i]
        _evaluate(tree, contacts, cw, w, m, p, y, p.v, a, 1)
        _add_column(contacts, m, p, tan.C, border.Av, first, colour, by)


@entry
def contact_linearise_entry(address):
    """Entry: K, C, M, Z, F of LINEARISE with the forces of contacts, and the rows of loops and closed contacts.

    Accelerations are in w.ydot, unless there are rows: then they are evaluated, with their multipliers.
    """
    context, border, paths = unpack(address, SLOPES_CONTEXT)
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    (m,) = unpack(w.at[0].contact_states, CONTACT_STATES_CONTEXT)
    contacts, cw = unpack(m.contact, CONTACT_CONTEXT)
    border.counts[0].rows = 0
    if m.counts[0].closed > 0 or closures.rows > 0:
        call_entry(w.calls[0].ydot, context)
    call_entry(w.calls[0].linearise, context)
    if closures.rows > 0:
        call_entry(w.calls[0].acceleration_rows, context)
        put_closure_rows(tree, closures, w, tan, border)
    if m.counts[0].closed > 0:
        _add_slopes(tree, contacts, cw, w, m, paths, border, tan)
