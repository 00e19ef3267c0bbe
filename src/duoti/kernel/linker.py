"""Where the machine code of kernels comes from.

    Python function --Numba--> LLVM code --LLVM--> object file --> store on disk --> linked into this process
                    `compiler`          `machine_code`          `store`             here

A kernel that is in a store is linked at once (a millisecond), and Numba is not imported at all. Several that are
missing are compiled side by side, some of them in a second process.
"""

from __future__ import annotations

import functools
import hashlib
import threading
from typing import Any

import llvmlite.binding as ll

from duoti.kernel import machine_code, store
from duoti.kernel.functions import Compiled
from duoti.kernel.stamps import stamp

_LOCK = threading.RLock()
_LINKED: dict[str, tuple[Any, int, str]] = {}
_MADE: dict[str, store.Code] = {}  # compiled or read, not yet linked


def key_of(compiled: Compiled, signature: str) -> str:
    """The name of a kernel's code in the store."""
    effort = machine_code.HOT if compiled.hot else machine_code.COLD
    text = f"{compiled.name}|{signature}|{stamp(compiled)}|{machine_code.TRIPLE}|{machine_code.level()}|{effort}"
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def symbol_of(key: str) -> str:
    """The name of a kernel's function inside its object file."""
    return f"duoti_{key}"


def link(compiled: Compiled, signature: str) -> tuple[int, str]:
    """Address of a kernel for these arguments, or of an entry; and the kind that it returns."""
    with _LOCK:
        key = key_of(compiled, signature)
        if key not in _LINKED:
            code = _MADE.pop(key, None) or store.read(key) or compile_now(compiled, signature, key)
            symbol = symbol_of(key)
            builder = ll.JITLibraryBuilder().add_object_img(code.image).add_current_process()
            library = builder.export_symbol(symbol).link(_jit(), symbol)
            _LINKED[key] = library, library[symbol], code.returns
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


def compile_now(compiled: Compiled, signature: str, key: str) -> store.Code:
    """Compile a kernel and keep it."""
    from duoti.kernel import compiler, progress

    with progress.compiling(compiled):
        bitcode, returns = compiler.lowered(compiled, signature, symbol_of(key))
        effort = machine_code.HOT if compiled.hot else machine_code.COLD
        code = store.Code(returns, machine_code.object_of(bitcode, machine_code.level(), effort))
    store.write(key, code)
    return code


@functools.cache
def _jit() -> Any:
    machine = ll.Target.from_triple(machine_code.TRIPLE).create_target_machine()
    return ll.create_lljit_compiler(machine)
