"""Words for the person at the terminal."""

from __future__ import annotations

import os
import sys


def say(text: str) -> None:
    """Write one line for the person at the terminal (stderr), unless `DUOTI_QUIET` is set."""
    if not os.environ.get("DUOTI_QUIET"):
        print(text, file=sys.stderr, flush=True)


class MissingPackageError(ImportError):
    """An optional package is not installed; the text says how to get it."""
