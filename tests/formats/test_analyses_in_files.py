"""Required forces, kinematics, energy flow and their like asked for by a model file."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

import duoti as dt

mpl.use("Agg")

FILE = """
duoti: 1
name: driven slider-crank
bodies:
  crank:  {inertia: {box: {mass: 1.0, size: [0.3, 0.05, 0.05]}}, position: [0.15, 0, 0]}
  rod:    {inertia: {box: {mass: 2.0, size: [0.8, 0.05, 0.05]}}, position: [0.7, 0, 0]}
  slider: {inertia: {box: {mass: 0.5, size: [0.1, 0.1, 0.1]}}, position: [1.1, 0, 0]}
joints:
  A: {type: revolute, axis: -y, between: [ground, crank], at: [0, 0, 0]}
  B: {type: revolute, axis: -y, between: [crank, rod], at: [0.3, 0, 0]}
  C: {type: revolute, axis: -y, between: [rod, slider], at: [1.1, 0, 0]}
  D: {type: prismatic, axis: x, between: [ground, slider], at: [1.1, 0, 0]}
markers:
  knee: {body: rod, position: [0, 0, 0.2]}
analyses:
  torque: {type: required_forces, duration: 1.0, motions: {A: 2*pi*t}, outputs: 0.05, actuators: [A, B],
           weights: {A: 2.0}, bounds: {B: [-30, 30]}}
  energy: {type: energy_flow, result: torque}
  path:   {type: coupler_curve, marker: knee, joint: A, start: 0.1, points: 37}
  turn:   {type: kinematics, duration: 1.0, motions: {A: 2*pi*t}, outputs: 0.05}
  reach:  {type: workspace, marker: knee, points: 20}
  arrays: {type: kane}
  there:  {type: inverse_kinematics, marker: slider, position: [1.0, null, null]}
"""


def test_all_of_them(tmp_path):
    """Each gives what its function gives, says something about itself, and has a picture if it offers one."""
    path = tmp_path / "driven.yaml"
    path.write_text(FILE, encoding="utf-8")
    model = dt.load(path)
    assert dt.check(model).ok
    made = dt.analyses.run_tasks(model)["analyses"]
    again = dt.required_forces(
        model, 1.0, {"A": "2*pi*t"}, 0.05, actuators=["A", "B"], weights={"A": 2.0}, bounds={"B": (-30, 30)}
    )
    assert np.array_equal(made["torque"]["B.drive"], again["B.drive"])
    assert np.max(made["energy"].residual) < 1e-10 * made["energy"].largest
    assert made["path"].ok
    assert np.allclose(made["turn"].q, again.q, atol=1e-9)
    assert made["there"].ok
    assert np.allclose(made["arrays"].mass_matrix, dt.mass_matrix(dt.compile(model), dt.compile(model).state()[0]))
    assert "largest" in str(made["torque"])
    for each in made.values():
        assert str(each)
        if hasattr(each, "plot"):
            each.plot().savefig(tmp_path / "picture.png")


DERIVATIVES = """
duoti: 1
name: lag
parameters: {u: 0.2, k: 80.0}
bodies:
  mass: {inertia: {point: {mass: 2.0}}, position: [0, 0, 0]}
joints:
  J: {type: prismatic, axis: z, between: [ground, mass], at: [0, 0, 0]}
states:
  z: {rate: (u - z)/0.1}
forces:
  spring: {type: joint_torque, joint: J, value: k*(z - q)}
analyses:
  slopes: {type: parameter_derivatives, parameters: [k, mass.mass]}
  rest: {type: equilibrium_derivatives, parameters: [u, k], eigenvalues: true}
"""


def test_derivatives_by_parameters(tmp_path):
    """A mass on a spring with a lag: z = u, x = u - m g / k at rest; at the start only the spring does not act."""
    path = tmp_path / "lag.yaml"
    path.write_text(DERIVATIVES, encoding="utf-8")
    made = dt.analyses.run_tasks(dt.load(path))["analyses"]
    assert np.allclose(made["slopes"].residuals, [[0.0, 9.81 - 9.81]])  # a = -g, so that the inertia force cancels
    assert np.allclose(made["rest"].displacements, [[1.0, 2.0 * 9.81 / 80.0**2]], rtol=1e-9)
    assert np.allclose(made["rest"].state_changes, [[1.0, 0.0]])
    assert "k = 80" in str(made["rest"])
    assert "-10 +0i: u +0 +0i, k +0 +0i" in str(made["rest"])  # the lag's eigenvalue depends on neither
    made["rest"].plot().savefig(tmp_path / "picture.png")
