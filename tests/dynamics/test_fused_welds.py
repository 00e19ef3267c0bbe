"""Bodies that are welded together share a row; what users see is that of a row for every body."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.kernel import JIT
from support.random_forces import add_random_forces
from support.random_models import random_inertia, random_model, random_state, relative

# Sums over the same bodies in another order: about 1e-15 of the largest term for a dozen bodies, times the condition of
# M (up to 1e4 for these trees) where accelerations come in.
ROUND_OFF = 1e-12
SOLVED = 1e-9
KINDS = ("fixed", "fixed", "revolute", "universal", "spherical", "prismatic")
CHANNELS = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")


def twins(seed: int, n: int = 9) -> tuple[dt.System, dt.System]:
    """A random tree with many welds, some of them to ground and against the user's direction, fused and not."""
    rng = np.random.default_rng(seed)
    meant = random_model(rng, n, KINDS, reverse=0.5, branch=0.5)
    add_random_forces(rng, meant)
    return dt.compile(meant.model), dt.compile(meant.model, fuse=False)


def welds(system: dt.System) -> list[str]:
    return [name for name, element in system.model.joints.items() if element.kind == "fixed"]


@pytest.mark.parametrize("seed", range(8))
def test_a_weld_costs_no_row(seed):
    """Rows are counted, not seconds: one for each body that moves by itself, and ground."""
    fused, apart = twins(seed)
    assert apart.tree.nb == 1 + len(apart.model.bodies)
    assert fused.tree.nb == apart.tree.nb - len(welds(fused))
    assert set(fused.bodies) == set(apart.bodies)
    for name in welds(fused):
        element, place = fused.model.joints[name], fused.joints[name]
        assert fused.bodies[element.parent] == fused.bodies[element.child]
        assert place.fused
        assert place.body == place.closure == -1
    assert fused.coordinate_names == apart.coordinate_names
    assert fused.rate_names == apart.rate_names
    assert fused.markers == apart.markers


@pytest.mark.parametrize("seed", range(8 if JIT else 2))
def test_equations_are_those_of_the_unfused_system(seed):
    fused, apart = twins(seed)
    q, v, a = random_state(np.random.default_rng(seed), fused)
    M = dt.mass_matrix(apart, q)
    assert relative(dt.mass_matrix(fused, q) - M, M) < ROUND_OFF
    tau = dt.inverse_dynamics(apart, q, v, a)
    assert relative(dt.inverse_dynamics(fused, q, v, a) - tau, tau) < ROUND_OFF
    solved = dt.accelerations(apart, q, v)
    assert relative(dt.accelerations(fused, q, v) - solved, solved) < SOLVED
    assert np.allclose(dt.energies(fused, q, v), dt.energies(apart, q, v), rtol=ROUND_OFF, atol=ROUND_OFF)
    for got, expected in zip(dt.momentum(fused, q, v), dt.momentum(apart, q, v), strict=True):
        assert np.allclose(got, expected, rtol=0, atol=ROUND_OFF * 10)
    for name in [*fused.model.bodies, *fused.model.markers]:
        J = dt.jacobian(apart, name, q)
        assert np.allclose(dt.jacobian(fused, name, q), J, rtol=0, atol=ROUND_OFF)
    for function, arguments in (
        (dt.analyses.inverse_dynamics_derivatives, (q, v, a)),
        (lambda s, *x: dt.analyses.marker_derivatives(s, "b8", *x), (q, v, a)),
    ):
        for got, expected in zip(function(fused, *arguments), function(apart, *arguments), strict=True):
            assert relative(got - expected, expected) < ROUND_OFF or np.max(np.abs(expected)) < ROUND_OFF


@pytest.mark.parametrize("seed", range(8 if JIT else 2))
def test_results_are_those_of_the_unfused_system(seed):
    """All channels of bodies and markers, and the reactions of all joints, welds included, in the same states."""
    fused, apart = twins(seed)
    q, v, _ = random_state(np.random.default_rng(seed), fused, speed=0.3)
    r = dt.simulate(fused, 1e-3, outputs=[0.0, 1e-3], at=(q, v))
    expected = dt.simulate(apart, 1e-3, outputs=[0.0, 1e-3], at=(q, v))
    assert "unfused" not in vars(fused)  # nobody has asked for a reaction yet
    n = 0  # where the states are the same, bit for bit
    forces = {name: expected.reaction(name) for name in fused.model.joints}
    scale = max(1.0, max(np.max(np.abs(x[n])) for both in forces.values() for x in both))
    for item in [*fused.model.bodies, *fused.model.markers]:
        for what in CHANNELS:
            here, there = r[f"{item}.{what}"][n], expected[f"{item}.{what}"][n]
            if what == "rotation":
                here = here * np.sign(here @ there)
            assert np.allclose(here, there, rtol=SOLVED, atol=SOLVED * scale), (item, what)
    for name in fused.model.joints:
        for at, frame in (("child", "world"), ("parent", "b3")):
            for here, there in zip(r.reaction(name, at, frame), expected.reaction(name, at, frame), strict=True):
                assert np.max(np.abs(here[n] - there[n])) < SOLVED * scale, name
        assert np.array_equal(r[f"{name}.reaction_force"], r.reaction(name)[0])
    assert fused.unfused.tree.nb == apart.tree.nb
    assert apart.unfused is apart


