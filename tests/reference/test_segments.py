"""Finite segments against beam theory and against the exact element on the same problems."""

import numpy as np
import pytest

import duoti as dt

L, EI, GJ, EA, RHO = 2.0, 10.0, 6.0, 1e5, 0.8
BEAM = dt.Beam.from_stiffness(
    EA=EA, GAy=1e8, GAz=1e8, GJ=GJ, EIy=EI, EIz=EI, mass_per_length=RHO, rotary_inertia=(2e-4, 1e-4, 1e-4)
)


def cantilever(n: int, kind: str, gravity: float = 0.0, stretch: bool = True) -> tuple[dt.Model, object]:
    m = dt.Model(kind, gravity=(0, 0, -gravity))
    if kind == "segments":
        part = m.add_segments("rod", BEAM, (0, 0, 0), (L, 0, 0), segments=n, stretch=stretch)
    else:
        part = m.add_beam("rod", BEAM, (0, 0, 0), (L, 0, 0), elements=n)
    m.add_joint("clamp", dt.Fixed(), m.ground, part.start, at=(0, 0, 0))
    return m, part


@pytest.mark.parametrize(
    ("load", "exact"),
    [
        ((0, 0, 1e-3), (0, 0, 1e-3 * L**3 / (3 * EI))),
        ((0, 2e-3, 0), (0, 2e-3 * L**3 / (3 * EI), 0)),
        ((5.0, 0, 0), (5.0 * L / EA, 0, 0)),
    ],
)
def test_tip_force_by_beam_theory(load, exact) -> None:
    """The midpoint rule of the integral of (L - x)²: a relative error of 1/(4 N²) in bending, none in stretch."""
    for n in (4, 8):
        m, part = cantilever(n, "segments")
        m.add_force("load", dt.AppliedForce(part.end, load))
        e = dt.equilibrium(m)
        assert e.ok, e.reason
        wanted = np.array(exact) * (1.0 - (0.25 / n**2 if not load[0] else 0.0))
        np.testing.assert_allclose(e["rod.end.position"] - (L, 0, 0), wanted, atol=2e-7)  # second order of the angle


def test_torsion_is_exact() -> None:
    m, part = cantilever(5, "segments")
    m.add_force("load", dt.AppliedTorque(part.end, (0.3, 0, 0)))
    e = dt.equilibrium(m)
    assert 2.0 * np.arctan2(e["rod.end.rotation"][1], e["rod.end.rotation"][0]) == pytest.approx(0.3 * L / GJ, rel=1e-9)


def test_large_deflection_converges_to_the_exact_element() -> None:
    """More than a metre down under its weight: both converge with N², to the same place."""
    place = {}
    for kind, sizes in (("segments", (8, 16)), ("beam", (32, 64))):
        for n in sizes:
            e = dt.equilibrium(cantilever(n, kind, gravity=9.81)[0])
            assert e.ok, e.reason
            place[kind, n] = e["rod.end.position"]
    better = (4.0 * place["beam", 64] - place["beam", 32]) / 3.0
    errors = [np.linalg.norm(place["segments", n] - better) for n in (8, 16)]
    assert place["beam", 64][2] < -0.8
    assert errors[0] < -place["beam", 64][2] / 8**2  # of the order of 1/N² of the deflection
    assert 3.5 < errors[0] / errors[1] < 4.5


def test_bending_frequencies() -> None:
    """Clamped and free: (1.8751, 4.6941)² sqrt(E I / rho A) / L² (Blevins 1979, table 8-1), less rotary inertia."""
    exact = np.array([1.87510407, 4.69409113]) ** 2 * np.sqrt(EI / RHO) / L**2 / (2 * np.pi)
    errors = []
    for n in (8, 16):
        m, _ = cantilever(n, "segments")
        found = dt.linearise(m).frequencies
        pairs = found[:4].reshape(2, 2)  # in both planes
        np.testing.assert_allclose(pairs[:, 0], pairs[:, 1], rtol=1e-9)
        errors.append(np.abs(pairs[:, 0] / exact - 1.0).max())
    assert errors[1] < 0.01
    assert errors[0] / errors[1] > 3.0


def test_a_falling_row_of_segments_keeps_its_energy() -> None:
    m, _ = cantilever(6, "segments", gravity=9.81, stretch=False)
    r = dt.simulate(m, 0.3, outputs=0.05)
    assert r.ok, r.reason
    assert abs(r.energy.residual[-1]) < 1e-5 * np.ptp(r.energy.kinetic)


def test_segments_of_files(tmp_path) -> None:
    m, _ = cantilever(3, "segments", gravity=9.81)
    m.save(tmp_path / "rod.yaml")
    again = dt.equilibrium(dt.load(tmp_path / "rod.yaml"))
    np.testing.assert_allclose(again["rod.end.position"], dt.equilibrium(m)["rod.end.position"], atol=1e-9)


def test_what_segments_cannot_do_is_refused() -> None:
    m, coupled = dt.Model("wrong"), np.eye(6)
    coupled[0, 4] = coupled[4, 0] = 0.1
    damped = dt.Beam.from_stiffness(matrix=np.eye(6), mass_per_length=1, rotary_inertia=(1, 1, 1), mass_damping=1.0)
    with pytest.raises(ValueError, match=r"mass_damping.*segments is 0.*start"):
        m.add_segments("rod", damped, (0, 0), (1, 0, 0), segments=0)
    skew = dt.Beam.from_stiffness(matrix=coupled, mass_per_length=1, rotary_inertia=(1, 1, 1))
    with pytest.raises(ValueError, match="coupled"):
        m.add_segments("rod", skew, (0, 0, 0), (1, 0, 0))
