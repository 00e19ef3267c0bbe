"""The part of the model check that looks at beams."""

from __future__ import annotations

import math

import numpy as np

from duoti.model.beam import Beam
from duoti.model.beam_part import BeamPart
from duoti.model.beam_strains import exponential_coordinates
from duoti.model.element_id import ElementId
from duoti.model.errors import did_you_mean
from duoti.model.findings import Findings
from duoti.model.forces.beam_load import BeamLoad
from duoti.model.model import Model

QUARTER = math.pi / 2.0  # turn of an element as drawn that is too much
COARSE = 0.4  # the same that is much: errors of a few per cent
SOFTEST, STIFFEST = 1e4, 2e12  # Pa: gels, and beyond diamond (1.2e12)
LIGHTEST, DENSEST = 0.5, 23_000.0  # kg/m³: aerogels, and beyond osmium
SLOWEST, FASTEST = 0.5, 1e6  # m/s of waves of stretch


def check_beams(model: Model, found: Findings) -> None:
    """Add what can be said about the beams of a model, and the loads on them."""
    for name, part in model.beams.items():
        who = ElementId("beam", name)
        _check_turns(who, part, found)
        _check_units(who, part, found)
    for name, force in model.forces.items():
        if isinstance(force, BeamLoad) and force.beam not in model.beams:
            load = ElementId("force", name)
            hint = did_you_mean(force.beam, model.beams)
            found.error("unknown-beam", (load,), f'{load}: there is no beam "{force.beam}".{hint}',
                        remedy="name a beam that model.add_beam made", key="beam")  # fmt: skip


def _check_turns(who: ElementId, part: BeamPart, found: Findings) -> None:
    R = np.swapaxes(part.rotations[:-1], 1, 2) @ part.rotations[1:]
    d = exponential_coordinates(R, np.zeros((len(R), 3)))
    turns = np.linalg.norm(d[:, :3], axis=1)
    worst = float(turns.max(initial=0.0))
    elements = len(turns)
    more = max(elements + 1, math.ceil(elements * worst / (COARSE / 2.0)))
    k = int(np.argmax(turns)) + 1
    if worst > QUARTER:
        found.error(
            "beam-turns", (who,), f"{who} turns by {math.degrees(worst):.0f} degrees within its element {k}",
            "an element is an arc of constant curvature, good below a quarter of a turn",
            f"give more elements, {more} for example; at a corner, join two beams by dt.Fixed()", "elements",
        )  # fmt: skip
    elif worst > COARSE:
        found.warning(
            "beam-coarse", (who,), f"{who} turns by {math.degrees(worst):.0f} degrees within its element {k}",
            "errors fall with the square of the elements' length, and are some per cent here",
            f"{more} elements turn by {math.degrees(worst * elements / more):.0f} degrees", "elements",
        )  # fmt: skip


def _check_units(who: ElementId, part: BeamPart, found: Findings) -> None:
    beam: Beam = part.element_beams[0]
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
