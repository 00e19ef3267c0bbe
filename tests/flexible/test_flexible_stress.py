"""Stresses of flexible bodies in motion, against the theory of bars and beams."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

STEEL = dt.Material(youngs_modulus=210e9, poisson_ratio=0.3, density=7850.0)


@pytest.fixture(scope="module")
def spinning() -> tuple[dt.Mesh, dt.Result]:
    """A bar that turns at a constant 100 rad/s about its end, from its steady state on."""
    mesh = dt.Mesh.box((1.0, 0.02, 0.02), (16, 1, 1), centre=(0.5, 0, 0))
    loads = {"centrifugal": dt.flexible.Structure.from_mesh(mesh, STEEL).load(_pull(mesh))}
    bar = dt.Flexible.from_mesh(mesh, STEEL, {"hub": "x-", "tip": "x+"}, 2, damping_ratio=0.2, loads=loads)
    m = dt.Model("bar", gravity=(0, 0, 0))
    body = m.add_body("bar", bar, position=(0, 0, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, body, at=(0, 0, 0), v0=100.0)
    m.add_constraint("motor", dt.JointMotion("A", "100*t"))
    return mesh, dt.simulate(m, duration=0.1, outputs=0.02, solver=dt.GeneralisedAlpha(step=2e-4, rho=0.5))


def _pull(mesh: dt.Mesh) -> np.ndarray:
    s = dt.flexible.Structure.from_mesh(mesh, STEEL)
    return s.M.dot((mesh.nodes * (1.0, 0.0, 0.0)).ravel()).reshape(-1, 3)


def test_centrifugal_stress(spinning):
    """sigma = rho w^2 (L^2 - x^2) / 2 along a bar that turns."""
    mesh, r = spinning
    assert r.ok
    for x in (0.25, 0.5, 0.75):
        stress = r.stress("bar", mesh.nearest((x, 0, 0)))[-1]
        assert stress[0] == pytest.approx(7850.0 * 1e4 * (1.0 - x * x) / 2.0, rel=2e-3)  # parabola in 16 elements
        assert np.abs(stress[1:]).max() < 0.01 * stress[0]
    peak = r.largest_stress("bar")
    assert mesh.nodes[peak.node, 0] < 0.1
    assert peak.value == pytest.approx(r.von_mises("bar", peak.node).max(), rel=1e-12)
    assert peak.time in r.t


def test_elongation(spinning):
    """u(L) = rho w^2 L^3 / (3 E)."""
    mesh, r = spinning
    u = r.displacement("bar", mesh.nearest((1, 0, 0)))[-1]
    # the clamped face cannot shrink: over half a thickness the bar is stiffer by 1.35, at 1.5 times the mean strain
    assert u[0] == pytest.approx(7850.0 * 1e4 / (3 * 210e9), rel=0.35 * 0.01 * 1.5)


def test_without_stresses_it_is_said():
    beam = dt.Flexible.from_beam(dt.Beam(dt.Section.rectangle(0.02, 0.02), STEEL), length=1.0, elements=2, modes=0)
    m = dt.Model("beam")
    body = m.add_body("beam", beam, position=(0, 0, 0))
    m.add_joint("A", dt.Fixed(), m.ground, body, at=(0, 0, 0))
    r = dt.simulate(m, duration=1e-3, outputs=1e-3)
    with pytest.raises(dt.errors.ChannelError, match="no stresses"):
        r.largest_stress("beam")
    with pytest.raises(dt.errors.ChannelError, match="no flexible body"):
        r.stress("bean", 0)


def test_check_names_what_modes_cannot_do():
    numbers = {"EA": 1e6, "GAy": 1e9, "GAz": 1e9, "GJ": 1.0, "EIy": 1.0, "EIz": 1.0, "mass_per_length": 1.0}
    for Jx, expected in ((0.0, {"held-by-modes", "massless-modes"}), (0.1, set())):
        beam = dt.Beam.from_stiffness(**numbers, rotary_inertia=(Jx, 0.0, 0.0))
        m = dt.Model("beam")
        body = m.add_body("beam", dt.Flexible.from_beam(beam, length=1.0, elements=3, modes=2), position=(0, 0, 0))
        m.add_joint("A", dt.Fixed(), m.ground, body, at=(0, 0, 0))
        m.add_marker("tip", body, interface="end")
        codes = {finding.code for finding in dt.check(m).findings}
        assert codes & {"held-by-modes", "massless-modes"} == expected
