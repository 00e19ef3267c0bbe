"""Points of contact in a state: gaps, points and frames of all slots; their rows G and the bias of their accelerations.

    u = G v,    du/dt = G a + bias                                                                          (1)

Needs poses (and velocities) of the bodies in the workspace of the system: `kinematics.world_poses`, `velocities`.
"""

from __future__ import annotations

from duoti.dynamics.tree.kinematics import accelerations
from duoti.kernel import call_entry, helper, part
from duoti.model.pairs.base import ENDLESS, axis_of
from duoti.spatial.algebra import (
    add,
    compose,
    cross,
    dot,
    get3,
    get9,
    get_pose,
    get_spatial,
    mul,
    mulT,
    put3,
    put_pose,
    scale,
    sqrt,
    sub,
    to_parent,
    vdot,
)
from duoti.system.stages import need_poses, need_velocities

ONE_NORMAL = 1e-9  # difference of unit vectors that are one but for round-off


@helper
def tangents(n):
    """Two unit vectors across the unit vector n, the first one along x where it can be; not changed by round-off."""
    one, none = 1.0 + 0.0 * n[0], 0.0 * n[0]
    e = (one, none, none)
    if abs(n[0].real) > 0.6:
        e = (none, one, none)
    t = sub(e, scale(dot(e, n), n))
    t1 = scale(1.0 / sqrt(dot(t, t)), t)
    return t1, cross(n, t1)


@helper
def put_point(cw, s, gap, p_a, p_b, n):
    """What is known about slot s; it joins the list if it is near."""
    cw.gap[s] = gap
    if gap > cw.margin[0]:
        return
    t1, t2 = tangents(n)
    put3(cw.point, s, 0, scale(0.5, add(p_a, p_b)))
    put3(cw.frame, s, 0, n)
    put3(cw.frame, s, 3, t1)
    put3(cw.frame, s, 6, t2)
    counts = cw.counts[0]
    cw.near[counts.near] = s
    counts.near += 1


@helper
def distance_at_least(contacts, cw, pair):
    """A distance that the two shapes of a pair are apart at least, from balls that hold them; planes are exact."""
    a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
    d = sub(get3(cw.X_WS, b, 9), get3(cw.X_WS, a, 9))
    if contacts.reach[a] >= ENDLESS:
        return dot(axis_of(get9(cw.X_WS, a, 0), 2), d) - contacts.reach[b]
    return dot(d, d) ** 0.5 - contacts.reach[a] - contacts.reach[b]


@part
def shape_poses(contacts, cw, w):
    """Poses of the shapes. Needs X_WB."""
    need_poses(w)
    for s in range(contacts.shapes):
        put_pose(cw.X_WS, s, compose(get_pose(w.X_WB, contacts.shape_body[s]), get_pose(contacts.X_BS, s)))


@part
def note_motion(contacts, cw):
    """cw.moved: how far shapes have moved since the last look. |x' - x| <= |p' - p| + |R' - R| r of points within r."""
    for s in range(contacts.shapes):
        turned, shifted = 0.0, 0.0
        for k in range(12):
            d = cw.X_WS[s, k] - cw.last[s, k]
            cw.last[s, k] = cw.X_WS[s, k]
            if k < 9:
                turned += d * d
            else:
                shifted += d * d
        cw.moved[s] = shifted**0.5
        if turned > 0.0:
            cw.moved[s] += turned**0.5 * contacts.reach[s]


@helper
def still_apart(contacts, cw, group, pair):
    """Whether the shapes of a pair cannot have come within the margin since they were looked at."""
    if group.only[0] >= 0:
        return False  # a look at other poses
    a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
    slack = cw.slack[pair] - cw.moved[a] - cw.moved[b]
    cw.slack[pair] = slack
    return slack > cw.margin[0]


@helper
def look_for_pairs(cw, time):
    """Bring the list of near pairs up to date for a time from now on, if there is one. Needs poses of the shapes."""
    if cw.look[0].entry != 0:
        cw.look[0].time = time
        call_entry(cw.look[0].entry, cw.look[0].context)


@part
def find_points(contacts, cw, w, margin):
    """All slots: gap (beyond the margin if the shapes are further apart), and points and frames of those near.

    Pairs that were so far apart that their shapes cannot have met since then are passed over, and those that are not in
    the list of near pairs. cw.look[0].full: 1 if there is no room for this list, and points may be missing.
    """
    shape_poses(contacts, cw, w)
    note_motion(contacts, cw)
    cw.margin[0] = margin
    look_for_pairs(cw, 0.0)
    cw.counts[0].near = 0
    for k in range(contacts.kind.shape[0] - 1):
        call_entry(cw.calls[k].points, cw.calls[k].group)


