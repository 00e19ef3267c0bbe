"""Section forces, strains, stresses and energies along a beam."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.beam_section import Beam
from duoti.model.beams.spectral_strains import node_forces
from duoti.model.beams.strains import section_forces
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.forces.spectral_beam_element import SpectralBeamElement
from duoti.model.forces.thin_beam import ThinBeam

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Along:
    """A quantity along a beam: `values` at the places `s` [m] from its start, one row for each time of `t`.

    Each piece between neighbouring nodes has two places, its ends, so that jumps at nodes that are loaded show; of
    order 1 these pieces are the elements. `envelope` are the least and largest values over time at each place.
    """

    beam: str
    quantity: str
    unit: str
    t: Array
    s: Array
    values: Array
    _body: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def picture(self, t: float | None = None) -> Figure:
        """The beam at a time (the last one by default) as a body of its section, coloured by the quantity."""
        from duoti.results.plot.beams import picture

        if isinstance(t, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] # `result.picture` takes a path
            raise TypeError(
                f"picture(t) returns a figure for a time t [s]; to write it: .picture().savefig({str(t)!r})"
            )
        if not self._body:
            raise ChannelError(
                f'cable "{self.beam}" has no section to draw; .plot() has the diagram, and '
                'result.picture(path, beams="axial_force") the coloured cable'
            )
        row = len(self.t) - 1 if t is None else int(np.argmin(np.abs(self.t - t)))
        frames, ends, beams = self._body
        return picture(self, frames, ends, beams, row)

    @property
    def envelope(self) -> tuple[Array, Array]:
        """Least and largest values over time."""
        values = np.atleast_2d(self.values)
        return values.min(axis=0), values.max(axis=0)

    def plot(self, *times: float) -> Figure:
        """The diagram at these times [s] (by default the last one), on the envelope over all times."""
        from duoti.results.plot.plots import COLOURS, dress, new_figure

        figure = new_figure(7.0, 3.2)
        axis = figure.subplots()
        values = np.atleast_2d(self.values)
        if len(values) > 1:
            low, high = self.envelope
            axis.fill_between(self.s, low, high, color="0.88", linewidth=0.0, label="envelope")
        chosen = times or ((float(self.t[-1]),) if len(self.t) else ())
        for k, time in enumerate(chosen):
            row = int(np.argmin(np.abs(self.t - time)))
            axis.plot(self.s, values[row], color=COLOURS[k % len(COLOURS)], label=f"t = {self.t[row]:.4g} s")
        axis.axhline(0.0, color="0.6", linewidth=0.7)
        axis.set_xlabel(f"place along {self.beam} in m")
        dress(axis, f"{self.quantity.replace('_', ' ')} in {self.unit}")
        return figure

    def __repr__(self) -> str:
        return f"<{self.quantity} along {self.beam!r} [{self.unit}]: {len(self.s)} places, {len(self.t)} times>"


def _strains(F: Array, beam: Beam) -> Array:
    return np.linalg.solve(beam.matrix, F.T).T.astype(float)


def _stress(F: Array, beam: Beam) -> Array:
    """Normal stress of largest size at the outline: E (stretch + z curvature_y - y curvature_z)."""
    if beam.section is None or beam.material is None or not beam.section.outline:
        raise ChannelError("stresses need a beam made of a section with an outline and a material")
    e = _strains(F, beam)
    points = np.array([point for line in beam.section.outline for point in line])
    stress = beam.material.youngs_modulus * (e[:, :1] + e[:, 4:5] * points[None, :, 1] - e[:, 5:6] * points[None, :, 0])
    return np.take_along_axis(stress, np.argmax(np.abs(stress), axis=1)[:, None], axis=1)[:, 0]


def _component(k: int) -> Callable[[Array, Beam], Array]:
    return lambda F, beam: F[:, k]


def _strain(k: int) -> Callable[[Array, Beam], Array]:
    return lambda F, beam: _strains(F, beam)[:, k]


QUANTITIES: dict[str, tuple[str, Callable[[Array, Beam], Array]]] = {
    "axial_force": ("N", _component(0)),
    "shear_force_y": ("N", _component(1)),
    "shear_force_z": ("N", _component(2)),
    "shear_force": ("N", lambda F, beam: np.hypot(F[:, 1], F[:, 2])),
    "torque": ("N m", _component(3)),
    "bending_moment_y": ("N m", _component(4)),
    "bending_moment_z": ("N m", _component(5)),
    "bending_moment": ("N m", lambda F, beam: np.hypot(F[:, 4], F[:, 5])),
    "stretch": ("1", _strain(0)),
    "shear_y": ("1", _strain(1)),
    "shear_z": ("1", _strain(2)),
    "twist": ("rad/m", _strain(3)),
    "curvature_y": ("rad/m", _strain(4)),
    "curvature_z": ("rad/m", _strain(5)),
    "curvature": ("rad/m", lambda F, beam: np.hypot(*_strains(F, beam)[:, 4:].T)),
    "strain_energy": ("J/m", lambda F, beam: 0.5 * np.sum(F * _strains(F, beam), axis=1)),
    "stress": ("Pa", _stress),
}
"""Quantities along a beam by name: unit, and how they follow from section forces (N, Qy, Qz, Mx, My, Mz)."""

OTHER_NAMES = {"normal_stress": "stress"}
"""Names of the same in the viewer."""


def along(source: Any, t: Array, beam: Any, quantity: str) -> Along:
    """A quantity along a beam, from something that has channels of its nodes: see `Result.along`."""
    model, name = source.model, beam if isinstance(beam, str) else str(beam.name)
    if name not in model.beams and (elements := _cable(model, name)):
        return _along_cable(source, t, name, elements, quantity)
    if isinstance(thin := model.forces.get(f"{name}.line"), ThinBeam):
        return _along_thin(source, t, name, thin, quantity)
    if name not in model.beams:
        raise ChannelError(f'there is no beam "{name}".{did_you_mean(name, model.beams)}')
    quantity = OTHER_NAMES.get(quantity, quantity)
    if quantity not in QUANTITIES:
        hint = did_you_mean(quantity, QUANTITIES)
        raise ChannelError(f'a beam has no "{quantity}".{hint} There are {", ".join(QUANTITIES)}')
    part = model.beams[name]
    unit, value = QUANTITIES[quantity]
    frames = [_frames(source, node.name) for node in part.nodes]
    found: list[Array] = []
    for e, element_name in enumerate(part.element_names):
        element = source.system.model.forces[element_name]
        nodes = np.stack([frames[k] for k in part.nodes_of(e)], axis=1)
        found += [value(there, made_of) for there, made_of in piece_forces(element, nodes)]
    places = np.repeat(part.stations, 2)[1:-1] * part.length
    ends = [part.ends_of(k) for k in range(len(part.stations) - 1)]
    beams = [each for name in part.element_names for each in piece_beams(source.system.model.forces[name])]
    return Along(name, quantity, unit, t, places, np.stack(found, axis=1), (frames, ends, beams))


def _cable(model: Any, name: str) -> dict[str, Any]:
    """The elements of a cable that does not resist bending, by name; none if there is no such cable."""
    found: dict[str, Any] = {}
    while (force := model.forces.get(f"{name}.element{len(found) + 1}")) is not None and hasattr(force, "rest_length"):
        found[f"{name}.element{len(found) + 1}"] = force
    return found


def _along_cable(source: Any, t: Array, name: str, elements: dict[str, Any], quantity: str) -> Along:
    if quantity not in ("axial_force", "tension"):
        raise ChannelError(f'cable "{name}" does not resist bending and has no "{quantity}": there is axial_force')
    places = np.concatenate([[0.0], np.cumsum([force.rest_length for force in elements.values()])])
    tension = np.stack([np.atleast_1d(source[f"{element}.tension"]) for element in elements], axis=-1)
    values = np.repeat(tension, 2, axis=-1)
    return Along(name, quantity, "N", t, np.repeat(places, 2)[1:-1], values)


def _along_thin(source: Any, t: Array, name: str, thin: ThinBeam, quantity: str) -> Along:
    if quantity not in ("axial_force", "tension", "bending_moment"):
        raise ChannelError(f'thin cable "{name}" has no "{quantity}": there are axial_force and bending_moment')
    places = np.repeat(np.concatenate([[0.0], np.cumsum(thin.rest)]), 2)[1:-1]
    if quantity == "bending_moment":
        moments = np.reshape(source[f"{name}.line.bending_moment"], (len(t), -1, 3))
        return Along(name, quantity, "N m", t, places, np.repeat(np.linalg.norm(moments, axis=2), 2, axis=1)[:, 1:-1])
    tension = np.reshape(source[f"{name}.line.tension"], (len(t), -1))
    return Along(name, quantity, "N", t, places, np.repeat(tension, 2, axis=1))


def piece_forces(element: Any, frames: Array) -> list[tuple[Array, Beam]]:
    """Section forces [time, 6] at both ends of each piece between neighbouring nodes of an element, and beams there.

    frames: of its nodes, see `Seen`. An element of order 1 is one piece.
    """
    if isinstance(element, SpectralBeamElement):
        F = np.swapaxes(node_forces(element, frames), 0, 1)
        return [each for pair in pairwise(zip(F, element.node_beams, strict=True)) for each in pair]
    ends = at_ends(element, section_forces(element, frames))
    return [(F, element.beam_at(float(end))) for end, F in enumerate(ends)]


def piece_beams(element: Any) -> Sequence[Beam]:
    """What each piece between neighbouring nodes of an element is made of."""
    return element.point_beams if isinstance(element, SpectralBeamElement) else (element.beam_at(0.5),)


def at_ends(element: Any, F: Array) -> tuple[Array, Array]:
    """Section forces [time, 6] at both ends of an element from those in its middle."""
    rest = element.rest_coordinates
    arm = 0.5 * np.cross(rest[3:], F[:, :3])  # the moment changes by its opposite over half the length
    none = np.zeros_like(arm)
    return F + np.hstack([none, arm]), F - np.hstack([none, arm])


def _frames(source: Any, node: str) -> Array:
    """Rotation matrices and positions of a node, [time, 12]."""
    position, q = (np.atleast_2d(source[f"body:{node}.{what}"]) for what in ("position", "rotation"))
    w, x, y, z = q.T
    R = np.stack([
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ], axis=1)  # fmt: skip
    return np.concatenate([R, position], axis=1)
