"""No file of the package is one that git, and with it the build of the wheel, ignores.

Hatchling leaves out what .gitignore names, also when it is tracked: a folder `system/build` was missing in wheels.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(
    shutil.which("git") is None or not (ROOT / ".git").exists(), reason="not a checkout, or no git to ask"
)
def test_no_file_of_the_package_is_ignored():
    files = [path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert len(files) > 500
    asked = "\n".join(str(path.relative_to(ROOT)) for path in files)
    told = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"], cwd=ROOT, input=asked, capture_output=True, text=True
    )
    assert told.returncode == 1, f"ignored, and so not in wheels:\n{told.stdout}{told.stderr}"
