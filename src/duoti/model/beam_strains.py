"""Numbers of a beam element: its matrices, its coordinates without stress, strains and section forces.

Users write forces and strains of a section as (N, Qy, Qz, Mx, My, Mz); spatial vectors have the angular part first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beam import Beam
from duoti.model.forces.channels import ForceChannel, Seen
from duoti.spatial import Pose

Array = NDArray[np.float64]
TO_SPATIAL = [3, 4, 5, 0, 1, 2]
"""From the order of users to that of spatial vectors, and back."""


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


def element_matrices(beam: Beam, rest: Array, length: float | None) -> tuple[Array, Array]:
    """Stiffness S and damping D by exponential coordinates, angular part first.

    S = K*/L. The moment m + s e x f along the element (s from its middle, e along it, f the force) has, beside that of
    its mean value, the complementary energy L³/24 (e x f) . C (e x f) with the bending compliance C. It is added to
    the shear compliance: K*^-1 = K^-1 + L²/12 (...) (MacNeal 1978, Computers and Structures 8).
    """
    L = element_length(rest, length)
    C: Array = np.linalg.inv(beam.matrix).astype(float)
    C[:3, :3] += _residual_compliance(C, rest, L)
    K = np.linalg.inv(C)
    K = 0.5 * (K + K.T)
    root = np.sqrt(beam.damping_times)
    S = (K / L)[np.ix_(TO_SPATIAL, TO_SPATIAL)]
    return S, (root[:, None] * K * root / L)[np.ix_(TO_SPATIAL, TO_SPATIAL)]


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
    """Strains [time, 6] (stretch, shears, twist, curvatures) of a beam element, by the section's own stiffness."""
    return np.linalg.solve(element.beam.matrix, section_forces(element, frames).T).T


def section_forces(element: Any, frames: Array) -> Array:
    """Elastic section forces [time, 6] (N, Qy, Qz, Mx, My, Mz) in the middle of a beam element, of its end b on a."""
    rest = element.rest_coordinates
    S, _ = element_matrices(element.beam, rest, element.length)
    sheared, bow = stretch_numbers(element.beam, rest, element.length)
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
