"""What `simulate` chooses for stiff models with few rigid contacts: Rodas for beams, DOPRI5 and Rodas in turn else."""

import numpy as np
import pytest
from test_rodas import hopper
from test_rodas_exact import four_bar

import duoti as dt

STEEL = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850)


def strip() -> tuple[dt.Model, str]:
    """A steel strip of 0.5 m, clamped, damped a little, whose tip falls on a stop."""
    m = dt.Model("strip")
    beam = dt.Beam(dt.Section.rectangle(width=0.02, height=1e-3), STEEL, damping_time=1e-5)
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(0.5, 0, 0), elements=8)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    for node in b.nodes[1:]:
        m.add_joint(f"{node.name}.plane", dt.Planar("y"), m.ground, node)
    stop = m.add_marker("stop top", m.ground, position=(0, 0, -0.02))
    m.add_contact("stop", dt.RigidContact(), stop, b.end, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.01)))
    return m, b.end.name


def test_a_strip_on_a_stop() -> None:
    """The tip strikes, bounces as waves come back, and rests: as Moreau with steps of 10 us, and the energy is kept."""
    m, tip = strip()
    r = dt.simulate(m, 0.1)
    assert r.ok
    assert r.stats.notes[0] == "Rodas throughout: beams stretch and shear much faster than they bend, which is stiff"
    time_stepping = dt.simulate(m, 0.1, solver=dt.Moreau(1e-5, implicit=True))
    # time stepping is of order one: impacts are late by up to a step of 1e-5 s, at some 0.3 m/s
    np.testing.assert_allclose(r[f"{tip}.position"][:, 2], time_stepping[f"{tip}.position"][:, 2], rtol=0, atol=1e-5)
    assert np.min(r["stop.gap"]) > -1e-9
    assert sum(i.impulse[2] for i in r.impacts) == pytest.approx(
        sum(i.impulse[2] for i in time_stepping.impacts), rel=0.05
    )
    largest = float(np.max(r.energy.kinetic))
    assert np.max(np.abs(r.energy.residual)) < 1e-4 * largest  # a tenth of the tolerance, over some hundred steps
    assert r.stats.steps < 2000  # DOPRI5: 0.1 s takes more than 20 000


@pytest.mark.full
def test_a_beam_that_drops_on_a_floor() -> None:
    """Weight, impulses and forces of contact make the change of momentum."""
    m = dt.Model("drop")
    beam = dt.Beam.from_stiffness(
        EA=1e5, GAy=4e4, GAz=4e4, GJ=20.0, EIy=20.0, EIz=20.0, mass_per_length=0.5, rotary_inertia=(2e-4, 1e-4, 1e-4),
        damping_time=1e-4,
    )  # fmt: skip
    b = m.add_beam("b", beam, start=(-0.5, 0, 0.06), end=(0.5, 0, 0.06), elements=6)
    for node in b.nodes:
        m.add_joint(f"{node.name}.plane", dt.Planar("y"), m.ground, node)
    for name, node in (("left", b.start), ("right", b.end)):
        m.add_contact(
            name, dt.RigidContact(friction=0.2), m.ground, node, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.01))
        )
    system = dt.compile(m)
    r = dt.simulate(system, 0.3, outputs=1e-5)
    assert r.ok
    assert r.impacts[0].time == pytest.approx(np.sqrt(2 * 0.05 / 9.81), abs=1e-6)  # free fall of a straight beam
    masses = [system.model.bodies[node.name].inertia.mass for node in b.nodes]
    momentum = sum(mass * r[f"{node.name}.velocity"][:, 2] for mass, node in zip(masses, b.nodes, strict=True))
    force = r["left.normal_force"] + r["right.normal_force"]
    pressed = float(np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(r.t)))
    struck = sum(i.impulse[2] for i in r.impacts)
    weight = 9.81 * sum(masses)
    # forces begin and end between outputs: half an interval of the largest force for each impact, and after each
    allowed = 2 * len(r.impacts) * 0.5e-5 * float(np.max(force)) + 1e-3 * struck
    assert momentum[-1] - momentum[0] == pytest.approx(struck + pressed - weight * 0.3, abs=allowed)
    assert np.max(np.abs(r.energy.residual)) < 1e-3 * float(np.max(r.energy.kinetic))


