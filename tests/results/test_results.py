"""`Result`: channels, reactions, tables, plots, texts."""

from __future__ import annotations

import contextlib
import dataclasses
import re

import matplotlib as mpl
import numpy as np
import pytest

import duoti as dt

mpl.use("Agg")
TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)
SIZES = {  # of the quantities of bodies and markers
    "position": 3,
    "rotation": 4,
    "velocity": 3,
    "angular_velocity": 3,
    "acceleration": 3,
    "angular_acceleration": 3,
}
UNITS = {
    "position": "m",
    "rotation": "1",
    "velocity": "m/s",
    "angular_velocity": "rad/s",
    "acceleration": "m/s^2",
    "angular_acceleration": "rad/s^2",
    "reaction_force": "N",
    "reaction_torque": "N m",
}


def zoo() -> dt.Model:
    """One joint of every kind, some of them turned against the tree, forces among them."""
    rng = np.random.default_rng(3)
    m = dt.Model("zoo")
    joints = {
        "free": dt.Free(),
        "revolute": dt.Revolute("y"),
        "prismatic": dt.Prismatic("z"),
        "cylindrical": dt.Cylindrical("x"),
        "universal": dt.Universal("x", "z"),
        "spherical": dt.Spherical(),
        "planar": dt.Planar("z"),
        "screw": dt.Screw("y", lead_per_turn=0.3),
        "fixed": dt.Fixed(),
        "composite": dt.Composite(dt.Revolute("z"), dt.Prismatic("x"), dt.Revolute("y")),
    }
    parent = "ground"
    for i, (name, joint) in enumerate(joints.items()):
        place = np.array([0.4 * i, 0.1 * i, 0])
        size = rng.uniform(0.2, 0.5, size=3)
        body = m.add_body(
            f"b_{name}", dt.Inertia.box(1.0 + i, size=size, com=rng.normal(scale=0.05, size=3)), position=place
        )
        m.add_joint(name, joint, parent, body, at=place - (0.2, 0, -0.1), v0=rng.normal(scale=0.7, size=joint.nv))
        parent = f"b_{name}"
    m.add_marker("tip", parent, position=(0.1, 0.2, 0.3), rotation=dt.Rotation.about((1, 2, 3), 0.8))
    m.add_force("spring", dt.SpringDamper("tip", m.ground, stiffness=5.0, damping=0.1))
    return m


@pytest.fixture(scope="module")
def result() -> dt.Result:
    return dt.simulate(zoo(), 1.0, outputs=1e-3, solver=TIGHT)


# ----------------------------------------------------------------------------------------------------------- channels


def test_every_channel_can_be_read(result):
    n = len(result.t)
    assert len(result.channels) == len(set(result.channels))
    for name in result.channels:
        values = result[name]
        assert values.shape[0] == n, name
        assert values.ndim == 1 or (values.ndim == 2 and values.shape[1] != 1), name
        assert np.all(np.isfinite(values)), name
        assert result.unit(name), name
        assert name in result


@pytest.mark.parametrize("item", ["b_spherical", "ground", "tip"])
def test_quantities_of_bodies_and_markers(result, item):
    for what, size in SIZES.items():
        assert result[f"{item}.{what}"].shape == (len(result.t), size)
        assert result.unit(f"{item}.{what}") == UNITS[what]


@pytest.mark.parametrize(
    ("joint", "wanted"),
    [
        ("revolute", {"angle": ((), "rad"), "rate": ((), "rad/s"), "q": ((), "rad"), "a": ((), "rad/s^2")}),
        ("prismatic", {"position": ((), "m"), "velocity": ((), "m/s"), "v": ((), "m/s"), "a": ((), "m/s^2")}),
        ("cylindrical", {"angle": ((), "rad"), "velocity": ((), "m/s"), "q": ((2,), "mixed")}),
        ("universal", {"angle": ((2,), "rad"), "rate": ((2,), "rad/s"), "q": ((2,), "rad")}),
        ("spherical", {"rotation": ((4,), "1"), "angular_velocity": ((3,), "rad/s"), "q": ((4,), "1")}),
        ("planar", {"position": ((2,), "m"), "angle": ((), "rad"), "q": ((3,), "mixed")}),
        ("free", {"position": ((3,), "m"), "rotation": ((4,), "1"), "q": ((7,), "mixed"), "v": ((6,), "mixed")}),
        ("composite", {"angle": ((2,), "rad"), "position": ((), "m"), "q": ((3,), "mixed")}),
        ("fixed", {"reaction_force": ((3,), "N"), "reaction_torque": ((3,), "N m")}),
    ],
)
def test_quantities_of_joints(result, joint, wanted):
    for what, (shape, unit) in wanted.items():
        assert result[f"{joint}.{what}"].shape == (len(result.t), *shape), what
        assert result.unit(f"{joint}.{what}") == unit, what


