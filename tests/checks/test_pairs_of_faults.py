"""Two faults of a model file, also of one element, are told at once: all pairs of a catalogue of single faults."""

from __future__ import annotations

from itertools import combinations

import pytest

import duoti as dt

BASE = """\
duoti: 1
name: everything
parameters: {r: 0.3, speed: 60 rpm}
materials:
  steel: {youngs_modulus: 2.1e11, poisson_ratio: 0.3, density: 7850}
sections:
  strip: {rectangle: {width: 0.02, height: 0.01}}
bodies:
  rod: {inertia: {rod: {mass: 1, length: =r, axis: x}}, position: [0.15, 0, 0]}
  ball: {inertia: {sphere: {mass: 1, radius: 0.1}}, position: [0, 1, 0.2], shapes: [{sphere: {radius: 0.1}}]}
markers:
  tip: {body: rod, position: [0.15, 0, 0]}
joints:
  A: {type: revolute, axis: y, between: [ground, rod], at: [0, 0, 0]}
  F: {type: free, between: [ground, ball]}
  clamp: {type: fixed, between: [ground, board.start]}
forces:
  spring: {type: spring_damper, marker_a: ground, marker_b: tip, stiffness: 100, rest_length: 0.3}
  rub: {type: joint_friction, joint: A, friction: 0.1, radius: 0.01}
constraints:
  drive: {type: equation, expression: ball.position.x}
states:
  x1: {rate: -x1, initial: 1.0}
events:
  hit: {value: tip.position.z + 0.2}
beams:
  board: {beam: {section: strip, material: steel}, start: [0, 3, 0], end: [1, 3, 0], elements: 4}
contacts:
  floor: {type: rigid_contact, between: [ground, ball], shapes: [{plane: {}}, {sphere: {radius: 0.1}}], friction: 0.3}
bond_graphs:
  motor:
    elements:
      U: {type: Se, value: 2*t}
      i: {type: "1"}
      R: {type: R, resistance: 2}
      K: {type: GY, r: 0.05}
      shaft: {type: Port}
    bonds: [[U, i], [i, R], [i, K], [K, shaft]]
    ports: {shaft: A}
simulate: {duration: 0.5, outputs: 10 ms}
analyses:
  rest: {type: equilibrium}
  modes: {type: linearise, at: rest, outputs: [tip.position]}
plots: [A.angle]
outputs: [tip.position]
"""
FAULTS = {  # a section and what is wrong there: text of the sound file, that of the faulty one, what is told
    "parameter value": ("{r: 0.3,", "{r: 0.3*,", "parameters.r"),
    "parameter unit": ("speed: 60 rpm", "speed: 60 rpx", "rpx"),
    "material key": ("density: 7850", "densty: 7850", "densty"),
    "material negative": ("youngs_modulus: 2.1e11", "youngs_modulus: -2.1e11", "youngs_modulus"),
    "section shape": ("rectangle: {width", "rectangel: {width", "rectangel"),
    "section size": ("height: 0.01", "height: -0.01", "height"),
    "mass unit": ("mass: 1, length: =r", "mass: 1 m, length: =r", "a mass [kg] is needed"),
    "mass negative": ("sphere: {mass: 1, radius: 0.1}}, pos", "sphere: {mass: -1, radius: 0.1}}, pos", "mass"),
    "body key": ("position: [0.15, 0, 0]}\n  ball", "positon: [0.15, 0, 0]}\n  ball", "positon"),
    "body expression": ("length: =r,", "length: =rr,", "rr"),
    "shape key": ("shapes: [{sphere: {radius: 0.1}}]", "shapes: [{sphere: {radus: 0.1}}]", "radus"),
    "shape kind": ("shapes: [{sphere: {radius: 0.1}}]", "shapes: [{spere: {radius: 0.1}}]", "spere"),
    "shape size": ("shapes: [{sphere: {radius: 0.1}}]", "shapes: [{sphere: {radius: -0.1}}]", "radius"),
    "marker body": ("tip: {body: rod", "tip: {body: rodd", "rodd"),
    "joint type": ("type: revolute", "type: revolut", "revolut'"),
    "joint axis": ("axis: y, between", "axis: q, between", "axis"),
    "joint body": ("type: free, between: [ground, ball]", "type: free, between: [ground, bal]", '"bal"'),
    "joint key": ("at: [0, 0, 0]}\n  F", "att: [0, 0, 0]}\n  F", "att"),
    "joint limits": ("at: [0, 0, 0]}\n  F", "at: [0, 0, 0], limits: [[2, 1]]}\n  F", "limits"),
    "force type": ("type: spring_damper", "type: spring_dampr", "spring_dampr"),
    "force key": ("stiffness: 100", "stifness: 100", "stifness"),
    "force value": ("rest_length: 0.3}", "rest_length: -0.3}", "rest_length"),
    "force law": (
        "rest_length: 0.3}",
        "rest_length: 0.3}\n  push: {type: joint_torque, joint: A, value: 3*foo}",
        "foo",
    ),
    "friction negative": ("friction: 0.1, radius", "friction: -0.1, radius", "friction"),
    "friction joint": ("joint_friction, joint: A", "joint_friction, joint: AA", '"AA"'),
    "constraint name": ("expression: ball.position.x", "expression: bal.position.x", "bal.position.x"),
    "constraint type": ("type: equation", "type: equatio", "equatio"),
    "state law": ("rate: -x1", "rate: -x11", "x11"),
    "event value": ("value: tip.position.z + 0.2", "value: tipp.position.z + 0.2", "tipp"),
    "beam key": ("elements: 4", "elments: 4", "elments"),
    "beam elements": ("elements: 4", "elements: 0", "elements"),
    "beam material": ("material: steel}", "material: stel}", "stel"),
    "beam section": ("{section: strip", "{section: stripe", "stripe"),
    "beam ends": ("end: [1, 3, 0]", "end: [0, 3, 0]", "end"),
    "contact type": ("rigid_contact", "rigid_contac", "rigid_contac'"),
    "contact body": ("rigid_contact, between: [ground, ball]", "rigid_contact, between: [ground, bll]", "bll"),
    "contact friction": ("friction: 0.3}", "friction: -0.3}", "friction"),
    "contact key": ("friction: 0.3}", "frction: 0.3}", "frction"),
    "contact shape": ("{plane: {}}", "{plan: {}}", "'plan'"),
    "contact shape size": ("{plane: {}}, {sphere: {radius: 0.1}}", "{plane: {}}, {sphere: {radius: -0.1}}", "radius"),
    "bond element type": ("type: GY", "type: GYY", "GYY"),
    "bond element key": ("resistance: 2", "resistence: 2", "resistence"),
    "bond bond": ("[i, R]", "[i, RR]", "RR"),
    "bond port": ("ports: {shaft: A}", "ports: {shaft: AB}", "AB"),
    "bond port name": ("ports: {shaft: A}", "ports: {shaf: A}", "shaf"),
    "bond value": ("value: 2*t", "value: 2*tt", "tt"),
    "simulate key": ("duration: 0.5", "duraton: 0.5", "duraton"),
    "simulate negative": ("duration: 0.5", "duration: -0.5", "duration"),
    "simulate outputs": ("outputs: 10 ms", "outputs: 10 mm", "outputs"),
    "simulate solver": ("outputs: 10 ms", "outputs: 10 ms, solver: radua", "radua"),
    "simulate solver option": ("outputs: 10 ms", "outputs: 10 ms, solver: {type: dopri5, rtoll: 1e-6}", "rtoll"),
    "analysis type": ("type: equilibrium", "type: equilibrum", "equilibrum"),
    "analysis key": ("linearise, at: rest", "linearise, att: rest", "att"),
    "analysis at": ("at: rest", "at: rst", "rst"),
    "analysis output": ("outputs: [tip.position]}", "outputs: [tp.position]}", "tp.position"),
    "plot": ("plots: [A.angle]", "plots: [A.angel]", "A.angel"),
    "output": ("\noutputs: [tip.position]", "\noutputs: [tip.positon]", "tip.positon"),
    "section of file": ("\nplots:", "\nplot:", "plot"),
}

