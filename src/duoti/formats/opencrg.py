"""OpenCRG files: heights in a grid along a reference line (ASAM OpenCRG 1.2), every fault with its line.

A file has a header of sections ($ROAD_CRG, $KD_DEFINITION, ...) and behind a line of $$$$ its data: a record for each
station u, with the channels in the order of the header, as text (LRFI, LDFI) or big-endian binary (KRBI, KDBI).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duoti.formats.errors import Faults
from duoti.formats.key_path import FILE
from duoti.formats.opencrg_road import Channels, road_of
from duoti.model.checks.findings import SourceLocation
from duoti.model.errors import did_you_mean
from duoti.model.roads.arrays import Grid

Array = NDArray[np.float64]
ROAD_KEYS = tuple(
    [f"reference_line_{end}_{what}" for end in ("start", "end") for what in ("u", "x", "y", "z", "phi", "b", "s")]
    + ["reference_line_increment", "long_section_v_right", "long_section_v_left", "long_section_v_increment"]
    # where the origin is on the earth: not used
    + [f"reference_line_{end}_{what}" for end in ("start", "end") for what in ("lon", "lat", "alt")]
    + [f"reference_line_offset_{what}" for what in ("x", "y", "z", "phi")]
)
MODIFIERS = (
    "scale_z_grid", "scale_slope", "scale_banking", "grid_nan_mode", "grid_nan_offset", "refline_rotcenter_x",
    "refline_rotcenter_y", "refline_offset_phi", "refline_offset_x", "refline_offset_y", "refline_offset_z",
    "refpoint_u_fraction", "refpoint_u_offset", "refpoint_u", "refpoint_v_fraction", "refpoint_v_offset", "refpoint_v",
    "refpoint_x", "refpoint_y", "refpoint_z", "refpoint_phi",
)  # fmt: skip
UNREAD_MODIFIERS = ("scale_length", "scale_width", "scale_curvature")
OPTIONS = ("border_mode_u", "border_mode_v", "refline_continuation")
OFFSETS = ("border_offset_u", "border_offset_v", "border_smooth_ubeg", "border_smooth_uend")  # read if they are 0
WITHOUT_EFFECT = (
    "refline_search_far", "refline_search_close", "refline_search_u", "refline_search_ufrac", "warn_msgs",
    "warn_curv_local", "warn_curv_global", "log_msgs", "log_eval", "log_eval_freq", "log_hist", "log_hist_freq",
    "log_stat", "log_stat_freq", "check_eps", "check_inc", "check_tol",
)  # fmt: skip
"""Options of messages and of the search for the reference line, which is done otherwise here."""
SECTIONS = ("ROAD_CRG_MODS", "ROAD_CRG_OPTS", "ROAD_CRG_FILE", "ROAD_CRG", "CT", "KD_DEFINITION")
FORMATS = {"LRFI": (10, True), "LDFI": (20, True), "KRBI": (4, False), "KDBI": (8, False)}
"""Bytes of a number, and whether it is text."""
LINE = 80  # characters of a line of text data
SETTING = re.compile(r"\s*([A-Za-z_]+)\s*=\s*([^!*\s]+)?")
SECTION_CHANNEL = re.compile(r"long section\s+(?:at v\s*=\s*)?([-+0-9.eE]+)", re.IGNORECASE)
LINE_CHANNEL = re.compile(r"reference line\s+(x|y|u|phi|banking|slope)\s*,", re.IGNORECASE)
LINE_UNITS = {"x": "m", "y": "m", "u": "m", "phi": "rad", "banking": "m/m", "slope": "m/m"}


@dataclass
class _Header:
    values: dict[str, float] = field(default_factory=dict[str, float])
    lines: dict[str, int] = field(default_factory=dict[str, int])
    channels: list[tuple[str, float, int]] = field(default_factory=list[tuple[str, float, int]])
    """Kind ("x", "phi", "v", "number", ...), place or number of a long section, line."""
    format: str = ""
    data: int = -1  # where the data begin
    data_line: int = 0


def read_opencrg(path: str | Path, friction: float, interpolation: str, outside: str | None) -> Grid:
    """The road of a file; raises `ModelFileError` with all faults."""
    faults = Faults(str(path))
    reader = _Reader(str(path), faults)
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        reader.fault(0, f"the file cannot be read: {error.strerror or error}")
        raise faults.error() from None
    found = reader.channels(content)
    grid = None if found is None or faults.found else road_of(found, reader.fault, friction, interpolation, outside)
    if grid is None or faults.found:
        raise faults.error()
    return grid


class _Reader:
    def __init__(self, name: str, faults: Faults):
        self.name, self.faults = name, faults
        self.header = _Header()

    def fault(self, line: int, message: str) -> None:
        """Note what is wrong in a line (0: in the whole)."""
        self.faults.add(SourceLocation(self.name, line), FILE, message, "bad-road")

    def channels(self, content: bytes) -> Channels | None:
        """What the file holds, None if its header has faults."""
        self._read_header(content)
        head = self.header
        if head.data < 0:
            self.fault(0, "there is no line of $$$$ behind which the data begin: this is no OpenCRG file")
        if not head.format and head.data >= 0:
            self.fault(0, "$KD_DEFINITION has no format of the data, a line such as #:KRBI")
        if not any(kind in ("v", "number") for kind, _, _ in head.channels) and head.data >= 0:
            self.fault(0, "$KD_DEFINITION has no long sections, lines such as D:long section at v = 1.0,m")
        if self.faults.found:
            return None
        rows = self._text_data(content) if FORMATS[head.format][1] else self._binary_data(content)
        return None if rows is None else Channels(head.values, head.lines, head.channels, rows, head.data_line)

    def _read_header(self, content: bytes) -> None:
        section, at, number = "", 0, 0
        while at < len(content):
            end = content.find(b"\n", at)
            end = len(content) if end < 0 else end
            number += 1
            line = content[at:end].decode("latin-1").rstrip("\r")
            at = end + 1
            if line.startswith("$$$$"):
                self.header.data, self.header.data_line = at, number
                return
            if line.startswith("$"):
                section = self._section(line, number)
            elif section and section != "CT" and not line.startswith("*") and line.partition("!")[0].strip():
                self._line(section, line, number)

    def _section(self, line: str, number: int) -> str:
        name = line[1:].partition("!")[0].strip().upper()
        if not name:
            return ""
        if name == "ROAD_CRG_FILE":
            self.fault(number, "$ROAD_CRG_FILE refers to another file, which is not read; read that file itself")
        if name not in SECTIONS:
            self.fault(number, f"there is no section ${name}.{did_you_mean(name, SECTIONS)}")
            return ""
        return name

    def _line(self, section: str, line: str, number: int) -> None:
        if section == "KD_DEFINITION":
            self._definition(line, number)
        elif section != "ROAD_CRG_FILE":
            self._setting(section, line, number)

    def _setting(self, section: str, line: str, number: int) -> None:
        match = SETTING.match(line)
        if not match:
            self.fault(number, f"{line.strip()[:60]!r} is no line NAME = number of ${section}")
            return
        key = match[1].lower()
        known = {"ROAD_CRG": ROAD_KEYS, "ROAD_CRG_MODS": (*MODIFIERS, *UNREAD_MODIFIERS),
                 "ROAD_CRG_OPTS": (*OPTIONS, *OFFSETS, *WITHOUT_EFFECT)}[section]  # fmt: skip
        if key not in known:
            self.fault(number, f"${section} has no {key!r}.{did_you_mean(key, known)}")
            return
        try:
            value = float((match[2] or "").lower().replace("d", "e").replace("+e", "e+"))
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            self.fault(number, f"{key} is {match[2]!r}, which is no finite number")
            return
        if key in UNREAD_MODIFIERS and value != 1.0:
            self.fault(number, f"{key} = {value:g} is not supported; scale the data of the file instead")
            return
        if key in OFFSETS and value != 0.0:
            self.fault(number, f"{key} = {value:g} is not supported: heights beyond the border have no step")
            return
        self.header.values[key], self.header.lines[key] = value, number

    def _definition(self, line: str, number: int) -> None:
        text = line.partition("!")[0].strip()
        if text.startswith("#:"):
            self.header.format = text[2:6].upper()
            if self.header.format not in FORMATS:
                self.fault(number, f"the data have the format {self.header.format!r}; read are {', '.join(FORMATS)}")
        elif text.upper().startswith("D:"):
            self._channel(text[2:].strip(), number)
        elif not text.upper().startswith("U:"):
            self.fault(number, f"{text[:60]!r} begins with none of #: (format), D: (channel) and U:")

    def _channel(self, text: str, number: int) -> None:
        unit = text.rpartition(",")[2].strip()
        if match := SECTION_CHANNEL.match(text):
            kind, needed = ("v" if "=" in text else "number"), "m"
            try:
                place = float(match[1])
            except ValueError:
                self.fault(number, f"{match[1]!r} is no place or number of a long section")
                return
        elif match := LINE_CHANNEL.match(text):
            kind, place = match[1].lower(), 0.0
            needed = LINE_UNITS[kind]
        else:
            kind, place, needed = "other", 0.0, unit
        if unit != needed:
            self.fault(number, f"{text[:60]!r} is in {unit!r}; it must be in {needed}")
        self.header.channels.append((kind, place, number))

    def _binary_data(self, content: bytes) -> Array | None:
        head = self.header
        size = FORMATS[head.format][0]
        count = len(head.channels)
        values = head.values
        numbers = np.frombuffer(content, f">f{size}", offset=head.data, count=(len(content) - head.data) // size)
        rows = len(numbers) // count
        if {"reference_line_end_u", "reference_line_increment"} <= values.keys():
            length = values["reference_line_end_u"] - values.get("reference_line_start_u", 0.0)
            expected = round(length / max(values["reference_line_increment"], 1e-9)) + 1
            if rows < expected:
                self.fault(head.data_line, f"there are {rows} records behind this line, but the header tells of "
                           f"{expected}: the file is cut off")  # fmt: skip
                return None
            rows = expected
        with np.errstate(invalid="ignore"):  # gaps
            return numbers[: rows * count].reshape(rows, count).astype(float)

    def _text_data(self, content: bytes) -> Array | None:
        head = self.header
        width, count = FORMATS[head.format][0], len(head.channels)
        per_line = LINE // width
        lines = content[head.data :].decode("latin-1").splitlines()
        used = [(head.data_line + 1 + k, line) for k, line in enumerate(lines) if line.strip()]
        each = -(-count // per_line)
        if len(used) % each:
            self.fault(used[-1][0], f"the last record has {len(used) % each} of {each} lines")
            return None
        rows: list[list[float]] = []
        for k in range(0, len(used), each):
            row: list[float] = []
            for m, (number, line) in enumerate(used[k : k + each]):
                expected = min(per_line, count - m * per_line)
                row += self._numbers(line, number, width, expected)
            rows.append(row)
        return np.array(rows) if rows and not self.faults.found else None

    def _numbers(self, line: str, number: int, width: int, expected: int) -> list[float]:
        cells = [line[width * k : width * (k + 1)].strip() for k in range(expected)]
        found: list[float] = []
        for k, cell in enumerate(cells):
            try:
                unused = not cell.replace("*", "").replace("unused", "").replace("missing", "") and cell
                found.append(np.nan if unused else float(cell.lower().replace("d", "e")))
            except ValueError:
                what = "is missing" if not cell else f"is {cell!r}, which is no number"
                self.fault(number, f"number {k + 1} of {expected} in columns of {width} characters {what}")
                found.append(np.nan)
        if line[width * expected :].strip():
            self.fault(number, f"there are more than the {expected} numbers of the channels in this line")
        return found
