"""Motions as files of VTK, which ParaView, PyVista and meshio read: a .pvd series of .vtp and .vtu files.

The parts of a series have a file for each time: `bodies` (surfaces of rigid bodies), one part for each flexible body,
one for each beam or cable, and `forces`. Everything is in world axes and SI units, with 64 bits.
"""

from __future__ import annotations

import base64
import re
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from duoti.flexible.structure.structure import von_mises
from duoti.model.elements import GROUND
from duoti.model.errors import ChannelError
from duoti.model.forces.beam_element import BeamElement
from duoti.model.forces.spectral_beam_element import SpectralBeamElement
from duoti.model.mechanism.placement import place_bodies
from duoti.results.evaluate.beam_fields import piece_forces
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.results.result import Result
from duoti.view.export.drawn import Chain, DrawnMotion, SweptSkin, between, swept_points, swept_skin
from duoti.view.scene.beams_and_cables import ends_of, marked, pieces_of

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
CELL_TYPES = {"tet4": 10, "hex8": 12, "tet10": 24}
TRIANGLE, LINE = 5, 3
TYPES = {"f": "Float64", "i": "Int64", "u": "UInt8"}
TENSOR = ("XX", "YY", "ZZ", "XY", "YZ", "XZ")
VECTOR = ("X", "Y", "Z")
REACTION, CONTACT = 0, 1


