"""Named mutable numbers: structured arrays of one entry, `state = run.state[0]; state.h = 0.5 * state.h`."""

from __future__ import annotations

import hashlib
import operator
from typing import Any

import numpy as np

RECORDS: dict[str, np.dtype[Any]] = {}
"""All record types by name and a digest of their fields, so that a signature can name them and changes with them."""

_NAMES: dict[np.dtype[Any], str] = {}
_DECLARED: dict[str, str] = {}


def record_dtype(name: str, **fields: type) -> np.dtype[Any]:
    """Declare the type of a record: each field is `float` or `int`, eight bytes."""
    wrong = [field for field, kind in fields.items() if kind not in (float, int)]
    if wrong:
        raise TypeError(f"record {name!r}: {', '.join(wrong)} must be float or int")
    types = [(field, np.float64 if kind is float else np.int64) for field, kind in fields.items()]
    made = np.dtype((_scalar(name, list(fields)), types))
    if name in _DECLARED:
        if RECORDS[_DECLARED[name]].descr != made.descr:
            raise TypeError(f"a record type {name!r} with other fields exists already")
        return RECORDS[_DECLARED[name]]
    digest = hashlib.sha256(repr(made.descr).encode()).hexdigest()[:8]
    _DECLARED[name] = _NAMES[made] = f"{name}_{digest}"
    RECORDS[_NAMES[made]] = made
    return made


def _scalar(name: str, fields: list[str]) -> type:
    """The type of an entry of such an array in Python, like `np.record`, of which a field takes 1.5 us to read.

    As there, a name that NumPy's scalars have already (`size`) is read as theirs: Python reads such a field by
    `array["size"]`.
    """

    def of(field: str) -> property:
        def put(self: Any, value: Any) -> None:
            self[field] = value

        own = getattr(np.void, field, None)
        return property(operator.itemgetter(field) if own is None else own.__get__, put)

    return type(name, (np.void,), {"__slots__": (), **{field: of(field) for field in fields}})


def record_name(dtype: np.dtype[Any]) -> str:
    """The name of a record type in `RECORDS`."""
    try:
        return _NAMES[dtype]
    except KeyError:
        raise TypeError(f"kernels know no arrays of {dtype}; declare structured ones by `record_dtype`") from None
