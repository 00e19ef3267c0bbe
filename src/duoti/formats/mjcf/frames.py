"""Orientations as MJCF writes them."""

from __future__ import annotations

import math

import numpy as np

from duoti.formats.reading import Reading
from duoti.formats.xml_tree import Element
from duoti.spatial import Rotation

TINY = 1e-12


def orientation(reading: Reading, element: Element, angle: float, sequence: str) -> Rotation:
    """Rotation by quat, axisangle, euler, xyaxes or zaxis; `angle` is the unit of the file's angles [rad]."""
    if "axisangle" in element.attributes:
        x, y, z, turn = reading.numbers(element, "axisangle", 4, (0.0, 0.0, 1.0, 0.0)).tolist()
        if math.hypot(x, y, z) < TINY:
            return _no_direction(reading, element, "axisangle")
        return Rotation.about((x, y, z), angle * turn)
    if "euler" in element.attributes:
        return euler(sequence, (angle * reading.numbers(element, "euler")).tolist())
    if "xyaxes" in element.attributes:
        numbers = reading.numbers(element, "xyaxes", 6, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0))
        x, y = numbers[:3], numbers[3:]
        if math.hypot(*x) < TINY:
            return _no_direction(reading, element, "xyaxes")
        x = x / math.hypot(*x)
        y = y - (x @ y) * x
        if math.hypot(*y) < TINY:
            return _no_direction(reading, element, "xyaxes")
        y = y / math.hypot(*y)
        return Rotation.from_matrix(np.column_stack([x, y, np.cross(x, y)]))
    if "zaxis" in element.attributes:
        return Rotation.between("z", reading.vector(element, "zaxis", (0.0, 0.0, 1.0)))
    if "quat" in element.attributes:
        quaternion = reading.numbers(element, "quat", 4, (1.0, 0.0, 0.0, 0.0))
        length = math.hypot(*quaternion.tolist())
        if length < TINY:
            return _no_direction(reading, element, "quat")
        return Rotation(quaternion / length)
    return Rotation.identity()


def euler(sequence: str, angles: list[float]) -> Rotation:
    """Small letters turn about moving axes, capitals about the axes of the parent."""
    R = Rotation.identity()
    for letter, turn in zip(sequence, angles, strict=True):
        R = R @ Rotation.about(letter, turn) if letter.islower() else Rotation.about(letter.lower(), turn) @ R
    return R


def _no_direction(reading: Reading, element: Element, attribute: str) -> Rotation:
    reading.error(element, f'{attribute}="{element.get(attribute)[:60]}" has no direction')
    return Rotation.identity()
