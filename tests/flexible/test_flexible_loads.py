"""Pressures, tractions and forces on nodes of flexible bodies: virtual work, statics, buckling, derivatives, files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.forward import inverse_dynamics
from duoti.dynamics.workspace import new_workspace
from duoti.flexible.reduction.reduced import Display
from support.flexible_bodies import random_lumps, random_state
from support.motion import motion
from support.random_models import random_inertia, random_rotation, relative

STEEL = dt.Material(youngs_modulus=2e11, poisson_ratio=0.3, density=7800.0)
TINY = 1e-30
LAWS = ("3*sin(t) + base.position.z", "flex.modes[0]*2 - flex.modal_rates[1]", "tip.velocity.x")


def cut(mesh_divisions=(10, 1, 1), **options) -> dt.Flexible:
    """A bar of tetrahedra along x."""
    mesh = dt.Mesh.box(size=(0.5, 0.03, 0.02), divisions=mesh_divisions, centre=(0.25, 0, 0))
    return dt.Flexible.from_mesh(mesh, STEEL, {"root": "x-"}, **{"modes": 2, **options})


def clamped(body: dt.Flexible) -> dt.Model:
    m = dt.Model("bar", gravity=(0, 0, 0))
    m.add_body("bar", body)
    m.add_joint("clamp", dt.Fixed(), m.ground, "bar", at=(0, 0, 0))
    return m


def chain(rng: np.random.Generator, root: str) -> tuple[dt.Model, np.ndarray, np.ndarray]:
    """A carriage, a body of point masses that are its nodes, held at one of two interfaces, and a tip."""
    lumps = random_lumps(rng, n=3)
    display = Display(lumps.r, np.zeros((0, 3), dtype=np.int64), lumps.phi)
    m = dt.Model("chain", gravity=(0, 0, 0))
    m.add_body("base", random_inertia(rng))
    m.add_joint("slide", dt.Prismatic("z"), m.ground, "base", at=(0, 0, 0))
    body = dt.Flexible(replace(lumps.reduced(stiffening=False), display=display), stiffening=False)
    m.add_body("flex", body, position=rng.normal(size=3), rotation=random_rotation(rng))
    for name in "ab":
        m.add_marker(name, "flex", interface=name)
    m.add_joint("pin", dt.Revolute("z"), "base", root)
    m.add_body("tip", random_inertia(rng), position=rng.normal(size=3))
    m.add_joint("elbow", dt.Universal("x", "y"), "b" if root == "a" else "a", "tip")
    shown = body.reduced.clamped_at(root).display
    return m, shown.nodes, shown.modes


@pytest.mark.parametrize("frame", ["world", "body"])
@pytest.mark.parametrize("root", ["a", "b"])
def test_virtual_work(root, frame):
    """Generalised forces are the sum of J^T f over the loaded nodes, with J from the positions of these; round-off."""
    rng = np.random.default_rng(5)
    m, r, phi = chain(rng, root)
    bare = dt.compile(m)
    nodes, value = [1, 4, 6], rng.normal(size=3)
    m.add_force("push", dt.flexible.NodalForce("flex", nodes, tuple(value.tolist()), frame=frame))
    system = dt.compile(m)
    q, v, a = random_state(rng, system)
    tau = dt.inverse_dynamics(bare, q, v, a) - dt.inverse_dynamics(system, q, v, a)
    J, R, at = dt.jacobian(system, "flex", q), motion(system, q, v, ["flex"]).rotation[0], system.flexible["flex"]
    wanted = np.zeros(system.nv)
    for node in nodes:
        s = R @ (r[node] + phi[node] @ q[at.q])
        point = J[3:] - np.cross(s[:, None], J[:3], axis=0)
        point[:, at.v] += R @ phi[node]
        wanted += point.T @ (value if frame == "world" else R @ value) / len(nodes)
    assert relative(tau - wanted, wanted) < 1e-12


@pytest.mark.parametrize(("root", "frame"), [("a", "world"), ("b", "body"), ("b", "world")])
def test_derivatives_against_complex_steps(root, frame):
    """K, C and M with laws that read position, velocity and modal coordinates."""
    rng = np.random.default_rng(7)
    m, _, _ = chain(rng, root)
    m.add_force("push", dt.flexible.NodalForce("flex", [0, 3], LAWS, frame=frame))
    system = dt.compile(m)
    x = random_state(rng, system)
    got, work = dt.analyses.inverse_dynamics_derivatives(system, *x), new_workspace(system, complex)
    for n, name in enumerate(("dq", "dv")):
        expected = np.zeros((system.nv, system.nv))
        for j in range(system.nv):
            y = [each.astype(complex) for each in x]
            y[n][j] += 1j * TINY
            tau = np.zeros(system.nv, complex)
            inverse_dynamics(system.tree, system.loads, work, 0.0, *y, tau)
            expected[:, j] = tau.imag / TINY
        assert relative(getattr(got, name) - expected, expected) < 1e-10, name


def test_pressure_bends_as_the_full_mesh():
    """With its residual mode; the load's own geometric stiffness is 1e-6 of the bar's at this deflection, 1e-5 m."""
    body = cut(loads={"lid": {"pressure": "z+"}})
    m = clamped(body)
    m.add_force("lid", dt.flexible.SurfacePressure("bar", surface="z+", value=1000.0))
    assert not any(f.code == "load-not-in-modes" for f in dt.check(m).findings)
    e = dt.equilibrium(m)
    structure = body.reduction.structure
    u = structure.static(structure.pressure("z+", 1000.0), fixed="x-")
    got = e.system.flexible["bar"].reduced.display.modes @ e.q[e.system.flexible["bar"].q]
    np.testing.assert_allclose(got, u, rtol=0, atol=1e-5 * np.abs(u).max())


def test_a_pressure_that_swings():
    """Along its run: laws of time; what it supplies is stored, flows balance; deflection of a slow load is static."""
    m = clamped(cut(loads={"lid": {"pressure": "z+"}}, modes=1, damping_ratio=0.3))
    m.add_force("lid", dt.flexible.SurfacePressure("bar", "z+", "1e4*sin(20*t)"))
    r = dt.simulate(m, 0.08, outputs=0.005, solver=dt.Radau(), rtol=1e-8, atol=1e-12)
    assert r.ok, r.reason
    flow = dt.energy_flow(r)
    assert flow.residual.max() < 1e-10 * flow.largest
    s = m.bodies["bar"].inertia.reduction.structure
    tip = s.mesh.nearest((0.5, 0, 0))
    still = s.static(s.pressure("z+", 1e4), fixed="x-")[tip, 2]
    k = int(np.argmin(abs(r.t - 0.08)))
    first = m.bodies["bar"].inertia.reduced.frequencies()[0] * 2 * np.pi
    # a load of frequency w on a mode of frequency w_1 with damping zeta lags by 2 zeta w / w_1: 1 % here
    lag = 2 * 0.3 * 20 / first
    assert r.displacement("bar", tip)[k, 2] == pytest.approx(still * np.sin(1.6 - lag), rel=5 * lag**2)


@pytest.mark.parametrize(("share", "stable"), [(0.97, True), (1.03, False)])
def test_a_column_buckles(share, stable):
    """Traction on its end, fixed in space: Euler's load of a cantilever, pi^2 EI / (2 L)^2, within 3 %.

    A clamped end keeps its section (nu = 0 here), and ten quadratic elements are good to 1e-3.
    """
    soft = dt.Material(youngs_modulus=2e11, poisson_ratio=0.0, density=7800.0)
    mesh = dt.Mesh.box(size=(0.5, 0.03, 0.02), divisions=(16, 1, 1), centre=(0.25, 0, 0))
    load = {"end": {"traction": {"nodes": "x+", "value": (-1, 0, 0)}}}
    m = clamped(dt.Flexible.from_mesh(mesh, soft, {"root": "x-"}, modes=6, loads=load))
    critical = np.pi**2 * 2e11 * (0.03 * 0.02**3 / 12) / (2 * 0.5) ** 2 / (0.03 * 0.02)
    m.add_force("press", dt.flexible.SurfaceTraction("bar", "x+", (-share * critical, 0, 0)))
    e = dt.equilibrium(m)
    growth = dt.linearise(m, e).eigenvalues.real.max()
    assert (growth < 1e-6) == stable


def held_column(root: str, pull: float) -> np.ndarray:
    """Frequencies of a column that is held at its start, and pulled along at its middle; the tree begins at `root`."""
    mesh = dt.Mesh.box(size=(0.5, 0.03, 0.02), divisions=(8, 1, 1), centre=(0.25, 0, 0))
    m = dt.Model("column", gravity=(0, 0, 0))
    m.add_body("bar", dt.Flexible.from_mesh(mesh, STEEL, {"a": "x-", "b": "x+"}, modes=4))
    m.add_marker("a", "bar", interface="a")
    m.add_marker("b", "bar", interface="b")
    m.add_marker("wall", m.ground)
    m.add_marker("there", m.ground, position=(0.5, 0, 0))
    if root == "a":
        m.add_joint("clamp", dt.Fixed(), "wall", "a")
    else:
        m.add_joint("float", dt.Free(), "there", "b")
        m.add_constraint("clamp", dt.Weld("wall", "a"))
    m.add_force("pull", dt.flexible.NodalForce("bar", {"plane": {"axis": "x", "at": 0.25}}, (pull, 0, 0)))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    found = np.abs(dt.linearise(m, e).eigenvalues.imag)
    return np.unique(np.round(found[found > 1.0], 3))[:3]


def test_stiffness_of_a_load_does_not_depend_on_the_root():
    """Modes counted from either end: what differs is of the square of the pull, since deformations are of its order."""
    free = held_column("a", 0.0)
    apart = []
    for pull in (3e5, 1.5e5):
        a, b = held_column("a", pull), held_column("b", pull)
        apart.append(np.abs(a - b).max())
        np.testing.assert_allclose(a - free, b - free, rtol=7e-3)  # a strain of 1.3e-3, five times
        assert np.min(a / free) > 1.04
    assert apart[1] < 0.3 * apart[0]


def test_check_names_what_is_wrong():
    m = clamped(cut())
    m.add_body("block", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_force("a", dt.flexible.SurfacePressure("block", "z+", 1.0))
    m.add_force("b", dt.flexible.SurfacePressure("bra", "z+", 1.0))
    m.add_force("c", dt.flexible.NodalForce("bar", "no such set", (0, 0, 1)))
    m.add_force("d", dt.flexible.NodalForce("bar", [10**6], (0, 0, 1)))
    m.add_force("e", dt.flexible.SurfaceTraction("bar", "x+", (0, 0), frame="marker"))
    codes = [(f.code, f.elements[0].name) for f in dt.check(m).errors]
    assert ("not-flexible", "a") in codes
    assert ("unknown-name", "b") in codes
    assert ("bad-load", "c") in codes
    assert ("bad-load", "d") in codes
    assert codes.count(("bad-force", "e")) == 2


def test_check_names_modes_that_cannot_follow():
    """Two modes of a bar do not know a dent in its side; a shape of the load is what the remedy says."""
    m = clamped(cut(mesh_divisions=(8, 2, 2)))
    dent = {"nearest": (0.25, 0.015, 0.01)}
    m.add_force("dent", dt.flexible.NodalForce("bar", dent, (0, "-10*t", 0)))
    (finding,) = [f for f in dt.check(m).findings if f.code == "load-not-in-modes"]
    assert "loads=" in finding.remedy
    shapes = {f"dent {i}": {"force": {"nodes": dent, "value": np.eye(3)[i].tolist()}} for i in range(3)}
    m.bodies["bar"].inertia = cut(mesh_divisions=(8, 2, 2), loads=shapes)
    assert not any(f.code == "load-not-in-modes" for f in dt.check(m).findings)


def test_files_and_parts_keep_loads(tmp_path):
    m = clamped(cut(loads={"lid": {"pressure": "z+"}}))
    m.add_force("lid", dt.flexible.SurfacePressure("bar", "z+", "1e4*sin(t)"))
    m.add_force(
        "wind", dt.flexible.SurfaceTraction("bar", {"plane": {"axis": "y", "at": 0.015}}, (0, "5 + bar.modes[0]", 0))
    )
    m.add_force("point", dt.flexible.NodalForce("bar", [3, 4], (0, 1, "t"), frame="body"))
    m.save(tmp_path / "bar.yaml")
    whole = dt.Model("whole", gravity=(0, 0, 0))
    whole.add_submodel("p", m)
    first = dt.compile(m)
    q = 1e-3 * np.ones(first.nq)
    wanted = dt.inverse_dynamics(first, q, q, q, t=0.3)
    for other in (dt.load(tmp_path / "bar.yaml"), whole):
        np.testing.assert_allclose(dt.inverse_dynamics(dt.compile(other), q, q, q, t=0.3), wanted, rtol=1e-12)
