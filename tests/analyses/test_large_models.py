"""Many bodies joined by force elements: what is stored and solved is a band, with the numbers of full matrices."""

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.integrate.implicit.newton_structure import structure_of
from duoti.kernel import run_entry
from duoti.system import tangent_arrays as tangent
from duoti.system.jacobian_pattern import Pattern


def chain(n: int, closed: bool = False) -> dt.Model:
    """Free bodies in a row (or ring), joined by bushings."""
    m = dt.Model("chain", gravity=(0, 0, -9.81))
    stiffness = (1e3, 2e3, 3e3, 4.0, 5.0, 6.0)
    before = m.ground
    for i in range(n):
        body = m.add_body(f"b{i}", dt.Inertia(0.1, matrix=np.diag([1e-4, 2e-4, 3e-4])), position=(0.1 * (i + 1), 0, 0))
        m.add_joint(f"j{i}", dt.Free(), m.ground, body, at=(0.1 * (i + 1), 0, 0), v0=(0.1, 0.2 * i / n, 0, 0, 0.3, 0))
        m.add_force(f"f{i}", dt.Bushing(_at(m, f"a{i}", before, 0.05), _at(m, f"c{i}", body, -0.05), stiffness))
        before = body
    if closed:
        m.add_force(
            "ring", dt.SpringDamper(_at(m, "first", "b0", 0.0), _at(m, "last", before, 0.0), 10.0, 0.1, 0.05 * n)
        )
    return m


def _at(m: dt.Model, name: str, body: object, x: float) -> object:
    return m.add_marker(name, body, position=(x, 0, 0))


@pytest.mark.skipif(not tangent.BANDED, reason="only kernels of the normal build address a band")
@pytest.mark.parametrize("closed", [False, True])
def test_derivatives_in_a_band_are_those_of_full_matrices(closed: bool) -> None:
    system = dt.compile(chain(20, closed))
    made = []
    structure = structure_of(system, stabilised=True)
    for pattern in (None, (structure.start, structure.column)):
        work = new_workspace(system, ydot=True)
        q, v = system.initial_state()
        work.y[: system.nq], work.y[system.nq : system.nq + system.nv] = q, v
        work.ydot[system.nq : system.nq + system.nv] = np.sin(np.arange(system.nv))
        linear = new_linearisation(system, work, pattern=pattern)
        for _ in range(2):  # the second time nothing is left of the first
            run_entry(work.calls[0].linearise, work.at[0].system)
        made.append(linear.tangent)
    full, band = made
    row = np.repeat(np.arange(system.nv), np.diff(structure.start))
    for name in "KCM":
        whole, packed = getattr(full, name), getattr(band, name)
        values = whole[row, structure.column]
        outside = whole.copy()
        outside[row, structure.column] = 0.0
        assert not np.any(outside), "an entry outside of the pattern"
        if closed:  # the ring couples the first rates with the last: no band in the order of the rates
            assert packed.shape == whole.shape
        else:
            assert packed.size < 0.25 * whole.size
            assert np.array_equal(packed.ravel()[row * packed.shape[1] + structure.column], values)


@pytest.mark.skipif(not tangent.BANDED, reason="only kernels of the normal build address a band")
def test_runs_are_the_same_bits_with_either_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    for least in (10**9, tangent.LEAST_BANDED):
        monkeypatch.setattr(tangent, "LEAST_BANDED", least)
        runs.append(dt.simulate(chain(20), 0.02, outputs=0.02, solver=dt.GeneralisedAlpha(step=1e-3)))
    assert all(np.array_equal(runs[0][f"b{i}.position"], runs[1][f"b{i}.position"]) for i in range(20))


def test_memory_grows_with_the_number_of_bodies_not_with_its_square() -> None:
    sizes = []
    for n in (40, 80):
        system = dt.compile(chain(n))
        known = structure_of(system, stabilised=True)
        assert known.below < 24, "two neighbours of six rates"
        made = tangent.allocate_tangent(system.tree, system.closures, pattern=(known.start, known.column))
        sizes.append(sum(np.asarray(each).nbytes for each in made))
    if tangent.BANDED:
        assert sizes[1] < 2.1 * sizes[0]


def test_patterns_are_symmetric_lists() -> None:
    pattern = Pattern(5)
    pattern.add(0, [3, 4])
    pattern.add_clique({1, 2})
    start, column = pattern.lists()
    assert start.tolist() == [0, 3, 5, 7, 9, 11]
    assert column.tolist() == [0, 3, 4, 1, 2, 1, 2, 0, 3, 0, 4]


def test_equilibrium_of_many_bodies_is_that_of_dense_algebra() -> None:
    """The old way, with dense matrices and a line search, must leave the sparse one's place where it is."""
    from duoti.analyses.equilibrium.equations import Balance

    e = dt.equilibrium(chain(12))
    assert e.ok, e.reason
    assert e.stable
    assert e.iterations < 30, "Newton's method in full steps"
    dense = Balance(e.system, 0.0)
    dense.measure(e.q)
    place, ok, _ = dense.newton(dense.look(e.q, e.z), 5)
    assert ok
    assert np.max(np.abs(place.q - e.q)) < 1e-11  # condition (1e5) times round-off
    assert len(e.indifferent) == 0
    assert np.all(e.linear.frequencies > 0)


