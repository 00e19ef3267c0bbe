"""Runs that are killed (kill -9) at any moment and resumed end bit for bit like those that are not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.integrate import state as S
from support.long_runs import RUNS, pendulum
from support.same import same

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 and fork are of POSIX")
TESTS = Path(__file__).parents[1]


def killed(name, path, kills, seed, *more):
    """Begin a run, kill and resume it in other processes; returns how often it was killed."""
    program = [sys.executable, str(TESTS / "support" / "kill_and_resume.py"), name, str(path), str(kills), str(seed)]
    found = subprocess.run([*program, *more], capture_output=True, text=True, timeout=1200)
    assert found.returncode == 0, found.stderr
    return int(found.stdout)


def kill_and_compare(name, path, kills, seed, *more):
    make, settings = RUNS[name]
    times = killed(name, path, kills, seed, *more)
    left = dt.open_result(path, make())
    assert left.status in ("killed", "finished")
    assert np.all(np.diff(left.t) > 0)
    assert same(dt.simulate(make(), **settings), dt.resume(path, make()))
    return times


SHORT = (
    "DOPRI5",
    "Radau",
    "GeneralisedAlpha",
    "auto",
    "Moreau",
    "Moreau with friction and stops",
    "friction and stops",
    "event-driven",
)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", SHORT)
def test_a_killed_run_ends_as_if_nothing_had_happened(tmp_path, name):
    assert kill_and_compare(name, tmp_path / "run.h5", 2, seed=1) > 0


@pytest.mark.campaign
@pytest.mark.parametrize("name", RUNS)
def test_many_kills(tmp_path, name, capsys):
    """Ten forks of one process and two processes of their own for each kind of run; more runs if one ends earlier."""
    done, seed = kill_and_compare(name, tmp_path / "fresh.h5", 2, 6, "fresh"), 0
    while done < 12:
        done, seed = done + kill_and_compare(name, tmp_path / f"{seed}.h5", 12 - done, seed), seed + 1
    with capsys.disabled():
        print(f"\n{name}: {done} kills")


def test_the_number_of_steps_in_a_call_has_no_influence(monkeypatch):
    """The driver chooses it by wall time: here one step at a time, and as many as there are."""
    for name, part in (("Radau", 100), ("GeneralisedAlpha", 200), ("auto without loops", 10), ("DOPRI5", 100)):
        make, settings = RUNS[name]
        short = {**settings, "duration": settings["duration"] / part}
        found = []
        for seconds in (0.0, 1e9):
            monkeypatch.setattr("duoti.analyses.simulate.driver.SECONDS_PER_CALL", seconds)
            found.append(dt.simulate(make(), **short))
        assert same(*found)
        assert name != "auto without loops" or len(found[0].stats.notes) > 2  # it did switch


def test_a_checkpoint_holds_all_memory(tmp_path):
    """What is left out of it would show: every array of a loop, poisoned before it is taken up, changes nothing."""
    from duoti.analyses.simulate.driver import Simulation

    make, settings = RUNS["auto"]
    settings = {**settings, "duration": 0.5}
    want = dt.simulate(make(), **settings)
    poisoned = []

    def restore(self, checkpoint):
        self.loop.load_state_dict(checkpoint.decisions)
        for array in self.loop.checkpoint_arrays():
            if array.dtype.kind in "fc":
                array.fill(np.nan)
            for name in array.dtype.names or ():  # of a record
                if array.dtype[name].kind == "f" and name != "t_end":  # there `resume` has put the end time
                    array[name] = np.nan
            poisoned.append(array.size)
        original(self, checkpoint)

    original = Simulation.restore
    path = tmp_path / "run.h5"
    stop_at(path, make, settings, steps=150)
    Simulation.restore = restore
    try:
        got = dt.resume(path, make())
    finally:
        Simulation.restore = original
    assert len(poisoned) > 100
    assert same(want, got)


def stop_at(path, make, settings, steps):
    """A file with a checkpoint after so many steps, as a kill would leave it."""
    from duoti.analyses.simulate.driver import Simulation

    run_to_end = Simulation.run_to_end

    def some_steps(self, progress):
        self._collect()
        self._checkpoint()
        while self.run.counts[0].steps < steps:
            assert self.loop.advance(steps - int(self.run.counts[0].steps)) in (S.CONTINUE, S.FULL)
            self._collect()
        self.next_checkpoint = 0.0
        self._checkpoint()
        self.file.close()
        raise InterruptedError

    Simulation.run_to_end = some_steps
    try:
        with pytest.raises(InterruptedError):
            dt.simulate(make(), **settings, out=path)
    finally:
        Simulation.run_to_end = run_to_end


def test_a_killed_run_is_not_overwritten(tmp_path):
    path = tmp_path / "run.h5"
    stop_at(path, pendulum, {"duration": 10.0}, steps=20)
    assert dt.open_result(path, pendulum()).status == "killed"
    with pytest.raises(dt.errors.ResultFileError, match=r"was killed at about t = .*duoti.resume"):
        dt.simulate(pendulum(), 1.0, out=path)


def test_a_damaged_checkpoint_leaves_the_one_before(tmp_path):
    """Bytes in the middle of the newest slot: the run goes on from the older one, to the same end."""
    make, settings = RUNS["DOPRI5"]
    settings = {**settings, "duration": 50.0}
    path = tmp_path / "run.h5"
    stop_at(path, make, settings, steps=3000)  # checkpoints number 0 at the start, 1 here
    data = bytearray(path.read_bytes())
    slots = [found.start() for found in re.finditer(b"duotichk", data)]
    newest = max(slots, key=lambda at: int.from_bytes(data[at + 8 : at + 16], "little"))
    assert len(slots) == 2
    data[newest + 500] ^= 0xFF
    path.write_bytes(data)
    left = dt.open_result(path, make())
    assert len(left) == 1  # as of the first checkpoint
    assert same(dt.simulate(make(), **settings), dt.resume(path, make()))
    for at in slots:
        data[at + 500] ^= 0x55
    path.write_bytes(data)
    with pytest.raises(dt.errors.ResultFileError, match="no valid checkpoint"):
        dt.open_result(path, make())


def fuzz(tmp_path, count, seed):
    make, _ = RUNS["DOPRI5"]
    done, stopped = tmp_path / "done.h5", tmp_path / "stopped.h5"
    dt.simulate(make(), 3.0, outputs=0.01, out=done)
    stop_at(stopped, make, {"duration": 10.0, "outputs": "steps"}, steps=200)
    for path in (done, stopped):
        program = [sys.executable, str(TESTS / "support" / "fuzz_results.py"), str(path), str(tmp_path)]
        found = subprocess.run([*program, str(count), str(seed)], capture_output=True, text=True, timeout=3000)
        assert found.returncode == 0, f"the reader ended with {found.returncode} at {found.stderr[-2000:]}"
        print(path.name, found.stdout)


def test_damaged_files_are_refused_or_read(tmp_path):
    fuzz(tmp_path, 100, 1)


@pytest.mark.campaign
def test_many_damaged_files(tmp_path):
    fuzz(tmp_path, 10_000, 2)
