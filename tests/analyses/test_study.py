"""Parameter studies: values, measures, executors, stores, failures, refusals."""

import json
import math
import os
import signal
import subprocess
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.parameter_study import engine, executors, work
from duoti.analyses.parameter_study.digest import digest
from duoti.analyses.parameter_study.distributions import unit_samples
from duoti.analyses.parameter_study.measures import Measure
from duoti.analyses.states.warnings import SimulationWarning

xr = pytest.importorskip("xarray")


def oscillator(stiffness=25.0, damping=0.0):
    """x'' = -k x - c x', mass 1, from x = 0.1 at rest."""
    m = dt.Model("oscillator", gravity=(0, 0, 0), parameters={"k": 2.0})
    m.add_body("mass", dt.Inertia.point(1.0), position=(0, 0, 0))
    m.add_joint("A", dt.Prismatic("x"), m.ground, "mass", at=(0, 0, 0), q0=0.1)
    m.add_force("spring", dt.JointSpring("A", stiffness=stiffness, damping=damping))
    return m


def two_kinds(kind="spring", stiffness=25.0):
    m = oscillator(stiffness)
    if kind == "none":
        del m.forces["spring"]
    return m


MEASURES = {"peak": "max(abs(A.velocity))", "end": "final(mass.position.x)"}


def small(**changes):
    given = {"spring.stiffness": dt.grid(10.0, 40.0, 3), "mass.mass": dt.normal(1.0, 0.1), "A.q0": dt.uniform(0.1, 0.2)}
    return dt.Study(oscillator(), given, MEASURES, 1.0, **{"samples": 4, "seed": 3, "outputs": 0.05, **changes})


# ----------------------------------------------------------------------------------------------------------- values


def test_dimensions_labels_and_units():
    ds = small().run(1)
    assert dict(ds.sizes) == {"spring.stiffness": 3, "sample": 4}
    assert ds["peak"].dims == ("spring.stiffness", "sample")
    assert ds["peak"].attrs["units"] == "m/s"
    assert ds["end"].attrs["units"] == "m"
    assert ds["mass.mass"].attrs["units"] == "kg"
    assert ds["mass.mass"].dims == ("sample",)
    assert ds["A.q0"].attrs["units"] == "m"
    assert (ds["status"] == "ok").all()
    assert (ds["message"] == "").all()
    assert ds.attrs["seed"] == 3


def test_runs_are_those_of_simulate_bit_for_bit():
    study = small()
    ds, system = study.run(1), dt.compile(oscillator())
    for i, k in enumerate(ds["spring.stiffness"].values):
        for j in range(4):
            values = {"spring.stiffness": k, "mass.mass": float(ds["mass.mass"][j]), "A.q0": float(ds["A.q0"][j])}
            r = dt.simulate(system.with_parameters(values), 1.0, outputs=0.05, solver=study._choice.solver)
            assert float(ds["peak"][i, j]) == np.max(np.abs(r["A.velocity"]))
            assert float(ds["end"][i, j]) == r["mass.position.x"][-1]


def test_a_grid_of_two_parameters_against_the_closed_form():
    k, q0 = [10.0, 20.0, 30.0], [0.1, 0.2]
    ds = dt.Study(oscillator(), {"spring.stiffness": k, "A.q0": q0}, MEASURES, 1.0, outputs=0.001, rtol=1e-10).run(1)
    w = np.sqrt(k)[:, None]
    assert np.allclose(ds["end"], np.array(q0) * np.cos(w), atol=1e-8)
    assert np.allclose(ds["peak"], np.array(q0) * w, rtol=1e-5)  # the peak lies between outputs, (w dt / 2)^2 / 2 lower


def test_measures_against_closed_forms():
    texts = {
        "max": "max(A.position)", "min": "min(A.position)", "mean": "mean(A.position)", "rms": "rms(A.position)",
        "initial": "initial(A.position)", "integral": "integral(A.position)", "when": "time_when(A.position < 0.05)",
        "never": "time_when(A.position > 1)", "both": "time_when(A.position < 0.05 and t > 0.5)",
        "first": "time_of_min(A.position)", "last": "final(t)", "larger": "max(max(A.position, A.velocity))",
        "overshoot": "max(abs(A.position - final(A.position)))", "numbers": "k*mass.mass + spring.stiffness",
        "degrees": "180/pi*max(A.position)", "if": "mean(if(A.position > 0, 1, 0))",
        "clip": "max(clip(A.position, -0.01, 0.02))", "step": "final(step(t, 0, 1, 4, 3))",
        "hypot": "final(hypot(3, 4, 12))", "power": "mean((A.position/0.1)^2)",
        "not": "time_when(not (A.position > 0))",
    }  # fmt: skip
    w, T = 5.0, 2 * math.pi / 5.0
    study = dt.Study(oscillator(), {"spring.stiffness": [w**2]}, texts, T, outputs=T / 2000, rtol=1e-10, atol=1e-12)
    got = {name: float(each) for name, each in study.run(1).squeeze().items() if name in texts}
    expected = {
        "max": 0.1, "min": -0.1, "mean": 0.0, "rms": 0.1 / math.sqrt(2), "initial": 0.1, "integral": 0.0,
        "when": math.pi / 3 / w, "never": math.nan, "both": 0.5, "first": math.pi / w, "last": T, "larger": 0.5,
        "overshoot": 0.2, "numbers": 27.0, "degrees": 18 / math.pi, "if": 0.5, "clip": 0.02,
        "step": 1 + 2 * (T / 4) ** 2 * (3 - T / 2), "hypot": 13.0, "power": 0.5, "not": math.pi / 2 / w,
    }  # fmt: skip
    for name, value in expected.items():  # half an output interval is 3e-4 s; the trapezoidal rule errs by 1e-6
        tolerance = 7e-4 if name in ("first", "both", "if", "not") else 2e-6
        assert got[name] == pytest.approx(value, abs=tolerance, nan_ok=True), name
    units = {
        "both": "s",
        "clip": "m",
        "max": "m",
        "integral": "m s",
        "when": "s",
        "first": "s",
        "overshoot": "m",
        "degrees": None,
        "power": None,
    }
    ds = study.run(1)
    assert {name: ds[name].attrs.get("units") for name in units} == units


