"""What a file of results says about its run: model, columns, solver, versions."""

from __future__ import annotations

import hashlib
import json
import platform
import uuid
from dataclasses import asdict, dataclass, field, is_dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from duoti.contact.event_driven.records import IMPACT_COLUMNS
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.integrate import Solver
from duoti.integrate.record import NO_RECORD, RecordLayout
from duoti.kernel import fingerprint
from duoti.model.checks.findings import visible
from duoti.model.elements import GROUND
from duoti.model.errors import ModelError
from duoti.model.joint_friction import slots_of
from duoti.model.model import Model
from duoti.model.quantities import all_names, find_quantity
from duoti.results.file import checkpoints as checksums
from duoti.results.layout import ResultLayout
from duoti.system.arrays import Reals
from duoti.system.system import System
from duoti.version import __version__

FORMAT, FORMAT_VERSION = "duoti result", 2  # 1: without a record
STATUS_BYTES = 1 << 14
IMPACTS = "impacts/values"
CONTACT_STATES = "contact_states/values"


def machine() -> str:
    """What the bits of a result may depend on, besides duoti's sources, Numba and NumPy (see `kernel.fingerprint`)."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}"


def model_text(model: Model) -> tuple[str, str]:
    """The model as text, and why there is none."""
    from duoti.formats import to_text

    try:
        return to_text(model), ""
    except ModelError as error:
        return "", "; ".join(finding.what for finding in error.report.errors)


def digest(*parts: Any) -> str:
    """SHA-256 of named tuples of arrays and numbers; addresses left out."""
    found = hashlib.sha256()
    for part in parts:
        for name, value in part._asdict().items() if part else ():
            if isinstance(value, tuple):
                found.update(digest(value).encode())
            elif name != "law_address":
                found.update(f"{name}{np.shape(value)}".encode())
                found.update(np.asarray(value).tobytes())
    return found.hexdigest()


def system_digest(system: System) -> str:
    """SHA-256 of a compiled model: its arrays, and the names that their numbers of types stand for."""
    types = (*system.force_types, *system.equation_kinds)
    arrays = digest(system.tree, system.loads, system.closures)
    return hashlib.sha256(" ".join([arrays, *(each.kind for each in types)]).encode()).hexdigest()


def kind_of_coordinates(system: System) -> str:
    """How the system was compiled: "relative" or "absolute"."""
    return "absolute" if set(system.virtual) == set(system.bodies) - {GROUND} else "relative"


@dataclass
class Metadata:
    """The attributes of a file."""

    model: str
    """Its name."""
    model_text: str
    model_text_missing: str
    system_sha256: str
    coordinates: str
    cut_joints: list[str]
    columns: list[str]
    units: list[str]
    channels: list[tuple[str, str]]
    event_names: list[str]
    impact_names: list[str]
    """Of what may have impacts: rigid contacts, then rigid stops of joints."""
    nq: int
    nv: int
    nz: int
    start_time: float
    solver: str
    solver_settings: dict[str, Any]
    method_sha256: str
    constraints: str
    constraints_settings: dict[str, Any]
    chosen: list[str] = field(default_factory=list)
    """Why it is this solver, where the user named none."""
    remarks: list[str] = field(default_factory=list)
    """What the choice of the solver adds to the notes of the run."""
    painleve: str = "impact"
    """As for `simulate`."""
    contact_columns: int = 0
    """Numbers of an event-driven run for each change of contacts; 0: other runs."""
    fused: bool = True
    """Bodies that are welded together share a row."""
    output_step: float = 0.0
    """Between the outputs that were asked for at the start [s]; 0: at steps, or at single times."""
    output_times: Reals | None = None
    record_layout: RecordLayout = NO_RECORD
    """What the solver writes beside the state."""
    format_version: int = FORMAT_VERSION
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    duoti_version: str = __version__
    fingerprint: str = field(default_factory=fingerprint)
    machine: str = field(default_factory=machine)
    model_sha256: str = ""

    def __post_init__(self) -> None:
        self.model_sha256 = hashlib.sha256(self.model_text.encode()).hexdigest() if self.model_text else ""

    def write(self, file: Any, chunk_rows: int) -> None:
        """Attributes, text and empty arrays into a new HDF5 file."""
        _attribute(file, "format", FORMAT)
        apart = (
            "model_text",
            "columns",
            "units",
            "channels",
            "event_names",
            "impact_names",
            "output_times",
            "record_layout",
        )
        for name, value in vars(self).items():
            if name not in apart:
                _attribute(file, name, json.dumps(value) if isinstance(value, dict | list) else value)
        ny = len(self.columns)
        _strings(file, "model_text", [self.model_text])
        _strings(file, "columns", self.columns)
        _strings(file, "column_units", self.units)
        _strings(file, "channels", [name for name, _ in self.channels])
        _strings(file, "channel_units", [unit for _, unit in self.channels])
        t = file.create_dataset("t", (0,), "f8", maxshape=(None,), chunks=(chunk_rows,))
        _attribute(t, "unit", "s")
        _attribute(t, "meaning", "times of the outputs")
        y = file.create_dataset("y", (0, ny), "f8", maxshape=(None, ny), chunks=(chunk_rows, ny))
        _attribute(y, "meaning", "states: a row for each time in `t`; names and units in `columns`, `column_units`")
        if nx := self.record_layout.size:
            x = file.create_dataset("x", (0, nx), "f8", maxshape=(None, nx), chunks=(chunk_rows, nx))
            _attribute(x, "meaning", "what the solver wrote beside the states: names and units in `record_columns`, "
                       "`record_units`; NaN where it follows from the state")  # fmt: skip
            _strings(file, "record_layout", [json.dumps(self.record_layout.as_lists())])
            _strings(file, "record_columns", self.record_layout.columns)
            _strings(file, "record_units", self.record_layout.units)
        for name in ("t", "y", *(("x",) if self.record_layout.size else ())):
            checksums.create(file, name)
        some = max(16, chunk_rows // 16)
        _attribute(file.create_dataset("events/t", (0,), "f8", maxshape=(None,), chunks=(some,)), "unit", "s")
        file.create_dataset("events/index", (0,), "i8", maxshape=(None,), chunks=(some,))
        file.create_dataset("events/y", (0, ny), "f8", maxshape=(None, ny), chunks=(some, ny))
        _strings(file, "events/names", self.event_names)
        if self.impact_names:
            shape = (0, IMPACT_COLUMNS)
            impacts = file.create_dataset(IMPACTS, shape, "f8", maxshape=(None, shape[1]), chunks=(some, shape[1]))
            _attribute(impacts, "meaning", "time [s], which name, impulse on b [N s], point [m], both in world axes, "
                       "rate of the gap before and after [m/s], energy lost [J], whether the impulse, and its sum over "
                       "the pair of shapes, is unique (0: not known, 1: no, 2: yes)")  # fmt: skip
            _strings(file, "impacts/names", self.impact_names)
        if wide := self.contact_columns:
            states = file.create_dataset(CONTACT_STATES, (0, wide), "f8", maxshape=(None, wide), chunks=(some, wide))
            _attribute(states, "meaning", "states of rigid contacts (open, sliding, sticking) in an event-driven run: "
                       "a row for each change, with its time [s]; see `contact_states`")  # fmt: skip
        if self.output_times is not None:
            _attribute(file.create_dataset("output_times", data=self.output_times), "unit", "s")
        file.create_dataset("status", data=np.bytes_(b" " * STATUS_BYTES))

    @classmethod
    def read(cls, file: Any) -> Metadata:
        """What `write` has written."""
        values: dict[str, Any] = {}
        for name, field_ in cls.__dataclass_fields__.items():
            if name in file.attrs:
                value = attribute(file, name)
                values[name] = json.loads(value) if field_.type in ("list[str]", "dict[str, Any]") else value
        values["model_text"] = "".join(bytes(each).decode() for each in file["model_text"][:])
        values["columns"], values["units"] = _texts(file["columns"]), _texts(file["column_units"])
        names, units = _texts(file["channels"]), _texts(file["channel_units"])
        values["channels"] = list(zip(names, units, strict=True))
        values["event_names"] = _texts(file["events/names"])
        values["impact_names"] = _texts(file["impacts/names"]) if "impacts/names" in file else []
        if "record_layout" in file:  # from format 2 on
            values["record_layout"] = RecordLayout.from_lists(json.loads("".join(_texts(file["record_layout"]))))
        values["output_times"] = file["output_times"][:] if "output_times" in file else None
        return cls(**values)


def _attribute(item: Any, name: str, value: Any) -> None:
    """An attribute; text with a fixed length: the memory that HDF5 has for others is not secured by checksums."""
    import h5py

    if isinstance(value, str):
        data = value.encode()
        item.attrs.create(name, data, dtype=h5py.string_dtype("utf-8", max(1, len(data))))
    else:
        item.attrs[name] = value


def attribute(item: Any, name: str) -> Any:
    """What `_attribute` has written."""
    value = item.attrs[name]
    return visible(value.decode()) if isinstance(value, bytes) else value.item()


def _strings(file: Any, name: str, texts: list[str]) -> None:
    """A list of texts of fixed length, UTF-8."""
    import h5py

    encoded = [text.encode() for text in texts]
    length = max([1, *map(len, encoded)])
    file.create_dataset(name, data=np.array(encoded, h5py.string_dtype("utf-8", length)))


def _texts(dataset: Any) -> list[str]:
    """Names and units come from who made the file; those with characters that steer a terminal are not duoti's."""
    return [visible(bytes(each).decode()) for each in dataset[:]]


