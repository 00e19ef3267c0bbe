"""How long the tests of a run took: the slowest ones, as a table in a file (`pytest --write-durations=FILE`)."""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from datetime import UTC, datetime

ROWS = 50
began = time.monotonic()
seconds: dict[str, float] = defaultdict(float)
passed: set[str] = set()


def note(report):
    """Add what a phase of a test took: set-up, call or tear-down."""
    seconds[report.nodeid] += report.duration
    if report.when == "call" and report.passed:
        passed.add(report.nodeid)


def write(path):
    """The table of the slowest tests, and of the files."""
    files = defaultdict(float)
    for test, each in seconds.items():
        files[test.partition("::")[0]] += each
    options = "".join(f" {each}" for each in sys.argv[1:] if each in ("--full", "--campaign"))
    lines = [
        "# The slowest tests",
        "",
        f"Written by `pytest{options} --write-durations` on {datetime.now(UTC):%Y-%m-%d}.",
        f"{len(passed)} tests passed in {time.monotonic() - began:.0f} s, on {os.cpu_count()} processors.",
        "Seconds include set-up and tear-down; other programs may have run beside.",
        "",
        *_table("test", seconds),
        "",
        *_table("file", files),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _table(what, numbers):
    slowest = sorted(numbers, key=numbers.__getitem__, reverse=True)[:ROWS]
    return [f"| s | {what} |", "|--:|---|", *(f"| {numbers[each]:.1f} | `{each}` |" for each in slowest)]