def test_measures_of_many_runs_and_of_one_have_the_same_bits():
    """Whatever else is computed beside a run: chunks of a study have any size."""
    texts = [
        "rms(x)", "mean(exp(x)*sin(y))", "integral(x^2*y)", "max(abs(x - final(x)))", "time_when(x > k)", "x + y/k",
        "final(atan2(x, y))", "time_of_max(x*y)", "min(max(x, y))", "max(x^1.5)", "final(t)*k", "mean(if(x > y, x, 0))",
    ]  # fmt: skip
    m = oscillator()
    m.add_state("x", "1", 0.0)
    m.add_state("y", "1", 0.0)
    rng = np.random.default_rng(0)
    for runs, times in ((1, 5), (3, 1001), (67, 8), (200, 203)):
        t = np.sort(rng.random(times))
        series = {name: rng.standard_normal((runs, times)) for name in "xy"}
        numbers = {"k": rng.random((runs, 1))}
        for text in texts:
            measure = Measure(text, m)
            together = measure(runs, t, series, numbers)
            for k in range(runs):
                one = {name: each[k : k + 1].copy() for name, each in series.items()}
                alone = measure(1, t, one, {"k": numbers["k"][k : k + 1]})
                assert np.array_equal(together[k], alone[0], equal_nan=True), text


def test_units_of_measures():
    texts = {
        "max(A.position)*2": None, "max(A.position*(t > 1))": "m", "max(A.position) - 0.5": "m", "A.position + t": None,
        "max(if(A.position > 0, A.velocity, 0))": "m/s", "A.position > 0": None, "integral(A.velocity)": "m/s s",
        "max(min(A.position, 0.1), -0.1)": "m", "2 + pi": None, "k*A.position": None, "final(-A.position)": "m",
    }  # fmt: skip
    ds = dt.Study(oscillator(), {"A.q0": [0.1]}, {text: text for text in texts}, 0.1, outputs=0.05).run(1)
    assert {text: ds[text].attrs.get("units") for text in texts} == texts


def test_tables_in_measures():
    m = oscillator()
    m.add_table("road", [0.0, 1.0, 2.0], [0.0, 1.0, 0.0], kind="cubic", extrapolation="hold")
    m.add_state("follows", "road(t)", 0.0)
    ds = dt.Study(m, {"A.q0": [0.1]}, {"a": "road(0.3)", "b": "final(road(t))"}, 0.7).run(1)
    from duoti.model.laws.expressions import compile_expression

    curve = compile_expression("road(t)", constants=m.named_values)
    assert float(ds["a"][0]) == pytest.approx(curve.evaluate(t=0.3), rel=1e-14)
    assert float(ds["b"][0]) == pytest.approx(curve.evaluate(t=0.7), rel=1e-14)


def test_a_series_has_the_dimension_time():
    ds = dt.Study(
        oscillator(), {"A.q0": [0.1, 0.2]}, {"x": "A.position", "top": "max(A.position)"}, 1.0, outputs=0.1
    ).run(1)
    assert ds["x"].dims == ("A.q0", "time")
    r = dt.simulate(oscillator(), 1.0, outputs=0.1)
    assert np.array_equal(ds["x"][0], r["A.position"])
    assert np.array_equal(ds["time"], r.t)


def test_functions_of_a_result():
    measures = {"kinetic": lambda r: r["energy.kinetic"].max(), "steps": lambda r: r.stats.steps}
    ds = dt.Study(oscillator(), {"A.q0": [0.1, 0.2]}, measures, 1.0).run(1)
    assert np.allclose(ds["kinetic"], [0.5 * 25 * 0.01, 0.5 * 25 * 0.04], rtol=1e-4)
    assert (ds["steps"] > 5).all()


def test_a_function_without_a_result_fails():
    with pytest.warns(SimulationWarning, match="returned None"):
        ds = dt.Study(oscillator(), {"mass.mass": [1.0]}, {"e": lambda r: None}, 0.1).run(1)
    assert ds["status"].values.tolist() == ["error"]


def test_a_measure_that_reads_what_follows_from_a_parameter():
    m = oscillator()
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0, 0, 0))
    m.add_joint("B", dt.Revolute("z"), m.ground, "rod", at=(0, 0, 0))
    ds = dt.Study(m, {"rod.mass": [1.0, 3.0]}, {"I": "rod.inertia.zz"}, 0.1).run(1)
    assert np.allclose(ds["I"], [1 / 12, 3 / 12], rtol=1e-14)


def test_an_event_that_ends_the_run_ends_the_measures():
    m = oscillator()
    m.add_event("half", dt.Event("A.position - 0.05", terminal=True))
    ds = dt.Study(m, {"A.q0": [0.1, 0.2]}, {"x": "final(A.position)", "t": "final(t)", "s": "A.position"}, 1.0).run(1)
    assert np.allclose(ds["x"], 0.05, atol=1e-9)
    assert np.allclose(ds["t"], [math.acos(0.5) / 5, math.acos(0.25) / 5], atol=1e-7)
    assert (ds["status"] == "ok").all()
    assert "half" in str(ds["message"][0].item())
    assert np.isnan(ds["s"][0, -1])
    assert not np.isnan(ds["s"][0, 100])


