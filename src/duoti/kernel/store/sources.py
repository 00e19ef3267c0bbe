"""What the functions of kernels say, by the files in which they stand: parsed once for each content of a file.

The tables of the package's own files come with the machine code that it ships (`shipped`), those of other files and of
edited ones are kept in the user's folder, under digests of the files. So a run that has its kernels reads files and
parses none.
"""

from __future__ import annotations

import functools
import hashlib
import linecache
import os
import time
import types
from collections.abc import Callable, Sequence
from typing import Any

from duoti.kernel.store import shipped, syntax
from duoti.kernel.store import user_store as store
from duoti.kernel.store.syntax import FunctionSyntax

_BEGAN = time.time()
USED: dict[str, dict[str, FunctionSyntax]] = {}
"""Tables of files that were asked for, by the digest of the file."""

REMEMBERED: dict[str, bytes] = {}
"""Texts that stand in no file, by the names that stand for files in their code."""


def remember_text(text: str, what: str) -> types.CodeType:
    """Compile a text that stands in no file, and keep it for `syntax_of`."""
    name = f"<{what} {hashlib.sha256(text.encode()).hexdigest()[:16]}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)  # for messages
    REMEMBERED[name] = text.encode()
    return compile(text, name, "exec")


def syntax_of(function: Callable[..., Any]) -> FunctionSyntax:
    """What a function says: from its source, or from its bytecode where there is no source."""
    code: types.CodeType = function.__code__
    text, may_differ = _text(code.co_filename)
    if text is not None:
        table = _table(text)
        found = table.get(syntax.place_of(code))
        if found is not None and not (may_differ and not _is_made_of(code, text)):
            return found
    return _of_bytecode(code)


def syntax_of_file(path: str, functions: Sequence[str] = ()) -> list[str]:
    """Digests of what these functions of a file say, or the whole file."""
    with open(path, "rb") as file:
        table = _table(file.read())
    if not functions:
        return [table[syntax.WHOLE].digest]
    found = {key.partition(":")[2]: each.digest for key, each in table.items()}
    return [found[name] for name in functions]


@functools.cache
def _text(path: str) -> tuple[bytes | None, bool]:
    """The text of a file, and whether the functions of this process may have been made of another one."""
    if path in REMEMBERED:
        return REMEMBERED[path], False
    try:
        with open(path, "rb") as file:
            young = os.fstat(file.fileno()).st_mtime > _BEGAN - 2.0  # some file systems count in seconds
            return file.read(), young
    except (OSError, ValueError):
        lines = linecache.getlines(path)
        return "".join(lines).encode() if lines else None, True


def digest_of(text: bytes) -> str:
    """The name of the table of a file."""
    return hashlib.sha256(text).hexdigest()[:40]


@functools.cache
def _table(text: bytes) -> dict[str, FunctionSyntax]:
    digest = digest_of(text)
    if digest not in USED:
        USED[digest] = shipped.table(digest) or _kept(digest) or _parsed(digest, text)
    return USED[digest]


def _kept(digest: str) -> dict[str, FunctionSyntax] | None:
    folder = store.source_folder()
    found = store.verified(folder / digest) if folder else None
    return syntax.read(found.image.decode()) if found else None


def _parsed(digest: str, text: bytes) -> dict[str, FunctionSyntax]:
    try:
        table = syntax.table_of(text.decode())
    except (SyntaxError, UnicodeDecodeError):
        return {}
    folder = store.source_folder()
    if folder is not None:
        store.write(digest, store.Code("", syntax.written(table).encode()), folder)
    return table


def _is_made_of(code: types.CodeType, text: bytes) -> bool:
    """Whether a text makes this code: a file may have been changed since it was imported."""
    try:
        whole = compile(text, code.co_filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return any(_same(each, code) for each in _codes(whole) if syntax.place_of(each) == syntax.place_of(code))


def _codes(code: types.CodeType) -> list[types.CodeType]:
    found = [code]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found += _codes(constant)
    return found


def _same(one: types.CodeType, other: types.CodeType) -> bool:
    return list(_pieces(one)) == list(_pieces(other))


def _pieces(code: types.CodeType) -> list[Any]:
    """What a code object does, without where it stands."""
    inside = [_pieces(each) if isinstance(each, types.CodeType) else repr(each) for each in code.co_consts]
    return [code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, inside]


def _of_bytecode(code: types.CodeType) -> FunctionSyntax:
    """For functions that were typed in at a prompt: good for this version of Python."""
    names = sorted({name for each in _codes(code) for name in (*each.co_names, *each.co_freevars)})
    return FunctionSyntax("bytecode " + hashlib.sha256(repr(_pieces(code)).encode()).hexdigest()[:32], tuple(names))
