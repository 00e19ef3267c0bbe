"""Types of one's own in the folders of duoti's types, as if a user had put their files there.

`added_joints`, `added_elements` and `added_shapes` hold such files. What is said here must be said
before duoti is imported.
"""

import importlib.machinery
import os
import subprocess
import sys
from pathlib import Path

FOLDERS = {
    "added_joints": "duoti.model.joints",
    "added_elements": "duoti.flexible.elements",
    "added_shapes": "duoti.model.shapes",
}
TESTS = Path(__file__).parents[1]


class _Finder:
    """Lets a package look into one more folder."""

    def __init__(self, folder):
        self.package, self.folder = FOLDERS[folder], str(Path(__file__).parent / folder)

    def find_spec(self, name, path=None, target=None):
        if name != self.package:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        spec.submodule_search_locations.append(self.folder)
        return spec


def look_there(folder) -> None:
    """Add the types of a folder; before duoti is imported."""
    sys.meta_path.insert(0, _Finder(folder))


def run(*arguments, **environment):
    """A process of Python that finds the tests' support."""
    path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, *arguments], env=os.environ | {"PYTHONPATH": path} | environment, cwd=TESTS.parent,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def run_tests(folder, file, which, **environment):
    """The lines PASSED and FAILED of the tests of a file whose names contain `which`, with the types of a folder."""
    plain = ["-q", "-n", "0", "-p", "no:cacheprovider", "-p", "support.added_types_plugin", "--tb=no", "-rA"]
    environment |= {"ADDED_TYPES": folder}
    return run("-m", "pytest", *plain, "-k", which, str(TESTS / file), **environment).stdout.splitlines()