def test_a_function_that_builds_the_model():
    values = {"kind": ["spring", "none"], "stiffness": [9.0, 16.0]}
    ds = dt.Study(two_kinds, values, {"end": "final(A.position)", "k": "stiffness*final(t)"}, 1.0).run(1)
    assert ds["end"].dims == ("kind", "stiffness")
    assert np.allclose(ds["end"], [[0.1 * math.cos(3), 0.1 * math.cos(4)], [0.1, 0.1]], atol=1e-7)
    assert np.allclose(ds["k"], [[9, 16], [9, 16]])


def test_evaluate():
    study = dt.Study(oscillator(), {"spring.stiffness": dt.uniform(1, 50), "A.q0": dt.uniform(0, 1)}, MEASURES, 1.0)
    one = study.evaluate({"spring.stiffness": 16.0, "A.q0": 0.3})
    assert isinstance(one["end"], float)
    assert one["end"] == pytest.approx(0.3 * math.cos(4), abs=1e-6)
    many = study.evaluate({"spring.stiffness": np.array([9.0, 16.0]), "A.q0": 0.3})
    assert many["end"][1] == one["end"]
    with pytest.raises(ValueError, match="the study varies"):
        study.evaluate({"spring.stiffness": 1.0})


# ---------------------------------------------------------------------------------------------------- distributions


def test_distributions_have_their_moments():
    N = 4096  # Sobol points: quadrature errors of about 1/N
    u = unit_samples("sobol", N, 1, 0)[:, 0]
    for each, mean, sd in (
        (dt.normal(2.0, 0.5), 2.0, 0.5),
        (dt.uniform(1.0, 3.0), 2.0, 2 / math.sqrt(12)),
        (dt.loguniform(1.0, math.e), math.e - 1, math.sqrt((math.e**2 - 1) / 2 - (math.e - 1) ** 2)),
        (dt.triangular(0.0, 1.0, 3.0), 4 / 3, math.sqrt((0 + 1 + 9 - 0 - 0 - 3) / 18)),
        (dt.choice([1.0, 5.0], weights=[3, 1]), 2.0, math.sqrt(3.0)),
    ):
        x = each.quantile(u)
        assert np.mean(x) == pytest.approx(mean, rel=2e-3), each
        assert np.std(x) == pytest.approx(sd, rel=5e-3), each
    cut = dt.normal(0.0, 1.0, low=0.0).quantile(u)
    assert np.min(cut) >= 0.0
    assert np.mean(cut) == pytest.approx(math.sqrt(2 / math.pi), rel=2e-3)
    assert np.isfinite(dt.normal(0, 1).quantile(np.array([0.0, 1.0]))).all()


def test_frozen_distributions_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    study = dt.Study(oscillator(), {"A.q0": stats.weibull_min(1.5, scale=0.2)}, MEASURES, 0.1, samples=64, seed=1)
    assert np.mean(study.points()["A.q0"]) == pytest.approx(0.2 * math.gamma(1 + 1 / 1.5), rel=0.3)
    assert "weibull_min" in study.run(1).attrs["distribution of A.q0"]


def test_samples_are_reproducible_and_grow():
    few, more = small(), small(samples=9)
    assert np.array_equal(few.points()["A.q0"][:4], more.points()["A.q0"][:4])
    assert not np.array_equal(few.points()["A.q0"], small(seed=4).points()["A.q0"])
    for sampling in ("sobol", "latin_hypercube"):
        points = small(sampling=sampling).points()["A.q0"][:4]
        assert np.array_equal(points, small(sampling=sampling).points()["A.q0"][:4])
        assert np.array_equal(np.sort(np.floor((points - 0.1) / 0.1 * 4)), [0, 1, 2, 3])  # one in each quarter


def test_correlated_samples():
    given = {"mass.mass": dt.normal(5.0, 0.5), "A.q0": dt.normal(0.1, 0.01)}
    study = dt.Study(oscillator(), given, MEASURES, 1.0, samples=4000, seed=1, correlation={("mass.mass", "A.q0"): 0.8})
    x = study.points()
    assert np.corrcoef(x["mass.mass"], x["A.q0"])[0, 1] == pytest.approx(0.8, abs=0.02)  # 3 (1 - r^2) / sqrt(N)
    assert np.std(x["A.q0"]) == pytest.approx(0.01, rel=0.04)


# -------------------------------------------------------------------------------------------------------- executors


def test_the_same_bits_for_any_executor_and_size_of_chunks(monkeypatch):
    study = small()
    ds = study.run(1)
    assert ds.identical(study.run(2))
    with ThreadPoolExecutor(2) as pool:
        assert ds.identical(study.run(pool))
    with ProcessPoolExecutor(2) as pool:
        assert ds.identical(study.run(pool))
    m = oscillator(damping=0.2)  # forces that lanes evaluate, and one that they do not
    m.add_force("drive", dt.JointTorque("A", "k*sin(3*t)"))
    m.add_force("damper", dt.JointDamping("A", damping=0.1))
    mixed = dt.Study(m, {"k": dt.grid(1, 2, 21)}, MEASURES, 1.0, outputs=0.05, solver=dt.DOPRI5())
    others = mixed.run(1)
    for size in (1, 5):
        monkeypatch.setattr(engine, "chunk_size", lambda *_, size=size: size)
        assert ds.identical(study.run(1))
        assert others.identical(mixed.run(2))