FOLLOWS = {("material", "beam elements"), ("material", "beam ends"), ("section", "beam elements"),
           ("section", "beam ends"), ("joint", "plot"),
           *(("bond", name) for name in FAULTS if name.startswith("bond"))}  # fmt: skip
"""Faults of what is made of a faulty material, channels of a faulty joint, and those of one bond graph, whose parts are
looked at together: told once that is mended."""
TOGETHER = {("beam elements", "beam ends")}
"""Faults that one message tells together."""
FEW = (
    "parameter unit", "material key", "section size", "mass unit", "shape kind", "marker body", "joint limits",
    "force law", "friction negative", "constraint name", "state law", "event value", "beam key", "contact friction",
    "bond bond", "simulate solver", "analysis output", "plot",
)  # fmt: skip
"""One of each section, whose pairs are tried in every run of the tests."""


def told(text: str, path) -> list[str]:
    """Errors of a file, as `duoti check` tells them."""
    path.write_text(text)
    try:
        report = dt.check(dt.load(path))
    except dt.ModelError as error:
        report = error.report
    return [str(each) for each in report.errors]


def section(name: str) -> str:
    return name.split()[0]


def test_the_file_is_sound_and_single_faults_are_told(tmp_path):
    assert told(BASE, tmp_path / "model.yaml") == []
    for name, (sound, wrong, said) in FAULTS.items():
        assert BASE.count(sound) == 1, name
        errors = told(BASE.replace(sound, wrong), tmp_path / "model.yaml")
        assert any(said in each for each in errors), (name, errors)
        assert len(errors) <= 2, (name, errors)  # an unknown key, and the one that is missing then


def both_are_told(names, path) -> None:
    for one, other in combinations(names, 2):
        (sound1, wrong1, said1), (sound2, wrong2, said2) = FAULTS[one], FAULTS[other]
        if {(section(one), other), (section(other), one), (one, other), (other, one)} & FOLLOWS:
            continue
        text = BASE.replace(sound1, wrong1).replace(sound2, wrong2)
        if sound1 in sound2 or sound2 in sound1 or wrong1 not in text or wrong2 not in text:
            continue  # the same words
        errors = told(text, path)
        places = [{k for k, each in enumerate(errors) if said in each} for said in (said1, said2)]
        assert all(places), (one, other, errors)
        assert len(places[0] | places[1]) > 1 or (one, other) in TOGETHER, (one, other, errors)


@pytest.mark.full
def test_pairs_of_faults(tmp_path):
    both_are_told(FEW, tmp_path / "model.yaml")


@pytest.mark.campaign
def test_all_pairs_of_faults(tmp_path):
    both_are_told(FAULTS, tmp_path / "model.yaml")
