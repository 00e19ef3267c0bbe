"""Public functions look at what they are given: kernels take sizes on trust, and rigid contacts are no forces."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.examples.slider_crank import build as slider_crank


def ball(height: float = 0.1, rigid: bool = True) -> dt.Model:
    """On a floor, or above it."""
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, 0.1), position=(0, 0, height))
    m.add_joint("free", dt.Free(), m.ground, "ball")
    law: Any = dt.RigidContact(friction=0.3) if rigid else dt.CompliantContact(stiffness=1e4)
    m.add_contact("floor", law, m.ground, "ball", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


def bent() -> dt.Model:
    """A flexible rod on a hinge, with a state beside."""
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
    beam = dt.Beam(dt.Section.rectangle(width=0.02, height=0.02), steel)
    m = dt.Model("bent")
    m.add_body("rod", dt.Flexible.from_beam(beam, length=1.0, elements=4, modes=2))
    m.add_marker("start", "rod", interface="start")
    m.add_joint("A", dt.Revolute("y"), m.ground, "start")
    m.add_state("z", "A.rate - z")
    return m


MODELS = {"loop": slider_crank, "flexible": bent, "compliant": lambda: ball(0.0999, rigid=False)}
FUNCTIONS: dict[str, tuple[str, Any]] = {
    "accelerations": ("qvz", dt.accelerations),
    "inverse_dynamics": ("qvaz", dt.inverse_dynamics),
    "generalised_forces": ("qvz", dt.analyses.generalised_forces),
    "energies": ("qvz", dt.energies),
    "momentum": ("qv", dt.momentum),
    "mass_matrix": ("q", dt.mass_matrix),
    "state_rates": ("qvz", dt.analyses.state_rates),
    "assemble": ("qv", dt.analyses.assemble),
    "constraint_jacobian": ("qv", dt.analyses.constraint_jacobian),
    "displace": ("qd", lambda s, q, d: dt.analyses.displace(s, q, d)),
}


@pytest.mark.parametrize("name", MODELS)
def test_sizes_and_numbers_are_looked_at(name: str) -> None:
    """Too short, too long, of another shape, not finite, complex, no numbers at all: an error, never a result."""
    s = dt.compile(MODELS[name]())
    q, v = s.state()
    right = {"q": q, "v": v, "a": np.zeros(s.nv), "z": s.initial_z(), "d": np.zeros(s.nv)}
    for arguments, call in FUNCTIONS.values():
        for letter in arguments:
            x = right[letter]
            if not len(x):
                continue
            long, flat, spoilt = np.append(x, 0.0), np.zeros((len(x), 2)), np.array([np.nan, *x[1:]])
            for bad in (x[:-1], long, np.zeros(4000), flat, spoilt, x + 1j, "abc", [None]):
                given = {**right, letter: bad}
                with pytest.raises((ValueError, TypeError)):
                    call(s, **{k: given[k] for k in arguments})
    with pytest.raises(ValueError, match="held needs"):
        dt.analyses.assemble(s, q, v, held=(np.zeros(1, bool), np.zeros(1, bool)))
    for bad in ((q[:-1], v), (q, v[:-1]), (q + 1j, v), (q, v, np.zeros(77))):
        with pytest.raises(ValueError, match="state"):
            dt.simulate(s, 1e-3, at=bad)


def test_rigid_contacts_that_touch_are_refused() -> None:
    """A ball at rest on the floor does not fall, and functions that know no contacts say so; in the air they serve."""
    s = dt.compile(ball())
    q, v = s.state()
    for call in (
        lambda: dt.accelerations(s, q, v),
        lambda: dt.inverse_dynamics(s, q, v, v),
        lambda: dt.analyses.forward_dynamics_derivatives(s, q, v),
        lambda: dt.kane(s, q, v),
        lambda: dt.Lineariser(s),
        lambda: dt.parameter_derivatives(ball(), ["gravity.z"]),
        lambda: dt.required_forces(ball(), 1.0, {"ball": (0, 0, 0.1)}),
    ):
        with pytest.raises(NotImplementedError, match="floor"):
            call()
    s = dt.compile(ball(height=0.5))
    assert np.allclose(dt.accelerations(s, *s.state()), [0, 0, -9.81, 0, 0, 0])
