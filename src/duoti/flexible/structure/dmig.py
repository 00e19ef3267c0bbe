"""Matrices in Nastran's bulk data: DMIG entries, and the GRID entries that say where their points are.

An entry is a header, NAME 0 IFO TIN TOUT POLAR (blank) NCOL, and one for each column, NAME GJ CJ (blank) G1 C1 A1 B1
G2 C2 A2 B2 ...: column of component CJ (1 to 6) of grid point GJ, rows of components Ci of points Gi, values Ai. Fields
are 8 characters wide, or 16 (DMIG*), or separated by commas; lines that begin with +, * or blanks continue an entry.
IFO 6 is a symmetric matrix, of which one triangle is there; 1 a square one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from duoti.strict import explained

if TYPE_CHECKING:
    from duoti.spatial.axes import Array

SQUARE, SYMMETRIC = 1, 6
REAL = (1, 2)
_EXPONENT = re.compile(r"(?<=[0-9.])([+-])")


@dataclass(frozen=True, eq=False)
class DmigFile:
    """The matrices of a file by name, over the same rows: those of the first grid point, then of the second, ..."""

    matrices: dict[str, Any]
    """Sparse, with three or six rows a point."""
    grids: NDArray[np.int64]
    """Numbers of the grid points, ascending."""
    nodes: Array | None
    """Their places (points, 3), if the file says where they are."""

    def __getitem__(self, name: str) -> Any:
        """A matrix."""
        if name not in self.matrices:
            raise KeyError(f"no matrix {name!r}; the file has {', '.join(self.matrices) or 'none'}")
        return self.matrices[name]

    def node(self, grid: int) -> int:
        """The place, from 0, of a grid point among the nodes: what interfaces take."""
        found = np.flatnonzero(self.grids == grid)
        if not len(found):
            raise KeyError(f"no grid point {grid} has rows in these matrices")
        return int(found[0])


class DmigError(ValueError):
    """A file of DMIG entries that cannot be read."""


@explained
def read_dmig(file: str | Path) -> DmigFile:
    """Read matrices (DMIG) and grid points (GRID) of a Nastran bulk data or punch file.

    `d = dt.flexible.read_dmig("rod.pch")`, then `dt.Flexible.from_matrices(d["MAAX"], d["KAAX"], d.nodes, ...)` if
    lengths are in metres and masses in kilograms. Points without mention of rotations have three rows each. Complex
    matrices, scalar points, and points in other coordinate systems than the basic one are refused.
    """
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise DmigError(f"{path}: {error.strerror or error}") from None
    entries: dict[str, list[tuple[int, int, int, int, float]]] = {}
    forms: dict[str, int] = {}
    places: dict[int, tuple[float, float, float]] = {}
    for number, key, fields in _cards(text):
        where = f"{path.name}, line {number}"
        try:
            if key == "GRID":
                grid, place = _grid(fields)
                places[grid] = place
            elif key == "DMIG":
                _dmig(fields, entries, forms)
        except (ValueError, IndexError) as error:
            raise DmigError(f"{where}: {error}") from None
    if not entries:
        raise DmigError(f"{path}: there is no DMIG entry in it")
    return _assembled(path, entries, forms, places)


def _cards(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """(line, name, fields) of the entries, continuation lines joined."""
    number, key, fields = 0, "", list[str]()
    for n, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("$", 1)[0].expandtabs().rstrip()
        if not line:
            continue
        if "," in line:
            name, *rest = (each.strip() for each in line.split(","))
            width = 4 if "*" in name else 8
            rest = (rest + [""] * width)[:width]
        else:
            name, size = line[:8].strip(), 16 if "*" in line[:8] else 8
            rest = [line[8 + size * k : 8 + size * (k + 1)].strip() for k in range(64 // size)]
        if not name or name[0] in "+*":
            fields += rest
            continue
        if key:
            yield number, key, fields
        number, key, fields = n, name.rstrip("*").strip().upper(), rest
    if key:
        yield number, key, fields


def _number(text: str) -> float:
    """A real number as Nastran writes it: 1.5, 1.5D+3, 1.5+3."""
    plain = text.upper().replace("D", "E")
    if "E" not in plain:
        plain = _EXPONENT.sub(r"E\1", plain)
    try:
        return float(plain)
    except ValueError:
        raise ValueError(f"{text!r} is no number") from None


def _grid(fields: list[str]) -> tuple[int, tuple[float, float, float]]:
    grid = int(fields[0])
    systems = [fields[k] for k in (1, 5) if len(fields) > k and fields[k] not in ("", "0")]
    if systems:
        raise ValueError(
            f"grid point {grid} is in the coordinate system {systems[0]}: only the basic one (0) is known; let Nastran "
            "write points and displacements in that"
        )
    x, y, z = (_number(each) if each else 0.0 for each in fields[2:5])
    return grid, (x, y, z)


def _dmig(fields: list[str], entries: dict[str, list[tuple[int, int, int, int, float]]], forms: dict[str, int]) -> None:
    name, fields = fields[0].upper(), fields + [""] * 8
    if fields[1] == "0" and name not in forms:
        form, kind = int(fields[2]), int(fields[3] or 1)
        if kind not in REAL:
            raise ValueError(f"matrix {name} is complex (TIN {kind}): masses and stiffnesses are real")
        if form not in (SQUARE, SYMMETRIC):
            raise ValueError(f"matrix {name} is of the form {form}: square (1) and symmetric ones (6) are known")
        forms[name] = form
        entries.setdefault(name, [])
        return
    if name not in forms:
        raise ValueError(f"a column of matrix {name} comes before its header (DMIG {name} 0 ...)")
    column = _component(fields[1], fields[2])
    values = fields[4:]
    for k in range(0, len(values) - 2, 4):
        if not values[k]:
            continue
        row = _component(values[k], values[k + 1])
        entries[name].append((*row, *column, _number(values[k + 2])))


def _component(grid: str, component: str) -> tuple[int, int]:
    number = int(component or 0)
    if not 1 <= number <= 6:
        raise ValueError(f"point {grid} has the component {number}: scalar points are no nodes; components are 1 to 6")
    return int(grid), number - 1


def _assembled(
    path: Path,
    entries: dict[str, list[tuple[int, int, int, int, float]]],
    forms: dict[str, int],
    places: dict[int, tuple[float, float, float]],
) -> DmigFile:
    from scipy.sparse import coo_array

    numbers = {name: np.array(each).reshape(-1, 5) for name, each in entries.items()}
    every = np.concatenate(list(numbers.values()))
    grids = np.unique(every[:, (0, 2)].astype(np.int64))
    width = 6 if np.any(every[:, (1, 3)] > 2) else 3
    size = width * len(grids)
    matrices: dict[str, Any] = {}
    for name, each in numbers.items():
        row = width * np.searchsorted(grids, each[:, 0].astype(np.int64)) + each[:, 1].astype(np.int64)
        column = width * np.searchsorted(grids, each[:, 2].astype(np.int64)) + each[:, 3].astype(np.int64)
        value = each[:, 4]
        if forms[name] == SYMMETRIC:
            again = row != column
            if len(np.unique(np.sort(np.column_stack([row, column]), axis=1), axis=0)) < len(row):
                raise DmigError(f"{path}: symmetric matrix {name} has entries of both triangles, or twice")
            row, column = np.concatenate([row, column[again]]), np.concatenate([column, row[again]])
            value = np.concatenate([value, value[again]])
        matrices[name] = coo_array((value, (row, column)), shape=(size, size)).tocsr()
    known = all(int(grid) in places for grid in grids)
    nodes = np.array([places[int(grid)] for grid in grids]) if known else None
    return DmigFile(matrices, grids, nodes)