def test_components(result):
    position = result["tip.position"]
    for i, letter in enumerate("xyz"):
        np.testing.assert_array_equal(result[f"tip.position.{letter}"], position[:, i])
        np.testing.assert_array_equal(result[f"tip.position[{i}]"], position[:, i])
    for i, letter in enumerate("wxyz"):
        np.testing.assert_array_equal(result[f"tip.rotation.{letter}"], result["tip.rotation"][:, i])
    np.testing.assert_array_equal(result["universal.angle[1]"], result["universal.q"][:, 1])
    np.testing.assert_array_equal(result["composite.angle"], result["composite.q"][:, [0, 2]])
    np.testing.assert_array_equal(result["composite.position"], result["composite.q"][:, 1])
    assert result.unit("tip.position.x") == "m"


def test_states_are_the_channels(result):
    """q and v hold all joints; the names of their columns say which."""
    system = result.system
    assert result.q.shape == (len(result.t), system.nq)
    assert result.v.shape == (len(result.t), system.nv)
    k = system.coordinate_names.index("revolute.angle")
    np.testing.assert_array_equal(result.q[:, k], result["revolute.angle"])
    j = system.rate_names.index("free.v[4]")
    np.testing.assert_array_equal(result.v[:, j], result["free.v"][:, 4])


# ------------------------------------------------------------------------------------------------------- derivatives


def central(values: np.ndarray, h: float) -> np.ndarray:
    """First derivative to order 6, at all points but three at either end."""
    c = (1 / 60, -3 / 20, 3 / 4)
    n = len(values)
    return sum(
        w * (values[3 + k : n - 3 + k] - values[3 - k : n - 3 - k]) for w, k in zip(c, (3, 2, 1), strict=True)
    ) / h  # fmt: skip


@pytest.mark.parametrize("item", ["tip", "b_composite", "b_universal", "b_free", "ground"])
def test_velocities_and_accelerations_are_derivatives(result, item):
    """Against differences of order 6 with h = 1e-3: round-off 1e-13/h and the integration's 1e-11 decide."""
    inner = slice(3, -3)
    np.testing.assert_allclose(result[f"{item}.velocity"][inner], central(result[f"{item}.position"], 1e-3), atol=1e-8)
    got = result[f"{item}.acceleration"][inner]
    wanted = central(result[f"{item}.velocity"], 1e-3)
    scale = max(1.0, np.max(np.abs(wanted)))
    np.testing.assert_allclose(got, wanted, atol=1e-7 * scale)
    got = result[f"{item}.angular_acceleration"][inner]
    wanted = central(result[f"{item}.angular_velocity"], 1e-3)
    np.testing.assert_allclose(got, wanted, atol=1e-7 * max(1.0, np.max(np.abs(wanted))))
    # angular velocity from the quaternion: omega = 2 qdot q*, in world axes
    q, qdot = result[f"{item}.rotation"][inner], central(result[f"{item}.rotation"], 1e-3)
    omega = 2 * (q[:, :1] * qdot[:, 1:] - qdot[:, :1] * q[:, 1:] - np.cross(qdot[:, 1:], q[:, 1:]))
    np.testing.assert_allclose(result[f"{item}.angular_velocity"][inner], omega, atol=1e-7)