def test_functions_travel_to_processes():
    pytest.importorskip("cloudpickle")
    factor = 2.0
    study = dt.Study(two_kinds, {"stiffness": [4.0, 9.0]}, {"x": lambda r: factor * r["A.position"][-1]}, 1.0)
    with ProcessPoolExecutor(1) as pool:
        assert study.run(pool).identical(study.run(1))


def test_executors_that_are_none():
    for wrong in (0, True, "dask", 1.5):
        with pytest.raises(TypeError, match="number of threads from 1"):
            small().run(wrong)


def test_a_pool_that_breaks(monkeypatch):
    study = small()
    monkeypatch.setattr(executors, "run_chunk", _dies)
    with ProcessPoolExecutor(1) as pool, pytest.warns(SimulationWarning, match="pool broke"):
        ds = study.run(pool)
    assert (ds["status"] == "worker-lost").all()
    assert np.isnan(ds["peak"]).all()


def _dies(*_):
    os._exit(1)


def test_dask(recwarn):
    distributed = pytest.importorskip("distributed")
    study = small(samples=300, outputs=0.01)
    ds = study.run(1)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert study.run(client).identical(ds)
        before = set(client.run(os.getpid).values())
        killed = []

        def kill(number, columns):
            if number == 6:  # two workers have three chunks each, and more are to come
                killed.append(client.run(os.getpid).popitem()[1])
                os.kill(killed[0], signal.SIGKILL)
            submit(workers, number, columns)

        workers = executors.Cluster(study._job, "key", client)
        submit = executors.Cluster.submit
        workers.submit = kill
        made = engine.workers_of
        engine.workers_of = lambda *_: workers
        try:
            again = study.run(client)
        finally:
            engine.workers_of = made
        assert killed[0] in before
        assert again.identical(ds)
    recwarn.clear()


# ----------------------------------------------------------------------------------------------------------- stores


class RanError(Exception):
    pass


def _no_more_runs(monkeypatch):
    def run(*_):
        raise RanError

    monkeypatch.setattr(work.Job, "run", run)


def test_a_second_study_costs_no_runs(tmp_path, monkeypatch):
    store = tmp_path / "runs.db"
    ds = small().run(1, store=store)
    assert small().explain(1, store=store).done == 12
    _no_more_runs(monkeypatch)
    assert ds.identical(small().run(1, store=store))
    part = small(samples=2).run(1, store=store)
    assert part["peak"].identical(ds["peak"].isel(sample=slice(2)))
    with pytest.raises(RanError):
        small(samples=5).run(1, store=store)
    with pytest.raises(RanError):
        small(rtol=1e-5).run(1, store=store)
    with pytest.raises(RanError):
        small(outputs=0.1).run(1, store=store)
    other = oscillator(damping=0.1)
    with pytest.raises(RanError):
        dt.Study(other, {"A.q0": [0.1]}, MEASURES, 1.0).run(1, store=store)


def test_the_version_is_part_of_the_key(tmp_path, monkeypatch):
    store = tmp_path / "runs.db"
    small().run(1, store=store)
    monkeypatch.setattr(engine, "__version__", "999")
    _no_more_runs(monkeypatch)
    with pytest.raises(RanError):
        small().run(1, store=store)


SCRIPT = """
import sys, time
sys.path.insert(0, {here!r})
from test_study import small
from duoti.analyses.parameter_study import work
before = work.Job._batch
def slowly(job, columns, workers):
    time.sleep(0.02 * len(columns["A.q0"]))
    return before(job, columns, workers)
work.Job._batch = slowly
small(samples=40).run({executor}, store={store!r})
"""


@pytest.mark.parametrize("executor", ["1", "2"])
def test_a_study_that_was_killed_goes_on(tmp_path, executor):
    """kill -9 in the middle; what was done is not done again, and the results have the same bits."""
    store = tmp_path / "runs.db"
    script = SCRIPT.format(here=str(Path(__file__).parent), store=str(store), executor=executor)
    child = subprocess.Popen([sys.executable, "-c", script])
    try:
        for _ in range(1000):
            time.sleep(0.03)
            if store.exists() and (done := _count(store)) >= 5:
                break
            assert child.poll() is None
    finally:
        child.kill()
        child.wait()
    assert 5 <= done < 120
    done = _count(store)
    study = small(samples=40)
    explained = study.explain(1, store=store)
    assert (explained.runs, explained.done) == (120, done)
    ran = []
    with pytest.MonkeyPatch.context() as patch:
        before = work.Job._batch
        patch.setattr(work.Job, "_batch", lambda *given: ran.extend(given[1]["A.q0"]) or before(*given))
        ds = study.run(1, store=store)
    assert len(ran) == 120 - done
    assert ds.identical(study.run(1))


def _count(store):
    import sqlite3

    file = sqlite3.connect(store)
    try:
        return file.execute("SELECT count(*) FROM runs").fetchone()[0]
    except sqlite3.OperationalError:
        return 0
    finally:
        file.close()


def test_stores_that_are_none(tmp_path):
    with pytest.raises(ValueError, match="is a folder"):
        small().run(1, store=tmp_path)
    with pytest.raises(ValueError, match="there is no folder"):
        small().run(1, store=tmp_path / "a" / "b.db")
    (tmp_path / "text.db").write_text("nothing of the kind, and long enough to be looked at" * 100)
    with pytest.raises(ValueError, match="not a store"):
        small().run(1, store=tmp_path / "text.db")


