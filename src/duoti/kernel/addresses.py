"""Where the numbers of an array stand in memory.

NumPy's own ways to ask (`a.ctypes.data`, `a.__array_interface__`) take 5 microseconds, since both begin with an import;
a workspace has a hundred arrays. An array object holds the address in its first field behind the head that all Python
objects have (`PyArrayObject` of NumPy's C interface, whose order extensions rely on). That is read here, after it was
compared with what NumPy says; where it differs (another Python), NumPy is asked each time.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

_HEAD = object.__basicsize__
_WORD = ctypes.c_size_t.from_address


def _read(array: Any) -> int:
    return _WORD(id(array) + _HEAD).value


def _asked(array: Any) -> int:
    return array.ctypes.data


def _reads_right() -> bool:
    """Whether `_read` gives what NumPy gives: for an array of its own, a part of one, a record, and an empty one."""
    whole = np.arange(6.0)
    record = np.zeros(2, np.dtype([("a", np.float64), ("b", np.int64)]))
    samples = (whole, whole[2:], whole.reshape(2, 3), whole.view(np.int64), record, np.zeros(0))
    return all(_read(each) == _asked(each) for each in samples)


address_of = _read if _reads_right() else _asked
"""Address of the first number of a NumPy array, which must live as long as the address is used."""
