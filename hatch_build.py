"""Build hook: with DUOTI_PREBUILD=1 a wheel carries the machine code of all kernels for its platform.

Without it, nothing happens here, and installing from a checkout is as fast as copying files.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEVELS = "x86-64-v4,x86-64-v3"  # of processors; others compile as ever


class Prebuild(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the kernels in a process of its own and adds them to the wheel."""

    @property
    def _wanted(self) -> bool:
        return os.environ.get("DUOTI_PREBUILD") == "1" and self.target_name == "wheel"

    def dependencies(self) -> list[str]:
        """What the build needs: nothing, or what duoti itself needs."""
        if not self._wanted:
            return []
        settings = tomllib.loads((Path(self.root) / "pyproject.toml").read_text(encoding="utf-8"))
        return settings["project"]["dependencies"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and list the files."""
        if not self._wanted or version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory()
        paths = [str(Path(self.root) / "src"), os.environ.get("PYTHONPATH", "")]  # pip's: what the build needs
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        command = [sys.executable, "-m", "duoti", "compile", "--into", self._folder.name]
        if platform.machine() in ("x86_64", "AMD64"):
            command += ["--levels", LEVELS]
        subprocess.run(command, env=environment, check=True)
        for file in Path(self._folder.name, "kernels").rglob("*"):
            if file.is_file():
                build_data["force_include"][str(file)] = f"duoti/compiled/{file.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True  # the code fits one version of Python and one platform
