"""What `compiler` and `option` of an MJCF file say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element

BOOLEAN = ("true", "false")


@dataclass
class Settings:
    """What `compiler` and `option` say."""

    degrees: bool = True
    sequence: str = "xyz"
    autolimits: bool = True
    from_geoms: str = "auto"
    balance: bool = False
    least_mass: float = 0.0
    least_inertia: float = 0.0
    total_mass: float = -1.0
    group_range: tuple[float, float] = (0.0, 1e9)
    mesh_folder: str = ""
    folder: Path = Path()
    """Of the main file, to which names of files are relative."""
    strip_path: bool = False
    align_free: bool = False
    exact_meshes: bool = False
    """Of older files: meshes are "exact" that do not say what they are."""
    fit_box: bool = False
    """Whether primitives are fitted to the bounding boxes of meshes, not to their inertia."""
    gravity: tuple[float, ...] = (0.0, 0.0, -9.81)
    disabled: frozenset[str] = frozenset()
    disabled_groups: frozenset[float] = frozenset()
    """Groups of actuators that are switched off."""

    @property
    def angle(self) -> float:
        """Radians of one unit of the file."""
        return np.pi / 180.0 if self.degrees else 1.0

    def asset_path(self, file: str) -> str:
        """Path of an asset, relative to the main file."""
        name = file.replace("\\", "/")
        if self.strip_path:
            name = name.rpartition("/")[2]
        return str(Path(self.mesh_folder) / name) if self.mesh_folder else name

    def read_compiler(self, reading: Reading, section: Element) -> None:
        """Take over what a `compiler` element says."""

        def flag(attribute: str, default: bool) -> bool:
            return reading.choice(section, attribute, BOOLEAN, str(default).lower()) == "true"

        unit = reading.choice(section, "angle", ("degree", "radian"), "degree" if self.degrees else "radian")
        self.degrees = unit == "degree"
        if section.get("coordinate", "local") != "local":
            reading.error(
                section, 'only coordinate="local" is supported', "let MuJoCo save the model in local coordinates"
            )
        self.sequence = section.get("eulerseq", self.sequence)
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            reading.error(section, f'eulerseq="{self.sequence[:20]}" is not three of the letters xyz or XYZ')
            self.sequence = "xyz"
        self.autolimits = flag("autolimits", self.autolimits)
        self.from_geoms = reading.choice(section, "inertiafromgeom", ("auto", *BOOLEAN), self.from_geoms)
        self.balance = flag("balanceinertia", self.balance)
        self.fit_box = flag("fitaabb", self.fit_box)
        self.strip_path = flag("strippath", self.strip_path)
        self.align_free = flag("alignfree", self.align_free)
        self.exact_meshes = flag("exactmeshinertia", self.exact_meshes)
        self.least_mass = reading.positive(section, "boundmass", self.least_mass)
        self.least_inertia = reading.positive(section, "boundinertia", self.least_inertia)
        self.total_mass = reading.number(section, "settotalmass", self.total_mass)
        low, high = reading.numbers(section, "inertiagrouprange", 2, self.group_range).tolist()
        self.group_range = (low, high)
        self.mesh_folder = section.get("meshdir") or section.get("assetdir") or self.mesh_folder
