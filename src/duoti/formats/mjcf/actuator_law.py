"""The law of an actuator of MJCF, and how elements and defaults change it.

    force = gain * control + bias,   gain = g0 + g1 L + g2 dL/dt,   bias = b0 + b1 L + b2 dL/dt

`general` gives the numbers themselves, the other tags are shortcuts that set some of them. `general` goes on from the
law of its default class, whatever made it. A shortcut goes on from the nearest enclosing class whose law was made by
the same shortcut, or by `general` with the same type of gain; if there is none, from the numbers of a bare one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from duoti.formats.mjcf import schema
from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element

DYNAMICS = ("none", "integrator", "filter", "filterexact")


@dataclass(frozen=True)
class Law:
    """Numbers of the law above, and the attributes that all actuators share (gear, ranges, names of targets).

    As in MuJoCo, a positive b2 of a servo (g0 = -b1) is a damping ratio, whose b2 follows once the inertia is known.
    """

    attributes: dict[str, str] = field(default_factory=dict[str, str])
    gain_kind: str = "fixed"
    bias_kind: str = "none"
    dynamics: str = "none"
    gain_numbers: tuple[float, float, float] = (1.0, 0.0, 0.0)
    bias_numbers: tuple[float, float, float] = (0.0, 0.0, 0.0)
    time_constant: float = 1.0
    tag: str = ""
    """What made it: the tag of the last element."""
    outer: Law | None = None
    """Law of the enclosing default class."""

    @property
    def gain(self) -> tuple[float, float, float]:
        """Those numbers of the gain that its kind uses."""
        return self.gain_numbers if self.gain_kind == "affine" else (self.gain_numbers[0], 0.0, 0.0)

    @property
    def bias(self) -> tuple[float, float, float]:
        """Those of the bias."""
        return self.bias_numbers if self.bias_kind == "affine" else (0.0, 0.0, 0.0)

    @property
    def servo(self) -> bool:
        """Whether it drives the length towards the control."""
        affine = self.gain_kind == "fixed" and self.bias_kind == "affine"
        return affine and self.gain_numbers[0] == -self.bias_numbers[1]

    @property
    def damping_ratio(self) -> float:
        """Of a servo whose damping is given so; otherwise zero."""
        return self.bias_numbers[2] if self.servo and self.bias_numbers[2] > 0.0 else 0.0

    @property
    def strange(self) -> str:
        """What has no counterpart here, in the words of the file."""
        kinds = {
            "gaintype": self.gain_kind if self.gain_kind not in ("fixed", "affine") else "",
            "biastype": self.bias_kind if self.bias_kind not in ("none", "affine") else "",
            "dyntype": self.dynamics if self.dynamics not in DYNAMICS else "",
        }
        return ", ".join(f'{name}="{kind[:40]}"' for name, kind in kinds.items() if kind)

    def with_bias_rate(self, rate: float) -> Law:
        """The same law with another b2."""
        return replace(self, bias_numbers=(*self.bias_numbers[:2], rate))


def changed(reading: Reading, law: Law, element: Element) -> Law:
    """The law after one element, or one element of a default class, was applied to it."""
    tag = element.tag
    shared = {**law.attributes, **{k: v for k, v in element.attributes.items() if k in schema.known("actuator")}}
    start = law if tag == "general" else _start(law, tag)
    return replace(_made(reading, start, element), attributes=shared, tag=tag, outer=law.outer)


def _start(law: Law, tag: str) -> Law:
    """The law from which a shortcut goes on."""
    each: Law | None = law
    while each is not None:
        if each.tag == tag:
            return each
        if each.tag == "general" and each.gain_kind == ("affine" if tag == "damper" else "fixed"):
            return replace(each, dynamics="filterexact" if each.dynamics == "filterexact" else "none")
        each = each.outer
    return Law()


def _made(reading: Reading, law: Law, element: Element) -> Law:
    match element.tag:
        case "general":
            return _general(reading, law, element)
        case "motor":
            return Law()
        case "muscle" | "adhesion" | "plugin" | "dcmotor":
            return Law(gain_kind=element.tag)  # not supported; `strange` says so
        case "position" | "intvelocity":
            return _servo(reading, law, element)
        case "velocity":
            kv = reading.positive(element, "kv", law.gain_numbers[0])
            return Law(bias_kind="affine", gain_numbers=(kv, 0.0, 0.0), bias_numbers=(0.0, 0.0, -kv))
        case "damper":
            kv = reading.positive(element, "kv", -law.gain_numbers[2])
            return Law(gain_kind="affine", gain_numbers=(0.0, 0.0, -kv))
        case _:
            return _cylinder(reading, law, element)


def _general(reading: Reading, law: Law, element: Element) -> Law:
    return replace(
        law,
        gain_kind=element.get("gaintype", law.gain_kind),
        bias_kind=element.get("biastype", law.bias_kind),
        dynamics=element.get("dyntype", law.dynamics),
        gain_numbers=_numbers(reading, element, "gainprm", law.gain_numbers),
        bias_numbers=_numbers(reading, element, "biasprm", law.bias_numbers),
        time_constant=_numbers(reading, element, "dynprm", (law.time_constant, 0.0, 0.0))[0],
    )


def _servo(reading: Reading, law: Law, element: Element) -> Law:
    kp = reading.positive(element, "kp", law.gain_numbers[0])
    rate = law.bias_numbers[2]
    if "kv" in element.attributes and "dampratio" in element.attributes:
        reading.error(element, "it has both kv and dampratio", "give one of them")
    if "kv" in element.attributes:
        rate = -reading.positive(element, "kv")
    elif "dampratio" in element.attributes:
        rate = reading.positive(element, "dampratio")
    law = replace(law, bias_kind="affine", gain_numbers=(kp, 0.0, 0.0), bias_numbers=(0.0, -kp, rate))
    if "timeconst" in element.attributes:
        time_constant = reading.positive(element, "timeconst")
        law = replace(law, time_constant=time_constant, dynamics="filterexact" if time_constant else "none")
    return replace(law, dynamics="integrator") if element.tag == "intvelocity" else law


def _cylinder(reading: Reading, law: Law, element: Element) -> Law:
    area = reading.positive(element, "area", law.gain_numbers[0])
    if "diameter" in element.attributes:
        area = 0.25 * math.pi * reading.positive(element, "diameter") ** 2
    a, b, c = reading.numbers(element, "bias", 3, law.bias_numbers).tolist()
    time_constant = reading.positive(element, "timeconst", law.time_constant)
    return Law({}, "fixed", "affine", "filter", (area, 0.0, 0.0), (a, b, c), time_constant)


def _numbers(
    reading: Reading, element: Element, attribute: str, default: tuple[float, float, float]
) -> tuple[float, float, float]:
    """The first three numbers of a list of any length, completed by those of the default."""
    if not element.get(attribute):
        return default
    given = reading.numbers(element, attribute, tuple(range(1, 31)), default).tolist()
    a, b, c = (*given[:3], *default[len(given) :])
    return a, b, c
