"""Compliant contact as a force element: one type for each pair of shapes, made when this file is imported.

With the penetration d = -gap of a point, u the velocity of b less that of a there, and u_t its part along the surface:

    N = k d^m + c dd/dt, or k d^m (1 + c dd/dt) (Hunt & Crossley 1975);    F_t = -N (mu / sqrt(u_t² + s²) + c_t) u_t

The user describes a `CompliantContact`; the compiled model has these elements in its place (`add_contact_forces`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from duoti.elements.pairs import add_pair, displacement, path_between
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, part
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.elements import Reference, name_of
from duoti.model.forces.base import MARKER_A, MARKER_B, Compiler, Force
from duoti.model.model import Model
from duoti.model.pairs import SHAPE_PAIRS, ShapePair, find_pair
from duoti.model.pairs.base import sizes_of, touching_kind
from duoti.model.profiles import VARIABLES, profile_rows
from duoti.spatial import Shape
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
    put_spatial,
    scale,
    sqrt,
    sub,
)

NUMBERS = ("stiffness", "exponent", "damping", "friction", "slip_speed", "viscous_friction", "hunt_crossley", "pulls")
K, M, C, MU, SLIP, VISCOUS, HUNT_CROSSLEY, PULLS = range(len(NUMBERS))
FIRST_A, FIRST_B = 2, 3  # integers of pairs with profiles
POSE_A, POSE_B, SIZE_A, SIZE_B = 8, 20, 32, 36
REALS = (
    *NUMBERS, *(f"{side}_{i}" for side in ("pose_a", "pose_b") for i in range(12)),
    *(f"{side}_{i}" for side in ("size_a", "size_b") for i in range(4)),
)  # fmt: skip
EPS = 1e-60


@helper
def point_force(reals, f, gap, u, n):
    """Force on b in a point that penetrates, its potential energy and the power that it dissipates."""
    d, u_n = -gap, dot(n, u)
    x, m = d.real, reals[f, M].real
    elastic = reals[f, K] * (x**m + m * x ** (m - 1.0) * (d - x))  # d^m; of a complex number, the power to first order
    viscous = -reals[f, C] * u_n
    normal = elastic * (1.0 + viscous) if reals[f, HUNT_CROSSLEY].real > 0.0 else elastic + viscous
    if normal.real < 0.0 and reals[f, PULLS].real == 0.0:
        normal = 0.0 * normal
    u_t = sub(u, scale(u_n, n))
    slip = reals[f, SLIP]
    rubbing = reals[f, MU] / sqrt(dot(u_t, u_t) + slip * slip) + reals[f, VISCOUS]
    along = scale(-normal * rubbing, u_t)
    return add(scale(normal, n), along), elastic * d / (m + 1.0), (elastic - normal) * u_n - dot(along, u_t)


@helper
def size4(reals, f, k):
    """Four sizes of a shape."""
    return reals[f, k].real, reals[f, k + 1].real, reals[f, k + 2].real, reals[f, k + 3].real


@helper
def shape_pose(loads, w, f, m, k):
    """Pose in the world of a shape whose pose in the frame of marker m stands in the element's numbers."""
    reals = loads.forces.reals
    X_WM = compose(get_pose(w.X_WB, loads.markers.body[m]), get_pose(loads.markers.X_BM, m))
    return compose(X_WM, (get9(reals, f, k), get3(reals, f, k + 9)))


@helper
def twist_about(w, b, centre):
    """Angular velocity of body b, and velocity of the point of it that is at `centre`, in world axes."""
    R, origin = get_pose(w.X_WB, b)
    omega = mul(R, get3(w.V, b, 0))
    return omega, add(mul(R, get3(w.V, b, 3)), cross(omega, sub(centre, origin)))


@helper
def moved_by(X, S, step, centre):
    """A pose moved by `step` times the motion S about a point of the world."""
    R, p = X
    x, y, z = cross(S[0], (R[0], R[3], R[6])), cross(S[0], (R[1], R[4], R[7])), cross(S[0], (R[2], R[5], R[8]))
    turned = (
        R[0] + step * x[0], R[1] + step * y[0], R[2] + step * z[0],
        R[3] + step * x[1], R[4] + step * y[1], R[5] + step * z[1],
        R[6] + step * x[2], R[7] + step * y[2], R[8] + step * z[2],
    )  # fmt: skip
    return turned, add(p, scale(step, add(S[1], cross(S[0], sub(p, centre)))))