def test_what_a_function_reads_is_part_of_the_key():
    def measure(factor):
        return lambda r: factor * r.t[-1]

    assert digest(measure(1.0)) == digest(measure(1.0))
    assert digest(measure(1.0)) != digest(measure(2.0))
    assert digest(lambda r: r.t[0]) != digest(lambda r: r.t[-1])
    assert digest(oscillator()) == digest(oscillator())
    used = oscillator()
    dt.simulate(used, 0.1)
    assert digest(used) == digest(oscillator())
    assert digest(oscillator(damping=1e-300)) != digest(oscillator())
    assert digest(two_kinds) == digest(two_kinds)
    assert digest({1, 2, "a"}) == digest({"a", 2, 1})
    assert digest(1) != digest(1.0) != digest(True)


KEYS = """
import json, sys
sys.path.insert(0, {here!r})
from test_study import digest, oscillator, two_kinds
print(json.dumps([digest(oscillator()), digest(two_kinds)]))
"""


def test_the_same_key_in_another_process():
    keys = list[list[str]]()
    for seed in ("1", "2"):
        command = [sys.executable, "-c", KEYS.format(here=str(Path(__file__).parent))]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        keys.append(json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout))
    assert keys[0] == keys[1]
    assert keys[0][0] == digest(oscillator())


# --------------------------------------------------------------------------------------------------------- failures


def test_a_run_that_fails_is_nan_with_status_and_message():
    study = dt.Study(oscillator(), {"mass.mass": [1.0, -1.0, 2.0]}, {**MEASURES, "x": "A.position"}, 1.0, outputs=0.1)
    with pytest.warns(SimulationWarning, match=r"1 of 3 runs failed; run 1 \(error\): "):
        ds = study.run(1)
    assert list(ds["status"].values) == ["ok", "error", "ok"]
    assert "mass" in str(ds["message"][1].item())
    assert np.array_equal(np.isnan(ds["peak"]), [False, True, False])
    assert np.array_equal(np.isnan(ds["x"]).all("time"), [False, True, False])


def test_a_measure_that_raises_fails_its_run_only():
    def picky(result):
        if result["A.position"][0] > 0.15:
            raise RuntimeError("too far")
        return 1.0

    study = dt.Study(oscillator(), {"A.q0": [0.1, 0.2]}, {"picky": picky}, 0.1)
    with pytest.warns(SimulationWarning, match="too far"):
        ds = study.run(1)
    assert np.array_equal(np.isnan(ds["picky"]), [False, True])
    assert ds["message"][1].item() == "RuntimeError: too far"


MASSES = {"mass.mass": [1.0, 2.0]}


@pytest.mark.parametrize("build", [False, True])
def test_a_measure_that_is_no_number_is_told(build):
    measures = {
        "end": "final(A.position)",
        "root": "sqrt(final(A.position) - 1)",
        "series": "log(A.position - 1)",
        "never": "time_when(A.position > 1)",
        "own": lambda result: math.nan,
    }
    study = dt.Study(
        (lambda m: oscillator(m)) if build else oscillator(), {"m": [20, 25]} if build else MASSES, measures, 0.1
    )
    with pytest.warns(SimulationWarning, match=r"2 of 2 .*measure-undefined.*root.*nan: sqrt"):
        ds = study.run(1)
    assert (ds["status"] == "measure-undefined").all()
    assert np.isfinite(ds["end"]).all()
    for name, told in {"root": True, "series": True, "own": True, "never": False, "end": False}.items():
        assert (f'"{name}" is' in ds["message"][0].item()) == told


def test_a_time_that_never_comes_is_no_failure():
    ds = dt.Study(oscillator(), MASSES, {"never": "time_when(A.position > 1)"}, 0.1).run(1)
    assert (ds["status"] == "ok").all()
    assert np.isnan(ds["never"]).all()


def test_options_of_samples_without_distributions():
    for given in ({"samples": 100}, {"seed": 3}, {"sampling": "sobol"}):
        for values in ([1.0, 2.0], dt.grid(1, 2, 3), dt.samples([1.0, 2.0])):
            with pytest.raises(ValueError, match=f"{next(iter(given))}=.*distribution"):
                dt.Study(oscillator(), {"mass.mass": values}, MEASURES, 0.1, **given)


def test_a_parameter_that_nothing_reads_is_told(recwarn):
    with pytest.warns(SimulationWarning, match='nothing in the model reads "k"'):
        dt.Study(oscillator(), {"k": [1.0, 2.0]}, MEASURES, 0.1)
    with pytest.warns(SimulationWarning, match='nothing in the model reads "k"'):
        dt.simulate_batch(oscillator(), 0.1, {"k": [1.0, 2.0]})
    recwarn.clear()
    ds = dt.Study(oscillator(), {"k": [1.0, 2.0]}, {"twice": "k*final(A.position)"}, 0.1).run(1)
    assert ds["twice"][1] == 2.0 * ds["twice"][0]
    dt.Study(oscillator(), {"k": [1.0, 2.0]}, {"own": lambda r: r.model.parameters["k"]}, 0.1)
    assert not recwarn.list


def test_failures_are_stored_too(tmp_path, monkeypatch):
    study = dt.Study(oscillator(), {"mass.mass": [1.0, -1.0]}, MEASURES, 0.1)
    with pytest.warns(SimulationWarning):
        ds = study.run(1, store=tmp_path / "runs.db")
    _no_more_runs(monkeypatch)
    with pytest.warns(SimulationWarning):
        assert ds.identical(study.run(1, store=tmp_path / "runs.db"))