def beam(law: str = "0") -> dt.Model:
    """A beam of three welded parts on a pin, a massless one in the middle, that carries a pendulum."""
    m = dt.Model("beam")
    m.add_body("post", dt.Inertia.box(5, size=(0.1, 0.1, 1)), position=(0, 0, -0.5))
    m.add_joint("footing", dt.Fixed(), m.ground, "post", at=(0, 0, -1))
    m.add_body("left", dt.Inertia.box(2, size=(1, 0.1, 0.1)), position=(-0.5, 0, 0))
    m.add_joint("pin", dt.Revolute("y"), "post", "left", at=(0, 0, 0))
    m.add_body("sleeve", dt.Inertia(0.0, (0, 0, 0), np.zeros((3, 3))))
    m.add_joint("weld 1", dt.Fixed(), "sleeve", "left", at=(0, 0, 0))
    m.add_body("right", dt.Inertia.box(2, size=(1, 0.1, 0.1)), position=(0.5, 0, 0))
    m.add_joint("weld 2", dt.Fixed(), "sleeve", "right", at=(0, 0, 0))
    m.add_body("bob", dt.Inertia.sphere(1, radius=0.1), position=(1, 0, -0.5))
    m.add_joint("hook", dt.Revolute("y"), "right", "bob", at=(1, 0, 0))
    m.add_force("law", dt.JointTorque("hook", law))
    return m


def test_reactions_of_welds_by_hand():
    """At rest under a torque that holds the beam: weights on one side of each weld, by the laws of levers."""
    m = beam()
    g = 9.81
    m.add_force("hold", dt.JointTorque("pin", -1 * g * 1.0))  # the bob's moment; the beam is in balance itself
    r = dt.simulate(m, 1e-3, outputs=[0.0, 1e-3])
    assert r.system.tree.nb == 3  # ground with the post, the beam, the bob
    expected = {
        "footing": ((0, 0, (5 + 4 + 1) * g), (0, -1 * 1.0 * g, 0)),  # on the post: all weights, the bob's moment
        "weld 2": ((0, 0, 3 * g), (0, -(2 * 0.5 + 1 * 1.0) * g, 0)),  # on the right part: its weight and the bob's
        "weld 1": ((0, 0, -3 * g), (0, (2 * 0.5 + 1 * 1.0) * g, 0)),  # on the left part: what the others weigh on it
    }
    for name, wrench in expected.items():
        force, torque = r.reaction(name)
        assert np.allclose(force[0], wrench[0], atol=1e-11)
        assert np.allclose(torque[0], wrench[1], atol=1e-11)


def test_what_is_welded_to_ground_counts_in_mass_centre_and_energy():
    m = beam()
    r, apart = (dt.simulate(dt.compile(m, fuse=x), 0.01, outputs=[0.0, 0.01]) for x in (True, False))
    assert np.allclose(r.mass_centre, apart.mass_centre, atol=ROUND_OFF)
    assert np.allclose(r.mass_centre[0], dt.mass_centre(m)[1], atol=ROUND_OFF)
    assert np.allclose(r.energy.total, apart.energy.total, atol=1e-10)
    assert r.energy.gravity[0] == pytest.approx(9.81 * (5 * -0.5 + 1 * -0.5), rel=1e-12)


def test_laws_read_fused_bodies():
    """A force that follows a point of a welded body, and its derivatives."""
    law = "-3 * right.position[2] - 0.2 * sleeve.angular_velocity[1] + left.velocity[0]"
    fused, apart = (dt.compile(beam(law), fuse=x) for x in (True, False))
    q, v, a = random_state(np.random.default_rng(1), fused)
    assert np.allclose(dt.accelerations(fused, q, v), dt.accelerations(apart, q, v), rtol=SOLVED)
    got, expected = (dt.analyses.inverse_dynamics_derivatives(x, q, v, a) for x in (fused, apart))
    for here, there in zip(got, expected, strict=True):
        assert np.allclose(here, there, atol=1e-11)


