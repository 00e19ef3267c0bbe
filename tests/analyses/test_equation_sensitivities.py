"""What numbers of a model do to its equations: complex steps in the arrays against extrapolated differences.

Differences of the whole equations, extrapolated, are an independent way with an error estimate of their own; here it is
1e-10 of the largest entry or less (seven halvings from an eighth of the number's size).
"""

from __future__ import annotations

import numpy as np
import pytest
from test_forces import T, sampled

import duoti as dt
from duoti.analyses.sensitivity.equation_sensitivities import Family, Held
from duoti.model.constraints import CONSTRAINT_TYPES
from duoti.model.parameters import number_names
from support.random_constraints import add_random_constraints
from support.random_forces import BETWEEN_BODIES, type_of
from support.random_models import random_model, random_state

NEAR = 3e-9


def compare(model, names, held):
    family = Family(model, names)
    for k, (exact, error) in enumerate(family.slopes(held)):
        if error == 0.0 or family.changes(k) is not None:
            rough, estimate = family._differences(k, held)
            for mine, other in zip(exact, rough, strict=True):
                scale = 1.0 + max((float(np.max(np.abs(x), initial=0.0)) for x in rough), default=0.0)
                assert np.max(np.abs(mine - other), initial=0.0) < (NEAR + 10.0 * estimate) * scale, family.names[k]


# a restitution is no number of the equations
SMOOTH = [kind for kind in BETWEEN_BODIES if type_of(kind).complex_numbers and kind != "joint_stop"]


@pytest.mark.parametrize("kind", SMOOTH)
def test_numbers_of_every_force_type(kind):
    """All numbers of the element, a place of one of its markers, a mass."""
    system, q, v = sampled(kind, 3)
    model = system.model
    names = [name for name in number_names(model) if name.startswith("F.")]
    rng = np.random.default_rng(0)
    held = Held(q, v, system.initial_z(), T, rng.normal(size=system.nv), np.zeros(0))
    compare(model, [*names, "a.position.x", "B.mass"], held)


@pytest.mark.full
def test_numbers_of_all_constraints():
    """A tree with one constraint of every type, not closed: all its equations, held in any state."""
    rng = np.random.default_rng(11)
    meant = random_model(rng, 6)
    add_random_constraints(rng, meant)
    model = meant.model
    system = dt.compile(model)
    q, v, a = random_state(rng, system)
    held = Held(q, v, system.initial_z(), T, a, rng.normal(size=system.closures.rows))
    names = [name for name in number_names(model) if name.split(".")[0] in model.constraints]
    marker, body = next(iter(model.markers)), list(model.bodies)[-1]
    assert len(names) > 5
    compare(model, [*names, f"{marker}.position.y", f"{body}.com.z"], held)
    assert len(model.constraints) >= len(CONSTRAINT_TYPES)


def test_what_the_complex_step_does_not_know_is_differenced():
    """Friction by reactions has kernels of its own: a sliding block, a = -(mu g) sign(v), by its coefficient."""
    m = dt.Model("block")
    m.add_body("block", dt.Inertia.point(2.0))
    m.add_joint("J", dt.Prismatic("x"), m.ground, "block", v0=1.0)
    m.add_force("brake", dt.JointFriction("J", friction=0.3, friction_law="regularised", regularisation=1e-3))
    d = dt.parameter_derivatives(m, ["brake.friction"])
    assert np.allclose(d.accelerations, -9.81, rtol=1e-8)