@part
def level_points(contacts, cw):
    """Points of a pair that have one normal come to one height along it, as far as their gaps leave it open.

    In the middle of a gap that is wider on one side, they would be on a face that is bent: none of them could stick if
    the bodies turn, by rates as small as the gaps, and forces without bound would try. Normal rows stay as they are.
    """
    i, near = 0, cw.counts[0].near
    while i < near:
        pair, best, j = contacts.slot_pair[cw.near[i]], cw.near[i], i + 1
        while j < near and contacts.slot_pair[cw.near[j]] == pair:
            if abs(cw.gap[cw.near[j]]) < abs(cw.gap[best]):
                best = cw.near[j]
            j += 1
        n, point = get3(cw.frame, best, 0), get3(cw.point, best, 0)
        for k in range(i, j):
            s = cw.near[k]
            apart = sub(get3(cw.frame, s, 0), n)
            higher = dot(n, sub(get3(cw.point, s, 0), point))
            if dot(apart, apart) <= ONE_NORMAL**2 and abs(higher) <= abs(cw.gap[s]) + abs(cw.gap[best]):
                put3(cw.point, s, 0, sub(get3(cw.point, s, 0), scale(higher, n)))
        i = j


@part
def shape_velocities(contacts, cw, w):
    """Velocities of the shapes. Needs X_WB and V."""
    need_poses(w)
    need_velocities(w)
    for s in range(contacts.shapes):
        b = contacts.shape_body[s]
        R = get9(w.X_WB, b, 0)
        omega = mul(R, get3(w.V, b, 0))
        put3(cw.V_WS, s, 0, omega)
        put3(cw.V_WS, s, 3, add(mul(R, get3(w.V, b, 3)), cross(omega, mul(R, get3(contacts.X_BS, s, 9)))))


@part
def shape_motions(tree, contacts, cw, w, nothing):
    """Velocities of the shapes, and their rates at zero accelerations. Needs X_WB, V, C; `nothing`: nv zeros."""
    accelerations(tree, w, nothing)
    shape_velocities(contacts, cw, w)
    for s in range(contacts.shapes):
        b = contacts.shape_body[s]
        R = get9(w.X_WB, b, 0)
        arm, alpha, spatial = mul(R, get3(contacts.X_BS, s, 9)), mul(R, get3(w.A, b, 0)), mul(R, get3(w.A, b, 3))
        omega, velocity = get3(cw.V_WS, s, 0), get3(cw.V_WS, s, 3)
        put3(cw.A_WS, s, 0, alpha)
        put3(cw.A_WS, s, 3, add(add(spatial, cross(alpha, arm)), cross(omega, velocity)))


@part
def find_biases(tree, contacts, cw, w, nothing):
    """The biases (1) of all slots that are near. Needs X_WB, V, C and `find_points`."""
    shape_motions(tree, contacts, cw, w, nothing)
    for k in range(contacts.kind.shape[0] - 1):
        call_entry(cw.calls[k].biases, cw.calls[k].group)


@part
def find_creep(contacts, cw):
    """Creep forces of all rolling contacts that are near, at the normal forces cw.creep[s, 0]; False if there are none.

    Needs `find_biases`.
    """
    found = False
    for k in range(contacts.kind.shape[0] - 1):
        if cw.calls[k].creeps != 0:
            call_entry(cw.calls[k].creeps, cw.calls[k].group)
            found = True
    return found


@helper
def row_lengths(contacts, s):
    """How many rates the row of slot s has from the tree of a, and how many more from that of b."""
    pair = contacts.slot_pair[s]
    t_a = contacts.tree_of[contacts.shape_body[contacts.pair_shapes[pair, 0]]]
    t_b = contacts.tree_of[contacts.shape_body[contacts.pair_shapes[pair, 1]]]
    n_a = contacts.tree_first[t_a + 1] - contacts.tree_first[t_a]
    n_b = 0 if t_a == t_b else contacts.tree_first[t_b + 1] - contacts.tree_first[t_b]
    return t_a, n_a, t_b, n_b


@part
def slot_rows(tree, contacts, cw, w, s, G, first):
    """G[first], G[first + 1], G[first + 2] = the rows of slot s along n, t1, t2, on the rates of a's tree, then b's."""
    pair = contacts.slot_pair[s]
    t_a, n_a, t_b, n_b = row_lengths(contacts, s)
    for i in range(3):
        for k in range(n_a + n_b):
            G[first + i, k] = 0.0
    p = get3(cw.point, s, 0)
    n, t1, t2 = get3(cw.frame, s, 0), get3(cw.frame, s, 3), get3(cw.frame, s, 6)
    a = contacts.shape_body[contacts.pair_shapes[pair, 0]]
    b = contacts.shape_body[contacts.pair_shapes[pair, 1]]
    while a != b:  # inward on both paths at once: what is inboard of both moves both alike
        here, sign, begin = (a, -1.0, 0) if a > b else (b, 1.0, 0 if t_a == t_b else n_a)
        R, origin = get_pose(w.X_WB, here)
        arm = sub(p, origin)
        # unit forces at the point as wrenches on the body, in its axes: their power on a motion is the velocity
        f0, f1, f2 = mulT(R, scale(sign, n)), mulT(R, scale(sign, t1)), mulT(R, scale(sign, t2))
        arm = mulT(R, arm)
        m0, m1, m2 = cross(arm, f0), cross(arm, f1), cross(arm, f2)
        for k in range(tree.first[here], tree.first[here + 1]):
            H = get_spatial(w.H, k)
            place = begin + contacts.dof_place[tree.rate[k]]
            G[first, place] += vdot(H, (m0, f0))
            G[first + 1, place] += vdot(H, (m1, f1))
            G[first + 2, place] += vdot(H, (m2, f2))
        if a > b:
            a = tree.parent[a]
        else:
            b = tree.parent[b]


