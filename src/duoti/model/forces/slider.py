"""A body that slides along a beam, a rail or a wire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.elements.slider import HEADER, OWN, WRITTEN, slider_law, slider_tangent
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference, name_of
from duoti.model.force_blocks import SCRATCH
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import ForceChannel, Seen

INTEGERS = ("marker", "block")
MARKER, BLOCK = range(len(INTEGERS))
REALS = ("stiffness", "damping", "friction", "slip_speed", "resistance")
STIFFNESS, DAMPING, FRICTION, SLIP_SPEED, RESISTANCE = range(len(REALS))


@helper
def _numbers(f, loads):
    reals = loads.forces.reals
    return reals[f, STIFFNESS], reals[f, DAMPING], reals[f, FRICTION], reals[f, SLIP_SPEED], reals[f, RESISTANCE]


@helper
def _slider(f, t, q, v, loads, w):
    integers, forces = loads.forces.integers, loads.forces
    m, p = integers[f, MARKER], integers[f, BLOCK]
    potential, lost = slider_law(forces.block_integers, forces.block_reals, p, m, _numbers(f, loads), loads, w)
    return potential, 0.0 * potential, lost


@helper
def _slider_tangent(f, t, q, v, tree, loads, w, tan, path):
    integers, forces = loads.forces.integers, loads.forces
    m, p = integers[f, MARKER], integers[f, BLOCK]
    slider_tangent(forces.block_integers, forces.block_reals, p, m, _numbers(f, loads), tree, loads, w, tan, path)


class Slider(Force):
    r"""A point that slides along a beam or a curve: a trolley on a girder, a bead on a wire, a load that moves.

    $$F = -k\,d - c\,\dot d_\perp - \left(\mu\,|F_n| \frac{v}{\sqrt{v^2 + v_s^2}} + b\,v\right) t$$

    The curve runs through markers, along their x axes, as cubic polynomials do between the nodes of a beam. $d$ is the
    distance of the point from its foot point on the curve, $v$ its velocity along the curve. The forces on the curve go
    to the two markers at either side, as virtual work divides them. What slides is held on both sides. Beyond the first
    and the last marker nothing holds it: it runs off.

    Parameters
    ----------
    marker:
        Marker or body whose origin slides.
    along:
        Two or more markers or bodies in their order: `beam.nodes` of a beam. Their x axes point along the curve.
    stiffness:
        Stiffness $k$ across the curve, of wheels or shoes.
    damping:
        Damping coefficient $c$ across it.
    friction:
        Coefficient of friction $\mu$, regularised.
    slip_speed:
        Speed $v_s$ of the regularisation.
    resistance:
        Viscous resistance $b$ along the curve.
    """

    kind = "slider"
    units: ClassVar = {"stiffness": "N/m", "damping": "N s/m", "friction": "1", "slip_speed": "m/s",
                       "resistance": "N s/m"}  # fmt: skip
    INTEGERS = INTEGERS
    REALS = REALS
    repeats_bodies: ClassVar[bool] = True
    law = staticmethod(_slider)
    tangent = staticmethod(_slider_tangent)

    def __init__(
        self,
        marker: Reference,
        along: Sequence[Reference],
        stiffness: float,
        damping: float = 0.0,
        friction: float = 0.0,
        slip_speed: float = 1e-3,
        resistance: float = 0.0,
    ):
        self.marker, self.along = marker, along
        self.stiffness, self.damping, self.friction = stiffness, damping, friction
        self.slip_speed, self.resistance = slip_speed, resistance

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """The curve, and what slides."""
        return (*(("along", each) for each in self.along), ("marker", self.marker))

    def faults(self) -> list[Fault]:
        found = number_faults(
            positive_stiffness=self.stiffness, positive_damping=self.damping, positive_friction=self.friction,
            positive_slip_speed=self.slip_speed, positive_resistance=self.resistance,
        )  # fmt: skip
        if not found:
            for name in ("stiffness", "slip_speed"):
                if getattr(self, name) == 0.0:
                    found.append(Fault(f"{name} is 0; give a positive number", name))
        along: Any = self.along
        if isinstance(along, str) or not isinstance(along, Sequence) or len(along) < 2:
            found.append(Fault("along needs a list of two or more markers or bodies, such as beam.nodes", "along"))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        poses = [compiler.reference_pose(each) for each in self.along]
        places = np.array([np.asarray(pose.position) for pose in poses])
        ways = np.diff(places, axis=0)
        lengths = np.linalg.norm(ways, axis=1)
        axes = np.array([np.asarray(pose.rotation.matrix)[:, 0] for pose in poses])
        for k, way in enumerate(ways):
            names = " and ".join(f'"{name_of(each)}"' for each in self.along[k : k + 2])
            if lengths[k] == 0.0:
                raise ValueError(f"slider: the markers {names} coincide")
            if min(axes[k] @ way, axes[k + 1] @ way) <= 0.0:
                raise ValueError(
                    f"slider: the x axes of {names} do not point along the curve, from the first to the last marker"
                )
        header = dict.fromkeys(HEADER, 0) | {"markers": len(self.along)}
        integers = [*header.values(), *(compiler.marker(each) for each in self.along)]
        assert len(header) == OWN
        block = compiler.block(np.array(integers, np.int64), lengths, lambda nv, nz: WRITTEN)
        return {"marker": compiler.marker(self.marker), "block": block}

    def written(self, integers: Any, blocks: Any) -> tuple[int, int]:
        """See `Force.written`."""
        return int(blocks[integers[BLOCK] + SCRATCH]), WRITTEN

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Place along the curve at rest, speed along it, force on what slides; NaN beyond the ends."""

        def part(first: int, last: int) -> Any:
            def read(seen: Seen) -> Any:
                return seen.written[:, first:last]

            return read

        return {
            "place": ForceChannel("m", 1, part(0, 1)),
            "speed": ForceChannel("m/s", 1, part(1, 2)),
            "force": ForceChannel("N", 3, part(2, 5)),
        }
