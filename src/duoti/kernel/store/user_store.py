"""The user's store of machine code: a folder for each level of processors, a file for each kernel, named by content.

The name is a digest of everything that the code depends on (`cache_keys`), so that a file never becomes stale and all
clones and virtual environments of a user share one folder: `DUOTI_CACHE`, or the usual cache folder of the system. A
file carries a digest of its content; one that does not verify (cut short, flipped bits) is made anew. What is here are
kernels that the package does not ship (`shipped`): those of the user's own types, and of edited sources.

Code is only taken from a folder that no other user can write to.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

from duoti.kernel.console import say
from duoti.kernel.decorators import CHECK
from duoti.kernel.store import shipped
from duoti.kernel.store.processors import level
from duoti.kernel.store.shipped import Code

MAGIC = b"duoti kernel 3\n"
LARGEST = 500e6  # bytes in the user's store; beyond, the files that were made first are removed


@functools.cache
def versions() -> str:
    """The versions of what compiles: code that others made may differ in its last bits."""
    return f"numba{_version('numba')}-llvmlite{_version('llvmlite')}{'-checked' if CHECK else ''}"


def _version(package: str) -> str:
    """The version of a package without its import; its own file says it, importlib.metadata would take 20 ms."""
    place = find_spec(package)
    file = Path(place.origin).with_name("_version.py") if place is not None and place.origin else None
    text = file.read_text("utf-8") if file is not None and file.exists() else ""
    found = re.search(r"""^ *(?:"version":|version_version =) *["']([^"']+)["']""", text, re.MULTILINE)
    if found:
        return found[1]
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "-none"


def cache_folder() -> Path:
    """Where duoti keeps what it can make again."""
    if given := os.environ.get("DUOTI_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "duoti"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "duoti"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "duoti"


def user_folder() -> Path | None:
    """The folder of the user's store, made if need be; None, with a word, if there cannot be one."""
    return level_folder(level())


@functools.cache
def level_folder(of_level: str) -> Path | None:
    """The same for code of another level of processors."""
    return _folder("kernels", versions(), of_level)


@functools.cache
def source_folder() -> Path | None:
    """The folder with the tables of source files that the package does not bring (`sources`)."""
    return _folder("sources")


def _folder(*names: str) -> Path | None:
    try:
        folder = cache_folder().joinpath(*names)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        problem = _open_to_others(folder)
    except (OSError, RuntimeError) as error:
        return _no_store(error)
    if problem:
        if problem not in _WARNED:
            _WARNED.add(problem)
            say(f"duoti: {problem}: nothing is taken from there nor kept; set DUOTI_CACHE to a folder of your own")
        return None
    return folder


def _open_to_others(folder: Path) -> str:
    """Why the code in a folder may not be the user's own, or nothing."""
    if not hasattr(os, "getuid"):
        return ""
    found = folder.stat()
    if found.st_uid != os.getuid():
        return f"the folder {folder} belongs to another user"
    if found.st_mode & 0o022:
        return f"other users may write to the folder {folder}"
    return ""


_WARNED: set[str] = set()


def _no_store(error: BaseException) -> None:
    if "no store" not in _WARNED:
        _WARNED.add("no store")
        reason = getattr(error, "strerror", None) or str(error)
        say(
            f"duoti: kernels cannot be kept in {cache_folder()} ({reason}): each run compiles them again; "
            "set DUOTI_CACHE to a folder with room that you may write to"
        )


def verified(path: Path) -> Code | None:
    """What a file holds, None if there is no such file or it is damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(MAGIC) + 32
    if data[: len(MAGIC)] != MAGIC or hashlib.sha256(data[head:]).digest() != data[len(MAGIC) : head]:
        return None
    size = data[head]
    return Code(data[head + 1 : head + 1 + size].decode(), data[head + 1 + size :])


def read(key: str) -> Code | None:
    """The code of this name: for the level of this processor, shipped or from the user's store; or for a lower one."""
    found = shipped.code(key)
    if found is None and _has_code_of_this_level() and (folder := user_folder()):
        found = verified(folder / key)
    return shipped.code_of_lower_level(key) if found is None else found


def _has_code_of_this_level() -> bool:
    """Whether anything was ever compiled for this level, by any compiler: a first run does not look for Numba."""
    with contextlib.suppress(OSError, RuntimeError):
        return any((each / level()).is_dir() for each in (cache_folder() / "kernels").iterdir())
    return False


def write(key: str, code: Code, folder: Path | None = None) -> None:
    """Keep code under this name: whole or not at all, whoever else writes at the same time."""
    where = folder or user_folder()
    if where is None:
        return
    payload = bytes([len(code.returns)]) + code.returns.encode() + code.image
    name = ""
    try:
        with tempfile.NamedTemporaryFile(dir=where, prefix="making-", delete=False) as file:
            name = file.name
            file.write(MAGIC + hashlib.sha256(payload).digest() + payload)
        os.replace(name, where / key)
    except OSError as error:
        if name:
            with contextlib.suppress(OSError):
                os.unlink(name)
        _no_store(error)


def has(key: str, folder: Path | None = None) -> bool:
    """True if there is a file of this name where processes that compile side by side look for it."""
    where = folder or user_folder()
    return where is not None and (where / key).exists()


def lowered_name(key: str) -> str:
    """The name of the file with the code of a kernel half-way, as LLVM has it, while it is on its way."""
    return f"making-{key}.bc"


def remove(name: str, folder: Path | None = None) -> None:
    """Remove a file, if it is there."""
    where = folder or user_folder()
    if where is not None:
        with contextlib.suppress(OSError):
            (where / name).unlink()


@contextlib.contextmanager
def making(key: str, folder: Path | None = None, wait: bool = True) -> Generator[bool, None, None]:
    """Inside, no other process makes the code of this name; False if one does just now and `wait` is not asked for.

    The lock goes with the process that holds it, however that ends. Where files cannot be locked, everyone may.
    """
    where = folder or user_folder()
    if where is None:
        yield True
        return
    path = where / f"making-{key}"
    try:
        file = open(path, "ab")  # noqa: SIM115 - closed below, and by the system if this process is killed
    except OSError:
        yield True
        return
    with file:
        mine = _locked(file.fileno())
        while wait and not mine:
            time.sleep(0.02)
            mine = _locked(file.fileno())
        try:
            yield mine
        finally:
            if mine:
                with contextlib.suppress(OSError):
                    path.unlink()


def _locked(descriptor: int) -> bool:
    """Lock a file, unless another process has done so."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def tidy() -> None:
    """Keep the user's store within bounds: what was made first goes first."""
    for folder in (user_folder(), source_folder()):
        if folder is not None:
            _tidy(folder)


def _tidy(folder: Path) -> None:
    with contextlib.suppress(OSError):
        files = [(each.stat().st_mtime, each.stat().st_size, each.path) for each in os.scandir(folder)]
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= LARGEST:
                break
            os.unlink(path)
            total -= size