def welded_four_bar() -> dt.Model:
    """A four-bar whose coupler is two welded bars, with a plate welded to the crank and one to ground."""
    m = dt.Model("welded four-bar")
    rod = dt.Inertia.box(1, size=(0.1, 0.1, 0.1))
    for name, place in (("crank", (0, 0, 0.2)), ("c1", (0.4, 0, 0.5)), ("c2", (0.8, 0, 0.55)), ("rocker", (1, 0, 0.3))):
        m.add_body(name, rod, position=place)
    m.add_body("plate", random_inertia(np.random.default_rng(0)), position=(0.1, 0.3, 0.2))
    m.add_body("base", rod, position=(0.5, 0, 0))
    m.add_joint("foot", dt.Fixed(), "base", m.ground, at=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), "base", "crank", at=(0, 0, 0), v0=2.0)
    m.add_joint("on", dt.Fixed(), "plate", "crank", at=(0, 0.1, 0.2))
    m.add_joint("B", dt.Revolute("y"), "crank", "c1", at=(0, 0, 0.4))
    m.add_joint("W", dt.Fixed(), "c1", "c2", at=(0.6, 0, 0.5))
    m.add_joint("C", dt.Revolute("y"), "c2", "rocker", at=(1, 0, 0.6))
    m.add_joint("D", dt.Revolute("y"), "base", "rocker", at=(1, 0, 0))
    return m


def test_loops_with_welds():
    """Closed loops, one of whose bodies is fused: motion and reactions; in absolute coordinates welds are cut."""
    m = welded_four_bar()
    duration = 0.2 if JIT else 0.01
    times = [0.0, duration]
    fused, apart = (dt.simulate(dt.compile(m, fuse=x), duration, outputs=times) for x in (True, False))
    assert fused.system.tree.nb == apart.system.tree.nb - 3
    assert np.allclose(fused.states, apart.states, rtol=0, atol=1e-9)
    for name in m.joints:
        scale = 1.0 + np.max(np.abs(apart.reaction(name)[0]))
        for here, there in zip(fused.reaction(name), apart.reaction(name), strict=True):
            # redundant components (across the plane) are of least norm in both; accelerations carry the condition
            assert np.allclose(here, there, rtol=0, atol=1e-7 * scale), name
    absolute = dt.compile(m, coordinates="absolute")
    assert not any(place.fused for place in absolute.joints.values())
    assert absolute.joints["W"].closure >= 0


def test_a_weld_that_closes_a_loop_stays_a_closure():
    """Two bodies welded twice: one weld is in the tree and fused, the other says the same once more."""
    m = beam()
    m.add_joint("weld 3", dt.Fixed(), "left", "right", at=(0, 0, 0.05))
    system = dt.compile(m)
    cut = [name for name, place in system.joints.items() if place.closure >= 0]
    assert len(cut) == 1
    assert system.tree.nb == 3
    r, plain = dt.simulate(system, 0.01, outputs=[0.0, 0.01]), dt.simulate(beam(), 0.01, outputs=[0.0, 0.01])
    assert np.allclose(r.states, plain.states, rtol=0, atol=1e-12)


def test_a_structure_without_motion_is_not_fused():
    """Kernels need a row beside ground; the reaction of its footing is the weight."""
    m = dt.Model("tower")
    m.add_body("base", dt.Inertia.box(3, size=(1, 1, 1)), position=(0, 0, 0.5))
    m.add_joint("footing", dt.Fixed(), m.ground, "base", at=(0, 0, 0))
    m.add_body("top", dt.Inertia.box(2, size=(1, 1, 1)), position=(0.3, 0, 1.5))
    m.add_joint("bolt", dt.Fixed(), "base", "top", at=(0, 0, 1))
    system = dt.compile(m)
    assert system.tree.nb == 3
    r = dt.simulate(system, 0.1, outputs=[0.0, 0.1])
    assert np.allclose(r["footing.reaction_force"][0], (0, 0, 5 * 9.81))
    assert np.allclose(r["bolt.reaction_torque"][0], (0, -2 * 9.81 * 0.3, 0))


@pytest.mark.parametrize("fuse", [True, False])
def test_result_files_know_how_their_system_was_compiled(fuse, tmp_path):
    """A file is opened with the same rows, or its check would say that the model is another one."""
    pytest.importorskip("h5py")
    system = dt.compile(beam(), fuse=fuse)
    r = dt.simulate(system, 1e-3, outputs=[0.0, 1e-3], out=tmp_path / "run.h5")
    again = dt.open_result(tmp_path / "run.h5")
    assert again.system.tree.nb == system.tree.nb
    for name in ("weld 1", "hook"):
        for here, there in zip(again.reaction(name), r.reaction(name), strict=True):
            assert np.array_equal(here, there)
