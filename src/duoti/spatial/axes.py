"""Checked vectors and axes: what users write becomes a finite, read-only array, or a clear error."""

from __future__ import annotations

import math
from numbers import Real
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Axis = Annotated[str | ArrayLike, "axis"]
"""An axis: a letter 'x', 'y', 'z', with an optional sign ('-x'), or a vector of any length but zero.

Marked as such, because as a mere type it is an `ArrayLike`, which may be a text, too.
"""

Frame = Literal["body", "space"]
"""The axes in which an angular velocity or acceleration is given."""

LETTERS = "xyz"


def frozen(a: Any) -> Array:
    """A read-only copy as floats."""
    out = np.array(a, dtype=np.float64)
    out.setflags(write=False)
    return out


def finite_array(a: Any, shape: tuple[int, ...], what: str) -> Array:
    """A read-only array of this shape without NaN or infinity; `what` names it in error messages."""
    try:
        out = frozen(a)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} = {a!r} is not an array of {_counted(shape)}; give only numbers") from None
    if out.shape != shape:
        raise ValueError(f"{what} has shape {out.shape}, but {_counted(shape)} are needed; got {a!r}")
    if not np.isfinite(out).all():
        raise ValueError(f"{what} = {out.tolist()} holds NaN or infinity; give finite numbers")
    return out


def _counted(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) + " numbers"


LARGEST = 1e100
"""Numbers beyond this are no quantities of a model, and their squares no numbers at all."""


def is_finite_number(value: Any) -> bool:
    """Whether a value is a real number that is neither NaN nor infinite, and a float can hold."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except (OverflowError, TypeError, ValueError):
        return False


MISSING = math.nan
"""Default of a number that must be given although others before it need not."""


def not_negative(value: Any, what: str, kind: str) -> float:
    """A finite number, zero or more; `kind` is what `what` should be, with its unit."""
    if value is MISSING:
        raise ValueError(f"{what} is missing; give {kind}")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not 0.0 <= number <= LARGEST:
        raise ValueError(f"{what} = {value!r} is not {kind}; give a finite number, zero or more")
    return number


def vector3(a: Any, what: str = "vector") -> Array:
    """A finite, read-only vector of three components."""
    return finite_array(a, (3,), what)


def triple(a: Any, what: str = "vector") -> tuple[float, float, float]:
    """The same as plain numbers."""
    numbers = a.tolist() if type(a) is np.ndarray else a
    if isinstance(numbers, list | tuple) and len(numbers) == 3:
        x, y, z = numbers
        if isinstance(x, float | int) and isinstance(y, float | int) and isinstance(z, float | int):
            total = x + y + z
            if total - total == 0.0 and abs(total) <= LARGEST:  # neither NaN nor infinite, in any of them
                return float(x), float(y), float(z)
    x, y, z = vector3(a, what).tolist()
    return x, y, z


def axis_vector(axis: Axis) -> Array:
    """Unit vector of an axis: a letter ('x', 'y', 'z', '-x', ...) or a vector of any length but zero."""
    if isinstance(axis, str):
        name = axis.strip().lower()
        letter = name[1:] if name[:1] in ("+", "-") else name
        if len(letter) != 1 or letter not in LETTERS:
            raise ValueError(
                f"unknown axis {axis!r}; use 'x', 'y', 'z', '-x', '-y', '-z', or a vector such as (0, 0, 1)"
            )
        return _UNIT[-1 if name[0] == "-" else 1, letter]
    x, y, z = triple(axis, "axis")
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        raise ValueError("axis (0, 0, 0) has no direction; give a vector that is not zero")
    x, y, z = x / largest, y / largest, z / largest  # squares of very short or very long vectors are representable
    length = math.sqrt(x * x + y * y + z * z)
    return frozen((x / length, y / length, z / length))


_UNIT = {(sign, LETTERS[i]): frozen(sign * np.eye(3)[i]) for sign in (1, -1) for i in range(3)}


def skew(a: Array) -> Array:
    """Matrix of the cross product, skew(a) @ b = a x b; leading dimensions are kept."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    o = np.zeros_like(x)
    return np.stack([np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2)


def check_frame(frame: str) -> None:
    """Refuse anything but 'body' and 'space'."""
    if frame not in ("body", "space"):
        raise ValueError(f"frame is 'body' or 'space' (the axes of the angular velocity), not {frame!r}")


def apply3(E: Array, x: Array) -> Array:
    """The vectors E x (..., 3) of matrices E (..., 3, 3)."""
    return (E @ x[..., None])[..., 0]


def solve3(E: Array, x: Array) -> Array:
    """The vectors y (..., 3) of E y = x."""
    return np.asarray(np.linalg.solve(E, x[..., None])[..., 0], dtype=np.float64)
