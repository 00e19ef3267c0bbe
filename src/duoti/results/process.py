"""Which process writes a file, and whether it still lives."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

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