def status_text(status: dict[str, Any], most: int) -> bytes:
    """A status as JSON text of at most so many bytes; notes at the end are left out if it is too long."""
    stats = dict(status["stats"])
    notes = list(stats["notes"])
    while True:
        text = json.dumps(status | {"stats": stats | {"notes": notes}}, indent=1).encode()
        if len(text) <= most or not notes:
            return text[:most]
        notes = notes[: len(notes) // 2]


def settings_of(chosen: Solver | ConstraintMethod) -> dict[str, Any]:
    """A solver or constraint method as a name and numbers."""
    values = asdict(chosen) if is_dataclass(chosen) and not isinstance(chosen, type) else {}
    return {"type": type(chosen).__name__, **values}


def system_metadata(system: System, constraints: ConstraintMethod, solver: str) -> dict[str, Any]:
    """The fields of `Metadata` that follow from a system."""
    text, missing = model_text(system.model)
    layout = ResultLayout.of(system)
    return {
        "model": system.model.name, "model_text": text, "model_text_missing": missing,
        "system_sha256": system_digest(system),
        "coordinates": kind_of_coordinates(system),
        "cut_joints": [name for name, joint_layout in system.joints.items() if joint_layout.cut],
        "fused": not any(system.model.joints[j].kind == "fixed" and x.body >= 0 for j, x in system.joints.items()),
        "columns": layout.columns, "units": layout.units,
        "channels": [(name, find_quantity(system.model, name).unit) for name in all_names(system.model)],
        "event_names": list(system.model.events),
        "impact_names": [
            *(name for name, contact in system.model.contacts.items() if contact.law.rigid),
            *(slot.friction_state for slot in slots_of(system.model) if np.any(np.isfinite(slot.limits))),
        ],
        "nq": system.nq, "nv": system.nv, "nz": system.nz,
        "solver": solver, "constraints": repr(constraints), "constraints_settings": settings_of(constraints),
    }  # fmt: skip