def export_vtk(result: Result, folder: str | Path, rate: float | None = None) -> Path:
    """See `Result.export_vtk`."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise ValueError(f"{target} is a file; give a folder")
    return write_series(result, target / f"{_file_name(result.model.name)}.pvd", rate)


def write_series(result: Result, series: Path, rate: float | None = None) -> Path:
    """A .pvd file, and a folder of the same name without its ending beside it."""
    motion = DrawnMotion(result, rate)
    name = series.stem
    data = series.with_suffix("")
    if data.exists() and not data.is_dir():
        raise ValueError(f"{data} is a file; a series has a folder of this name for its parts")
    if data.exists():  # of an earlier series, which may have been longer
        shutil.rmtree(data)
    data.mkdir(parents=True)
    parts: list[tuple[str, str]] = []
    taken: set[str] = set()
    for part in _parts(motion):
        stem = _free(_file_name(part.name), taken)
        for k in range(len(motion.t)):
            (data / f"{stem}_{k:05d}.{part.ending}").write_text(part.text(k), encoding="ascii", newline="\n")
        parts.append((part.name, f"{name}/{stem}_{{:05d}}.{part.ending}"))
    lines = [
        '<?xml version="1.0"?>',
        '<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">',
        "<Collection>",
    ]
    for k, t in enumerate(motion.t.tolist()):
        lines += [
            f'<DataSet timestep="{t!r}" group="" part="{i}" name={quoteattr(part)} file={quoteattr(file.format(k))}/>'
            for i, (part, file) in enumerate(parts)
        ]
    series.write_text("\n".join([*lines, "</Collection>", "</VTKFile>", ""]), encoding="utf-8", newline="\n")
    return series


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("._") or "model"


def _free(name: str, taken: set[str]) -> str:
    found, k = name, 2
    while found in taken:
        found, k = f"{name}_{k}", k + 1
    taken.add(found)
    return found


def _array(name: str, values: NDArray, components: tuple[str, ...] = ()) -> str:
    """One array, compressed."""
    kind = "u" if values.dtype == np.uint8 else values.dtype.kind
    data = np.ascontiguousarray(values, dtype={"f": "<f8", "i": "<i8", "u": "u1"}[kind]).tobytes()
    packed = zlib.compress(data, 4)
    blocks = [1, len(data), 0, len(packed)] if data else [0, 0, 0]
    head = base64.b64encode(np.array(blocks, dtype="<u4").tobytes()).decode("ascii")
    body = base64.b64encode(packed).decode("ascii") if data else ""
    size = 1 if values.ndim == 1 else values.shape[1]
    named = "".join(f' ComponentName{k}="{c}"' for k, c in enumerate(components))
    return (
        f'<DataArray type="{TYPES[kind]}" Name={quoteattr(name)} NumberOfComponents="{size}"{named} format="binary">'
        f"{head}{body}</DataArray>"
    )


def _strings(name: str, values: list[str]) -> str:
    """A list of names, as VTK writes texts: the codes of their characters, each text ended by a zero."""
    codes = " ".join(str(byte) for value in values for byte in (*value.encode(), 0))
    return f'<Array type="String" Name={quoteattr(name)} NumberOfTuples="{len(values)}" format="ascii">{codes}</Array>'


def _fields(fields: Mapping[str, NDArray]) -> str:
    components = {3: VECTOR, 6: TENSOR}
    return "".join(
        _array(name, each, components.get(each.shape[1], ()) if each.ndim == 2 else ()) for name, each in fields.items()
    )


class _Part:
    """One part of a series: `text(k)` is its file at output k."""

    name: str
    ending: str

    def text(self, k: int) -> str:
        raise NotImplementedError


class _PolyData(_Part):
    """Polygons, lines or points whose connection does not change."""

    ending = "vtp"

    def __init__(self, name: str, cells: str, nodes: Integers, names: Mapping[str, list[str]] | None = None):
        self.name, self.cells = name, cells
        self.count = len(nodes)
        offsets = nodes.shape[1] * np.arange(1, len(nodes) + 1)
        self.topology = _array("connectivity", nodes.ravel()) + _array("offsets", offsets)
        self.names = "".join(_strings(what, list(each)) for what, each in (names or {}).items())
        self.fixed = ""
        """Fields of cells that stay."""

    def content(self, k: int) -> tuple[Array, dict[str, NDArray], dict[str, NDArray]]:
        """Points, and fields at points and in cells, at output k."""
        raise NotImplementedError

    def text(self, k: int) -> str:
        points, at_points, in_cells = self.content(k)
        counts = {"Verts": 0, "Lines": 0, "Strips": 0, "Polys": 0} | {self.cells: self.count}
        numbers = " ".join(f'NumberOf{what}="{count}"' for what, count in counts.items())
        return (
            '<?xml version="1.0"?>\n<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" '
            'header_type="UInt32" compressor="vtkZLibDataCompressor">\n<PolyData>'
            + (f"<FieldData>{self.names}</FieldData>" if self.names else "")
            + f'<Piece NumberOfPoints="{len(points)}" {numbers}>\n<Points>{_array("Points", points)}</Points>\n'
            f"<PointData>{_fields(at_points)}</PointData>\n<CellData>{self.fixed}{_fields(in_cells)}</CellData>\n"
            f"<{self.cells}>{self.topology}</{self.cells}>\n</Piece></PolyData></VTKFile>\n"
        )


class _Bodies(_PolyData):
    """Surfaces of the rigid bodies."""

    def __init__(self, motion: DrawnMotion):
        self.motion, names = motion, [GROUND, *motion.names]
        triangles: list[Array] = []
        owner: list[int] = []
        for number, name in enumerate(names):
            for surface in motion.surfaces.get(name, []):
                if not surface.faint:
                    triangles.append(surface.triangles)
                    owner += [number] * len(surface.triangles)
        corners = np.concatenate(triangles).reshape(-1, 3) if triangles else np.zeros((0, 3))
        bodies = np.repeat(np.array(owner, dtype=np.int64), 3)
        _, chosen, index = np.unique(np.column_stack([bodies, corners]), axis=0, return_index=True, return_inverse=True)
        self.points, self.body = corners[chosen], bodies[chosen]
        super().__init__("bodies", "Polys", index.reshape(-1, 3), {"body_names": names})
        self.fixed = _array("body", np.array(owner, dtype=np.int64))
        self.motions = np.stack([motion.motion(name) for name in names], axis=1)

    def content(self, k: int) -> tuple[Array, dict[str, NDArray], dict[str, NDArray]]:
        m = self.motions[k][self.body]
        arm = np.einsum("nij,nj->ni", m[:, :9].reshape(-1, 3, 3), self.points)
        return m[:, 9:12] + arm, {"velocity": m[:, 15:18] + np.cross(m[:, 12:15], arm)}, {}


class _Flexible(_Part):
    """A flexible body: its elements if they are known, otherwise its surface or lines."""

    ending = "vtu"

    def __init__(self, motion: DrawnMotion, name: str):
        self.motion, self.name, self.skin = motion, name, motion.skins[name]
        kind, nodes = self.skin.cells or ("", self.skin.faces)
        code = CELL_TYPES.get(kind)
        if code is None:
            nodes, code = self.skin.faces, TRIANGLE if self.skin.faces.shape[1] == 3 else LINE
        self.count = len(nodes)
        self.cells = (
            _array("connectivity", nodes.ravel())
            + _array("offsets", nodes.shape[1] * np.arange(1, len(nodes) + 1))
            + _array("types", np.full(len(nodes), code, dtype=np.uint8))
        )

    def text(self, k: int) -> str:
        skin, m = self.skin, self.motion.motion(self.name)[k]
        R = m[:9].reshape(3, 3)
        bent = skin.modes @ skin.eta[k]
        arm = (skin.nodes + bent) @ R.T
        velocity = m[15:18] + np.cross(m[12:15], arm) + skin.modes @ skin.eta_rate[k] @ R.T
        fields: dict[str, NDArray] = {"displacement": bent @ R.T, "velocity": velocity}
        if skin.stresses is not None:
            stress = skin.stresses @ skin.eta[k]
            fields |= {"stress": stress, "von_mises": von_mises(stress)}
        points = m[9:12] + arm
        return (
            '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
            'header_type="UInt32" compressor="vtkZLibDataCompressor">\n<UnstructuredGrid>'
            f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{self.count}">\n'
            f"<Points>{_array('Points', points)}</Points>\n<PointData>{_fields(fields)}</PointData>\n"
            f"<Cells>{self.cells}</Cells>\n</Piece></UnstructuredGrid></VTKFile>\n"
        )


class _Slender(_PolyData):
    """The surface of a beam or cable, with section forces and the normal stress of bending and tension."""

    def __init__(self, motion: DrawnMotion, chain: Chain):
        self.motion, self.chain, self.skin = motion, chain, swept_skin(chain)
        super().__init__(chain.part.name, "Polys", self.skin.triangles)
        self.start = _reference_points(motion, chain, self.skin)
        self.forces = _section_forces(motion, chain)
        first = np.array([piece[0] for piece in chain.pieces])[self.skin.piece]
        last = np.array([piece[1] for piece in chain.pieces])[self.skin.piece]
        self.share = (self.skin.station - first) / (last - first)

    def content(self, k: int) -> tuple[Array, dict[str, NDArray], dict[str, NDArray]]:
        skin = self.skin
        points = swept_points(self.chain, skin, k)
        moving, middle = self.chain.velocities[k][skin.station], self.chain.frames[k][skin.station, 9:]
        fields: dict[str, NDArray] = {
            "displacement": points - self.start,
            "velocity": moving[:, 3:] + np.cross(moving[:, :3], points - middle),
        }
        if self.forces is not None:
            ends = self.forces[k]  # [piece, 2, 6]
            F = (1.0 - self.share)[:, None] * ends[skin.piece, 0] + self.share[:, None] * ends[skin.piece, 1]
            fields |= {"section_force": F[:, :3], "section_moment": F[:, 3:]}
            stress = self._stress(ends)
            if stress is not None:
                fields["normal_stress"] = stress
        return points, fields, {}

    def _stress(self, ends: Array) -> Array | None:
        """[N] E (stretch + z curvature_y - y curvature_z); None without a section of a material."""
        beams = self.chain.part.beams
        if not beams or any(beam.section is None or beam.material is None for beam in beams):
            return None
        found: list[Array] = []
        for end in (0, 1):
            strains = np.array(
                [np.linalg.solve(beam.matrix, F) for beam, F in zip(beams[end::2], ends[:, end], strict=True)]
            )[self.skin.piece]
            E = np.array([beam.material.youngs_modulus for beam in beams[end::2] if beam.material])[self.skin.piece]
            y, z = self.skin.local.T
            found.append(E * (strains[:, 0] + z * strains[:, 4] - y * strains[:, 5]))
        return (1.0 - self.share) * found[0] + self.share * found[1]


def _reference_points(motion: DrawnMotion, chain: Chain, skin: SweptSkin) -> Array:
    """Points of the surface in the reference configuration, from which displacements count."""
    poses = place_bodies(motion.model).bodies
    model = motion.model
    ends = [end for name in chain.part.elements for end in ends_of(model, model.forces[name])]
    frames = [marked(np.asarray(poses[body].twelve, dtype=float)[None], pose) for body, pose in ends]
    bent = bool(chain.part.beams)
    stations = np.zeros((1, chain.frames.shape[1], 12))
    for number, (first, last) in enumerate(chain.pieces):
        a, b = frames[2 * number : 2 * number + 2]
        if bent:
            arc = between(a, b)
            stations[:, first : last + 1] = arc[:, arc.shape[1] - (last - first + 1) :]
    if not bent:
        from duoti.view.export.drawn import along_curve

        points = np.stack([frames[0][:, 9:], *(each[:, 9:] for each in frames[1::2])], axis=1)
        stations = along_curve(points)
    R = stations[0][:, :9].reshape(-1, 3, 3)[skin.station]
    return stations[0][skin.station, 9:] + np.einsum("nij,nj->ni", R[..., 1:], skin.local)


def _section_forces(motion: DrawnMotion, chain: Chain) -> Array | None:
    """[time, piece, 2, 6] N, Qy, Qz, Mx, My, Mz at both ends of each piece; of cables the tension alone."""
    model, part = motion.model, chain.part
    found: list[Array] = []
    for name in part.elements:
        force = model.forces[name]
        if isinstance(force, BeamElement | SpectralBeamElement):
            pairs = ends_of(model, force)
            nodes = [*pairs[::2], pairs[-1]]
            seen = np.stack([marked(motion.motion(body), pose) for body, pose in nodes], axis=1)
            found += [F for F, _ in piece_forces(force, seen)]
            continue
        try:
            tension = np.asarray(motion.result[f"force:{name}.tension"], dtype=float).reshape(len(motion.t), -1)
        except ChannelError:
            return None
        pieces = pieces_of(model, name)
        for k in range(pieces):
            F = np.zeros((len(motion.t), 6))
            F[:, 0] = tension[:, min(k, tension.shape[1] - 1)]
            found += [F, F]
    return np.stack(found, axis=1).reshape(len(motion.t), -1, 2, 6)


class _Forces(_PolyData):
    """Reactions of joints and contact forces: points with vectors."""

    def __init__(self, motion: DrawnMotion):
        result, system = motion.result, motion.system
        self.rows: list[tuple[str, int, Array, Array, Array]] = []
        for name in motion.model.joints:
            layout = system.joints[name]
            try:
                force, torque = result.reaction(name)
            except ChannelError:  # not known, of an event-driven run in a file
                continue
            frames = observe(system, motion.t, np.asarray(result.states), FRAMES, [layout.child_marker]).frames
            self.rows.append((name, REACTION, frames[:, 0, 9:12], force, torque))
        for name in motion.model.contacts:
            try:
                force, point = (
                    np.asarray(result[f"contact:{name}.{what}"], dtype=float) for what in ("force", "point")
                )
            except ChannelError:
                continue
            self.rows.append((name, CONTACT, point, force, np.zeros_like(force)))
        self.now: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.element_names = [row[0] for row in self.rows]
        self.kinds = np.array([row[1] for row in self.rows], dtype=np.int64)
        super().__init__("forces", "Verts", np.zeros((0, 1), dtype=np.int64), {"element_names": self.element_names})

    def content(self, k: int) -> tuple[Array, dict[str, NDArray], dict[str, NDArray]]:
        where = np.array([row[2][k] for row in self.rows]).reshape(-1, 3)
        force = np.array([row[3][k] for row in self.rows]).reshape(-1, 3)
        torque = np.array([row[4][k] for row in self.rows]).reshape(-1, 3)
        known = np.flatnonzero(np.all(np.isfinite(np.hstack([where, force, torque])), axis=1))
        self.count = len(known)  # a contact that nothing touches has no point
        self.topology = _array("connectivity", np.arange(self.count)) + _array("offsets", np.arange(1, self.count + 1))
        fields = {
            "force": force[known], "torque": torque[known], "element": known.astype(np.int64),
            "kind": self.kinds[known],
        }  # fmt: skip
        return where[known], fields, {}


def _parts(motion: DrawnMotion) -> list[_Part]:
    found: list[_Part] = [_Bodies(motion)] if any(motion.surfaces.values()) else []
    found += [_Flexible(motion, name) for name in motion.skins]
    found += [_Slender(motion, chain) for chain in motion.chains]
    forces = _Forces(motion)
    return [*found, forces] if forces.rows else found