def test_points_of_beams_in_event_driven_runs() -> None:
    """A strip whose 20 nodes may touch the floor is still located: time stepping with 1 ms makes it explode."""
    m = dt.Model("lying strip")
    beam = dt.Beam(dt.Section.rectangle(width=0.02, height=1e-3), STEEL, damping_time=1e-4)
    b = m.add_beam("b", beam, start=(0, 0, 0.02), end=(0.5, 0, 0.05), elements=19)
    for node in b.nodes:
        m.add_joint(f"{node.name}.plane", dt.Planar("y"), m.ground, node)
        shapes = (dt.Shape.plane(), dt.Shape.sphere(0.01))
        m.add_contact(f"{node.name} floor", dt.RigidContact(friction=0.2), m.ground, node, shapes=shapes)
    r = dt.simulate(m, 0.06)  # the first two nodes have struck
    assert r.ok
    assert r.impacts
    assert r.stats.notes[0].startswith("Rodas throughout")


def test_stiff_and_soft_legs() -> None:
    """A stiff damper changes the solver on the way; a soft leg has the explicit solver and nothing else."""
    stiff = dt.simulate(hopper(1e6, 1e6, 0.4), 0.4)
    assert stiff.ok
    assert any("Rodas (step times spectral radius is" in note for note in stiff.stats.notes)
    assert stiff.stats.steps < 1000  # DOPRI5 takes more than 100 000
    by_rodas = dt.simulate(hopper(1e6, 1e6, 0.4), 0.4, solver=dt.Rodas())
    # both to their tolerances of 1e-8 and 1e-6
    assert [i.time for i in stiff.impacts] == pytest.approx([i.time for i in by_rodas.impacts], abs=1e-6)
    soft = dt.simulate(hopper(1e3, 10.0, 0.4), 0.4)
    assert soft.stats.solver.startswith("DOPRI5")
    assert dt.simulate(hopper(1e3, 10.0, 0.4), 0.4, solver="auto", rtol=1e-6).ok


def test_friction_in_a_closed_loop_beside_a_stiff_mount() -> None:
    """Implicit solvers cannot hold joints of closed loops, but Rodas can: "auto" goes on with it."""
    m = four_bar()
    hook = m.add_body("hook", dt.Inertia.box(0.01, size=(0.1, 0.1, 0.1)), position=(0.5, 0, -0.7))
    m.add_joint("pin", dt.Prismatic("z"), "bar", hook)
    m.add_force("brake", dt.JointFriction("A", constant=4.0))
    m.add_force("mount", dt.JointSpring("pin", stiffness=1e5, damping=1e3))
    chosen, exact = dt.simulate(m, 0.5, solver="auto"), dt.simulate(m, 0.5)
    assert chosen.ok
    assert "Rodas (step times spectral radius is" in chosen.stats.notes[1]
    assert chosen.stats.steps < exact.stats.steps / 10
    np.testing.assert_allclose(chosen["A.angle"], exact["A.angle"], rtol=0, atol=1e-6)  # a hundred tolerances


def test_algebraic_states_with_contacts_are_refused() -> None:
    m = hopper(1e3, 10.0, 0.4)
    m.add_state("x", "x - cos(x)", initial=0.7, algebraic=True)
    with pytest.raises(ValueError, match='state "x" is algebraic'):
        dt.simulate(m, 0.1, solver=dt.Auto())


@pytest.mark.parametrize(
    "shape", [dt.Shape.box((0.1, 0.1, 0.2)), dt.Shape.cylinder(0.05, 0.2)], ids=["box", "cylinder"]
)
def test_over_the_edge_of_a_table(shape):
    """Rodas has rows for the few feature pairs that are closed, of some hundred; it goes the way of DOPRI5."""
    m = dt.Model("table")
    b = m.add_body("b", dt.Inertia.cylinder(1, radius=0.05, length=0.2), position=(0.3, 0, 0.1))
    m.add_joint("f", dt.Free(), m.ground, b, v0=[1.5, 0, 0, 0, 0, 0])
    table = dt.Shape.box((1, 1, 0.5), position=(0, 0, -0.25))
    m.add_contact("t", dt.RigidContact(friction=0.3), m.ground, b, shapes=(table, shape))
    r, wanted = (dt.simulate(m, 0.3, solver=s) for s in (dt.Rodas(rtol=1e-8, atol=1e-10), dt.DOPRI5()))
    assert r.ok
    # errors of 1e-8 a step, of which there are 170
    np.testing.assert_allclose(r["b.position"][-1], wanted["b.position"][-1], atol=2e-6)
    np.testing.assert_allclose(r["b.angular_velocity"][-1], wanted["b.angular_velocity"][-1], atol=2e-6)