def _plain_point(f, loads, X_A, X_B, k):
    reals = loads.forces.reals
    return pair_law(X_A, X_B, size4(reals, f, SIZE_A), size4(reals, f, SIZE_B), k)  # noqa: F821  # pyright: ignore[reportUndefinedVariable]


@helper
def _in_table(size, first):
    """Sizes of a shape with a profile: its rows in the table of the model begin at `first`."""
    return size[0] + first, size[1] + first, size[2], size[3]


def _profile_point(f, loads, X_A, X_B, k):
    reals, integers = loads.forces.reals, loads.forces.integers
    s_a = _in_table(size4(reals, f, SIZE_A), integers[f, FIRST_A])
    s_b = _in_table(size4(reals, f, SIZE_B), integers[f, FIRST_B])
    return pair_law(loads.forces.tables, X_A, X_B, s_a, s_b, k)  # noqa: F821  # pyright: ignore[reportUndefinedVariable]


def _wrench(f, loads, X_A, X_B, V_A, V_B, centre):
    """Torque about `centre` and force on b of all points, their potential energy and lost power."""
    reals = loads.forces.reals
    zero = 0.0 * (V_B[1][0] + X_B[1][0])
    torque, force, potential, lost = (zero, zero, zero), (zero, zero, zero), zero, zero
    for k in range(POINTS):  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
        gap, p_a, p_b, n = point_of(f, loads, X_A, X_B, k)  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
        if gap.real < 0.0:
            arm = sub(scale(0.5, add(p_a, p_b)), centre)
            u = sub(add(V_B[1], cross(V_B[0], arm)), add(V_A[1], cross(V_A[0], arm)))
            here, energy, power = point_force(reals, f, gap, u, n)
            torque, force = add(torque, cross(arm, here)), add(force, here)
            potential, lost = potential + energy, lost + power
    return torque, force, potential, lost


def _law(f, t, q, v, loads, w):
    integers = loads.forces.integers
    m_a, m_b = integers[f, MARKER_A], integers[f, MARKER_B]
    centre = get3(w.X_WB, 1, 9)
    a, b = loads.markers.body[m_a], loads.markers.body[m_b]
    torque, force, potential, lost = wrench(  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
        f, loads, shape_pose(loads, w, f, m_a, POSE_A), shape_pose(loads, w, f, m_b, POSE_B), twist_about(w, a, centre),
        twist_about(w, b, centre), centre,
    )  # fmt: skip
    apply_wrench(loads, w, m_b, sub(centre, get3(w.X_WB, b, 9)), force, torque)
    apply_wrench(loads, w, m_a, sub(centre, get3(w.X_WB, a, 9)), scale(-1.0, force), scale(-1.0, torque))
    return potential, 0.0 * lost, lost


def _tangent(f, t, q, v, tree, loads, w, tan, path):
    """By complex steps: what a motion of b alone, and a change of its twist, do to the wrench (`elements.pairs`)."""
    integers = loads.forces.integers
    m_a, m_b = integers[f, MARKER_A], integers[f, MARKER_B]
    centre = get3(w.X_WB, 1, 9)
    X_A, X_B = shape_pose(loads, w, f, m_a, POSE_A), shape_pose(loads, w, f, m_b, POSE_B)
    a, b = loads.markers.body[m_a], loads.markers.body[m_b]
    V_A, V_B = get_spatial(tan.V_W, a), get_spatial(tan.V_W, b)
    torque, force, _, _ = wrench(f, loads, X_A, X_B, V_A, V_B, centre)  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
    if force[0] == 0.0 and force[1] == 0.0 and force[2] == 0.0:
        return
    count = path_between(tree, path, a, b)
    step = EPS * 1j
    for k in range(count):
        S_j, y_j = displacement(tan, path.column[k], V_B)
        X_then = moved_by(X_B, S_j, step, centre)
        V_then = (add(V_B[0], scale(step, y_j[0])), add(V_B[1], scale(step, y_j[1])))
        n, g, _, _ = wrench(f, loads, X_A, X_then, V_A, V_then, centre)  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
        put_spatial(path.W_q, k, slopes(n, g))
        V_then = (add(V_B[0], scale(step, S_j[0])), add(V_B[1], scale(step, S_j[1])))
        X_same = (X_B[0], add(X_B[1], scale(0.0 * step, V_B[1])))
        n, g, _, _ = wrench(f, loads, X_A, X_same, V_A, V_then, centre)  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
        put_spatial(path.W_v, k, slopes(n, g))
    add_pair(tree, tan, path, count, (torque, force), np.int64(1))


