"""Where the machine code of kernels comes from.

    Python function --Numba--> LLVM code --LLVM--> machine code --> `shipped` with the package, or --> loaded into
                    `compiler`         `codegen`        `images`     in the `user_store`                 this process

A kernel that is shipped or in the user's store is loaded at once (0.1 ms); neither Numba nor llvmlite is imported.
Several that are missing are compiled side by side, some of them in a second process.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from duoti.kernel.console import MissingPackageError
from duoti.kernel.decorators import CHECK, COMPILER, Compiled
from duoti.kernel.store import images, misses, processors, shipped
from duoti.kernel.store import user_store as store
from duoti.kernel.store.cache_keys import stamp
from duoti.kernel.store.processors import COLD, HOT

SYMBOL = "duoti_kernel"  # the one function that an object file shows

_LOCK = threading.RLock()
_LINKED: dict[str, tuple[int, Any, str]] = {}
_MADE: dict[str, store.Code] = {}  # compiled or read, not yet linked


def key_of(compiled: Compiled, signature: str) -> str:
    """The name of a kernel's code in the stores, the same for all levels of processors."""
    target = f"{processors.PLATFORM}|{HOT if compiled.hot else COLD}{COMPILER}"
    text = f"{compiled.name}|{signature}|{stamp(compiled)}|{target}"
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def link(compiled: Compiled, signature: str) -> tuple[int, str]:
    """Address of a kernel for these arguments, or of an entry; and the kind that it returns."""
    with _LOCK:
        key = key_of(compiled, signature)
        if key not in _LINKED:
            code = _MADE.pop(key, None) or store.read(key) or compile_alone(compiled, signature, key)
            assert code is not None  # it waited
            misses.note(compiled, signature, key)
            _LINKED[key] = *_loaded(code.image, key), code.returns
        address, _, returns = _LINKED[key]
        return address, returns


def _loaded(image: bytes, key: str) -> tuple[int, Any]:
    if images.is_image(image):
        return images.load(image), None
    from duoti.kernel.compile import codegen as machine_code

    outside: dict[str, int] = {}
    if CHECK:
        from duoti.kernel import faults

        outside = {faults.SYMBOL: faults.address()}
    return machine_code.linked(image, SYMBOL, key, outside)


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
    need_compiler(compiled, signature)
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


def need_compiler(compiled: Compiled, signature: str) -> None:
    """Refuse to compile a kernel where Numba is not installed, and say why there is no code of it."""
    if find_spec("numba") is not None:
        return
    if not misses.is_of_package(compiled, signature):
        why = "it contains functions or types of your own"
    elif COMPILER or not shipped.is_used():
        why = "the machine code of the package is not used here (DUOTI_SHIPPED, DUOTI_COMPILER or DUOTI_CHECK)"
    elif not any(shipped.at(each).kernels for each in processors.levels_here()):
        why = f"the package has no machine code for {processors.PLATFORM}, {processors.level()}"
    else:
        why = "the package has no machine code of it, or its sources were changed"
    raise MissingPackageError(
        f'kernel {compiled.name} has to be compiled, since {why}; this needs Numba: pip install "duoti[compile]"'
    )


def _lower(compiled: Compiled, signature: str) -> store.Code:
    """A kernel as LLVM's intermediate code."""
    from duoti.kernel.compile import compiler

    bitcode, returns = compiler.lowered(compiled, signature, SYMBOL)
    return store.Code(returns, bitcode)


def compile_now(compiled: Compiled, signature: str, key: str, lowered: store.Code | None = None) -> store.Code:
    """Compile a kernel and keep it."""
    from duoti.kernel import console as progress

    with progress.compiling(compiled):
        returns, bitcode = lowered or _lower(compiled, signature)
        code = _emitted(compiled, returns, bitcode, processors.level())
        store.write(key, code)
    return code


def _emitted(compiled: Compiled, returns: str, bitcode: bytes, level: str) -> store.Code:
    """The machine code of a kernel for a level of processors."""
    from duoti.kernel.compile import codegen as machine_code

    return store.Code(returns, machine_code.code_of(bitcode, SYMBOL, level, HOT if compiled.hot else COLD))


def compile_for(compiled: Compiled, signature: str, key: str, levels: Sequence[str]) -> None:
    """Compile a kernel for levels of processors, this one's or not, into their stores; unless another process does."""
    with store.making(key, wait=False) as mine:
        lacking = [each for each in levels if not store.has(key, store.level_folder(each))] if mine else []
        if lacking:
            returns, bitcode = _lower(compiled, signature)
            for each in lacking:
                store.write(key, _emitted(compiled, returns, bitcode, each), store.level_folder(each))


def image_at(address: int) -> tuple[bytes, str]:
    """The image of the kernel or entry that this process has at an address, and the level of processors that it needs.

    That is the lowest level for which the package ships it, or that of this processor.
    """
    with _LOCK:
        key = next((key for key, linked in _LINKED.items() if linked[0] == address), None)
        if key is None:
            raise LookupError(f"there is no kernel at the address {address:#x}")
        first = processors.shipped_levels()[0]
        level, code = first, shipped.at(first).code(key) if shipped.is_used() else None
        if code is None:
            level, code = processors.level(), store.read(key)
        if code is None or not images.is_image(code.image):
            raise LookupError(f"there is no image of kernel {key}: images exist for Linux on x86-64 only")
        return code.image, level


def linked_addresses() -> frozenset[int]:
    """Addresses of all kernels and entries that this process has."""
    with _LOCK:
        return frozenset(address for address, _, _ in _LINKED.values())
