"""Tables in expressions: against SciPy's interpolation, exact integrals, and as parts of models and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

import duoti as dt
from duoti.model.laws.expressions import Table, compile_expression, derivatives, link

X = np.array([0.0, 0.4, 1.0, 1.3, 2.0, 2.9, 3.0])
Y = np.array([0.5, 1.0, -0.7, -0.6, 2.0, 2.1, 0.5])
INSIDE = np.linspace(0.0, 3.0, 61)


def slider(gravity=(0.0, 0.0, 0.0)) -> dt.Model:
    m = dt.Model("slider", gravity=gravity)
    m.add_body("b", dt.Inertia.point(2.0), position=(0, 0, 0))
    m.add_joint("A", dt.Prismatic("x"), "ground", "b", at=(0, 0, 0))
    return m


REFERENCES = {
    ("linear", "error"): lambda x, n: np.interp(x, X, Y) if n == 0 else None,
    ("cubic", "error"): CubicSpline(X, Y, bc_type="natural"),
    ("cubic", "hold"): CubicSpline(X, Y, bc_type="clamped"),
    ("cubic", "repeat"): CubicSpline(X, Y, bc_type="periodic"),
    ("monotone", "linear"): lambda x, n: PchipInterpolator(X, Y)(x, n),
}


@pytest.mark.parametrize(("kind", "extrapolation"), REFERENCES)
def test_between_the_points_a_table_is_what_scipy_makes_of_them(kind: str, extrapolation: str) -> None:
    table = Table("f", X, Y, kind, extrapolation)
    programs = derivatives("f(x)", "x", order=3, constants={"f": table})
    for n, program in enumerate(programs):
        expected = REFERENCES[kind, extrapolation](INSIDE, n)
        if expected is not None:
            middle = slice(None) if n < 2 else ~np.isin(np.round(INSIDE, 9), X)  # where higher derivatives jump
            found = np.array([program.evaluate(x=x) for x in INSIDE])
            np.testing.assert_allclose(found[middle], expected[middle], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("kind", ["linear", "cubic", "monotone", "previous"])
def test_a_complex_step_and_the_derivative_agree(kind: str) -> None:
    constants = {"f": Table("f", X, Y, kind, "linear")}
    value, slope = derivatives("x*f(2*x)", "x", 1, constants)
    for x in (-0.3, 0.11, 0.77, 1.46, 1.9):
        assert value.evaluate(x=x + 1e-30j).imag / 1e-30 == pytest.approx(slope.evaluate(x=x), rel=1e-13)


def test_beyond_the_ends() -> None:
    at = lambda kind, extrapolation, x: (  # noqa: E731
        compile_expression("f(x)", constants={"f": Table("f", X, Y, kind, extrapolation)}).evaluate(x=x)
    )
    assert np.isnan(at("linear", "error", -0.01))
    assert np.isnan(at("cubic", "error", 3.01))
    assert at("linear", "error", 3.0 + 1e-10) == pytest.approx(0.5, abs=1e-8)  # round-off of the time
    assert at("linear", "hold", -5.0) == 0.5
    assert at("cubic", "hold", 9.0) == 0.5
    assert at("linear", "linear", -0.4) == pytest.approx(0.0)
    assert at("linear", "linear", 3.1) == pytest.approx(-1.1)
    assert at("cubic", "linear", 4.0) == pytest.approx(0.5 + CubicSpline(X, Y, bc_type="natural")(3.0, 1))
    for kind in ("linear", "cubic", "monotone", "previous"):
        for x in (0.2, 1.1, 2.5):
            for turns in (-4, 1, 7):
                assert at(kind, "repeat", x + 3.0 * turns) == pytest.approx(at(kind, "repeat", x), abs=1e-12)
    assert [at("previous", "hold", x) for x in (-1.0, 0.0, 0.39, 0.4, 2.99, 3.0, 4.0)] == [
        0.5,
        0.5,
        0.5,
        1,
        2.1,
        0.5,
        0.5,
    ]


def test_slopes_of_smooth_kinds_never_jump() -> None:
    for kind in ("cubic", "monotone"):
        for extrapolation in ("hold", "linear", "repeat"):
            slope = derivatives("f(x)", "x", 1, {"f": Table("f", X, Y, kind, extrapolation)})[1]
            for x in X:
                assert slope.evaluate(x=x - 1e-12) == pytest.approx(slope.evaluate(x=x + 1e-12), abs=1e-9)


def test_programs_share_a_table() -> None:
    table = Table("f", X, Y)
    programs = [compile_expression(text, constants={"f": table}) for text in ("f(t)", "2*f(t + 1)", "f(f(t))")]
    code, bounds, constants, depth = link(programs)
    assert len(constants) == 2 + len(table.numbers)
    assert depth == 3
    assert programs[1].source == "2*f(t + 1)"
    assert len(bounds) == 4
    assert len(code) == bounds[-1]


def test_a_force_by_a_table_gives_the_exact_motion() -> None:
    """Piecewise linear force on 2 kg: velocity and position are integrals of a polynomial in each piece."""
    m = slider()
    m.add_table("pull", [0, 1, 3], [0, 2, -2])
    m.add_force("f", dt.JointTorque("A", 'table("pull", t)'))
    r = dt.simulate(m, duration=3.0, solver=dt.DOPRI5(rtol=1e-10, atol=1e-12))
    assert r.ok
    assert r["A.velocity"][-1] == pytest.approx(0.5, abs=1e-7)
    assert r["A.position"][-1] == pytest.approx(11.0 / 6.0, abs=1e-7)


@pytest.mark.parametrize("solver", [dt.DOPRI5(rtol=1e-9), dt.Radau(rtol=1e-8)])
def test_a_spring_curve_conserves_energy(solver) -> None:
    """A spline of the spring's force over the coordinate; its integral is the potential."""
    stretch = np.linspace(-1.0, 1.0, 21)
    m = slider()
    m.joints["A"].q0 = 0.8
    m.add_table("curve", stretch, -(50.0 * stretch + 30.0 * stretch**3), "cubic", "linear")
    m.add_force("f", dt.JointTorque("A", "curve(q)"))
    r = dt.simulate(m, duration=1.0, solver=solver)
    potential = -CubicSpline(stretch, -(50.0 * stretch + 30.0 * stretch**3), bc_type="natural").antiderivative()(
        r["A.position"]
    )
    energy = r["A.velocity"] ** 2 + potential
    assert np.ptp(energy) < 1e-5 * np.ptp(potential)