@pytest.mark.parametrize("joint", ["revolute", "prismatic", "universal", "planar", "screw", "composite", "cylindrical"])
def test_rates_of_joints(result, joint):
    inner = slice(3, -3)
    np.testing.assert_allclose(result[f"{joint}.v"][inner], central(result[f"{joint}.q"], 1e-3), atol=1e-8)
    a = central(result[f"{joint}.v"], 1e-3)
    np.testing.assert_allclose(result[f"{joint}.a"][inner], a, atol=1e-7 * max(1.0, np.max(np.abs(a))))


def test_quaternions_do_not_jump():
    m = dt.Model(gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("J", dt.Revolute("z"), m.ground, "b", v0=20.0)
    q = dt.simulate(m, 5.0)["b.rotation"]
    assert np.max(np.abs(np.diff(q, axis=0))) < 0.1


# ---------------------------------------------------------------------------------------------------------- reactions


def crane() -> dt.Model:
    """A trolley on a rail along x carries a load of 2 kg on an arm of 3 m: statics that can be done by hand."""
    m = dt.Model("crane", gravity=(0, 0, -10))
    m.add_body("trolley", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
    m.add_body("load", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.1)), position=(0, 3, 0))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "trolley", at=(0, 0, 0), q0=0.5)
    m.add_joint("weld", dt.Fixed(), "trolley", "load", at=(0, 0, 0))
    return m


def test_static_reactions():
    r = dt.simulate(crane(), 0.1, outputs=[0.0])
    np.testing.assert_allclose(r["weld.reaction_force"], [[0, 0, 20]], atol=1e-12)
    np.testing.assert_allclose(r["weld.reaction_torque"], [[60, 0, 0]], atol=1e-12)  # 20 N at 3 m
    np.testing.assert_allclose(r["rail.reaction_force"], [[0, 0, 30]], atol=1e-12)
    np.testing.assert_allclose(r["rail.reaction_torque"], [[60, 0, 0]], atol=1e-12)


def test_reaction_at_parent_and_child():
    """The rail's frames are 0.5 m apart: the torque differs by the moment of the force over that distance."""
    r = dt.simulate(crane(), 0.1, outputs=[0.0])
    force, at_child = r.reaction("rail")
    force_p, at_parent = r.reaction("rail", at="parent")
    np.testing.assert_allclose(force, force_p)
    np.testing.assert_allclose(at_parent, at_child + np.cross([[0.5, 0, 0]], force), atol=1e-12)
    np.testing.assert_allclose(at_parent, [[60, -15, 0]], atol=1e-12)


def test_reaction_in_a_frame(result):
    """Components along the axes of a body are those of the world turned by its rotation."""
    for frame in ("b_spherical", "tip", "ground"):
        force_w, torque_w = result.reaction("universal")
        force, torque = result.reaction("universal", frame=frame)
        for i in (0, 500, 1000):
            R = dt.Rotation(result[f"{frame}.rotation"][i])
            np.testing.assert_allclose(R @ force[i], force_w[i], atol=1e-10)
            np.testing.assert_allclose(R @ torque[i], torque_w[i], atol=1e-10)


def test_reactions_do_no_work_along_the_axes(result):
    """Revolute and prismatic: nothing about and along the free axis, seen from the child."""
    _, torque = result.reaction("revolute", frame="b_revolute")
    scale = np.max(np.abs(torque))
    assert np.max(np.abs(torque[:, 1])) < 1e-11 * scale
    force, _ = result.reaction("prismatic", frame="b_prismatic")
    assert np.max(np.abs(force[:, 2])) < 1e-11 * np.max(np.abs(force))
    _, torque = result.reaction("spherical")
    assert np.max(np.abs(torque)) < 1e-9 * scale


def test_reaction_of_a_joint_against_the_tree():
    """Ground as the child: the reaction is still that of the parent on the child."""
    m = dt.Model(gravity=(0, 0, -10))
    m.add_body("b", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, -1))
    m.add_joint("J", dt.Revolute("x"), "b", m.ground, at=(0, 0, 0))
    m.add_body("c", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, -1))
    m.add_joint("K", dt.Revolute("x"), m.ground, "c", at=(0, 0, 0))
    r = dt.simulate(m, 0.1, outputs=[0.0])
    np.testing.assert_allclose(r["J.reaction_force"], [[0, 0, -20]], atol=1e-12)
    np.testing.assert_allclose(r["K.reaction_force"], [[0, 0, 20]], atol=1e-12)


