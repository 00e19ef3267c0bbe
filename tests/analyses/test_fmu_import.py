"""FMUs as elements: halves of a mechanism, one of them exported by the package, against the mechanism as a whole."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import duoti as dt
from duoti.kernel import CHECK, JIT
from duoti.model.fmu import FMUError

fmpy = pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or CHECK or not JIT, reason="exported are usual kernels, for Linux"
)
K, C, MASS = 200.0, 4.0, 2.0
OUT = np.linspace(0, 1, 20) - 1e-4 * np.linspace(0, 1, 20)  # between the exchanges


def controller_part() -> dt.Model:
    """A mass on a spring as the other tool's model: driven by the position of the first mass, it gives the force."""
    m = dt.Model("absorber", gravity=(0, 0, 0), parameters={"x1": 0.0, "k": K})
    m.add_body("mass", dt.Inertia.point(MASS))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "mass")
    m.add_force("spring", dt.JointTorque("slide", f"k*(x1 - slide.position) - {C}*slide.velocity"))
    return m


def whole() -> dt.Model:
    m = first_mass()
    m.add_body("mass", dt.Inertia.point(MASS))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "mass")
    m.add_force("spring", dt.JointTorque("slide", f"{K}*(main.position - slide.position) - {C}*slide.velocity"))
    m.add_force("back", dt.JointTorque("main", f"-{K}*(main.position - slide.position)"))
    return m


def first_mass() -> dt.Model:
    m = dt.Model("main mass", gravity=(0, 0, 0))
    m.add_body("body", dt.Inertia.point(5.0))
    m.add_joint("main", dt.Prismatic("x"), m.ground, "body", q0=0.1)
    m.add_force("ground spring", dt.JointTorque("main", "-1000*main.position"))
    return m


@pytest.fixture(scope="module", params=["2.0", "3.0"])
def absorber(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("fmu") / "absorber.fmu"
    dt.export_fmu(controller_part(), path, request.param, inputs=["x1"], outputs=["slide.position"], parameters=["k"])
    return path


def coupled(path, period, **options):
    m = first_mass()
    m.add_fmu("absorber", path, {"x1": "main.position"}, {"x2": "slide.position"}, period=period, **options)
    stiffness = options.get("parameters", {}).get("k", K)
    m.add_force("back", dt.JointTorque("main", f"-{stiffness}*(main.position - x2)"))
    return m


def test_halves_move_as_the_whole(absorber):
    """The exchange delays each side by a period: the error halves with it."""
    exact = dt.simulate(whole(), 1.0, outputs=OUT, rtol=1e-10)
    errors = []
    for period in (2e-3, 1e-3, 5e-4):
        r = dt.simulate(coupled(absorber, period), 1.0, outputs=OUT, rtol=1e-8)
        assert r.ok, r.reason
        errors.append(np.max(np.abs(r["main.position"] - exact["main.position"])))
    assert errors[0] < 0.02
    assert 1.7 < errors[0] / errors[1] < 2.3
    assert 1.7 < errors[1] / errors[2] < 2.3


def test_runs_again_from_the_start(absorber):
    """A run begins with a new instance: twice the same bits; steppers too."""
    m = coupled(absorber, 1e-2)
    a, b = (dt.simulate(m, 0.3) for _ in range(2))
    assert np.array_equal(a["x2"], b["x2"])
    assert np.ptp(a["x2"]) > 1e-3
    s = dt.Stepper(m)
    for _ in range(30):
        s.step(0.01)
    # the sample at 0.3 s is taken at the end of the step
    assert abs(s["main.position"] - a["main.position"][-1]) < 1e-9
    state = s.state
    s.step(0.05)
    s.restore(state)
    with pytest.warns(dt.errors.SimulationWarning, match="cannot go back"):
        s.step(0.05)


def test_parameters(absorber):
    weak = dt.simulate(coupled(absorber, 1e-3, parameters={"k": 50.0}), 0.5)
    strong = dt.simulate(coupled(absorber, 1e-3), 0.5)
    assert np.ptp(weak["x2"]) < 0.5 * np.ptp(strong["x2"])


def test_in_files(absorber, tmp_path):
    m = coupled(absorber, 1e-2, parameters={"k": 150.0})
    m.save(tmp_path / "model.yaml")
    text = (tmp_path / "model.yaml").read_text()
    assert "fmus:" in text
    again = dt.load(tmp_path / "model.yaml")
    assert np.array_equal(dt.simulate(again, 0.2)["x2"], dt.simulate(m, 0.2)["x2"])


def test_faults_come_all_at_once(absorber, tmp_path):
    m = first_mass()
    with pytest.raises(FMUError, match=r"no variable 'x'.*no variable 'slide.positon'.*slide.position"):
        m.add_fmu("absorber", absorber, {"x": "main.position"}, {"x2": "slide.positon"}, period=0.01)
    with pytest.raises(FMUError, match="is no input"):
        m.add_fmu("absorber", absorber, {"slide.position": "main.position"}, {"x2": "slide.position"}, period=0.01)
    with pytest.raises(FMUError, match="there is no file"):
        m.add_fmu("absorber", tmp_path / "none.fmu", {}, {"x2": "y"}, period=0.01)
    (tmp_path / "broken.fmu").write_text("no archive")
    with pytest.raises(FMUError, match="cannot be read"):
        m.add_fmu("absorber", tmp_path / "broken.fmu", {}, {"x2": "y"}, period=0.01)
    m.add_fmu("absorber", absorber, {"x1": "main.positon"}, {"x2": "slide.position"}, period=0.01)
    assert "main.positon" in str(dt.check(m))


def test_it_is_not_exported_with_the_model(absorber, tmp_path):
    with pytest.raises(dt.errors.ExportError, match=r"FMU 'absorber'.*importing tool"):
        dt.export_fmu(coupled(absorber, 1e-2), tmp_path / "m.fmu")