def test_a_measured_motion_drives_a_joint() -> None:
    """A motion through samples of a sine: its accelerations are the spline's."""
    t = np.linspace(0.0, 2.0 * np.pi, 41)
    z = np.sin(t)
    z[-1] = z[0]
    m = slider()
    m.add_table("sample", t, z, "cubic", "repeat")
    m.add_constraint("drive", dt.JointMotion("A", "0.1*sample(t)"))
    r = dt.simulate(m, duration=9.0, outputs=0.2)
    spline = CubicSpline(t, z, bc_type="periodic")
    np.testing.assert_allclose(r["A.position"], 0.1 * spline(r.t), atol=1e-9)
    np.testing.assert_allclose(r["A.a"], 0.1 * spline(r.t, 2), atol=1e-8)


def test_a_motion_with_kinks_is_refused() -> None:
    for kind in ("linear", "previous"):
        m = slider()
        m.add_table("sample", [0, 1, 2], [0, 1, 0], kind)
        m.add_constraint("drive", dt.JointMotion("A", "sample(t)"))
        report = dt.check(m)
        assert [f.code for f in report.errors] == ["rough-motion"]
        assert "accelerations" in str(report)
        assert 'kind="cubic"' in str(report)


def test_a_table_of_speeds_may_have_kinks() -> None:
    """Trapezoidal speed: the way is its integral; a speed that jumps is refused."""
    m = slider()
    m.add_table("speed", [0, 0.5, 1.5, 2.0], [0, 0.4, 0.4, 0])
    m.add_constraint("drive", dt.JointMotion("A", velocity="speed(t)"))
    r = dt.simulate(m, duration=2.0, solver=dt.DOPRI5(rtol=1e-9))
    assert r.ok
    assert r["A.position"][-1] == pytest.approx(0.6, abs=1e-6)
    m.tables["speed"].kind = "previous"
    assert [f.code for f in dt.check(m).errors] == ["rough-motion"]


def test_the_end_of_a_table_ends_the_run_with_its_name() -> None:
    m = slider()
    m.add_table("pull", [0, 1], [0, 2])
    m.add_force("f", dt.JointTorque("A", "pull(t)"))
    with pytest.warns(dt.errors.SimulationWarning):
        r = dt.simulate(m, duration=2.0)
    assert not r.ok
    assert 'table "pull" has values from 0 to 1 only' in r.reason
    m = slider()
    m.add_table("sample", [0, 0.5, 1], [0, 2, 1], "cubic")
    m.add_constraint("drive", dt.JointMotion("A", "sample(t)"))
    with pytest.warns(dt.errors.SimulationWarning):
        r = dt.simulate(m, duration=2.0)
    assert not r.ok
    assert 'table "sample" has values from 0 to 1 only' in r.reason


def test_all_faults_of_tables_at_once() -> None:
    m = slider()
    m.add_table("a", [0, 1], [0, 1, 2])
    m.add_table("b", [0, 1, 1], [0, 1, 2])
    m.add_table("c", [0, 1], [0, np.inf], kind="spline", extrapolation="wrap")
    m.add_table("d", [0, 1], [0, 1], extrapolation="repeat")
    m.add_table("e", ["x", 1], [0, 1])
    m.add_table("sin", [0, 1], [0, 1])
    m.add_table("k", [0, 1], [0, 1])
    m.parameters["k"] = 1.0
    text = str(dt.check(m))
    for words in ("has 2 and 3", "point 3 has 1 after 1", "'spline'", "'wrap'", "not finite", "0 and 1",
                  "not numbers", "kept for expressions", "name of a parameter"):  # fmt: skip
        assert words in text, words


