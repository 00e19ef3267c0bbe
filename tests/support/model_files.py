"""Model files that together use everything the format has; seeds of the fuzz campaign."""

from __future__ import annotations

import numpy as np

from duoti.formats import to_text
from support.random_constraints import add_random_constraints
from support.random_forces import add_random_forces
from support.random_models import random_model

EVERYTHING = """\
duoti: 1
name: everything
gravity: [0, 0, -9.81]
parameters: {r: 300 mm, l: =2*r + 0.2, k: "=if(r > 0.2, 1e3, 10)"}
ground: {shapes: [{box: {size: [1, 1, 0.1], colour: grey}}]}
bodies:
  crank: {inertia: {rod: {mass: 1.0, length: =r, axis: x}}, position: [=r/2, 0, 0]}
  rod:
    inertia:
      combined:
        - {box: {mass: 2, size: [1, 0.1, 0.1]}, position: [0, 0, 0.1], rotation: {about: {axis: z, angle: 30 deg}}}
        - {cylinder: {density: 100, radius: 1 cm, length: 0.1}, cavity: true}
    position: [0.7, 0, 0]
    rotation: [1, 0, 0, 0]
    shapes: [{mesh: {file: rod.stl, scale: 0.001}}, {kind: cone, dimensions: {radius: 0.1, height: 2}}]
  slider: {inertia: {mass: 0.5, com: [0, 0, 0], matrix: [1 kg m^2, 1, 1]}, position: [1.1, 0, 0]}
  tail: &tail {inertia: {point: {mass: 1 lb}}}
  other: *tail
markers:
  tip: {body: slider, position: [0.1, 0, 0], rotation: {euler: {sequence: ZXZ, angles: [1, 10 deg, 0]}}}
  hook: {body: ground, position: [1, 1, 1]}
joints:
  A: {type: revolute, axis: y, between: [ground, crank], at: [0, 0, 0], q0: 30 deg, v0: 100 rpm, limits: [[-.inf, 2.0]]}
  B:
    type: composite
    joints: [{type: revolute, axis: y}, {type: revolute, axis: [1, 0, 0]}]
    between: [crank, rod]
    at: [0.3, 0, 0]
  C: {type: spherical, between: [rod, slider], at: [1.1, 0, 0], q0: {rotation: {vector: [0.1, 0, 0]}}}
  D: {type: prismatic, axis: x, between: [ground, slider], at: [1.1, 0, 0], rotor_inertia: 100 g}
  E: {type: screw, axis: -z, lead_per_turn: 2 mm, between: [slider, tail]}
  F: {type: planar, normal: y, first_axis: [1, 0, 1], between: [hook, other]}
forces:
  motor: {type: joint_torque, joint: A, value: "10*sin(2*pi*t) + step(t, 0, 0, 1, 1)"}
  spring: {type: spring_damper, marker_a: hook, marker_b: tip, stiffness: 2 kN/m, rest_length: =l}
  wind: {type: applied_force, marker: tip, value: [1, 2*t*k, 3 N], frame: marker}
  table: {type: table_spring, marker_a: hook, marker_b: rod, stretch: [-1, 0, 2], tension: [-5, 0, 9], smooth: false}
constraints:
  c: {type: coupler, coefficients: {A: 1.0, "B[1]": 2.0}, value: 0.1*t}
  d: {type: distance, marker_a: ground, marker_b: tip, length: 1 + 0.1*t}
  cam: {type: cam, driver: A, follower: D, angles: [0, 1, 2, 3], lifts: [0, 0.1, 0.2, 0]}
  m: {type: marker_motion, marker: tip, position: [null, 0, sin(t)]}
states:
  z: {rate: -z + A.rate, initial: 0.1, unit: V}
events:
  e: {value: A.angle - 1, terminal: true, direction: rising}
submodels:
  one: {position: [1, 0, 0], rotation: {about: {axis: z, angle: 90 deg}}, parameters: {m: =2*r}, model: &part {
    parameters: {m: 1}, bodies: {a: {inertia: {point: {mass: =m}}, position: [1, 0, 0]}},
    joints: {J: {type: universal, axis1: x, axis2: y, between: [ground, a], at: [0, 0, 0]}},
    forces: {f: {type: joint_spring, joint: J, stiffness: 3, coordinate: 1}}}}
  two: {model: *part}
check:
topology: {cut: weights, force_cut: [C]}
simulate: {duration: 2.0, outputs: 10 ms, solver: {type: radau, rtol: 1e-9}, constraints: baumgarte}
compare_solvers: {duration: 1, solvers: [dopri5, {type: radau}], tolerances: [1e-4, 1e-6]}
outputs: [A.angle, tip.position]
plots: [A.angle, [A.rate, z]]
"""


def seeds() -> dict[str, bytes]:
    """Texts of model files by name."""
    rng = np.random.default_rng(1)
    trees, loops = random_model(rng, 4), random_model(rng, 3)
    add_random_forces(rng, trees)
    add_random_constraints(rng, loops)
    short = "duoti: 1\nbodies: {a: {inertia: {point: {mass: 1}}}}\njoints: {A: {type: free, between: [ground, a]}}\n"
    return {
        "everything": EVERYTHING.encode(),
        "forces": to_text(trees.model).encode(),
        "constraints": to_text(loops.model).encode(),
        "short": short.encode(),
    }
