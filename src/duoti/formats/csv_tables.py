"""Tables from CSV files: two columns of numbers, with units, every fault with its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.formats.errors import Faults
from duoti.formats.key_path import FILE, KeyPath
from duoti.formats.yaml.nodes import UnreadableError, read_text
from duoti.formats.yaml.units import UnitError, unit
from duoti.model.checks.findings import SourceLocation
from duoti.model.errors import did_you_mean
from duoti.strict import explained

Array = NDArray[np.float64]
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][-+]?[0-9]+)?")
HEADING = re.compile(r"(?P<name>.*?)\s*(?:\[(?P<unit>[^\]]*)\])?")
DECIMAL_COMMA = (";", "\t")  # separators beside which a comma can only be that of decimals
SEPARATORS = (";", "\t", ",")  # the first that the first line has; otherwise spaces


@explained
def read_table(
    path: str | Path, columns: Sequence[str | int] | None = (1, 2), units: Sequence[str] | None = None
) -> tuple[Array, Array]:
    """Two columns of a CSV file in SI units, for `Model.add_table`.

    `m.add_table("road", *dt.formats.read_table("road.csv"))` makes a table of them.

    Raises `ModelFileError` with all faults of the file, each with its line.

    Parameters
    ----------
    path:
        A text file with one row of numbers on each line, separated by commas, semicolons, tabs or spaces; decimals may
        have a comma if the separator is a semicolon or a tab. There may be a line of headings before them; empty lines
        and lines that begin with # are skipped.
    columns:
        The columns of x and y, by their headings or counted from 1; None: those of a file that has just two.
    units:
        The units of both, as ("s", "mm"). Left out: those in square brackets in the headings, `z [mm]`, otherwise SI.
    """
    faults = Faults(str(path))
    try:
        found = columns_of(read_text(Path(path), str(path)), str(path), columns, units, faults)
    except UnreadableError as error:
        faults.add(error.location, FILE, error.message, "bad-table")
        found = None
    if found is None:
        raise faults.error()
    return found


def columns_of(
    text: str, name: str, columns: Any, units: Any, faults: Faults, path: KeyPath = FILE
) -> tuple[Array, Array] | None:
    """Two columns of the text of a file, None if they have faults."""
    before = len(faults.found) + faults.more
    reader = _Columns(name, faults, path)
    found = reader.read(text, columns, units)
    return found if len(faults.found) + faults.more == before else None


def factors_of(units: Any) -> list[float]:
    """The factors to SI of two units; ValueError says what is wrong with them."""
    if isinstance(units, str) or not isinstance(units, Sequence) or len(units) != 2:
        raise ValueError(f"units are {units!r}; give two, of x and y, such as [s, mm]")
    return [unit(str(each))[0] for each in units]


class _Columns:
    """Reads the lines of one file."""

    def __init__(self, name: str, faults: Faults, path: KeyPath):
        self.name, self.faults, self.path = name, faults, path

    def fault(self, line: int, message: str) -> None:
        self.faults.add(SourceLocation(self.name, line), self.path, message, "bad-table")

    def read(self, text: str, columns: Any, units: Any) -> tuple[Array, Array] | None:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip() and line.strip()[0] != "#"]
        if not lines:
            return self.fault(0, "the file has no numbers")
        separator = next((s for s in SEPARATORS if s in lines[0][1]), None)
        first = self.cells(lines[0][1], separator)
        headed = any(not _is_number(cell) for cell in first)
        headings = [match for cell in first if (match := HEADING.fullmatch(cell))] if headed else []
        names = [match["name"] for match in headings]
        if columns is None:
            columns = (1, 2)
            if len(first) > len(columns):
                shown = f" ({', '.join(names)})" if names else ""
                text = f"there are {len(first)} columns{shown}, but two are needed, x and z; leave out the others"
                return self.fault(lines[0][0], text)
        if isinstance(columns, str) or not isinstance(columns, Sequence) or len(columns) != 2:
            return self.fault(0, f"columns are {columns!r}; give two, of x and y, such as [1, 2] or [t, z]")
        chosen = [self.chosen(column, names, len(first), lines[0][0]) for column in columns]
        try:
            written = [headings[c]["unit"] or "1" if c is not None and headed else "1" for c in chosen]
            factors = factors_of(written if units is None else units)
        except (UnitError, ValueError) as error:
            return self.fault(lines[0][0] if units is None else 0, str(error))
        if None in chosen:
            return None
        points = [self.point(n, self.cells(line, separator), chosen) for n, line in lines[headed:]]
        if not points:
            return self.fault(lines[0][0], "there are no numbers below the headings")
        previous: float | None = None
        for (n, _), point in zip(lines[headed:], points, strict=True):
            if point is not None:
                if previous is not None and not point[0] > previous:
                    self.fault(n, f"x must increase, but {point[0]:g} follows {previous:g}")
                previous = point[0]
        good = np.array([point for point in points if point is not None], dtype=float).reshape(-1, 2)
        return good[:, 0] * factors[0], good[:, 1] * factors[1]

    def cells(self, line: str, separator: str | None) -> list[str]:
        cells = [cell.strip().strip('"').strip() for cell in line.strip().split(separator)]
        if separator in DECIMAL_COMMA:
            cells = [point if _is_number(point := cell.replace(",", ".")) else cell for cell in cells]
        return cells

    def chosen(self, column: Any, names: list[str], count: int, line: int) -> int | None:
        """Which column is meant, counted from 0."""
        if isinstance(column, int) and not isinstance(column, bool):
            if 1 <= column <= count:
                return column - 1
            self.fault(line, f"there is no column {column}; there are {count}, counted from 1")
        elif names.count(str(column)) == 1:
            return names.index(str(column))
        elif str(column) in names:
            self.fault(line, f"there are {names.count(str(column))} columns {column!r}; count them from 1 instead")
        else:
            hint = did_you_mean(str(column), names) if names else " The file has no headings: count columns from 1."
            self.fault(line, f"there is no column {column!r}.{hint}")
        return None

    def point(self, line: int, cells: list[str], chosen: list[int | None]) -> tuple[float, float] | None:
        numbers: list[float] = []
        for column in chosen:
            assert column is not None
            if column >= len(cells) or not cells[column]:
                self.fault(line, f"column {column + 1} is empty")
            elif not _is_number(cells[column]):
                hint = "; write decimals with a point" if "," in cells[column] else ""
                self.fault(line, f"{cells[column][:40]!r} in column {column + 1} is not a finite number{hint}")
            else:
                numbers.append(float(cells[column].replace("d", "e").replace("D", "e")))
        return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _is_number(cell: str) -> bool:
    return NUMBER.fullmatch(cell) is not None and abs(float(cell.replace("d", "e").replace("D", "e"))) < np.inf
