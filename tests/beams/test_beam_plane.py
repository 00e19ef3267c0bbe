"""Beams whose nodes move in one plane: the law in the plane against the law in space, and when it is taken."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.model.forces.beam_numbers import NORMAL
from duoti.spatial import Rotation
from duoti.system.compile.tree_builder import TreeBuilder

ROUND_OFF = 1e-12  # of the largest: forces are differences of numbers 1e3 times as large (strains of 1e-3)
SECTION = {"EA": 1e4, "GAy": 3e3, "GAz": 2e3, "GJ": 20.0, "EIy": 30.0, "EIz": 50.0, "mass_per_length": 1.0}


def beam(damping=0.0, stiffness=None):
    numbers = SECTION if stiffness is None else {"matrix": stiffness, "mass_per_length": 1.0}
    return dt.Beam.from_stiffness(**numbers, rotary_inertia=(0.03, 0.02, 0.02), damping_time=damping)


def coupled(normal):
    """A section whose stretch and bending in the plane are coupled, and nothing with what is out of it."""
    K = np.diag([1e4, 3e3, 2e3, 20.0, 30.0, 50.0])
    shear, bend = (1, 5) if normal == "z" else (2, 4)
    K[0, bend] = K[bend, 0] = 300.0
    K[0, shear] = K[shear, 0] = 400.0
    return K


def chain(normal, section, curved=False, elements=4):
    """A free beam on planar joints, all of it turned in space."""
    m = dt.Model("plane", gravity=(1.0, -2.0, 3.0))
    R = Rotation.from_vector((0.4, -0.7, 0.3)).matrix
    axis = {"z": R[:, 2], "y": R[:, 1]}[normal]
    bend = {"z": R[:, 1], "y": R[:, 2]}[normal]
    if curved:
        s = np.linspace(0.0, 1.0, elements + 1)
        shape = {"centreline": [tuple(2.0 * x * R[:, 0] + 0.5 * np.sin(2.0 * x) * bend) for x in s]}
    else:
        shape = {"start": (0, 0, 0), "end": tuple(2.0 * R[:, 0])}
    b = m.add_beam("b", section, up=tuple(R[:, 2]), elements=elements, **shape)
    for node in b.nodes:
        m.add_joint(f"{node.name}.plane", dt.Planar(tuple(axis)), m.ground, node)
    return m


def both(monkeypatch, make):
    """The system with the law in the plane, and the same with that in space."""
    fast = dt.compile(make())
    with monkeypatch.context() as patch:
        patch.setattr(TreeBuilder, "plane_of", lambda builder, references, on_one=False: 0)
        slow = dt.compile(make())
    return fast, slow


def largest_difference(a, b):
    return np.abs(a - b).max() / np.abs(b).max()


CASES = {
    "straight": lambda normal: chain(normal, beam()),
    "curved": lambda normal: chain(normal, beam(), curved=True),
    "damped": lambda normal: chain(normal, beam(damping=0.02)),
    "damped and curved": lambda normal: chain(normal, beam(damping=0.02), curved=True),
    "coupled": lambda normal: chain(normal, beam(damping=0.02, stiffness=coupled(normal)), curved=True),
}


@pytest.mark.parametrize("size", [0.02, 0.3])
@pytest.mark.parametrize("normal", ["y", "z"])
@pytest.mark.parametrize("case", CASES)
def test_same_forces_and_derivatives_as_in_space(monkeypatch, case, normal, size):
    """Small turns (a series) and large ones, up to a turn of an element by 90 degrees."""
    fast, slow = both(monkeypatch, lambda: CASES[case](normal))
    codes = {"y": 1.0, "z": 2.0}
    assert set(fast.loads.forces.reals[:, NORMAL]) == {codes[normal]}
    assert not slow.loads.forces.reals[:, NORMAL].any()
    rng = np.random.default_rng(3)
    q = fast.initial_state()[0] + size * rng.normal(size=fast.nq)
    v, a = rng.normal(size=(2, fast.nv))
    one, two = (dt.inverse_dynamics(system, q, v, a) for system in (fast, slow))
    assert largest_difference(one, two) < ROUND_OFF
    one, two = (dt.analyses.inverse_dynamics_derivatives(system, q, v, a) for system in (fast, slow))
    assert largest_difference(one.dq, two.dq) < ROUND_OFF
    assert largest_difference(one.dv, two.dv) < ROUND_OFF


@pytest.mark.parametrize("case", ["damped and curved", "coupled"])
@pytest.mark.filterwarnings("ignore:.*balance of energy is lost")  # such steps damp on purpose
def test_same_motion_energies_and_channels(monkeypatch, case):
    solver = dt.GeneralisedAlpha(step=0.01, rtol=1e-9)
    systems = both(monkeypatch, lambda: CASES[case]("y"))
    state = systems[0].initial_state()[0], 0.3 * np.random.default_rng(5).normal(size=systems[0].nv)
    one, two = (dt.simulate(system, 0.5, outputs=0.1, solver=solver, at=state) for system in systems)
    # both iterate to 1e-10 of the accelerations; the rest is round-off, over 50 steps of a motion that is not chaotic
    np.testing.assert_allclose(one.q, two.q, rtol=0, atol=1e-9)
    for what in ("elastic", "dissipated"):
        a, b = getattr(one.energy, what), getattr(two.energy, what)
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-8 * np.abs(b).max())
    for channel in ("b.element2.force", "b.element2.torque", "b.element2.section_moment"):
        a, b = one[channel], two[channel]
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-7 * np.abs(b).max())


def test_planes_of_chains_that_hang_on_each_other():
    """Revolute and prismatic joints about and across one normal; one joint out of the plane, and it is none."""

    def normals(*joints):
        m = dt.Model("chain")
        b = m.add_beam("b", beam(), start=(0, 0, 0), end=(1, 0, 0), elements=len(joints))
        m.add_joint("root", dt.Fixed(), m.ground, b.nodes[0])
        for k, joint in enumerate(joints):
            m.add_joint(f"j{k}", joint, m.ground if k % 2 else b.nodes[k], b.nodes[k + 1])
        return dt.compile(m).loads.forces.reals[:, NORMAL].astype(int).tolist()

    assert normals(dt.Revolute("z"), dt.Prismatic("x"), dt.Planar("z")) == [2, 2, 2]
    assert normals(dt.Revolute("y"), dt.Planar("y")) == [1, 1]
    assert normals(dt.Revolute("z"), dt.Prismatic("z"), dt.Revolute("y")) == [2, 0, 1]
    assert normals(dt.Cylindrical("z"), dt.Free()) == [0, 0]


def test_a_section_that_couples_out_of_the_plane_is_treated_in_space():
    K = np.diag([1e4, 3e3, 2e3, 20.0, 30.0, 50.0])
    K[3, 5] = K[5, 3] = 5.0  # twist with bending
    assert not dt.compile(chain("z", beam(stiffness=K))).loads.forces.reals[:, NORMAL].any()


def test_a_rest_shape_that_leaves_the_plane_leaves_the_law_too():
    """Also when it is changed in a compiled system, where only numbers are written anew."""
    system = dt.compile(chain("z", beam()))
    name = next(iter(system.model.forces))
    rest = system.model.forces[name].rest_coordinates
    bent = system.with_parameters({f"{name}.rest": rest + 0.1 * np.eye(6)[2]})
    twisted = system.with_parameters({f"{name}.rest": rest + 0.1 * np.eye(6)[0]})
    assert bent.loads.forces.reals[0, NORMAL] == 2.0
    assert twisted.loads.forces.reals[0, NORMAL] == 0.0
