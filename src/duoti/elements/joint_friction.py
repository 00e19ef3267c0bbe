"""Dry friction in joints: its size from the load on the joint, its direction from the motion.

A slot (see `model.joint_friction`) slides with the speeds u_k = scale_k v_k. Its friction is

    tau_k = -b scale_k d_k,   b = mu L + c                                                                  (1)

with L the load (magnitudes of the parts of the joint's wrench, times arms), and the direction d: u / |u| (Coulomb),
times tanh(|u| / u_0) (regularised), or sigma_0 z + sigma_1 dz/dt (bristles; Canudas de Wit, Olsson, Astrom &
Lischinsky 1995). With a Stribeck velocity, b is that at rest times exp(-(|u| / u_s)²) and that of sliding for the
remainder.
"""

import math

from duoti.elements.joint_friction_memory import COULOMB, JOINT_FRICTION_CONTEXT, LUGRE, REGULARISED
from duoti.kernel import helper, part, unpack
from duoti.spatial.algebra import cross, dot, get3, get_pose, get_spatial, mulT, scale, sqrt, sub

FRICTION_NUMBERS = (
    "friction", "static_friction", "constant", "static_constant", "static_ratio", "stribeck_velocity", "regularisation",
    "bristle_stiffness", "bristle_damping",
)  # fmt: skip
"""Places of these numbers in a row of `loads.forces.reals`."""
(
    FRICTION, STATIC_FRICTION, CONSTANT, STATIC_CONSTANT, STATIC_RATIO, STRIBECK_VELOCITY, REGULARISATION,
    BRISTLE_STIFFNESS, BRISTLE_DAMPING,
) = range(len(FRICTION_NUMBERS))  # fmt: skip
AXIAL, RADIAL, BENDING, TWISTING, WHOLE, THREAD_AXIAL, THREAD_TWISTING, ALWAYS = range(8)  # places in a row of jf.arms
TINY = 1e-9  # part of the width of a regularised law below which a direction is none


@helper
def _tanh(x):
    """Hyperbolic tangent; of a complex number with a small imaginary part to first order."""
    value = math.tanh(x.real)
    return value + (1.0 - value * value) * (x - x.real)


@helper
def _bell(x):
    """exp(-x²), of a complex number with a small imaginary part to first order."""
    value = math.exp(-x.real * x.real)
    return value * (1.0 - 2.0 * x.real * (x - x.real))


@part
def speed_of(jf, v, s):
    """|u| of a slot."""
    square = 0.0 * v[jf.first[s]]
    for k in range(jf.size[s]):
        u = jf.scales[s, k] * v[jf.first[s] + k]
        square += u * u
    return sqrt(square) if square.real > 0.0 else square


@part
def stribeck(loads, v, jf, s, f):
    """How much of the difference between static and sliding friction is left at the present speed."""
    width = loads.forces.reals[f, STRIBECK_VELOCITY]
    if width.real == 0.0:
        return 0.0 * v[jf.first[s]] + 0.0 * width
    return _bell(speed_of(jf, v, s) / width)


@part
def smooth_direction(loads, w, v, jf, s, f, k):
    """Minus the generalised force of rate k of a smooth slot for a unit of its sliding bound."""
    reals, j = loads.forces.reals, jf.first[s]
    scale_k = jf.scales[s, k]
    u = scale_k * v[j + k]
    speed = speed_of(jf, v, s)
    if jf.kind[s] == REGULARISED:
        width = reals[f, REGULARISATION]
        level = 1.0 + (reals[f, STATIC_RATIO] - 1.0) * stribeck(loads, v, jf, s, f)
        if abs(speed.real) < TINY * width.real:
            return scale_k * u / width * level
        return scale_k * u / speed * _tanh(speed / width) * level
    z = w.y[jf.lugre_state[s] + k]
    level = 1.0 + (reals[f, STATIC_RATIO] - 1.0) * stribeck(loads, v, jf, s, f)
    rate = u - reals[f, BRISTLE_STIFFNESS] * speed / level * z
    return scale_k * (reals[f, BRISTLE_STIFFNESS] * z + reals[f, BRISTLE_DAMPING] * rate)


@part
def add_friction(loads, w, v, f, first, count):
    """Friction of the slots of force element f into w.tau; returns the power that it dissipates.

    Of a slot with friction states the force is what was found last (`dynamics.joint_friction`); a smooth law takes its
    bound from there.
    """
    lost = 0.0 * w.tau[0]
    if w.at[0].joint_friction == 0:
        return lost
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    for s in range(first, first + count):
        for k in range(jf.size[s]):
            j = jf.first[s] + k
            force = jf.x[s, k] + 0.0 * v[j]
            if jf.kind[s] != COULOMB:
                mu, constant = loads.forces.reals[f, FRICTION], loads.forces.reals[f, CONSTANT]
                bound = jf.bound[s] + (mu - mu.real) * jf.load[s] + (constant - constant.real)  # complex steps
                force = -bound * smooth_direction(loads, w, v, jf, s, f, k)
                jf.x[s, k] = force.real
            w.tau[j] += force
            lost -= force * v[j]
    return lost


@part
def add_stop(w, first, count):
    """Forces of rigid stops, as they were found last, into w.tau."""
    if w.at[0].joint_friction == 0:
        return
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    for s in range(first, first + count):
        w.tau[jf.first[s]] += jf.x[s, 0]


