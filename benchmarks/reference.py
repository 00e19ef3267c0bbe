"""The reference cases of the tests, for benchmarks that use the same models and the same exact values."""

from __future__ import annotations

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]

sys.path.insert(0, str(REPOSITORY / "tests" / "reference"))
from cases import case as reference_case  # noqa: E402
from test_loop_cases import BRICARD, bricard, squeezer  # noqa: E402

__all__ = ["BRICARD", "REPOSITORY", "bricard", "reference_case", "squeezer"]
