"""The part of the model check that comes first: is every parameter of an element of the kind that its type asks for?

A model is a description that scripts may change at will, so that any value may stand anywhere. What a type of element
takes is known from its constructor (`model.constructor_schema`); whatever is of another kind is reported here by
name. A type says in `faults` what else is wrong with its numbers. It need not be prepared for values of any other kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from duoti.model.constructor_schema import Field, fields_of
from duoti.model.element_id import Fault
from duoti.model.elements import Body, JointElement, Marker
from duoti.model.laws.law import Function
from duoti.spatial import Rotation
from duoti.spatial.axes import LARGEST, axis_vector, is_finite_number

MOST = 2**31  # of counts
POINTS = ("start", "end")  # points, or what is there
LONGEST_SHOWN = 80  # characters of a value in a message
NUMBERS = frozenset((float, int))


def shown(value: Any) -> str:
    """A value in a message: its `repr`, or the beginning of it."""
    try:
        text = repr(value)
    except Exception as error:  # whatever a class of the user's does
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def number_fault(value: Any) -> str:
    """Why a value is no number of a model; empty if it is one."""
    if not is_finite_number(value):
        return "give a finite number"
    return "" if abs(float(value)) <= LARGEST else f"no number of a model is beyond {LARGEST:g}"


def vector_fault(value: Any, size: int) -> str | None:
    """Why `value` is not `size` finite numbers, or None."""
    if type(value) is tuple and len(value) == size and NUMBERS.issuperset(map(type, value)):
        total = sum(value)
        if total - total == 0.0 and min(value) >= -LARGEST and max(value) <= LARGEST:  # neither NaN nor infinite
            return None
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return f"{shown(value)} is not {size} numbers"
    if array.shape != (size,):
        return f"{shown(value)} is not {size} numbers"
    if not np.all(np.isfinite(array)):
        return f"{array.tolist()} is not finite"
    if np.any(np.abs(array) > LARGEST):
        return f"{array.tolist()} is too large; no number of a model is beyond {LARGEST:g}"
    return None


def rotation_fault(rotation: Any) -> str | None:
    """Why `rotation` is not one, or None."""
    try:
        Rotation.from_any(rotation)
    except (ValueError, TypeError, OverflowError) as error:
        return str(error)
    return None


def as_numbers(value: Any) -> Any:
    """An array of what should be numbers; None if it is none."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None


def numbers_fault(value: Any) -> str:
    """Why a value is no number, or array of numbers; empty if it is."""
    array = as_numbers(value)
    if array is None:
        return "give numbers"
    if not np.all(np.isfinite(array)):
        return "give finite numbers"
    return "" if np.all(np.abs(array) <= LARGEST) else f"no number of a model is beyond {LARGEST:g}"


def _axis(value: Any) -> str:
    try:
        axis_vector(value)
    except (TypeError, ValueError, OverflowError):
        return "give 'x', 'y', 'z', '-x', '-y', '-z', or a vector such as (0, 0, 1)"
    return ""


def _law(value: Any) -> str:
    """Laws are read where they are used, with the names that they may read there; a class is no function."""
    if isinstance(value, type):
        return "give a finite number, an expression or a function"
    huge = isinstance(value, int) and not -LARGEST <= value <= LARGEST
    return number_fault(value) if huge or is_finite_number(value) else ""


def _laws(value: Any) -> str:
    if isinstance(value, Function) or (callable(value) and not isinstance(value, type)):
        return ""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        return "give a list of numbers and expressions, or a function"
    if any(isinstance(each, Sequence | Mapping | set | np.ndarray) and not isinstance(each, str) for each in value):
        return "give a list of numbers and expressions, or a function"
    return next((fault for each in value if (fault := _law(each))), "")


def _reference(value: Any) -> str:
    return "" if isinstance(value, str | Body | Marker) else "give a body or marker, or its name"


def _references(value: Any) -> str:
    if isinstance(value, str) or not isinstance(value, Sequence) or any(map(_reference, value)):
        return "give a list of bodies or markers, or of their names"
    return ""