@part
def _slope(loads, w, v, jf, s, f, k, i):
    """Derivative of `smooth_direction` of rate k by rate i of the slot."""
    reals, j = loads.forces.reals, jf.first[s]
    n, width = speed_of(jf, v, s).real, reals[f, STRIBECK_VELOCITY]
    rest = (reals[f, STATIC_RATIO] - 1.0) * stribeck(loads, v, jf, s, f).real
    level, fall = 1.0 + rest, -2.0 * n / width**2 * rest if width > 0.0 else 0.0
    s_k, s_i = jf.scales[s, k], jf.scales[s, i]
    u_k, u_i, same = s_k * v[j + k], s_i * v[j + i], 1.0 if k == i else 0.0
    if jf.kind[s] == REGULARISED:
        w0 = reals[f, REGULARISATION]
        if n < TINY * w0:
            return s_k * s_i * same * level / w0
        t = math.tanh(n / w0)
        bend = ((1.0 - t * t) / (w0 * n) - t / (n * n)) * level + t / n * fall
        return s_k * s_i * (same * t / n * level + u_k * u_i * bend / n)
    rise = u_i / n * (1.0 / level - n * fall / level**2) if n > 0.0 else 0.0
    z = w.y[jf.lugre_state[s] + k]
    return s_k * s_i * reals[f, BRISTLE_DAMPING] * (same - reals[f, BRISTLE_STIFFNESS] * z * rise)


@part
def add_friction_tangent(tree, loads, w, tan, v, f, first, count):
    """Slopes of smooth friction by rates and bristles, at the bound found last; those by the load are left out."""
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    reals, nz0 = loads.forces.reals, tree.nq + tree.nv
    for s in range(first, first + count):
        if jf.kind[s] == COULOMB:
            continue
        j = jf.first[s]
        for k in range(jf.size[s]):
            for i in range(jf.size[s]):
                tan.C[j + k, j + i] += jf.bound[s] * _slope(loads, w, v, jf, s, f, k, i)
            if jf.kind[s] == LUGRE:
                speed = speed_of(jf, v, s)
                level = 1.0 + (reals[f, STATIC_RATIO] - 1.0) * stribeck(loads, v, jf, s, f)
                stiffness = reals[f, BRISTLE_STIFFNESS]
                slope = stiffness - reals[f, BRISTLE_DAMPING] * stiffness * speed / level
                tan.Z[j + k, jf.lugre_state[s] - nz0 + k] += jf.bound[s] * jf.scales[s, k] * slope


@part
def load_wrench(tree, w, jf, s, out):
    """out = torque and force of the joint of a slot on its outboard body, about the joint's point on the user's child.

    In the body's axes. What drives a screw is taken out of the torque: it does not press on the thread. Needs
    rnea_inward.
    """
    b = jf.row[s]
    torque, force = get_spatial(w.F, b)
    if tree.reverse[b] == 1:  # then B is the user's parent, and M the frame X_PF on the inboard body
        R_PB, p_PB = get_pose(w.X_PB, b)
        torque = sub(torque, cross(mulT(R_PB, sub(get3(tree.X_PF, b, 9), p_PB)), force))
    if jf.arms[s, THREAD_TWISTING] != 0.0:
        j = jf.first[s]
        drive = w.tau[j] - jf.x[s, 0] - tree.rotor[j] * w.ydot[tree.nq + j]
        if tree.reverse[b] == 1:
            drive = -drive
        torque = (torque[0], torque[1], torque[2] - drive)
    for k in range(3):
        out[k], out[3 + k] = torque[k], force[k]


@part
def load_of(w, jf, s, wrench):
    """L of (1) for the wrench of a slot."""
    axis = (0.0, 0.0, 1.0)
    if jf.axis[s] >= 0:
        axis = get3(w.H, jf.axis[s], 0)
        axis = scale(1.0 / dot(axis, axis) ** 0.5, axis)
    torque, force = (wrench[0], wrench[1], wrench[2]), (wrench[3], wrench[4], wrench[5])
    axial, twist = dot(force, axis), dot(torque, axis)
    radial, bending = sub(force, scale(axial, axis)), sub(torque, scale(twist, axis))
    a = jf.arms
    return (
        a[s, ALWAYS]
        + a[s, AXIAL] * abs(axial)
        + a[s, RADIAL] * dot(radial, radial) ** 0.5
        + a[s, BENDING] * dot(bending, bending) ** 0.5
        + a[s, TWISTING] * abs(twist)
        + a[s, WHOLE] * dot(force, force) ** 0.5
        + abs(a[s, THREAD_AXIAL] * axial + a[s, THREAD_TWISTING] * twist)
    )


@helper
def sliding_bound(loads, v, jf, s, load):
    """b of (1) for a load; smooth laws have the Stribeck effect in their direction."""
    reals, f = loads.forces.reals, jf.force[s]
    low = reals[f, FRICTION] * load + reals[f, CONSTANT]
    if jf.kind[s] != COULOMB:
        return low
    high = reals[f, STATIC_FRICTION] * load + reals[f, STATIC_CONSTANT]
    return low + (high - low) * stribeck(loads, v, jf, s, f)
