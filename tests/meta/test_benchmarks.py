"""The harness of the benchmarks on trivial cases; no time of duoti is judged here."""

import json
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))
from benchmarks import page  # noqa: E402
from benchmarks.harness import CASES, Case, Pair, Row, Side, all_cases, case, measure  # noqa: E402


def counting(steps):
    def run(n):
        for _ in range(n * steps):
            pass

    return run


def test_a_ratio_is_the_peers_time_over_ours():
    """20 times the work, so that noise does not decide; the overhead of the peer is subtracted."""
    sides = Pair(Side(counting(1000), error=1e-3), Side(counting(20_000), error=2e-3))
    row = measure(Case("trivial", "NumPy", 5.0, lambda: sides), rounds=3)
    assert row.ratio > 5.0
    assert row.met
    assert row.rounds == 3
    assert (row.ours["error"], row.theirs["error"]) == (1e-3, 2e-3)
    assert page.errors(row) == "1e-3 / 2e-3"
    sides.peer.overhead = counting(20_000)
    assert measure(Case("trivial", "NumPy", 5.0, lambda: sides), rounds=3).ratio < 5.0


@pytest.mark.parametrize("how", ["fresh", "taken"])
def test_sides_that_make_ready_first_or_take_their_own_time(how):
    made = []

    def fresh():
        made.append(1)
        return lambda: counting(1000)(1)

    peer = Side(fresh=fresh) if how == "fresh" else Side(taken=lambda: 2.0)
    ours = Side(counting(10)) if how == "fresh" else Side(taken=lambda: 0.5)
    row = measure(Case("trivial", "NumPy", None, lambda: Pair(ours, peer)), rounds=4)
    assert (row.ratio == 4.0) if how == "taken" else (row.ratio > 1.0)
    assert how == "taken" or len(made) == 5


def test_a_missing_peer_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules["benchmarks.harness"].PACKAGES, "NumPy", ("no-such-distribution",))
    row = measure(Case("trivial", "NumPy", 1.0, lambda: pytest.fail("made")))
    assert row.ratio is None
    assert row.note == "not installed: no-such-distribution"


def test_results_that_disagree_and_cases_that_fail_have_no_ratio():
    pair = Pair(Side(counting(1)), Side(counting(1)), differ=1e-3, allowed=1e-6)
    row = measure(Case("trivial", "NumPy", None, lambda: pair))
    assert row.ratio is None
    assert "differ" in row.note
    row = measure(Case("trivial", "NumPy", None, lambda: 1 / 0))
    assert row.note == "failed: ZeroDivisionError: division by zero"


def test_cases_have_one_name_each_and_known_peers():
    with pytest.raises(ValueError, match="no peer"):
        case("x", "Adams")
    case("twice")(lambda: None)
    try:
        with pytest.raises(ValueError, match="two cases"):
            case("twice")
    finally:
        del CASES["twice"]


def test_results_are_kept_by_commit_and_the_page_shows_the_newest(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "RESULTS", tmp_path)
    rows = [Row("a", "NumPy", 1.0, 2.0, 1.9, 2.1, 3, {"error": 0.0}, {"error": 0.0}, date="2026-11-18", version="2.4")]
    file = page.write_results(rows)
    assert file.name == f"{page.commit()[0]}.json"
    page.write_results([Row("b", "NumPy", None, 3.0, date="2026-11-18")])
    assert [row["name"] for row in json.loads(file.read_text("utf-8"))["rows"]] == ["a", "b"]
    (tmp_path / "older.json").write_text(
        json.dumps({"rows": [{**rows[0].__dict__, "ratio": 9.0, "date": "2026-11-01"}]}), "utf-8"
    )
    assert {name: row.ratio for name, row in page.newest().items()} == {"a": 2.0, "b": 3.0}
    assert "| a | NumPy 2.4 | 2.0 | 0 / 0 | 1 | 2026-11-18 |" in page.table(rows)
    assert "<svg" in page.figure(rows)


def test_the_cases_of_the_page_are_declared_without_their_peers():
    """Declaring imports no other package: a peer that is missing is said only for its own cases."""
    shown = [each for each in all_cases().values() if each.shown]
    assert 15 <= len(shown) <= 40
    for row in page.newest().values():
        assert row.name in CASES, "results of a case that is gone: remove them from benchmarks/results"
