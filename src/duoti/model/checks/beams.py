"""The part of the model check that looks at beams."""

from __future__ import annotations

import math

import numpy as np

from duoti.model.beams.beam import BeamPart
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.strains import exponential_coordinates
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.errors import did_you_mean
from duoti.model.forces.beam_load import BeamLoad
from duoti.model.model import Model

QUARTER = math.pi / 2.0  # turn of an element as drawn that is too much
COARSE = 0.4  # the same that is much: errors of a few per cent
SOFTEST, STIFFEST = 1e4, 2e12  # Pa: gels, and beyond diamond (1.2e12)
LIGHTEST, DENSEST = 0.5, 23_000.0  # kg/m³: aerogels, and beyond osmium
SLOWEST, FASTEST = 0.5, 1e6  # m/s of waves of stretch


@register_check("structure", order=220)
def check_beams(model: Model, found: Findings) -> None:
    """Add what is wrong with the beams of a model, and the loads on them."""
    for name, part in model.beams.items():
        who = ElementId("beam", name)
        _check_rotations(who, part, found)
        _check_units(who, part, found)
    for name, force in model.forces.items():
        if isinstance(force, BeamLoad) and force.beam not in model.beams:
            load = ElementId("force", name)
            hint = did_you_mean(force.beam, model.beams)
            found.error("unknown-beam", (load,), f'{load}: there is no beam "{force.beam}".{hint}',
                        remedy="name a beam that model.add_beam made", key="beam")  # fmt: skip


def _check_rotations(who: ElementId, part: BeamPart, found: Findings) -> None:
    """Of an element of order 1 its turn counts, of others that from the middle node to the node turned furthest."""
    order, elements = part.order, len(part.boundaries) - 1
    nodes = np.arange(elements)[:, None] * order + np.arange(order + 1)
    R = part.rotations[nodes]
    middle = np.swapaxes(R[:, order // 2 : order // 2 + 1], -1, -2)
    turns = np.linalg.norm(exponential_coordinates(middle @ R, np.zeros((*R.shape[:2], 3)))[..., :3], axis=-1).max(
        axis=1
    )
    worst, k = float(turns.max(initial=0.0)), int(np.argmax(turns)) + 1
    more = max(elements + 1, math.ceil(elements * worst / (COARSE / 2.0 if order == 1 else COARSE)))
    to_end = "" if order == 1 else " from its middle node to an end"
    if worst > QUARTER:
        kind = "is an arc of constant curvature" if order == 1 else "has polynomials between its nodes"
        found.error(
            "beam-turns", (who,), f"{who} turns by {math.degrees(worst):.0f} degrees within its element {k}{to_end}",
            f"an element {kind}, good below a quarter of a turn",
            f"give more elements, {more} for example; at a corner, join two beams by dt.Fixed()", "elements",
        )  # fmt: skip
    elif worst > COARSE and order <= 2:  # others: 4e-3 and less, up to the quarter of a turn
        fall, here = ("square", "some per cent") if order == 1 else ("fourth power", "a per cent or more")
        found.warning(
            "beam-coarse", (who,), f"{who} turns by {math.degrees(worst):.0f} degrees within its element {k}{to_end}",
            f"errors fall with the {fall} of the elements' length, and are {here} here",
            f"{more} elements turn by {math.degrees(worst * elements / more):.0f} degrees", "elements",
        )  # fmt: skip


def _check_units(who: ElementId, part: BeamPart, found: Findings) -> None:
    beam: Beam = part.element_beams[0][0]
    if beam.material is not None and beam.stiffness is None:
        E, rho = beam.material.youngs_modulus, beam.material.density
        if not SOFTEST <= E <= STIFFEST:
            found.warning("beam-units", (who,), f"{who} has a Young's modulus of {E:.3g} Pa", "perhaps a unit is wrong",
                          "duoti takes Pa: steel has 2.1e11", "beam")  # fmt: skip
        if not LIGHTEST <= rho <= DENSEST:
            found.warning("beam-units", (who,), f"{who} has a density of {rho:.3g} kg/m³", "perhaps a unit is wrong",
                          "duoti takes kg/m³: steel has 7850", "beam")  # fmt: skip
    K = beam.matrix
    speed = math.sqrt(K[0, 0] / beam.mass)
    if not SLOWEST <= speed <= FASTEST:
        found.warning("beam-units", (who,), f"waves of stretch run through {who} at {speed:.3g} m/s",
                      f"EA is {K[0, 0]:.3g} N, the mass {beam.mass:.3g} kg/m: perhaps a unit is wrong",
                      "duoti takes N and kg/m", "beam")  # fmt: skip
    thick = math.sqrt(max(K[4, 4], K[5, 5]) / K[0, 0])
    if thick > part.length:
        found.warning(
            "beam-units", (who,), f"{who} is thicker than long: its radius of gyration is {thick:.3g} m, its length "
            f"{part.length:.3g} m", "EI and EA do not fit each other; perhaps a unit is wrong",
            "duoti takes EI in N m², EA in N, sizes of sections in m", "beam")  # fmt: skip
