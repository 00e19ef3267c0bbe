"""Compliant contact with bristle friction (LuGre: Canudas de Wit, Olsson, Astrom, Lischinsky 1995) as a force element.

In each point, with N the normal force as without LuGre friction, u_t the velocity of b less that of a along the
surface, z the deflection of the bristle, z_t its part along the surface, n the normal:

    F_t = -N (sigma_0 z_t + sigma_1 r + c_t u_t),    r = u_t - sigma_0 |u_t| / g z_t
    dz/dt = r - n (n . z) / T,    g = mu + (mu_s - mu) exp(-(|u_t| / v_s)²);    out of contact dz/dt = -z / T

No motion bends a bristle beyond mu_s / sigma_0; one that begins so, or that an equilibrium would need, gives mu_s N.
z are three states of each point, in the axes of the shape of a, which carry it; T (`FORGOTTEN`) takes away what the
surfaces, by rolling, turn out of the tangent plane. The rates come with the forces. No energy is counted as stored in
bristles: -F_t . u_t is dissipated, for moments with a negative power, and the balance of energy is exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.elements.complex_steps import EPS, moved_by, real_of, slopes, twist_about
from duoti.elements.joint_friction import _bell  # pyright: ignore[reportPrivateUsage]
from duoti.elements.matrices import state_columns
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, on_demand, part
from duoti.model.compliant.forces import (
    POSE_A,
    POSE_B,
    REALS,
    ContactForce,
    plain_point,
    shape_pose,
)
from duoti.model.contacts.compliant_contact import LUGRE_PAIRS, MU, VISCOUS, CompliantContact, point_force
from duoti.model.forces.base import MARKER_A, MARKER_B, Compiler
from duoti.model.pairs import SHAPE_PAIRS, ShapePair
from duoti.spatial.algebra import (
    ZERO6,
    add,
    cross,
    dot,
    get3,
    get_column,
    get_spatial,
    mul,
    mulT,
    put_spatial,
    scale,
    sqrt,
    sub,
    vadd,
    vdot,
)

FORGOTTEN = 1e-3  # s; rolling with omega then takes omega² T of a bristle per second
REST_SQUARE = 1e-40  # square of a slip speed [m²/s²] that is none; keeps |u| differentiable
FIRST_STATE = 2
LUGRE_NUMBERS = ("bristle_stiffness", "bristle_damping", "static_friction", "stribeck_velocity")
STIFFNESS, DAMPING, STATIC, STRIBECK = range(len(REALS), len(REALS) + len(LUGRE_NUMBERS))


@helper
def lugre_force(reals, f, gap, u, n, z):
    """Force on b in a point, its potential energy, the power that it dissipates, and dz/dt; all in world axes."""
    z_n = dot(n, z)
    z_t = sub(z, scale(z_n, n))
    u_n = dot(n, u)
    u_t = sub(u, scale(u_n, n))
    pushed, energy, lost = point_force(reals, f, gap, scale(u_n, n), n)
    normal = dot(pushed, n)
    pressing = normal if normal.real > 0.0 else 0.0 * normal
    speed = sqrt(dot(u_t, u_t) + REST_SQUARE)
    level = reals[f, MU] + 0.0 * speed
    if reals[f, STRIBECK].real > 0.0:
        level = level + (reals[f, STATIC] - reals[f, MU]) * _bell(speed / reals[f, STRIBECK])
    stiffness = reals[f, STIFFNESS]
    rate = sub(u_t, scale(stiffness * speed / level, z_t))
    bent = scale(stiffness, z_t)
    most = sqrt(dot(bent, bent) + REST_SQUARE)
    if most.real > reals[f, STATIC].real:
        bent = scale(reals[f, STATIC] / most, bent)
    bent = add(bent, scale(reals[f, DAMPING], rate))
    along = scale(-pressing, add(bent, scale(reals[f, VISCOUS], u_t)))
    change = sub(rate, scale(z_n / FORGOTTEN, n))
    return add(scale(normal, n), along), energy, lost - dot(along, u_t), change


def _at_point(point_of: Any) -> Any:
    """Of point k with the bristle z in the axes of a: torque about `centre`, force on b, energies, and dz/dt there."""

    def at_point(f, loads, X_A, X_B, V_A, V_B, centre, z, k):
        gap, p_a, p_b, n = point_of(f, loads, X_A, X_B, k)
        zero = 0.0 * (V_B[1][0] + X_B[1][0] + z[0])
        if gap.real >= 0.0:
            nothing = (zero, zero, zero)
            return nothing, nothing, zero, zero, add(nothing, scale(-1.0 / FORGOTTEN, z))
        arm = sub(scale(0.5, add(p_a, p_b)), centre)
        u = sub(add(V_B[1], cross(V_B[0], arm)), add(V_A[1], cross(V_A[0], arm)))
        force, energy, lost, change = lugre_force(loads.forces.reals, f, gap, u, n, mul(X_A[0], z))
        return cross(arm, force), add((zero, zero, zero), force), energy + zero, lost + zero, mulT(X_A[0], change)

    return part(at_point)


def _law(at_point: Any, POINTS: int) -> Any:
    """The law of an element with so many points."""

    def law(f, t, q, v, loads, w):
        integers = loads.forces.integers
        m_a, m_b = integers[f, MARKER_A], integers[f, MARKER_B]
        centre = get3(w.X_WB, 1, 9)
        a, b = loads.markers.body[m_a], loads.markers.body[m_b]
        X_A, X_B = shape_pose(loads, w, f, m_a, POSE_A), shape_pose(loads, w, f, m_b, POSE_B)
        V_A, V_B = twist_about(w, a, centre), twist_about(w, b, centre)
        zero = 0.0 * (V_B[1][0] + X_B[1][0])
        torque, force, potential, lost = (zero, zero, zero), (zero, zero, zero), zero, zero
        for k in range(POINTS):
            place = q.shape[0] + v.shape[0] + integers[f, FIRST_STATE] + 3 * k
            z = (w.y[place], w.y[place + 1], w.y[place + 2])
            here, pushed, energy, power, change = at_point(f, loads, X_A, X_B, V_A, V_B, centre, z, k)
            torque, force = add(torque, here), add(force, pushed)
            potential, lost = potential + energy, lost + power
            w.ydot[place], w.ydot[place + 1], w.ydot[place + 2] = change
        apply_wrench(loads, w, m_b, sub(centre, get3(w.X_WB, b, 9)), force, torque)
        apply_wrench(loads, w, m_a, sub(centre, get3(w.X_WB, a, 9)), scale(-1.0, force), scale(-1.0, torque))
        return potential, 0.0 * lost, lost

    return helper(law)


@helper
def _add_row(F, place, j, side, change):
    """Derivatives of the three rates of a point by the number j."""
    for c in range(3):
        F[place + c, j] += side * change[c].imag / EPS


def _tangent(at_point: Any, POINTS: int) -> Any:
    """By complex steps, as of contacts without LuGre friction; Fq, Fv, Fz of its states, and Z, too."""

    def tangent(f, t, q, v, tree, loads, w, tan, path):
        integers = loads.forces.integers
        m_a, m_b = integers[f, MARKER_A], integers[f, MARKER_B]
        centre = get3(w.X_WB, 1, 9)
        X_A, X_B = shape_pose(loads, w, f, m_a, POSE_A), shape_pose(loads, w, f, m_b, POSE_B)
        a, b = loads.markers.body[m_a], loads.markers.body[m_b]
        V_A, V_B = get_spatial(tan.V_W, a), get_spatial(tan.V_W, b)
        step = EPS * 1j
        still = 0.0 * step
        X_same = moved_by(X_B, V_B, still, centre)  # complex numbers all
        V_same = (add(V_B[0], scale(still, V_B[0])), add(V_B[1], scale(still, V_B[1])))
        first, begin = integers[f, FIRST_STATE], tree.nq + tree.nv
        count = path_between(tree, path, a, b)
        for k in range(count):
            put_spatial(path.W_q, k, ZERO6)
            put_spatial(path.W_v, k, ZERO6)
        torque, force = ZERO6
        for p in range(POINTS):
            place = first + 3 * p
            z = (w.y[begin + place] + still, w.y[begin + place + 1] + still, w.y[begin + place + 2] + still)
            for c in range(3):
                for j in range(tree.nv):
                    tan.Fq[place + c, j] = tan.Fv[place + c, j] = 0.0
                low, high = state_columns(tan.Fz, tree.nz, place + c)
                for j in range(low, high):
                    tan.Fz[place + c, j] = 0.0
            here, pushed, _, _, _ = at_point(f, loads, X_A, X_same, V_A, V_same, centre, z, p)
            torque, force = add(torque, real_of(here)), add(force, real_of(pushed))
            for k in range(count):
                S_j, y_j = displacement(tan, path.column[k], V_B)
                j, side = path.rate[k], path.side[k]
                X_then = moved_by(X_same, S_j, step, centre)
                V_then = (add(V_B[0], scale(step, y_j[0])), add(V_B[1], scale(step, y_j[1])))
                n, g, _, _, change = at_point(f, loads, X_A, X_then, V_A, V_then, centre, z, p)
                put_spatial(path.W_q, k, vadd(get_spatial(path.W_q, k), slopes(n, g)))
                _add_row(tan.Fq, place, j, side, change)
                V_then = (add(V_B[0], scale(step, S_j[0])), add(V_B[1], scale(step, S_j[1])))
                n, g, _, _, change = at_point(f, loads, X_A, X_same, V_A, V_then, centre, z, p)
                put_spatial(path.W_v, k, vadd(get_spatial(path.W_v, k), slopes(n, g)))
                _add_row(tan.Fv, place, j, side, change)
            for c in range(3):
                bent = (
                    z[0] + (step if c == 0 else still), z[1] + (step if c == 1 else still),
                    z[2] + (step if c == 2 else still),
                )  # fmt: skip
                n, g, _, _, change = at_point(f, loads, X_A, X_same, V_A, V_same, centre, bent, p)
                _add_row(tan.Fz, place, place + c, 1.0, change)
                W = slopes(n, g)
                for k in range(count):
                    tan.Z[path.rate[k], place + c] -= path.side[k] * vdot(get_column(tan.S, path.column[k]), W)
        add_pair(tree, tan, path, count, (torque, force), np.int64(1))

    return helper(tangent)


class LuGreContactForce(ContactForce):
    """What the types below have in common."""

    INTEGERS = ("marker_a", "marker_b", "first_state")
    REALS = (*REALS, *LUGRE_NUMBERS)
    complex_numbers = False  # its states have rates by these numbers, too

    def own_states(self, name: str) -> Mapping[str, str]:
        """Deflections of the bristles."""
        many = range(self.pair.points)
        return {f"{name}.bristle{k + 1 if len(many) > 1 else ''}_{axis}": "m" for k in many for axis in "xyz"}

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        """See `Force.integers`; states of an element stand behind each other."""
        return {
            "marker_a": compiler.marker(self.marker_a),
            "marker_b": compiler.marker(self.marker_b),
            "first_state": compiler.state(self.state_names[0]),
        }

    def reals(self) -> Mapping[str, float]:
        law = self.contact_law
        assert isinstance(law, CompliantContact)
        own = (law.bristle_stiffness, law.bristle_damping, law.breakaway_friction, law.stribeck_velocity or 0.0)
        return {**super().reals(), **dict(zip(LUGRE_NUMBERS, own, strict=True))}


@cache
def lugre_type(pair: type[ShapePair]) -> type[LuGreContactForce]:
    """The type of the elements of a pair with LuGre friction."""
    at_point = _at_point(plain_point(pair.law))
    law, tangent = _law(at_point, pair.points), _tangent(at_point, pair.points)
    body = {"kind": f"bristle_contact_{pair.kind}", "law": staticmethod(law), "tangent": staticmethod(tangent),
            "pair": pair, "__module__": __name__, "__doc__": pair.__doc__}  # fmt: skip
    return type(LuGreContactForce)(f"BristleContact{pair.__name__}", (LuGreContactForce,), body)  # pyright: ignore[reportReturnType]


@on_demand
def _all_types() -> None:
    for kind in LUGRE_PAIRS:
        lugre_type(SHAPE_PAIRS[kind])
