"""Plain data as YAML text that people like to read: one line for each element where it fits."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from duoti.formats.scalars import resolved

WIDTH = 110
_SIGNS = r"[\w.+*/^()<>=-]"
_PLAIN = re.compile(rf"(?:[\w=(]|-(?=[^\W\d]|\())(?:{_SIGNS}|[ ](?={_SIGNS}))*")
_PLAIN_KEY = re.compile(r"[^\W\d][\w.-]*")


def dump(data: Mapping[str, Any]) -> str:
    """The text of a mapping."""
    return "\n".join(_table(data, 0)) + "\n"


def _table(data: Mapping[str, Any], indent: int) -> list[str]:
    lines: list[str] = []
    for key, value in data.items():
        head = f"{' ' * indent}{_key(key)}:"
        flow = _flow(value)
        section = indent == 0 and isinstance(value, Mapping) and any(isinstance(v, Mapping) for v in value.values())
        if isinstance(value, Mapping) and value and (section or len(head) + len(flow) + 1 > WIDTH):
            lines += [head, *_table(value, indent + 2)]
        elif len(head) + len(flow) + 1 <= WIDTH or not isinstance(value, list | tuple):
            lines.append(f"{head} {flow}")
        elif any(isinstance(item, Mapping | list | tuple) for item in value):
            lines += [head, *(f"{' ' * (indent + 2)}- {_flow(item)}" for item in value)]
        else:
            lines += _wrapped(head, value, indent + 2)
    return lines


def _wrapped(head: str, items: list[Any] | tuple[Any, ...], indent: int) -> list[str]:
    """A long list of plain values over several lines."""
    lines, line = [f"{head} ["], " " * indent
    for item in items:
        word = f"{_flow(item)}, "
        if len(line) + len(word) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = " " * indent
        line += word
    lines.append(line.rstrip(", "))
    lines.append(" " * indent + "]")
    return lines


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else (".inf" if value > 0 else "-.inf")
    return _text(str(value))


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) and resolved(key) == key else quoted(key)


def _text(value: str) -> str:
    if _PLAIN.fullmatch(value) and resolved(value) == value and not value.startswith("---"):
        return value
    return quoted(value)


def quoted(text: str) -> str:
    """A text in double quotation marks, with everything escaped that is not printable."""
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _escaped(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    if c == " " or c.isprintable():
        return c
    code = ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