@helper
def slopes(n, g):
    """Derivatives of a wrench from its imaginary parts."""
    return (
        (n[0].imag / EPS, n[1].imag / EPS, n[2].imag / EPS),
        (g[0].imag / EPS, g[1].imag / EPS, g[2].imag / EPS),
    )


def _filled(template: Any, name: str, **names: Any) -> Any:
    """A template as a function of its own, with global names filled in."""
    return FunctionType(template.__code__, {**globals(), **names}, name)


class ContactForce(Force):
    """What the types below have in common; users describe a `CompliantContact`."""

    implied = True
    INTEGERS = ("marker_a", "marker_b")
    REALS = REALS
    pair: ClassVar[type[ShapePair]]

    def __init__(self, contact: str, law: CompliantContact, marker_a: Reference, marker_b: Reference,
                 shape_a: Shape, shape_b: Shape):  # fmt: skip
        self.contact, self.contact_law = contact, law
        self.marker_a, self.marker_b, self.shape_a, self.shape_b = marker_a, marker_b, shape_a, shape_b

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Both sides."""
        return (("marker_a", self.marker_a), ("marker_b", self.marker_b))

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        """See `Force.integers`."""
        found = {"marker_a": compiler.marker(self.marker_a), "marker_b": compiler.marker(self.marker_b)}
        if self.pair.profiles:
            for name, shape in (("first_a", self.shape_a), ("first_b", self.shape_b)):
                found[name] = compiler.table(profile_rows(shape))[0] if shape.kind in VARIABLES else 0
        return found

    def reals(self) -> Mapping[str, float]:
        """See `Force.reals`."""
        law = self.contact_law
        numbers: list[float] = [float(getattr(law, name)) for name in NUMBERS[:HUNT_CROSSLEY]]
        numbers += [float(law.damping_law == "hunt_crossley"), float(law.tension == "allowed")]
        for shape in (self.shape_a, self.shape_b):
            numbers += [float(x) for x in shape.pose.twelve]
        for shape in (self.shape_a, self.shape_b):
            numbers += list(sizes_of(shape) or ())
        return dict(zip(REALS, numbers, strict=True))


def _type_of(pair: type[ShapePair]) -> type[ContactForce]:
    template = _profile_point if pair.profiles else _plain_point
    point_of = helper(_filled(template, f"{pair.kind}_point", pair_law=pair.law))
    wrench = part(_filled(_wrench, f"{pair.kind}_wrench", point_of=point_of, POINTS=pair.points))
    law = helper(_filled(_law, f"{pair.kind}_force", wrench=wrench))
    tangent = helper(_filled(_tangent, f"{pair.kind}_tangent", wrench=wrench))
    body = {"kind": f"contact_{pair.kind}", "law": staticmethod(law), "tangent": staticmethod(tangent), "pair": pair,
            "__module__": __name__, "__doc__": pair.__doc__,
            "INTEGERS": (*ContactForce.INTEGERS, *(("first_a", "first_b") if pair.profiles else ()))}  # fmt: skip
    return type(ContactForce)(f"Contact{pair.__name__}", (ContactForce,), body)


_TYPES = {pair: _type_of(pair) for pair in SHAPE_PAIRS.values() if pair.law is not None}


def add_contact_forces(model: Model) -> None:
    """Put the elements of compliant contacts into a model that is about to be compiled."""
    for name in [name for name, force in model.forces.items() if isinstance(force, ContactForce)]:
        del model.forces[name]
    for name, element in model.contacts.items():
        law = element.law
        if not isinstance(law, CompliantContact):
            continue
        made: list[ContactForce] = []
        for a, b in element.pairs(model):
            for shape_a in element.shapes_of(model, a, False):
                for shape_b in element.shapes_of(model, b, True):
                    pair, swapped = find_pair(touching_kind(shape_a), touching_kind(shape_b))
                    if pair is None or pair not in _TYPES:
                        continue
                    names = (name_of(a), name_of(b))
                    sides = (*names[::-1], shape_b, shape_a) if swapped else (*names, shape_a, shape_b)
                    made.append(_TYPES[pair](name, law, *sides))
        for k, force in enumerate(made):
            model.forces[name if len(made) == 1 else f"{name}[{k}]"] = force
