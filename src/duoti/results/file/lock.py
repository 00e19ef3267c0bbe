"""One writer at a time for each result file.

The lock is a small file beside the result, `run.h5.lock`, that the system holds locked for the process that writes; it
is given up when that process ends, however it ends. What stands in it says who that is.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import time
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

from duoti.results.errors import ResultFileError

# Which process writes a file, and whether it still lives.


SILENT = 60.0  # seconds without a sign of life after which a process that cannot be asked counts as dead
_WRITING: set[Path] = set()  # files that this very process writes


def _born(pid: int) -> str:
    """When a process was started, where the system tells (Linux): process numbers are used again."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19]
    return ""


def this_process() -> dict[str, Any]:
    """What `is_alive` needs to know about this process later."""
    return {"pid": os.getpid(), "host": socket.gethostname(), "born": _born(os.getpid())}


def started_writing(path: Path) -> None:
    """This process writes a file from now on."""
    _WRITING.add(path.resolve())


def stopped_writing(path: Path) -> None:
    """It does so no longer."""
    _WRITING.discard(path.resolve())


def is_alive(process: dict[str, Any], path: Path) -> bool:
    """Whether the process that wrote a file is still at it.

    On another machine, or where processes cannot be asked: whether it wrote within the last minute.
    """
    pid = int(process["pid"])
    if process["host"] != socket.gethostname() or os.name != "posix":
        return time.time() - path.stat().st_mtime < SILENT
    if pid == os.getpid() and process["born"] == _born(pid):
        return path.resolve() in _WRITING
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return process["born"] == _born(pid)


UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}  # a file system without locks


class HeldError(Exception):
    """Another writer holds the lock."""


@contextlib.contextmanager
def writing_lock(path: Path) -> Generator[None, None, None]:
    """Be the only one who writes a result file, from before it is read to the end; ResultFileError if another does."""
    lock = path.resolve()
    lock = lock.with_name(f"{lock.name}.lock")
    try:
        descriptor = _acquire(lock)
    except HeldError:
        raise ResultFileError(f"{path}: {_holder(lock)}; wait for it, or give another name") from None
    except OSError as error:
        raise ResultFileError(f"{path}: cannot be locked for writing: {error.strerror} ({lock.name})") from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # Windows keeps a file that someone has open
            lock.unlink(missing_ok=True)
        os.close(descriptor)


def _acquire(lock: Path) -> int:
    """A descriptor of the lock file, locked."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(descriptor)
            if _is_there(descriptor, lock):  # and not that of a writer who has just ended, which is gone
                who = {**this_process(), "since": time.strftime("%Y-%m-%d %H:%M:%S")}
                os.ftruncate(descriptor, 0)
                os.write(descriptor, json.dumps(who).encode())
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_there(descriptor: int, lock: Path) -> bool:
    try:
        there = lock.stat()
    except FileNotFoundError:
        return False
    return os.path.samestat(there, os.fstat(descriptor))


def _holder(lock: Path) -> str:
    """Who holds the lock, in words."""
    try:
        who = json.loads(lock.read_text(encoding="utf-8"))
        here = who["host"] == this_process()["host"]
        at = "" if here else f" on {who['host']}"
        this = " (this one)" if here and who["pid"] == os.getpid() else ""
        return f"process {int(who['pid'])}{this}{at} is writing a run into it, since {who['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process is writing a run into it"


if os.name == "nt":
    import msvcrt

    _BEYOND = 1 << 20  # the byte that is locked: what stands in the file remains readable

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # pyright: ignore[reportAttributeAccessIssue]
        except OSError as error:
            raise HeldError from error
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if isinstance(error, BlockingIOError) or error.errno == errno.EACCES:
                raise HeldError from error
            if error.errno not in UNSUPPORTED:
                raise
