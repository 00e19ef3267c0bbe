"""A beam drawn as a body of its true section, coloured by a quantity along it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.beam import section_size
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.strains import exponential_coordinates
from duoti.spatial.angular_velocity import rotation_vector_rate_matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
PIECES = 4  # of an element, so that curves look smooth


def outline_of(beam: Beam) -> Array:
    """The outer line of the section, (n, 2); for a beam given by numbers, a rectangle that has these."""
    if beam.section is not None and beam.section.outline:
        return np.array(beam.section.outline[0])
    y, z = section_size(beam)
    return 0.5 * np.array([(-y, -z), (y, -z), (y, z), (-y, z)])


def swept(frame_a: Array, frame_b: Array, outline: Array) -> Array:
    """Points (PIECES + 1, n, 3) of the outline carried along the arc from one node to the next."""
    R_a, p_a = frame_a[:9].reshape(3, 3), frame_a[9:]
    R_b, p_b = frame_b[:9].reshape(3, 3), frame_b[9:]
    d = exponential_coordinates(R_a.T @ R_b, R_a.T @ (p_b - p_a))
    found: list[Array] = []
    for part in np.linspace(0.0, 1.0, PIECES + 1):
        theta, u = part * d[:3], part * d[3:]
        J = rotation_vector_rate_matrix(theta, "space")
        W = np.array([[0, -theta[2], theta[1]], [theta[2], 0, -theta[0]], [-theta[1], theta[0], 0]])
        R = R_a @ (np.eye(3) + W @ J)  # exp(W) = 1 + W J
        p = p_a + R_a @ (J @ u)
        found.append(p + outline @ R[:, 1:].T)
    return np.array(found)


def picture(along: Any, frames: list[Array], ends: list[tuple[int, int]], beams: list[Beam], row: int) -> Figure:
    """The body at one time (row of `frames`), coloured by the values there, with a scale."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    from duoti.results.plot.plots import new_figure

    values = np.atleast_2d(along.values)[row].reshape(-1, 2)
    faces: list[Array] = []
    colours: list[float] = []
    points: list[Array] = []
    for (a, b), beam, (first, last) in zip(ends, beams, values, strict=True):
        body = swept(frames[a][row], frames[b][row], outline_of(beam))
        points.append(body.reshape(-1, 3))
        for k in range(PIECES):
            low, high = body[k], body[k + 1]
            for i in range(len(low)):
                j = (i + 1) % len(low)
                faces.append(np.array([low[i], low[j], high[j], high[i]]))
                colours.append(float(first + (last - first) * (k + 0.5) / PIECES))
    figure = new_figure(7.0, 5.0)
    axis: Any = figure.add_subplot(projection="3d")
    shown = Poly3DCollection(faces, cmap="viridis", edgecolor="none")
    shown.set_array(np.array(colours))
    axis.add_collection3d(shown)
    cloud = np.concatenate(points)
    middle, half = (cloud.max(axis=0) + cloud.min(axis=0)) / 2.0, np.ptp(cloud, axis=0).max() / 2.0
    for name, centre in zip("xyz", middle, strict=True):
        getattr(axis, f"set_{name}lim")(centre - half, centre + half)
        getattr(axis, f"set_{name}label")(f"{name} in m")
    axis.set_box_aspect((1, 1, 1))
    figure.colorbar(shown, ax=axis, shrink=0.7, pad=0.12, label=f"{along.quantity.replace('_', ' ')} in {along.unit}")
    figure.suptitle(f"{along.beam}, t = {along.t[row]:.4g} s", x=0.02, ha="left", fontsize=11)
    return figure