def test_ctrl_c_keeps_what_is_done(tmp_path, monkeypatch):
    study, ran = small(), []

    def run(job, columns, workers):
        if len(ran) == 3:
            raise KeyboardInterrupt
        ran.append(columns)
        return before(job, columns, workers)

    before = work.Job.run
    with monkeypatch.context() as patch:
        patch.setattr(engine, "chunk_size", lambda *_: 2)
        patch.setattr(work.Job, "run", run)
        with pytest.warns(SimulationWarning, match="6 of 12 runs were not done"):
            ds = study.run(1, store=tmp_path / "runs.db")
    assert np.count_nonzero(ds["status"] == "ok") == 6
    assert np.count_nonzero(ds["status"] == "not-run") == 6
    assert np.array_equal(np.isnan(ds["peak"]), ds["status"] != "ok")
    assert study.run(1, store=tmp_path / "runs.db").identical(study.run(1))


# --------------------------------------------------------------------------------------------------------- refusals


def test_all_wrong_names_at_once():
    with pytest.raises(dt.DuotiError) as caught:
        dt.Study(oscillator(), {"spring.stifness": [1.0], "mas.mass": [1.0], "mass.com": [1.0]}, MEASURES, 1.0)
    assert "spring.stiffness" in str(caught.value)
    assert "mas.mass" in str(caught.value)
    assert "mass.com.x" in str(caught.value)


def test_all_wrong_measures_at_once():
    wrong = {
        "a": "maximum(A.position)", "b": "max(A.positon)", "c": "max(mass.position)", "d": "final(A.position, 2)",
        "status": "final(t)", "f": 3.0, "g": "argmax(A.position)", "h": "max(", "i": "max + 1",
    }  # fmt: skip
    with pytest.raises(ValueError, match="measures:") as caught:
        dt.Study(oscillator(), {"A.q0": [0.1]}, wrong, 1.0)
    text = str(caught.value)
    for part in (
        "write max", '"A" has:', "mass.position.x or mass.position.y", "final takes one argument",
        "'status' cannot be", '"f": 3.0', "write time_of_max", "max is a function",
    ):  # fmt: skip
        assert part in text, part
    assert '"h"' in text


@pytest.mark.parametrize(
    ("parameters", "part"),
    [
        ({}, "give values by name"),
        ({"A.q0": 0.1}, "give a list"),
        ({"A.q0": []}, "not a list of numbers"),
        ({"A.q0": [0.1, 0.1]}, "occurs twice"),
        ({"A.q0": [0.1, math.nan]}, "finite"),
        ({"sample": [1.0]}, "cannot be the name"),
        ({"A.q0": dt.samples([0.1]), "mass.mass": dt.samples([1.0, 2.0])}, "different lengths"),
        ({"A.q0": dt.samples([0.1]), "mass.mass": dt.normal(1, 0.1)}, "by dt.samples, too"),
    ],
)
def test_wrong_values(parameters, part):
    with pytest.raises((dt.DuotiError, TypeError), match=part):
        dt.Study(oscillator(), parameters, MEASURES, 1.0)


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: dt.grid(0, 1, 0), "count"),
        (lambda: dt.grid(0, 1, 3, spacing="log"), "positive"),
        (lambda: dt.normal(0, -1), "negative"),
        (lambda: dt.normal(0, 1, low=20, high=30), "hardly"),
        (lambda: dt.uniform(1, 1), "not below"),
        (lambda: dt.uniform("1", 2), "not a number"),
        (lambda: dt.loguniform(0, 1), "positive"),
        (lambda: dt.triangular(0, 2, 1), "mode"),
        (lambda: dt.choice([]), "no value"),
        (lambda: dt.choice([1], weights=[-1]), "weights"),
        (lambda: dt.samples([[1.0]]), "shape"),
        (lambda: small(samples=0), "samples=0"),
        (lambda: small(seed=-1), "seed=-1"),
        (lambda: small(sampling="halton"), "sampling="),
        (lambda: small(samples=None).run(1), "how many samples"),
        (lambda: small(outputs="steps"), "steps"),
        (
            lambda: dt.Study(oscillator(), {"mass.mass": ["1 kg", "2 kg"], "k": ["a"]}, MEASURES, 1.0),
            "mass.*k.*texts|texts.*k",
        ),
        (lambda: small(correlation={("A.q0", "x"): 0.5}), "not a pair"),
        (lambda: small(correlation={("A.q0", "mass.mass"): 1.5}), "between -1 and 1"),
    ],
)
def test_wrong_settings(make, part):
    with pytest.raises(ValueError, match=part):
        make()


# -------------------------------------------------------------------------------------------------------- explaining


def test_explain():
    study = small()
    e = study.explain(2)
    assert (e.runs, e.workers, e.dimensions) == (12, 2, {"spring.stiffness": 3, "sample": 4})
    assert e.seconds == pytest.approx(6 * e.seconds_per_run)
    text = str(e)
    for part in (
        "12 runs (3 spring.stiffness x 4 sample)",
        "normal(1, 0.1) [kg]",
        "max(abs(A.velocity)) [m/s]",
        "seed 3",
    ):
        assert part in text, text


# ---------------------------------------------------------------------------------------------- with other packages