def test_newtons_law_for_each_body(result):
    """Forces on the last body: reaction, weight and spring make its mass times the acceleration of its mass centre."""
    inertia = result.model.bodies["b_composite"].inertia
    rotations = [dt.Rotation(q) for q in result["b_composite.rotation"]]
    arms = np.array([R @ inertia.com for R in rotations])
    omega, alpha = result["b_composite.angular_velocity"], result["b_composite.angular_acceleration"]
    a = result["b_composite.acceleration"] + np.cross(alpha, arms) + np.cross(omega, np.cross(omega, arms))
    tip, speed = result["tip.position"], result["tip.velocity"]
    length = np.linalg.norm(tip, axis=1)[:, None]
    n = tip / length
    spring = -(5.0 * length + 0.1 * np.sum(n * speed, axis=1)[:, None]) * n
    total = result["composite.reaction_force"] + spring + [0, 0, -9.81 * inertia.mass]
    np.testing.assert_allclose(total, inertia.mass * a, atol=1e-9 * np.max(np.abs(a)) * inertia.mass)


# -------------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("revolut.angle", "there is no quantity \"revolut.angle\". Did you mean 'revolute' or 'b_revolute'?"),
        (
            "revolute.angel",
            'there is no quantity "revolute.angel". "revolute" has: angle, rate, q, v, a, reaction_force, reaction_',
        ),
        ("tip.position.w", 'there is no quantity "tip.position.w".'),
        ("tip.position[3]", 'there is no quantity "tip.position[3]".'),
        ("tip", 'there is no quantity "tip".'),
        ("", 'there is no quantity "".'),
        ("joint:tip.position", 'there is no quantity "joint:tip.position".'),
    ],
)
def test_unknown_names(result, name, message):
    with pytest.raises(dt.errors.ChannelError, match=re.escape(message)):
        result[name]
    assert name not in result
    with pytest.raises(KeyError):  # it is a KeyError, too
        result.unit(name)


def test_unknown_joint_frame_and_place(result):
    with pytest.raises(dt.errors.ChannelError, match='there is no joint "revolut"'):
        result.reaction("revolut")
    with pytest.raises(dt.errors.ChannelError, match='there is no marker or body "tipp"'):
        result.reaction("revolute", frame="tipp")