def _coefficients(value: Any) -> str:
    if not isinstance(value, Mapping):
        return "give a mapping such as {'A': 1.0, 'B': -1.0}"
    for key, factor in value.items():
        joint, coordinate = key if isinstance(key, tuple) and len(key) == 2 else (key, 0)
        if not isinstance(joint, str | JointElement) or not isinstance(coordinate, Integral):
            return "its keys are joints, or pairs (joint, number of a coordinate)"
        if fault := number_fault(factor):
            return f"the coefficient of {shown(key)}: {fault}"
    return ""


def _of(*types: type, say: str) -> Callable[[Any], str]:
    return lambda value: "" if isinstance(value, types) else say


def _integer(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, Integral):
        return "give a whole number"
    return "" if abs(int(value)) <= MOST else f"no count of a model is beyond {MOST}"


KINDS: dict[str, Callable[[Any], str]] = {
    "number": number_fault,
    "whole number": _integer,
    "true or false": _of(bool, np.bool_, say="give True or False"),
    "text": _of(str, say="give a text"),
    "axis": _axis,
    "law": _law,
    "laws": _laws,
    "numbers": numbers_fault,
    "marker or body": _reference,
    "markers or bodies": _references,
    "body": _of(str, Body, say="give a body or its name"),
    "joint": _of(str, JointElement, say="give a joint or its name"),
    "coefficients": _coefficients,
}
"""What is wrong with a value of each kind, empty if nothing is; other kinds are looked at where they are used."""


def value_fault(field: Field, value: Any) -> Fault | None:
    """What is wrong with the value of a parameter as such."""
    if type(value) is float and field.kind == "number" and -LARGEST <= value <= LARGEST:
        return None
    if not field.required and (value is field.default or (type(value) is float and value == field.default)):
        return None  # infinity, too, where it is the default
    check = KINDS.get(field.kind)
    why = check(value) if check is not None else ""
    return Fault(f"{field.name} is {shown(value)}; {why}", field.name) if why else None


def require_arguments(method: Callable[..., Any], kind: str, given: Mapping[str, Any]) -> None:
    """Raise ValueError if arguments of a method are of another kind than it takes, with all that are."""
    fields = fields_of(method).values()
    faults = [fault for f in fields if f.name in given and (fault := value_fault(f, given[f.name])) is not None]
    if isinstance(given.get("name"), str) and not given["name"].strip():
        faults.append(Fault("name is empty; give it a name", "name"))
    reported = {fault.key for fault in faults}
    for f in fields:  # what `dt.check` says of laws and of points, if it comes so far
        value = given.get(f.name)
        number = f.kind == "law" and isinstance(value, Real) and number_fault(value)
        point = f.name in POINTS and f.kind == "data" and isinstance(value, list | tuple) and numbers_fault(value)
        if f.name not in reported and (why := number or point):
            faults.append(Fault(f"{f.name} is {shown(value)}; {why}", f.name))
    if faults:
        name = shown(given.get("name"))
        raise ValueError(f"{kind} {name}: {'; '.join(fault.text for fault in faults)}")


def field_faults(item: Any) -> list[Fault]:
    """Parameters of an element that are of another kind than its constructor takes."""
    found: list[Fault] = []
    for name, field in fields_of(type(item)).items():
        if name != "name" and (fault := value_fault(field, getattr(item, name, None))) is not None:
            found.append(fault)
    return found


def listed(call: Callable[[], Iterable[Any]], faults: Sequence[Fault]) -> list[Any]:
    """What an element lists; nothing if it cannot, because of faults that are known already."""
    try:
        return list(call())
    except Exception:
        if faults:
            return []
        raise


def setting_faults(item: Any) -> list[str]:
    """All that is wrong with a solver or a constraint method, whose own faults are texts."""
    try:
        own = list(item.faults())
    except Exception:  # values of another kind than it is made for
        own = []
    return own or [fault.text for fault in field_faults(item)]


def faults_of(item: Any) -> list[Fault]:
    """All that is wrong with a joint, force, constraint, law of contact, event, state or table, by its parameters.

    What the type says of a parameter itself comes before what its kind alone says.
    """
    by_kind = field_faults(item)
    try:
        own: Iterable[Fault] = item.faults()
    except Exception as error:  # values of another kind than the type is made for; and types of the user's
        own = [] if by_kind else [Fault(f"its parameters cannot be checked: {type(error).__name__}: {error}")]
    own = list(own)
    reported = {fault.key for fault in own}
    return [*own, *(fault for fault in by_kind if fault.key not in reported)]