def test_sobol_indices_of_ishigami():
    """Closed form: Ishigami & Homma 1990, a = 7, b = 0.1."""
    sampling, analysis = pytest.importorskip("SALib.sample.sobol"), pytest.importorskip("SALib.analyze.sobol")
    m = dt.Model("Ishigami", parameters={"x1": 0.0, "x2": 0.0, "x3": 0.0})
    m.add_body("ball", dt.Inertia.point(1.0))
    m.add_joint("A", dt.Prismatic("x"), m.ground, "ball", at=(0, 0, 0))
    m.add_state("y", "sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)", 0.0)  # its integral over one second
    names = ["x1", "x2", "x3"]
    problem = {"num_vars": 3, "names": names, "bounds": [[-math.pi, math.pi]] * 3}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of SALib
        X = sampling.sample(problem, 256, seed=1)
    given = {name: dt.samples(X[:, k]) for k, name in enumerate(names)}
    ds = dt.Study(m, given, {"y": "final(y)"}, 1.0, outputs=[1.0]).run(2)
    exact = np.sin(X[:, 0]) + 7 * np.sin(X[:, 1]) ** 2 + 0.1 * X[:, 2] ** 4 * np.sin(X[:, 0])
    assert np.allclose(ds["y"], exact, rtol=1e-12, atol=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = analysis.analyze(problem, ds["y"].values, seed=1)
    a, b = 7.0, 0.1
    variance = a**2 / 8 + b * math.pi**4 / 5 + b**2 * math.pi**8 / 18 + 0.5
    first = np.array([0.5 * (1 + b * math.pi**4 / 5) ** 2, a**2 / 8, 0.0]) / variance
    total = (
        np.array([first[0] * variance + b**2 * math.pi**8 * 8 / 225, a**2 / 8, b**2 * math.pi**8 * 8 / 225]) / variance
    )
    # confidence intervals of 2048 runs
    assert np.all(np.abs(found["S1"] - first) < 1.5 * found["S1_conf"] + 1e-3)
    assert np.all(np.abs(found["ST"] - total) < 1.5 * found["ST_conf"] + 1e-3)
    assert np.allclose(found["ST"], total, atol=0.1)


def test_optuna_and_scipy_find_the_stiffness():
    """x(1) = 0.1 cos(sqrt(k)) is least at k = pi^2."""
    study = dt.Study(oscillator(), {"spring.stiffness": dt.uniform(4, 16)}, MEASURES, 1.0, outputs=[1.0])
    optimize = pytest.importorskip("scipy.optimize")
    best = optimize.minimize_scalar(lambda k: study.evaluate({"spring.stiffness": k})["end"], bounds=(4, 16))
    assert best.x == pytest.approx(math.pi**2, abs=2e-3)
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    search = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    search.optimize(
        lambda trial: study.evaluate({"spring.stiffness": trial.suggest_float("k", 4, 16)})["end"], n_trials=30
    )
    assert search.best_value == pytest.approx(-0.1, abs=1e-3)


# ----------------------------------------------------------------------------------------------------- files, command

FILE = """\
duoti: 1
name: oscillator
bodies:
  mass: {inertia: {point: {mass: 1.0}}}
joints:
  A: {type: prismatic, axis: x, between: [ground, mass], q0: 0.1}
forces:
  spring: {type: joint_spring, joint: A, stiffness: 25}
study:
  duration: 500 ms
  samples: 3
  seed: 2
  sampling: sobol
  correlation: [[mass.mass, A.v0, 0.5]]
  solver: {type: rk4, step: 0.01}
  outputs: 0.1
  parameters:
    spring.stiffness: {grid: [10 N/m, 0.04 N/mm, 3]}
    mass.mass: {normal: {mean: 1, sd: 100 g}}
    A.v0: {uniform: [0, 10 cm/s]}
    A.q0: [10 cm, 0.2]
  measures:
    peak: max(abs(A.velocity))
    x: A.position
"""


def file_with(tmp_path, *changes):
    text = FILE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "oscillator.yaml"
    path.write_text(text)
    return path


def test_a_study_in_a_file(tmp_path):
    model = dt.load(file_with(tmp_path))
    ds = dt.analyses.file_study(model).run(1)
    given = {
        "spring.stiffness": dt.grid(10.0, 40.0, 3), "mass.mass": dt.normal(1.0, 0.1), "A.v0": dt.uniform(0.0, 0.1),
        "A.q0": [0.1, 0.2],
    }  # fmt: skip
    same = dt.Study(
        model, given, {"peak": "max(abs(A.velocity))", "x": "A.position"}, 0.5, samples=3, seed=2, sampling="sobol",
        correlation={("mass.mass", "A.v0"): 0.5}, solver=dt.RK4(step=0.01), outputs=0.1,
    )  # fmt: skip
    assert ds.identical(same.run(1))
    model.save(tmp_path / "again.yaml")
    again = dt.load(tmp_path / "again.yaml")
    assert again.tasks["study"] == model.tasks["study"]
    assert ds.identical(dt.analyses.file_study(again).run(1))


def test_faults_of_a_study_have_lines(tmp_path):
    path = file_with(
        tmp_path, ("grid: [10", "grdi: [10"), ("mass.mass: {normal", "mass.mas: {normal"), ("A.velocity", "A.velocty"),
        ("sampling: sobol", "sampling: halton"), ("  samples: 3", "  sample: 3"), ("uniform: [0,", "uniform: [1,"),
        ("A.q0: [10 cm, 0.2]", "A.q0: often"), ("type: rk4, ", "type: rk5, "),
    )  # fmt: skip
    report = dt.check(dt.load(path))
    found = {(each.place.line, each.what.partition(":")[0]) for each in report.errors}
    assert found == {
        (11, "study.sample"), (13, "study.sampling"), (15, "study.solver.type"), (15, "study.solver.step"),
        (18, "study.parameters.spring.stiffness"), (19, "study.parameters.mass.mas"),
        (20, "study.parameters.A.v0.uniform"), (21, "study.parameters.A.q0"), (23, "study.measures.peak"),
    }  # fmt: skip
    assert "Did you mean 'grid'?" in str(report)
    with pytest.raises(dt.ModelError):
        dt.analyses.file_study(dt.load(path))
    with pytest.raises(ValueError, match="asks for no study"):
        dt.analyses.file_study(oscillator())


def test_the_schema_knows_the_keys_of_a_study():
    from duoti.analyses.study.studies import MAKERS, study_fields
    from duoti.formats import json_schema

    study = json_schema()["properties"]["study"]
    assert list(study["properties"]) == list(study_fields())
    assert study["required"] == [name for name, field in study_fields().items() if field.required]
    words = study["properties"]["parameters"]["additionalProperties"]["anyOf"][1]["properties"]
    assert list(words) == list(MAKERS)


def test_the_command(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from duoti.cli import app

    def duoti(*words, code=0):
        made = CliRunner().invoke(app, ["study", *map(str, words)])
        assert made.exit_code == code, made.output
        return made.output

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    path = file_with(tmp_path)
    assert "18 runs (3 spring.stiffness x 2 A.q0 x 3 sample)" in duoti(path, "--explain")
    assert json.loads(duoti(path, "--store", "runs.db", "--json"))["status"] == {"ok": 18}
    said = duoti(path, "--store", "runs.db", "--out", "r.nc", "--samples", 4)
    assert "18 of 24" in said
    assert "24 ok" in said
    with xr.open_dataset("r.nc") as ds:
        assert ds["peak"].shape == (3, 2, 4)
    duoti(path, "--seed", 5, "--out", "r.csv")
    assert Path("r.csv").read_text().startswith("spring.stiffness,A.q0,sample")
    assert "there is no measure 'nothing'" in duoti(path, "--plot", "nothing", code=2)
    assert "select some" in duoti(path, "--plot", "x", code=2)  # a series over three parameters
    duoti(path, "--plot", "peak")
    assert Path("oscillator_peak.png").exists()
    duoti(path, "--workers", 0, code=2)
    duoti(path, "--out", "r.txt", code=2)
    Path("plain.yaml").write_text(FILE.partition("study:")[0])
    assert 'no section "study:"' in duoti("plain.yaml", code=2)
    duoti(file_with(tmp_path, ("A.velocity", "A.velocty")), code=1)
    duoti(file_with(tmp_path, ("[10 cm, 0.2]", "[10 cm, 10 cm]")), code=1)
    failing = file_with(
        tmp_path, ("mass.mass: {normal: {mean: 1, sd: 100 g}}", "mass.mass: [1, -1]"), ("  correlation", "  #")
    )
    assert "failed" in duoti(failing, "--quiet", code=3)
    assert "mass.mass: the study varies this" in duoti(path, "--set", "mass.mass=2", code=2)
    changed = FILE.replace("{normal: {mean: 1, sd: 100 g}}", "[1, 2]").replace("{uniform: [0, 10 cm/s]}", "[0, 1]")
    kept = [line for line in changed.splitlines() if not line.strip().startswith(("correlation", "samples", "seed"))]
    Path("lists.yaml").write_text("\n".join(kept).replace("  sampling: sobol\n", ""))
    assert "seed=5: no parameter has a distribution" in duoti("lists.yaml", "--seed", 5, code=1)
    assert "24 runs" in duoti("lists.yaml", "--explain")


# -------------------------------------------------------------------------------------------------------------- plots


@pytest.mark.parametrize(
    ("parameters", "measure", "axes"),
    [
        ({"spring.stiffness": dt.grid(5, 50, 4)}, "end", 1),
        ({"spring.stiffness": dt.grid(5, 50, 4)}, "x", 1),
        ({"spring.stiffness": dt.grid(5, 50, 4), "spring.damping": dt.grid(0.01, 1, 5, "log")}, "peak", 2),
        ({"spring.stiffness": dt.grid(5, 50, 4), "spring.damping": [0.1, 1]}, "peak", 1),
        ({"spring.stiffness": dt.grid(5, 50, 3), "spring.damping": [0.1, 1, 2], "mass.mass": [1, 2]}, "peak", 3),
        ({"spring.stiffness": dt.normal(25, 2), "A.q0": dt.choice([0.1, 0.2])}, "end", 2),
        ({"spring.stiffness": dt.normal(25, 2)}, "x", 1),
        ({"spring.stiffness": dt.grid(5, 50, 4), "mass.mass": dt.normal(1, 0.1)}, "end", 1),
    ],
)
def test_plots(parameters, measure, axes):
    pytest.importorskip("matplotlib")
    drawn = any(not isinstance(each, list | np.ndarray) for each in parameters.values())
    samples = 20 if drawn else None
    study = dt.Study(oscillator(), parameters, {**MEASURES, "x": "A.position"}, 0.5, outputs=0.05, samples=samples)
    figure = study.plot(study.run(1), measure)
    figure.canvas.draw()
    assert len(figure.axes) == axes


def test_bars_are_rank_correlations():
    stats = pytest.importorskip("scipy.stats")
    from duoti.analyses.parameter_study.plot import rank_correlations

    given = {"spring.stiffness": dt.normal(25, 2), "A.q0": dt.choice([0.1, 0.2, 0.3]), "mass.mass": dt.normal(1, 0.1)}
    ds = dt.Study(oscillator(), given, MEASURES, 0.5, samples=50).run(1)
    for name, found in rank_correlations(ds, "peak").items():
        assert found == pytest.approx(stats.spearmanr(ds[name], ds["peak"]).statistic, abs=1e-12)


def test_plots_that_cannot_be():
    ds = small().run(1)
    with pytest.raises(ValueError, match="give one of peak, end"):
        dt.analyses.plot_study(ds)
    with pytest.raises(ValueError, match="nothing to draw"):
        dt.analyses.plot_study(ds.isel({"spring.stiffness": 0, "sample": 0}), "peak")
