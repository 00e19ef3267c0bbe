"""Beam element: a piece of a geometrically exact beam between two markers, with constant strains along it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.elements.markers import marker_point, marker_rates, marker_rotation
from duoti.elements.matrices import matrix_times
from duoti.elements.pairs import add_pair, displacement, path_between
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper
from duoti.model.beam import Beam
from duoti.model.beam_strains import element_matrices, rest_coordinates, strain_channels, stretch_numbers
from duoti.model.element_id import Fault
from duoti.model.elements import Reference
from duoti.model.forces.base import MARKER_A, MARKER_B, Compiler, LineElement
from duoti.model.forces.channels import FORCE, TORQUE, ForceChannel
from duoti.spatial.algebra import (
    ZERO6,
    add,
    cross,
    cross_force,
    cross_motion,
    dot,
    get3,
    get9,
    get_spatial,
    matmul,
    mul,
    mulT,
    put_spatial,
    scale,
    shift_of,
    sqrt,
    sub,
    transpose,
    vadd,
    vdot,
    vsub,
)
from duoti.spatial.se3 import (
    inverse_coefficients,
    log_pose,
    tangent_inverse,
    tangent_inverse_derivative,
    tangent_inverse_transpose,
    tangent_inverse_transpose_derivative,
)

SIX = range(6)
REALS = (
    *(f"{what}_{i}_{j}" for what in ("stiffness", "damping") for i in SIX for j in SIX),
    *(f"rest_{i}" for i in SIX),
    "sheared",
    *(f"bow_{i}_{j}" for i in range(3) for j in range(3)),
)
STIFFNESS, DAMPING, REST, SHEARED, BOW = 0, 36, 72, 78, 79
DAMPED = 2  # place among the integers

Array = NDArray[np.float64]


@helper
def _coordinates(loads, w, a, b):
    """Exponential coordinates of marker b in marker a, and the twist of b relative to a, in b's frame."""
    R_WA, R_WB = marker_rotation(loads, w, a), marker_rotation(loads, w, b)
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    omega_a, v_a = marker_rates(loads, w, a, arm_a)
    omega_b, v_b = marker_rates(loads, w, b, arm_b)
    gap = sub(p_b, p_a)
    d = log_pose((matmul(transpose(R_WA), R_WB), mulT(R_WA, gap)))
    drift = sub(sub(v_b, v_a), cross(omega_a, gap))
    return d, (mulT(R_WB, sub(omega_b, omega_a)), mulT(R_WB, drift))


@helper
def _directions(r, f, u):
    """How the stretch of the element arises from u: stretch, unit vector along the element without stress, derivative
    of the stretch by u; then unit vector along u, and a number for its second derivative.

    Where the ends' x axes are turned from u to the same side, the element is sheared, or bent to and fro (an S). Shear
    counts the part of u along the axes (Reissner). An S has an arc that is longer than |u|, by |u_across|²/(10 length):
    the integral of w'²/2 of a cubic. `stretch_numbers` makes `sheared` and the matrix `bow` of both.
    """
    rest = get3(r, f, REST + 3)
    length, longer = sqrt(dot(rest, rest)), sqrt(dot(u, u))
    along, now, sheared = scale(1.0 / length, rest), scale(1.0 / longer, u), r[f, SHEARED]
    bow = mul(get9(r, f, BOW), u)
    stretch = sheared * dot(along, u) + (1.0 - sheared) * longer - length + 0.5 * dot(u, bow)
    slope = add(add(scale(sheared, along), scale(1.0 - sheared, now)), bow)
    return stretch, along, slope, now, (1.0 - sheared) / longer


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
    """Wrench -T^-T B^T (S s + D ds/dt) on b, with d = log(X_AB) and dd/dt = T^-1 times the relative twist.

    The strains s are the differences between d = (theta, u) and its values without stress, but along the element the
    stretch of its arc (see `_directions`); ds/dt = B dd/dt.
    """
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    r = loads.forces.reals
    d, twist = _coordinates(loads, w, a, b)
    c = inverse_coefficients(d)
    stretch, along, slope, _, _ = _directions(r, f, d[1])
    bent = _strains(r, f, d, along, stretch)
    rate = _strain_of(along, slope, tangent_inverse(d, c, twist))
    elastic = matrix_times(r, f, STIFFNESS, bent[0], bent[1])
    viscous = matrix_times(r, f, DAMPING, rate[0], rate[1])
    torque_B, force_B = tangent_inverse_transpose(d, c, _conjugate(along, slope, vadd(elastic, viscous)))
    R_WB = marker_rotation(loads, w, b)
    force, torque = mul(R_WB, force_B), mul(R_WB, torque_B)
    p_a, arm_a = marker_point(loads, w, a)
    p_b, arm_b = marker_point(loads, w, b)
    apply_wrench(loads, w, b, arm_b, scale(-1.0, force), scale(-1.0, torque))
    apply_wrench(loads, w, a, add(arm_a, sub(p_b, p_a)), force, torque)
    lost = vdot(rate, viscous)
    return 0.5 * vdot(bent, elastic), 0.0 * lost, lost


@helper
def _strains(r, f, d, along, stretch):
    u = sub(d[1], get3(r, f, REST + 3))
    return sub(d[0], get3(r, f, REST)), add(u, scale(stretch - dot(along, u), along))


