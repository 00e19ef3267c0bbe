"""Junk in any attribute or argument: `dt.check` names the element and the attribute, and never raises.

A sample here, all of it with --campaign. The trials are those of tests/support/junk.py.
"""

import numpy as np
import pytest

import duoti as dt
from support.fuzz import time_limit
from support.junk import JUNK, Case, Trial, cases, outcome, trials

SECONDS = 20.0  # a trial takes milliseconds, but for the first of a type, whose kernels are compiled
GOOD = ("reported", "refused", "accepted")
SAMPLE = 3  # trials of each case


def faults(chosen: list[Trial]) -> list[str]:
    found = []
    for trial in chosen:
        with time_limit(SECONDS):
            result = outcome(trial)
        if result.word not in GOOD:
            found.append(f"{trial}: {result.word}: {result.text}")
    return found


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of numbers beyond all measure
def test_a_sample_of_junk_is_reported():
    rng = np.random.default_rng(5)
    chosen = []
    for case in cases():
        of_case = list(trials(case))
        if of_case:
            chosen += [of_case[i] for i in rng.choice(len(of_case), size=min(SAMPLE, len(of_case)), replace=False)]
    assert len(chosen) > 300
    assert faults(chosen) == []


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.label)
def test_all_junk_is_reported(case):
    assert faults(list(trials(case))) == []


def test_the_campaign_finds_what_it_is_for(monkeypatch):
    """A check that raises, or says nothing of the element, is a fault of the campaign."""
    case = next(each for each in cases() if each.label == "force spring_damper")
    trial = Trial(case, "stiffness", "text", "attribute")
    assert outcome(trial).word == "reported"

    def breaks(self):
        raise OverflowError("too large")

    monkeypatch.setattr("duoti.analyses.check.run_structure", breaks)
    assert outcome(trial).word == "raises"
    monkeypatch.undo()
    elsewhere = Case(case.label, case.build, dt.check(case.build()[0]).findings[0].element, case.replace)
    elsewhere.element = type(case.element)("joint", "A")
    assert outcome(Trial(elsewhere, "stiffness", "text", "attribute")).word == "not named"


def test_junk_of_the_issue():
    assert {"None", "nan", "10**400", "empty text", "object", "complex", "bytes", "True", "model"} <= set(JUNK)


def test_messages_never_fill_the_screen():
    m = dt.Model("m")
    m.add_body("b", "x" * 1_000_000)
    m.add_joint("J", dt.Revolute("y" * 1_000_000), m.ground, "b" * 1_000_000)
    assert len(str(dt.check(m))) < 20_000


def test_a_model_whose_sections_were_replaced():
    for section in ("bodies", "joints", "forces", "parameters", "states", "tasks", "contacts", "beams"):
        m = dt.Model("m")
        setattr(m, section, None)
        (finding,) = dt.check(m).errors
        assert finding.key == section
    m = dt.Model("m")
    m.bodies["b"] = 3.0
    assert 'body "b" is 3.0' in str(dt.check(m))


def test_a_repr_that_raises():
    class Rude:
        def __repr__(self):
            raise RuntimeError("no")

    m = dt.Model("m")
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("J", dt.Translation(), m.ground, "b")
    m.add_force("f", dt.SpringDamper("b", m.ground, stiffness=Rude()))
    (finding,) = dt.check(m).errors
    assert finding.names == ("f",)