# ---------------------------------------------------------------------------------------------------------- files

FILE = """\
duoti: 1
gravity: [0, 0, 0]
tables:
  road: {file: data/road.csv, columns: [time, z], kind: cubic, extrapolation: hold}
  pull: {x: [0, 0.5, 1], y: [0, 20, 0], units: [s, mN], extrapolation: repeat}
bodies: {b: {inertia: {point: {mass: 2}}, position: [0, 0, 0]}}
joints: {A: {type: prismatic, axis: x, between: [ground, b], at: [0, 0, 0]}}
forces: {f: {type: joint_torque, joint: A, value: "table('pull', t) - 3*(q - road(t))"}}
"""
ROAD = "# measured\ntime [ms]; speed; z [mm]\n0; 1; 0\n500; 1; 10,5\n1000; 1; 5\n"


def test_files_units_and_saving(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "road.csv").write_text(ROAD)
    (tmp_path / "model.yaml").write_text(FILE)
    m = dt.load(tmp_path / "model.yaml")
    np.testing.assert_allclose(m.tables["road"].x, [0, 0.5, 1.0])
    np.testing.assert_allclose(m.tables["road"].y, [0, 0.0105, 0.005])
    np.testing.assert_allclose(m.tables["pull"].y, [0, 0.02, 0])
    (tmp_path / "other").mkdir()
    m.save(tmp_path / "other" / "copy.yaml")
    again = dt.load(tmp_path / "other" / "copy.yaml")
    first, second = (dt.simulate(model, duration=0.5) for model in (m, again))
    assert again.tables["road"].kind == "cubic"
    assert first["A.position"][-1] != 0.0
    np.testing.assert_array_equal(first["A.position"], second["A.position"])
    x, y = dt.formats.read_table(tmp_path / "data" / "road.csv", columns=(1, 3), units=("s", "m"))
    np.testing.assert_array_equal(x, [0, 500, 1000])
    np.testing.assert_array_equal(y, [0, 10.5, 5])


def test_faults_of_files_have_their_lines(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "road.csv").write_text("time,z\n0,0\n1,x\n2\n1.5,3\n")
    (tmp_path / "model.yaml").write_text(FILE.replace("[s, mN]", "[s, mn]"))
    with pytest.raises(dt.errors.ModelFileError) as caught:
        dt.load(tmp_path / "model.yaml")
    places = {(Path(f.place.file).name, f.place.line) for f in caught.value.report.errors}
    assert places == {("road.csv", 3), ("road.csv", 4), ("model.yaml", 5)}
    (tmp_path / "data" / "road.csv").write_text("0,0\n2,3\n1.5,3\n")
    for columns, words in (((1, 2), "1.5 follows 2"), (("t", "z"), "no headings"), ((1, 5), "there are 2")):
        with pytest.raises(dt.errors.ModelFileError, match=words):
            dt.formats.read_table(tmp_path / "data" / "road.csv", columns)
    for text, words in (("", "no numbers"), ("a,b\n", "below the headings"), ("t [s],z [furlong]\n0,0", "furlong")):
        (tmp_path / "data" / "road.csv").write_text(text)
        with pytest.raises(dt.errors.ModelFileError, match=words):
            dt.formats.read_table(tmp_path / "data" / "road.csv")
    with pytest.raises(dt.errors.ModelFileError, match="no such file"):
        dt.formats.read_table(tmp_path / "none.csv")


def test_files_outside_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "road.csv").write_text("0,0\n1,1\n2,0\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "model.yaml").write_text(FILE.replace("data/road.csv, columns: [time, z]", "../road.csv"))
    with pytest.raises(dt.errors.ModelFileError, match="outside the folder"):
        dt.load(tmp_path / "in" / "model.yaml")
    assert len(dt.load(tmp_path / "in" / "model.yaml", allow_outside=True).tables["road"].x) == 3


def test_sub_models_bring_their_tables() -> None:
    part = slider()
    part.add_table("pull", [0, 1], [0, 2], extrapolation="hold")
    part.add_force("f", dt.JointTorque("A", "pull(t) + table('pull', t)"))
    m = dt.Model("two", gravity=(0, 0, 0))
    for prefix in ("left", "right"):
        m.add_submodel(prefix, part)
    m.tables["right.pull"].y = [0, 4]
    assert m.forces["left.f"].value == "left.pull(t) + table('left.pull', t)"
    r = dt.simulate(m, duration=1.0)
    assert r["left.A.velocity"][-1] == pytest.approx(1.0)
    assert r["right.A.velocity"][-1] == pytest.approx(2.0)
