"""Room on the disk for what HDF5 is about to write: HDF5 does not survive a disk that is full."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

SPARE = 1 << 20  # bytes for HDF5's own book-keeping
NOT_THERE = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)  # file systems that cannot reserve


def require_room(folder: Path) -> None:
    """Raise OSError if the disk is too full to begin a file."""
    if shutil.disk_usage(folder).free < SPARE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class DiskSpace:
    """Reserves room behind a file as it grows, before it is needed."""

    def __init__(self, path: Path):
        self.path = path
        self.needed = path.stat().st_size
        self.reserved = 0

    def grow(self, n: int) -> None:
        """Make sure that the file can become longer by n bytes; OSError if it cannot."""
        needed = self.needed + n
        length = needed + 2 * SPARE + n
        if n == 0 or needed + SPARE <= self.reserved:
            self.needed = needed
            return
        if hasattr(os, "posix_fallocate"):
            descriptor = os.open(self.path, os.O_RDWR)
            try:
                os.posix_fallocate(descriptor, 0, length)
            except OSError as error:
                if error.errno not in NOT_THERE:
                    raise
            finally:
                os.close(descriptor)
        require_room(self.path)
        self.needed, self.reserved = needed, length

    def release(self, length: int) -> None:
        """The file is closed and has this length: what was reserved behind it is free again."""
        with suppress(OSError):
            if self.path.stat().st_size > length:
                os.truncate(self.path, length)
