"""Numbers of a beam element: its matrices, its coordinates without stress, strains and section forces.

Users write forces and strains of a section as (N, Qy, Qz, Mx, My, Mz); spatial vectors have the angular part first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.beam_section import Beam
from duoti.model.forces.channels import ForceChannel, Seen
from duoti.spatial import Pose

Array = NDArray[np.float64]
TO_SPATIAL = [3, 4, 5, 0, 1, 2]
"""From the order of users to that of spatial vectors, and back."""
POINTS, WEIGHTS = (0.5 * x[:, None, None] for x in np.polynomial.legendre.leggauss(8))
POINTS = POINTS + 0.5
"""Of Gauss on (0, 1), [points, 1, 1]: exact to round-off for arcs of up to half a turn."""


def exponential_coordinates(R: Array, p: Array) -> Array:
    """log of poses [..., 3, 3], [..., 3]: rotation vectors and displacements, [..., 6] (see `spatial.se3`)."""
    s = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1)
    n = np.sqrt(np.sum(s * s, axis=-1, keepdims=True) + 1e-300)
    trace = np.trace(R, axis1=-2, axis2=-1)[..., None]
    theta = np.arctan2(n, trace - 1.0) / n * s
    x2 = np.sum(theta * theta, axis=-1, keepdims=True)
    half = np.sqrt(x2) / 2.0
    small = half < 0.05
    safe = np.where(small, 1.0, half)
    k = np.where(small, 1.0 / 12.0 + x2 / 720.0 + x2**2 / 30240.0 + x2**3 / 1209600.0,
                 (1.0 - safe / np.tan(safe)) / np.where(small, 1.0, x2))  # fmt: skip
    a = np.cross(theta, p)
    return np.concatenate([theta, p - 0.5 * a + k * np.cross(theta, a)], axis=-1)


def rest_coordinates(X_WA: Pose, X_WB: Pose) -> Array:
    """Exponential coordinates of B in A."""
    X_AB = X_WA.inverse() @ X_WB
    return exponential_coordinates(np.asarray(X_AB.rotation.matrix), np.asarray(X_AB.position))


def element_length(rest: Array, length: float | None) -> float:
    """Length of the axis [m]: as given, or that of the stress-free arc."""
    return float(np.linalg.norm(rest[3:])) if length is None else float(length)


def element_matrices(beam: Beam, rest: Array, length: float | None, taper: Beam | None = None) -> tuple[Array, Array]:
    """Stiffness S and damping D by exponential coordinates d, angular part first; with a taper, `beam` is at end a.

    A wrench W at end b makes the section forces Ad(x)^-T W, where Ad(x) = exp(x ad) takes motions from b's frame to
    that of the section at the part 1 - x of the arc `rest`; their mean is T^T W, T = ∫ Ad(x)^-1 dx (x from 0 to 1). By
    the complementary energy of all of them end b moves by Phi W = T dd, where Phi = L ∫ Ad(x)^-1 C Ad(x)^-T dx with the
    compliance C = K^-1 of the section, so

        S^-1 = T^-1 Phi T^-T = L ∫ (1 + B) C (1 + B)^T dx,   B = T^-1 Ad(x)^-1 - 1.

    B is what section forces that differ from their mean add. For straight elements it is the residual bending
    flexibility of MacNeal (1978, Computers and Structures 8); of curved ones it couples bending with torsion. What it
    says of the stretch is left out: the chord of an arc yields by bending (by L⁴/720 of its curvature squared over
    E I), but only until it is straight, and a soft rope would stretch without end.
    """
    L = element_length(rest, length)
    if taper is None:
        C = np.linalg.inv(beam.matrix)
    else:
        C = np.linalg.inv([beam.between(taper, 1.0 - x).matrix for x in POINTS.ravel().tolist()])
    C = C[..., TO_SPATIAL, :][..., TO_SPATIAL]
    to_section = _backward_adjoints(rest)
    B = np.linalg.solve(np.sum(WEIGHTS * to_section, axis=0), to_section) - np.eye(6)
    along = rest[3:] / np.linalg.norm(rest[3:])
    B[:, 3:] -= along[:, None] * (along @ B[:, 3:])[:, None, :]
    B += np.eye(6)
    S = np.linalg.inv(L * np.sum(WEIGHTS * (B @ C @ B.transpose(0, 2, 1)), axis=0))
    S = 0.5 * (S + S.T)
    root = np.sqrt(beam.damping_times if taper is None else beam.between(taper, 0.5).damping_times)[TO_SPATIAL]
    return S, root[:, None] * S * root


def _backward_adjoints(d: Array) -> Array:
    """exp(-x ad(d)) at the Gauss points x of (0, 1), [points, 6, 6]."""
    ad = np.zeros((6, 6))
    for rows, columns, v in ((slice(0, 3), slice(0, 3), d[:3]), (slice(3, 6), slice(0, 3), d[3:])):
        x, y, z = v.tolist()
        ad[rows, columns] = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))
    ad[3:, 3:] = ad[:3, :3]
    term = -POINTS * ad
    found, size, k = np.eye(6) + term, 1.0, 1
    turn = math.hypot(*d[:3].tolist())
    while (size := size * turn / k) > 1e-17:  # ad² = 0 where nothing turns
        k += 1
        term = (-POINTS / k) * (term @ ad)
        found += term
    return found


def _residual_compliance(C: Array, rest: Array, L: float) -> Array:
    x, y, z = rest[3:] / np.linalg.norm(rest[3:])
    E = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return L * L / 12.0 * E.T @ C[3:, 3:] @ E


def stretch_numbers(beam: Beam, rest: Array, length: float | None) -> tuple[float, Array]:
    """How u_across makes the element longer or shorter (see `forces.beam_element`).

    Of u_across, P u is bending to and fro and (1 - P) u is shear, as their compliances are. To second order the
    stretch is |u| + (|P u|²/10 - |(1 - P) u|²/2) / L. With the part `sheared` of shear in all directions, which is
    taken as Reissner's without expansion, it is sheared u_along + (1 - sheared) |u| + u . bow u / 2.
    """
    L = element_length(rest, length)
    C: Array = np.linalg.inv(beam.matrix).astype(float)
    along = rest[3:] / np.linalg.norm(rest[3:])
    _, _, axes = np.linalg.svd(along[None, :])
    plane = axes[1:]  # two unit vectors across
    bending = plane @ _residual_compliance(C, rest, L) @ plane.T
    P = bending @ np.linalg.inv(bending + plane @ C[:3, :3] @ plane.T)
    shear = (np.eye(2) - P).T @ (np.eye(2) - P)
    sheared = float(np.clip(np.linalg.eigvalsh(shear)[0], 0.0, 1.0))
    Q = (P.T @ P / 5.0 - shear + sheared * np.eye(2)) / float(np.linalg.norm(rest[3:]))
    return sheared, plane.T @ (0.5 * (Q + Q.T)) @ plane


def seen_coordinates(frames: Array) -> Array:
    """Exponential coordinates, [time, 6], of the second of two frames (see `Seen`) in the first."""
    R_WA, R_WB = (frames[:, k, :9].reshape(-1, 3, 3) for k in (0, 1))
    gap = frames[:, 1, 9:12] - frames[:, 0, 9:12]
    return exponential_coordinates(np.swapaxes(R_WA, 1, 2) @ R_WB, np.einsum("tji,tj->ti", R_WA, gap))


def section_strains(element: Any, frames: Array) -> Array:
    """Strains [time, 6] (stretch, shears, twist, curvatures) of a beam element, by the stiffness of its middle."""
    return np.linalg.solve(element.beam_at(0.5).matrix, section_forces(element, frames).T).T


def section_forces(element: Any, frames: Array) -> Array:
    """Elastic section forces [time, 6] (N, Qy, Qz, Mx, My, Mz) in the middle of a beam element, of its end b on a."""
    rest = element.rest_coordinates
    S, _ = element_matrices(element.beam, rest, element.length, element.taper)
    sheared, bow = stretch_numbers(element.beam_at(0.5), rest, element.length)
    d = seen_coordinates(frames)
    length = float(np.linalg.norm(rest[3:]))
    along, u = rest[3:] / length, d[:, 3:]
    bent = d - rest
    stretch = sheared * (u @ along) + (1.0 - sheared) * np.linalg.norm(u, axis=1) - length
    stretch += 0.5 * np.einsum("ti,ij,tj->t", u, bow, u)
    bent[:, 3:] += (stretch - bent[:, 3:] @ along)[:, None] * along
    return (bent @ S)[:, TO_SPATIAL]


def strain_channels(element: Any) -> Mapping[str, ForceChannel]:
    """Channels of one element: section forces and strains."""

    def forces(seen: Seen) -> Array:
        return section_forces(element, seen.frames)

    def strains(seen: Seen) -> Array:
        return section_strains(element, seen.frames)

    return {
        "section_force": ForceChannel("N", 3, lambda seen: forces(seen)[:, :3]),
        "section_moment": ForceChannel("N m", 3, lambda seen: forces(seen)[:, 3:]),
        "strain": ForceChannel("1", 3, lambda seen: strains(seen)[:, :3]),
        "curvature": ForceChannel("rad/m", 3, lambda seen: strains(seen)[:, 3:]),
    }