@part
def angular_rows(tree, contacts, cw, w, s, G, first):
    """G[first], ...: rows of the angular velocity of b less that of a about n, t1, t2, as `slot_rows`."""
    pair = contacts.slot_pair[s]
    t_a, n_a, t_b, n_b = row_lengths(contacts, s)
    for i in range(3):
        for k in range(n_a + n_b):
            G[first + i, k] = 0.0
    n, t1, t2 = get3(cw.frame, s, 0), get3(cw.frame, s, 3), get3(cw.frame, s, 6)
    a = contacts.shape_body[contacts.pair_shapes[pair, 0]]
    b = contacts.shape_body[contacts.pair_shapes[pair, 1]]
    while a != b:
        here, sign, begin = (a, -1.0, 0) if a > b else (b, 1.0, 0 if t_a == t_b else n_a)
        X = get_pose(w.X_WB, here)
        for k in range(tree.first[here], tree.first[here + 1]):
            turned, _ = to_parent(X, get_spatial(w.H, k))
            place = begin + contacts.dof_place[tree.rate[k]]
            G[first, place] += sign * dot(n, turned)
            G[first + 1, place] += sign * dot(t1, turned)
            G[first + 2, place] += sign * dot(t2, turned)
        if a > b:
            a = tree.parent[a]
        else:
            b = tree.parent[b]


@helper
def dof_of(contacts, t_a, n_a, t_b, k):
    """The rate that place k of a row belongs to."""
    if k < n_a:
        return contacts.tree_dofs[contacts.tree_first[t_a] + k]
    return contacts.tree_dofs[contacts.tree_first[t_b] + k - n_a]


@helper
def velocity_at(contacts, w, s, p):
    """Velocity of the point p of the world as one of the body of shape s."""
    b = contacts.shape_body[s]
    R, origin = get_pose(w.X_WB, b)
    return add(mul(R, get3(w.V, b, 3)), cross(mul(R, get3(w.V, b, 0)), sub(p, origin)))


@helper
def slot_speed(contacts, cw, w, s):
    """u of slot s, which is near: rate of the gap and slip velocity, from the twists of the bodies (needs V)."""
    pair = contacts.slot_pair[s]
    p = get3(cw.point, s, 0)
    v_a = velocity_at(contacts, w, contacts.pair_shapes[pair, 0], p)
    u = sub(velocity_at(contacts, w, contacts.pair_shapes[pair, 1], p), v_a)
    return dot(get3(cw.frame, s, 0), u), dot(get3(cw.frame, s, 3), u), dot(get3(cw.frame, s, 6), u)


@helper
def slot_angular_velocity(contacts, cw, w, s):
    """Angular velocity of b less that of a about n, t1, t2 of slot s, which is near (needs V)."""
    pair = contacts.slot_pair[s]
    a, b = contacts.shape_body[contacts.pair_shapes[pair, 0]], contacts.shape_body[contacts.pair_shapes[pair, 1]]
    R_a, R_b = get9(w.X_WB, a, 0), get9(w.X_WB, b, 0)
    omega = sub(mul(R_b, get3(w.V, b, 0)), mul(R_a, get3(w.V, a, 0)))
    return dot(get3(cw.frame, s, 0), omega), dot(get3(cw.frame, s, 3), omega), dot(get3(cw.frame, s, 6), omega)


@part
def push_body(w, F, b, p, force):
    """Add a force at the point p, world axes, to the wrench F[b] on a body, in its frame."""
    R = get9(w.X_WB, b, 0)
    torque = mulT(R, cross(sub(p, get3(w.X_WB, b, 9)), force))
    f = mulT(R, force)
    for i in range(3):
        F[b, i] += torque[i]
        F[b, 3 + i] += f[i]


@helper
def rotate_body(w, F, b, torque):
    """Add a torque, world axes, to the wrench F[b] on a body, in its frame."""
    m = mulT(get9(w.X_WB, b, 0), torque)
    for i in range(3):
        F[b, i] += m[i]
