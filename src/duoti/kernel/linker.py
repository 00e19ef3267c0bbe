"""Where the machine code of kernels comes from.

    Python function --Numba--> LLVM code --LLVM--> object file --> store on disk --> linked into this process
                    `compiler`          `machine_code`          `store`             here

A kernel that is in a store is linked at once (a millisecond), and Numba is not imported at all. Several that are
missing are compiled side by side, some of them in a second process.
"""

from __future__ import annotations

import functools
import hashlib
import os
import threading
from pathlib import Path
from typing import Any

import llvmlite.binding as ll

from duoti.kernel import faults, machine_code, store
from duoti.kernel.functions import CHECK, Compiled
from duoti.kernel.stamps import stamp

SYMBOL = "duoti_kernel"  # the one function that an object file shows

_LOCK = threading.RLock()
_LINKED: dict[str, tuple[Any, int, str]] = {}
_MADE: dict[str, store.Code] = {}  # compiled or read, not yet linked


def key_of(compiled: Compiled, signature: str, level: str = "") -> str:
    """The name of a kernel's code in the store; level: of processors, this one's unless given."""
    effort = machine_code.HOT if compiled.hot else machine_code.COLD
    level = level or machine_code.level()
    text = f"{compiled.name}|{signature}|{stamp(compiled)}|{machine_code.TRIPLE}|{level}|{effort}"
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def link(compiled: Compiled, signature: str) -> tuple[int, str]:
    """Address of a kernel for these arguments, or of an entry; and the kind that it returns."""
    with _LOCK:
        key = key_of(compiled, signature)
        if key not in _LINKED:
            code = _MADE.pop(key, None) or store.read(key) or compile_alone(compiled, signature, key)
            assert code is not None  # it waited
            builder = ll.JITLibraryBuilder().add_object_img(code.image).add_current_process()
            if CHECK:
                builder.import_symbol(faults.SYMBOL, faults.address())
            library = builder.export_symbol(SYMBOL).link(_jit(), key)
            _LINKED[key] = library, library[SYMBOL], code.returns
        _, address, returns = _LINKED[key]
        return address, returns


def is_here(key: str) -> bool:
    """True if code of this name need not be compiled."""
    if key not in _LINKED and key not in _MADE and (code := store.read(key)):
        _MADE[key] = code
    return key in _LINKED or key in _MADE


def keep(key: str, code: store.Code) -> None:
    """Have code at hand for `link`."""
    _MADE[key] = code


def compile_alone(
    compiled: Compiled,
    signature: str,
    key: str,
    folder: Path | None = None,
    wait: bool = True,
    only_lower: bool = False,
) -> store.Code | None:
    """Compile a kernel unless another process does so just now: then wait for its code, or return nothing.

    folder: where the others look, if not in the user's store. only_lower: Numba's half of the work; whoever comes next
    does LLVM's, from a file.
    """
    with store.making(key, folder, wait) as mine:
        if not mine:
            return None
        code = store.verified(folder / key) if folder else store.read(key)
        if code is not None:
            return code
        name = store.lowered_name(key)
        where = folder or store.user_folder()
        lowered = store.verified(where / name) if where else None
        if only_lower:
            if lowered is None:
                store.write(name, _lower(compiled, signature), folder)
            return None
        code = compile_now(compiled, signature, key, lowered)
        if folder:
            store.write(key, code, folder)
        store.remove(name, folder)
        return code


def _lower(compiled: Compiled, signature: str) -> store.Code:
    """A kernel as LLVM's intermediate code."""
    from duoti.kernel import compiler

    bitcode, returns = compiler.lowered(compiled, signature, SYMBOL)
    return store.Code(returns, bitcode)


def compile_now(compiled: Compiled, signature: str, key: str, lowered: store.Code | None = None) -> store.Code:
    """Compile a kernel and keep it; also for the further levels of processors that `DUOTI_LEVELS` lists."""
    from duoti.kernel import progress

    effort, here = machine_code.HOT if compiled.hot else machine_code.COLD, machine_code.level()
    with progress.compiling(compiled):
        returns, bitcode = lowered or _lower(compiled, signature)
        code = store.Code(returns, machine_code.object_of(bitcode, here, effort))
        store.write(key, code)
        for level in filter(None, os.environ.get("DUOTI_LEVELS", "").split(",")):
            if level != here:
                made = store.Code(returns, machine_code.object_of(bitcode, level, effort))
                store.write(key_of(compiled, signature, level), made)
    return code


@functools.cache
def _jit() -> Any:
    machine = ll.Target.from_triple(machine_code.TRIPLE).create_target_machine()
    return ll.create_lljit_compiler(machine)
