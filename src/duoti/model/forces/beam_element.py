"""Beam element: a piece of a geometrically exact beam between two markers, with constant strains along it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.elements.matrices import matrix_times
from duoti.kernel import helper
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.strains import element_matrices, rest_coordinates, strain_channels, stretch_numbers
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, Compiler, LineElement
from duoti.model.forces.beam_numbers import (
    ALONG,
    BOW,
    DAMPED,
    DAMPING,
    INTEGERS,
    LENGTH,
    OWN_FRAME_A,
    OWN_FRAME_B,
    REALS,
    REST,
    SHEARED,
    STIFFNESS,
    marker_pose,
    moves_in_plane,
    push,
    relative_twist,
)
from duoti.model.forces.beam_plane import law_in_plane, tangent_in_plane
from duoti.model.forces.channels import FORCE, TORQUE, ForceChannel
from duoti.spatial.algebra import (
    ZERO3,
    add,
    add9,
    compose,
    cross,
    cross_force,
    dot,
    get3,
    get9,
    get_column,
    get_pose,
    get_spatial,
    matmul,
    mul,
    mulT,
    put_spatial,
    scale,
    sqrt,
    sub,
    transpose,
    vadd,
    vdot,
    vscale,
    vsub,
)
from duoti.spatial.dual_matrices import (
    add_diagonal,
    adjoint,
    blocks_add,
    blocks_dual,
    blocks_times,
    cross_matrix,
    dual_blocks,
    dual_product,
    matrix_blocks,
    outer,
    rank_one_stretch,
    scale9,
    stretched,
    tangent_inverse_derivative_matrix,
    tangent_inverse_matrix,
    wrench_derivative,
)
from duoti.spatial.se3 import (
    as_motion,
    end_wrenches,
    inverse_coefficients,
    log_pose,
    opposite,
    tangent_inverse,
)

NO_BLOCKS = ((0.0,) * 9,) * 4
SAME = 1e-12  # parts of a number that are round-off

Array = NDArray[np.float64]


@helper
def _relative_pose(loads, w, f, a, b):
    """Pose of marker b in marker a."""
    R_WA, p_a = marker_pose(loads, w, f, OWN_FRAME_A, a)
    R_WB, p_b = marker_pose(loads, w, f, OWN_FRAME_B, b)
    return matmul(transpose(R_WA), R_WB), mulT(R_WA, sub(p_b, p_a))


@helper
def _directions(r, f, u):
    """How the stretch of the element arises from u: stretch, unit vector along the element without stress, derivative
    of the stretch by u; then unit vector along u, and a number for its second derivative.

    Where the ends' x axes are turned from u to the same side, the element is sheared, or bent to and fro (an S). Shear
    counts the part of u along the axes (Reissner). An S has an arc that is longer than |u|, by |u_across|²/(10 length):
    the integral of w'²/2 of a cubic. `stretch_numbers` makes `sheared` and the matrix `bow` of both.
    """
    along, longer, sheared = get3(r, f, ALONG), sqrt(dot(u, u)), r[f, SHEARED]
    per_length = 1.0 / longer
    now, bow = scale(per_length, u), mul(get9(r, f, BOW), u)
    stretch = sheared * dot(along, u) + (1.0 - sheared) * longer - r[f, LENGTH] + 0.5 * dot(u, bow)
    slope = add(add(scale(sheared, along), scale(1.0 - sheared, now)), bow)
    return stretch, along, slope, now, (1.0 - sheared) * per_length


@helper
def _strain_of(along, slope, e):
    """Change of the strains (see `_beam_element`) when the exponential coordinates change by e."""
    return e[0], add(e[1], scale(dot(slope, e[1]) - dot(along, e[1]), along))


@helper
def _conjugate(along, slope, F):
    """The wrench by exponential coordinates that does the work of F on the strains: transpose of `_strain_of`."""
    tension = dot(along, F[1])
    return F[0], add(F[1], scale(tension, sub(slope, along)))


@helper
def _beam_element(f, t, q, v, loads, w):
    if moves_in_plane(loads, w, f):
        return law_in_plane(f, loads, w)
    return _law_in_space(f, loads, w)


@helper
def _law_in_space(f, loads, w):
    """Wrench -T^-T B^T (S s + D ds/dt) on b, with d = log(X_AB) and dd/dt = T^-1 times the relative twist.

    The strains s are the differences between d = (theta, u) and its values without stress, but along the element the
    stretch of its arc (see `_directions`); ds/dt = B dd/dt.
    """
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    r = loads.forces.reals
    X_AB = _relative_pose(loads, w, f, a, b)
    d = log_pose(X_AB)
    c = inverse_coefficients(d)
    stretch, along, slope, _, _ = _directions(r, f, d[1])
    bent = _strains(r, f, d, along, stretch)
    elastic = matrix_times(r, f, STIFFNESS, bent[0], bent[1])
    strained, lost = elastic, 0.0 * stretch
    if loads.forces.integers[f, DAMPED] == 1:
        rate = _strain_of(along, slope, tangent_inverse(d, c, relative_twist(loads, w, a, b, X_AB)))
        viscous = matrix_times(r, f, DAMPING, rate[0], rate[1])
        strained, lost = vadd(elastic, viscous), vdot(rate, viscous)
    F_B, F_A = end_wrenches(d, c, _conjugate(along, slope, strained))
    push(loads, w, f, OWN_FRAME_A, a, F_A)
    push(loads, w, f, OWN_FRAME_B, b, vscale(-1.0, F_B))
    return 0.5 * vdot(bent, elastic), 0.0 * lost, lost


@helper
def _strains(r, f, d, along, stretch):
    u = sub(d[1], get3(r, f, REST + 3))
    return sub(d[0], get3(r, f, REST)), add(u, scale(stretch - dot(along, u), along))


@helper
def _beam_element_tangent(f, t, q, v, tree, loads, w, tan, path):
    if moves_in_plane(loads, w, f):
        tangent_in_plane(f, tree, loads, w, tan, path)
    else:
        _tangent_in_space(f, tree, loads, w, tan, path)


@helper
def _tangent_in_space(f, tree, loads, w, tan, path):
    """When b moves by xi (in its own frame), d changes by e = T^-1 xi, and the wrench with it and with its frame.

    Both are linear: two 6x6 matrices, in world axes about the point that S_j belongs to, hold for all columns. With
    U = T^-1 Ad from S_j to e, Q from e to strains, `turn` from e to the slope of the stretch, and the wrench F by d,

        dF = (Q^T S Q + tension turn) U S_j + Q^T D (Q (dT^-1 twist + T^-1 (eta - xi x twist)) + turn rate),

    which U^T takes back to the world, and T^-T F changes with d.
    """
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    damped = loads.forces.integers[f, DAMPED]
    r = loads.forces.reals
    A, B = loads.markers.body[a], loads.markers.body[b]
    X_AB = _relative_pose(loads, w, f, a, b)
    d = log_pose(X_AB)
    c = inverse_coefficients(d)
    stretch, along, slope, now, bend = _directions(r, f, d[1])
    bent = _strains(r, f, d, along, stretch)
    R, p_b = compose(get_pose(w.X_WB, B), get_pose(loads.markers.X_BM, b))
    arm = sub(p_b, get3(w.X_WB, 1, 9))
    to_b = adjoint(R, arm)
    inverse = tangent_inverse_matrix(d, c)
    U = dual_product(inverse, to_b)
    Q = rank_one_stretch(along, slope)
    turn = add9(scale9(-bend, outer(now, now)), add_diagonal(get9(r, f, BOW), bend))
    strained = matrix_times(r, f, STIFFNESS, bent[0], bent[1])
    X = stretched(matrix_blocks(r, f, STIFFNESS), Q)
    viscous = NO_BLOCKS
    twist = vscale(0.0, d)
    if damped == 1:
        twist = relative_twist(loads, w, a, b, X_AB)
        coordinate_rate = tangent_inverse(d, c, twist)
        rate = _strain_of(along, slope, coordinate_rate)
        strained = vadd(strained, matrix_times(r, f, DAMPING, rate[0], rate[1]))
        viscous = stretched(matrix_blocks(r, f, DAMPING), Q)
        X = blocks_add(X, blocks_dual(viscous, tangent_inverse_derivative_matrix(d, c, twist)))
        drag = _conjugate(along, slope, matrix_times(r, f, DAMPING, ZERO3, along))
        quicker = mul(turn, coordinate_rate[1])
        X = (X[0], add9(X[1], outer(drag[0], quicker)), X[2], add9(X[3], outer(drag[1], quicker)))
    X = (X[0], X[1], X[2], add9(X[3], scale9(dot(along, strained[1]), turn)))
    X = blocks_dual(X, U)
    if damped == 1:
        viscous = blocks_dual(viscous, inverse)
        X = blocks_add(X, blocks_dual(viscous, dual_product(cross_matrix(twist), to_b)))
        viscous = dual_blocks(U, blocks_dual(viscous, to_b))
    sigma = _conjugate(along, slope, strained)
    reverse = opposite(d)
    n_B, f_B = as_motion(tangent_inverse(reverse, c, as_motion(sigma)))
    frozen = dual_product(tangent_inverse_derivative_matrix(reverse, c, as_motion(sigma)), U)
    frozen = dual_blocks(to_b, wrench_derivative((scale9(-1.0, frozen[0]), scale9(-1.0, frozen[1]))))
    X = blocks_add(dual_blocks(U, X), frozen)
    force = mul(R, f_B)
    W = (scale(-1.0, add(mul(R, n_B), cross(arm, force))), scale(-1.0, force))
    V_B = get_spatial(tan.V_W, B)
    n = path_between(tree, path, A, B)
    for k in range(n):
        S_j = get_column(tan.S, path.column[k])
        change = blocks_times(X, S_j)
        if damped == 1:
            _, y_j = displacement(tan, path.column[k], V_B)
            change = vadd(change, blocks_times(viscous, y_j))
            put_spatial(path.W_v, k, vscale(-1.0, blocks_times(viscous, S_j)))
        put_spatial(path.W_q, k, vsub(cross_force(S_j, W), change))
    add_pair(tree, tan, path, n, W, damped)


class BeamElement(LineElement):
    r"""Elastic beam element between two markers: stretch, shear, twist and bending with large rotations.

    $$U = \tfrac{L}{2}\, (\epsilon - \epsilon_0)^T C\, (\epsilon - \epsilon_0), \qquad
    \epsilon = \tfrac{1}{L} \log\left(X_a^{-1} X_b\right)$$

    The six strains $\epsilon$ are constant along the element: its axis is an arc of a helix. $C$ is the stiffness
    matrix of the section, $L$ the length. The markers' x axes point along the beam, their z axes towards `up` of the
    section.

    The element is free of stress in the reference configuration, or at `rest`. It must turn by less than half a turn
    and is accurate below a quarter turn. It has no mass: `Model.add_beam` puts the mass into the nodes.

    The linear variation of the bending moment enters as residual bending flexibility. So small deflections are exact at
    the markers for forces at the markers.

    Parameters
    ----------
    marker_a, marker_b:
        Ends of the element.
    beam:
        Section and material, or stiffnesses.
    length:
        Length of the axis; by default that of the stress-free arc.
    rest:
        Stress-free pose of marker_b in marker_a: rotation vector, then displacement, as exponential coordinates.
    taper:
        The beam at marker_b, if it changes along the element.

    References
    ----------
    V. Sonneville, A. Cardona, O. Brüls, Geometrically exact beam finite element formulated on the special Euclidean
    group SE(3), Computer Methods in Applied Mechanics and Engineering 268 (2014) 451-474.

    R. H. MacNeal, A simple quadrilateral shell element, Computers & Structures 8 (1978) 175-183.
    """

    kind = "beam_element"
    units: ClassVar = {"rest": "rad or m"}
    INTEGERS = INTEGERS
    REALS = REALS
    law = staticmethod(_beam_element)
    tangent = staticmethod(_beam_element_tangent)

    def __init__(
        self,
        marker_a: Reference,
        marker_b: Reference,
        beam: Beam,
        length: float | None = None,
        rest: ArrayLike | None = None,
        taper: Beam | None = None,
    ):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.beam, self.length, self.rest, self.taper = beam, length, rest, taper
        self._reference: Array | None = None
        self._normal = 0  # of the plane in which the ends move: number of their axis, 0 for none

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Force and torque on the body of marker_b; section forces and strains in the middle, see `r.along`."""
        return {"force": FORCE, "torque": TORQUE, **strain_channels(self)}

    def faults(self) -> list[Fault]:
        found: list[Fault] = []
        if not isinstance(self.beam, Beam):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(Fault(f"beam is {self.beam!r}; give a dt.Beam", "beam"))
        elif self.taper is not None:
            try:
                self.beam.between(self.taper, 0.5)
            except (ValueError, AttributeError) as error:
                found.append(Fault(f"taper is {self.taper!r}: {error}", "taper"))
        if self.length is not None and not (np.isfinite(self.length) and self.length > 0.0):
            found.append(Fault(f"length is {self.length!r}; give a positive number [m]", "length"))
        if self.rest is not None:
            rest = np.asarray(self.rest, dtype=float)
            if rest.shape != (6,) or not np.all(np.isfinite(rest)):
                found.append(Fault("rest takes six finite numbers: rotation vector and displacement", "rest"))
            elif np.linalg.norm(rest[:3]) >= np.pi or not np.any(rest[3:]):
                found.append(Fault("rest must turn by less than half a turn and have a length", "rest"))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        if self.rest is None:
            self._reference = rest_coordinates(
                compiler.reference_pose(self.marker_a), compiler.reference_pose(self.marker_b)
            )
        self._normal = compiler.plane_of((self.marker_a, self.marker_b))
        own = {
            f"own_frame_{end}": int(compiler.is_own_frame(m)) for end, m in (("a", self.marker_a), ("b", self.marker_b))
        }
        return {**super().integers(compiler), "damped": int(np.any(self.beam_at(0.5).damping_times)), **own}

    def beam_at(self, part: float) -> Beam:
        """What the element is made of at a part of its length."""
        return self.beam if self.taper is None else self.beam.between(self.taper, part)

    @property
    def rest_coordinates(self) -> Array:
        """Exponential coordinates of marker_b in marker_a without stress."""
        if self.rest is not None:
            return np.asarray(self.rest, dtype=float)
        if self._reference is None:
            raise ValueError(
                "a beam element without `rest` has it from the reference configuration of a compiled model"
            )
        return self._reference

    def reals(self) -> Mapping[str, float]:
        rest = self.rest_coordinates
        S, D = element_matrices(self.beam, rest, self.length, self.taper)
        sheared, bow = stretch_numbers(self.beam_at(0.5), rest, self.length)
        length = float(np.linalg.norm(rest[3:]))
        normal = self._normal if _is_uncoupled(self._normal, rest, S, D, bow) else 0
        geometry = [*rest.tolist(), length, *(rest[3:] / length).tolist(), sheared, *bow.ravel().tolist(), normal]
        values = [*S.ravel().tolist(), *D.ravel().tolist(), *geometry]
        return dict(zip(REALS, values, strict=True))


def _is_uncoupled(normal: int, rest: Array, S: Array, D: Array, bow: Array) -> bool:
    """Whether an element lies in the plane with this normal without stress, and causes none out of it there."""
    if normal == 0:
        return False
    inside = np.array([normal, *(3 + k for k in range(3) if k != normal)])
    outside = np.setdiff1d(np.arange(6), inside)
    flat = np.abs(rest[outside]).max() <= SAME * np.abs(rest).max()
    straight = np.abs(np.delete(bow[normal], normal)).max() <= SAME / float(np.linalg.norm(rest[3:]))
    size = (np.sqrt(np.outer(np.diag(each)[inside], np.diag(each)[outside])) for each in (S, D))
    return bool(flat and straight) and all(
        np.all(np.abs(each[inside[:, None], outside]) <= SAME * scale) for each, scale in zip((S, D), size, strict=True)
    )
