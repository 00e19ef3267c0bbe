"""Impact laws on plain matrices against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case

import duoti as dt


def row_of_balls(masses):
    """Rows of the contacts between neighbours, and the Delassus matrix."""
    n = len(masses)
    G = np.eye(n, k=1)[: n - 1] - np.eye(n)[: n - 1]
    return G, G @ np.diag(1.0 / masses) @ G.T


def test_c03_newtons_cradle_on_matrices():
    laws = {"newton": "moreau_simultaneous", "poisson": "poisson_simultaneous"}
    laws["sequential"] = "sequential_left_to_right"
    for each in case("C03").reference["cases"]:
        m, v = np.array(each["m"], dtype=float), np.array(each["v_minus"])
        G, W = row_of_balls(m)
        for law, column in laws.items():
            s = dt.contact.solve_impact(W, G @ v, 0.0, each["e"], law=law, dimension=1)
            assert s.ok, s.reason
            assert v + G.T @ s.p / m == pytest.approx(each[column], abs=1e-12)


@pytest.mark.parametrize("name", ["C04", "C04v"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_c04_oblique_impact_on_matrices(name, dimension):
    """A round body: normal and tangent are not coupled, so that all laws agree."""
    for each in case(name).reference["cases"]:
        m, k, r = each["m"], each["k"], each["r"]
        W = np.diag([1.0, 1.0 + 1.0 / k, 1.0 + 1.0 / k][:dimension]) / m
        u = np.zeros(dimension)
        u[:2] = each["vn_minus"], each["vt_minus"] + r * each["omega_minus"]
        for law in ("newton", "poisson", "stronge"):
            s = dt.contact.solve_impact(W, u, each["mu"], each["e"], law=law, dimension=dimension)
            assert s.ok, s.reason
            pn, pt = s.p[:2]
            # 1e-7: the steps of the spatial law; the others are exact
            exact = 1e-7 if dimension == 3 and law != "newton" else 1e-11
            assert pn == pytest.approx(each["Pn"], rel=exact)
            assert pt == pytest.approx(each["Pt"], rel=exact)
            assert each["vt_minus"] + pt / m == pytest.approx(each["vt_plus"], rel=exact)
            assert each["omega_minus"] + r * pt / (k * m * r**2) == pytest.approx(each["omega_plus"], rel=exact)


@pytest.mark.parametrize("name", ["C12", "C12v"])
def test_c12_corner_on_matrices(name):
    for each in case(name).reference["cases"]:
        angle = np.radians(each["corner_angle_deg"])
        N = np.array([[0.0, 1.0], [np.sin(angle), -np.cos(angle)]])  # inward normals of the two walls
        v = np.array(each["v_minus"], dtype=float)
        s = dt.contact.solve_impact(N @ N.T, N @ v, 0.0, each["e"], dimension=1)
        assert v + N.T @ s.p == pytest.approx(each["v_plus"], abs=1e-12)
        assert s.p == pytest.approx(each["impulses"], abs=1e-12)