@helper
def _beam_element_tangent(f, t, q, v, tree, loads, w, tan, path):
    """When b moves by xi (in its own frame), d changes by e = T^-1 xi, and the wrench with it and with its frame."""
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    damped = loads.forces.integers[f, DAMPED]
    r = loads.forces.reals
    A, B = loads.markers.body[a], loads.markers.body[b]
    d, twist = _coordinates(loads, w, a, b)
    c = inverse_coefficients(d)
    stretch, along, slope, now, bend = _directions(r, f, d[1])
    bent = _strains(r, f, d, along, stretch)
    coordinate_rate = tangent_inverse(d, c, twist)
    rate = _strain_of(along, slope, coordinate_rate)
    strained = vadd(matrix_times(r, f, STIFFNESS, bent[0], bent[1]), matrix_times(r, f, DAMPING, rate[0], rate[1]))
    tension = dot(along, strained[1])
    sigma = _conjugate(along, slope, strained)
    R = marker_rotation(loads, w, b)
    p_b, _ = marker_point(loads, w, b)
    arm = sub(p_b, get3(w.X_WB, 1, 9))
    n_B, f_B = tangent_inverse_transpose(d, c, sigma)
    force = mul(R, f_B)
    W = (scale(-1.0, add(mul(R, n_B), cross(arm, force))), scale(-1.0, force))
    V_B = get_spatial(tan.V_W, B)
    n = path_between(tree, path, A, B)
    for k in range(n):
        S_j, y_j = displacement(tan, path.column[k], V_B)
        xi = (mulT(R, S_j[0]), mulT(R, shift_of(S_j, arm)))
        e = tangent_inverse(d, c, xi)
        turn = add(  # of the slope of the stretch
            scale(bend, sub(e[1], scale(dot(now, e[1]), now))),
            mul(get9(r, f, BOW), e[1]),
        )
        strain = _strain_of(along, slope, e)
        change = matrix_times(r, f, STIFFNESS, strain[0], strain[1])
        if damped == 1:
            eta = (mulT(R, y_j[0]), mulT(R, shift_of(y_j, arm)))
            quicker = tangent_inverse(d, c, vsub(eta, cross_motion(xi, twist)))
            faster = _strain_of(along, slope, vadd(tangent_inverse_derivative(d, c, e, twist), quicker))
            faster = (faster[0], add(faster[1], scale(dot(turn, coordinate_rate[1]), along)))
            change = vadd(change, matrix_times(r, f, DAMPING, faster[0], faster[1]))
            drag = _conjugate(along, slope, matrix_times(r, f, DAMPING, strain[0], strain[1]))
            put_spatial(path.W_v, k, _in_world(R, arm, tangent_inverse_transpose(d, c, drag)))
        change = _conjugate(along, slope, change)
        change = (change[0], add(change[1], scale(tension, turn)))
        turned = tangent_inverse_transpose_derivative(d, c, e, sigma)
        of_b = _in_world(R, arm, vadd(turned, tangent_inverse_transpose(d, c, change)))
        put_spatial(path.W_q, k, vadd(of_b, cross_force(S_j, W)))
    add_pair(tree, tan, path, n, W, damped)


@helper
def _in_world(R, arm, F):
    """The opposite of a wrench in b's frame, in world axes about the point from which `arm` leads to b."""
    force = mul(R, F[1])
    return vsub(ZERO6, (add(mul(R, F[0]), cross(arm, force)), force))


class BeamElement(LineElement):
    """A piece of a beam between two markers, in one go: stretch, shear, twist and bending, however far it moves.

    The markers' x axes are along the beam, their z axes towards `up` of its section. Strains are constant along the
    element (Sonneville, Cardona, Brüls 2014): between the markers the axis is an arc of a helix. It is free of stress
    in the reference configuration, or at the coordinates `rest` of marker_b in marker_a (rotation vector [rad], then
    displacement [m], as exponential coordinates: a curve of constant curvature and twist). `length` [m] is that of its
    axis; by default that of the stress-free arc. It must turn by less than half a turn, and is good below a quarter.
    It has no mass: that of `add_beam` is in the nodes.

    The linear variation of the bending moment along the element is accounted for by its flexibility (MacNeal 1978,
    "residual bending flexibility"), so that small deflections are exact at the markers for forces at the markers. The
    stretch accounts for that bending to and fro.
    """

    kind = "beam_element"
    INTEGERS = (*LineElement.INTEGERS, "damped")
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
    ):
        self.marker_a, self.marker_b = marker_a, marker_b
        self.beam, self.length, self.rest = beam, length, rest
        self._reference: Array | None = None

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Both ends."""
        return (("marker_a", self.marker_a), ("marker_b", self.marker_b))

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Force and torque on the body of marker_b; section forces and strains in the middle, see `r.along`."""
        return {"force": FORCE, "torque": TORQUE, **strain_channels(self)}

    def faults(self) -> list[Fault]:
        """See `Force.faults`."""
        found: list[Fault] = []
        if not isinstance(self.beam, Beam):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(Fault(f"beam is {self.beam!r}; give a dt.Beam", "beam"))
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
        """See `Force.integers`."""
        if self.rest is None:
            self._reference = rest_coordinates(
                compiler.reference_pose(self.marker_a), compiler.reference_pose(self.marker_b)
            )
        return {**super().integers(compiler), "damped": int(np.any(self.beam.damping_times))}

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
        """See `Force.reals`."""
        rest = self.rest_coordinates
        S, D = element_matrices(self.beam, rest, self.length)
        sheared, bow = stretch_numbers(self.beam, rest, self.length)
        values = [*S.ravel().tolist(), *D.ravel().tolist(), *rest.tolist(), sheared, *bow.ravel().tolist()]
        return dict(zip(REALS, values, strict=True))
