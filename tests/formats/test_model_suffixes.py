"""The ending of a file name says its format, also where a format has several endings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import duoti as dt

PENDULUM = """<sdf version="1.9"><world name="w"><gravity>0 0 -9.81</gravity><model name="pendulum">
<link name="rod"><pose>0 0 -0.5 0 0 0</pose><inertial><mass>2</mass>
<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.01</izz></inertia></inertial></link>
<joint name="A" type="revolute"><parent>world</parent><child>rod</child><pose relative_to="__model__"/>
<axis><xyz>0 1 0</xyz></axis></joint>
</model></world></sdf>
"""


def pendulum() -> dt.Model:
    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia(2.0, matrix=np.diag([0.1, 0.1, 0.01])), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    return m


def frequency(model: dt.Model) -> float:
    return float(dt.linearise(model).frequencies[0])


def test_worlds_are_sdf(tmp_path: Path) -> None:
    (tmp_path / "a.world").write_text(PENDULUM)
    expected = np.sqrt(2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25)) / (2 * np.pi)
    assert frequency(dt.load(tmp_path / "a.world")) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("suffix", [".xml", ".mjcf"])
def test_mjcf_has_two_endings(suffix: str, tmp_path: Path) -> None:
    m = pendulum()
    m.save(tmp_path / f"a{suffix}")
    assert "<mujoco model=" in (tmp_path / f"a{suffix}").read_text("utf-8")
    again = dt.formats.load_mjcf(tmp_path / f"a{suffix}")
    assert frequency(again) == pytest.approx(frequency(m), rel=1e-12)
