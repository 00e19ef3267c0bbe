"""Models from MJCF files, the format of MuJoCo."""

from duoti.formats.mjcf.load import load_mjcf

__all__ = ["load_mjcf"]