def test_equilibrium_leaves_what_is_not_stable() -> None:
    """A row of bodies standing on its head: in balance as it is, but asked for a stable place it falls over."""
    m = chain(6)
    m.gravity = (9.81, 0, 0)  # stretched first, then pressed
    assert dt.equilibrium(m).stable
    m.gravity = (-98.1, 0, 0)
    standing = dt.equilibrium(m)
    assert standing.ok
    assert not standing.stable
    assert abs(standing["b5.position"][1]) + abs(standing["b5.position"][2]) < 1e-9
    fallen = dt.equilibrium(m, stable=True)
    assert fallen.ok, fallen.reason
    assert fallen.stable
    assert fallen["b5.position"][0] < 0.0 < standing["b5.position"][0]


def test_equilibrium_names_what_cannot_be_balanced() -> None:
    m = chain(4)
    loose = m.add_body("loose", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 3, 0))
    m.add_joint("drift", dt.Free(), m.ground, loose, at=(0, 3, 0))
    e = dt.equilibrium(m)
    assert not e.ok
    assert "drift" in e.reason


def beam(n: int, held: bool = True) -> dt.Model:
    m = dt.Model("beam", gravity=(0, 0, 0))
    numbers = dt.Beam.from_stiffness(
        EA=1e5, GAy=1e8, GAz=1e8, GJ=6.0, EIy=10.0, EIz=15.0, mass_per_length=0.8, rotary_inertia=(2e-4, 1e-4, 1e-4)
    )
    part = m.add_beam("b", numbers, (0, 0, 0), (2, 0, 0), elements=n)
    if held:
        m.add_joint("clamp", dt.Fixed(), m.ground, part.start)
    return m


def test_natural_modes_are_those_of_the_dense_eigenproblem() -> None:
    found = dt.natural_modes(beam(12), count=6)
    np.testing.assert_allclose(found.frequencies, dt.linearise(beam(12)).frequencies[:6], rtol=1e-8)
    assert found.shapes.shape == (12 * 6, 6)


def test_natural_modes_of_many_elements() -> None:
    """Clamped and free (Blevins 1979, table 8-1); a beam that floats has six modes of zero frequency."""
    exact = np.array([1.87510407, 4.69409113]) ** 2 * np.sqrt(10.0 / 0.8) / 2.0**2 / (2 * np.pi)
    found = dt.natural_modes(beam(150), count=4).frequencies[[0, 2]]
    np.testing.assert_allclose(found, exact, rtol=1e-3)  # rotary inertia takes 5e-4 off the second
    floating = dt.natural_modes(beam(20, held=False), count=8).frequencies
    assert np.all(floating[:6] == 0.0)
    assert np.all(floating[6:] > 3.0)


def test_natural_modes_say_what_they_cannot_do() -> None:
    m = dt.Model("pendulum")
    m.add_joint("A", dt.Revolute("y"), m.ground, m.add_body("b", dt.Inertia.sphere(1.0, 0.1), position=(1, 0, 0)))
    with pytest.raises(ValueError, match=r"dt\.linearise"):
        dt.natural_modes(m)
    with pytest.raises(ValueError, match="count"):
        dt.natural_modes(beam(4), count=0)


def test_long_steps_of_soft_beams_are_solved_with_new_derivatives() -> None:
    """Falling by 0.2 rad a step, the simplified Newton iteration fails; with new derivatives in each iteration it ends.

    Order 2: steps of 50 ms have an error of 55 mm, those of 25 ms a quarter of it.
    """
    m = dt.Model("falling", gravity=(0, 0, -9.81))
    soft = dt.Beam.from_stiffness(
        EA=1e4, GAy=1e4, GAz=1e4, GJ=1.0, EIy=1.0, EIz=1.0, mass_per_length=1.0, rotary_inertia=(1e-3,) * 3
    )
    part = m.add_beam("b", soft, (0, 0, 0), (2, 0, 0), elements=8)
    m.add_joint("clamp", dt.Fixed(), m.ground, part.start)
    system, place = dt.compile(m), {}
    for step in (0.005, 0.025, 0.05):
        r = dt.simulate(system, 0.6, outputs=0.6, solver=dt.GeneralisedAlpha(step=step, rho=0.5))
        assert r.ok, r.reason
        place[step] = r["b.end.position"][-1]
    assert r.stats.jacobians > 2 * r.stats.steps
    errors = [np.linalg.norm(place[step] - place[0.005]) for step in (0.025, 0.05)]
    assert errors[1] < 0.08
    assert 3.0 < errors[1] / errors[0] < 5.5