def test_ambiguous_names():
    m = dt.Model(gravity=(0, 0, 0))
    m.add_body("x", dt.Inertia.point(1.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "x", q0=0.5, v0=1.0)
    r = dt.simulate(m, 1.0)
    message = '"x.position" is ambiguous: write "joint:x.position" or "body:x.position"'
    with pytest.raises(dt.errors.ChannelError, match=re.escape(message)):
        r["x.position"]
    assert r["joint:x.position"].shape == (1001,)
    assert r["body:x.position"].shape == (1001, 3)
    np.testing.assert_array_equal(r["body:x.position.x"], r["joint:x.position"])
    assert r["x.q"].shape == (1001,)  # only the joint has it
    for name in r.channels:  # what is listed can be read
        assert len(r[name]) == 1001


def test_names_with_dots_and_spaces():
    m = dt.Model()
    m.add_body("left.arm 1", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("left.joint", dt.Revolute("x"), m.ground, "left.arm 1")
    r = dt.simulate(m, 0.1)
    assert r["left.arm 1.position.x"].shape == (1001,)
    assert r["left.joint.angle"].shape == (1001,)


# -------------------------------------------------------------------------------------------------- tables and plots


def test_to_pandas(result):
    table = result.to_pandas()
    assert table.index.name == "t"
    np.testing.assert_array_equal(table.index, result.t)
    assert len(table.columns) == result.system.nq + result.system.nv
    np.testing.assert_array_equal(table["revolute.q"], result["revolute.angle"])
    np.testing.assert_array_equal(table["free.q[3]"], result["free.q"][:, 3])
    table = result.to_pandas(["tip.position", "tip.rotation", "universal.angle", "prismatic.position"])
    assert list(table.columns) == [
        *("tip.position.x", "tip.position.y", "tip.position.z"),
        *("tip.rotation.w", "tip.rotation.x", "tip.rotation.y", "tip.rotation.z"),
        *("universal.angle[0]", "universal.angle[1]", "prismatic.position"),
    ]
    for name in table.columns:  # the columns have names of channels
        np.testing.assert_array_equal(table[name], result[name])


@pytest.mark.parametrize(
    ("names", "panels"),
    [
        ([], {"rad", "m", "1"}),
        (["energy"], {"J", "J (residual)"}),
        (["tip.position"], {"m"}),
        (["tip.position", "prismatic.position", "revolute.angle", "free.q"], {"m", "rad", "mixed"}),
        (["universal.angle", "tip.rotation", "energy"], {"rad", "1", "J", "J (residual)"}),
    ],
)
def test_plot(result, names, panels, tmp_path):
    from matplotlib.figure import Figure

    figure = result.plot(*names)
    assert isinstance(figure, Figure)
    assert {axis.get_ylabel() for axis in figure.axes} == panels
    for axis in figure.axes:
        assert axis.lines
        for line in axis.lines:
            assert len(line.get_xdata()) == len(result.t)
    assert figure.axes[-1].get_xlabel() == "t in s"
    figure.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 1000


def test_plot_of_an_unknown_channel(result):
    with pytest.raises(dt.errors.ChannelError, match="Did you mean 'tip'"):
        result.plot("tipp.position")


# --------------------------------------------------------------------------------------------------------------- texts


def test_summary(result):
    lines = result.summary().splitlines()
    assert lines[0] == f"zoo: 10 bodies, 10 joints, {result.system.nv} degrees of freedom"
    assert lines[1] == "  end      end time reached"
    assert re.fullmatch(
        r"  solver   DOP853\(rtol=1e-12, atol=1e-12, .*\): \d+ steps, \d+ rejected, \d+ evaluations, \S+ s "
        r"\(\S+ x real time\)",
        lines[2],
    )
    assert re.fullmatch(r"  energy   balance closes to \S+ J \(\S+ of the exchange\)", lines[3])
    assert repr(result) == "<result of 'zoo': ok, end time reached; 1001 outputs>"


def test_summary_with_events_and_failure():
    m = dt.Model("slide", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "b", q0=-1.0, v0=2.0)
    m.add_event("middle", dt.Event("x.position"))
    m.add_force("bad", dt.JointTorque("x", "0*sqrt(1 - t)"))
    with pytest.warns(dt.errors.SimulationWarning):
        r = dt.simulate(m, 2.0)
    text = r.summary()
    assert "FAILED   values became infinite or undefined" in text
    assert "event    middle at t = 0.5 s" in text
    assert "FAILED" in repr(r)


def test_a_summary_is_short_whatever_happened():
    """1000 samples, many events and notes: lines per name with their number, the first and the last."""
    m = dt.Model("slide", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "b", v0=2.0)
    m.add_event("turn", dt.Event("sin(1000*t)"))  # crossings 3 ms apart
    for k in range(20):
        m.add_event(f"e{k}", dt.Event(f"t - {0.01 * k + 0.005}"))
    r = dt.simulate(m, 1.0, outputs=0.1, solver=dt.DOPRI5(max_step=1e-3))
    r.stats = dataclasses.replace(r.stats, notes=tuple(f"t = {0.1 * k:.4g} s: Radau (stiff)" for k in range(1000)))
    lines = r.summary().splitlines()
    assert len(lines) <= 20
    assert any(re.search(r"event    turn \d{3} times, from t = 0.003\d* s to t = 0.999\d* s", line) for line in lines)
    assert any("1000 times, the last: t = 99.9 s: Radau (stiff)" in line for line in lines)
    assert "more: result.events" in lines[-1]


# -------------------------------------------------------------------------------------------------------- immutability


def test_results_cannot_be_changed(result):
    for array in (result.t, result.q, result.v, result.energy.kinetic, result.mass_centre, result.linear_momentum):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    before = result["tip.position"].copy()
    with contextlib.suppress(ValueError):
        result["tip.position"][:] = 0.0  # a copy at most
    np.testing.assert_array_equal(result["tip.position"], before)
    with pytest.raises(AttributeError):
        result.stats.steps = 0
    assert isinstance(result.events, tuple)
