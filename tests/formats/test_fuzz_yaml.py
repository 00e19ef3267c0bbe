"""Damaged model files: always a model or `ModelFileError`, soon; in short form here, 50 000 with --campaign."""

import numpy as np
import pytest

import duoti as dt
from duoti.formats import from_text, to_text
from duoti.model.checks.structure import check_structure
from support.fuzz import fuzz
from support.model_files import EVERYTHING, seeds

SECONDS = 5.0  # one takes some milliseconds; the rest is for a machine that is busy


@pytest.fixture
def load(tmp_path):
    """Loads bytes as a file; what is accepted must be written and read again, and be checked without a fall."""
    path = tmp_path / "a.yaml"

    def loader(data: bytes) -> None:
        path.write_bytes(data)
        model = dt.load(path)
        assert to_text(from_text(to_text(model))) == to_text(model)
        str(dt.check(model))

    return loader


def test_seeds_are_good(load):
    for data in seeds().values():
        load(data)
    model = from_text(EVERYTHING)
    assert check_structure(model).ok  # its loops cannot be closed: it is an example of everything, not a machine
    assert model.parameters == {"r": 0.3, "l": 0.8, "k": 1000.0, "one.m": 0.6, "two.m": 1.0}


@pytest.mark.full
def test_damaged_files(load):
    campaign = fuzz(load, seeds(), 400, np.random.default_rng(2), SECONDS, (dt.errors.ModelFileError,))
    assert campaign.count == 400
    assert campaign.models > 10  # otherwise the damage is so great that nothing is tested
    assert campaign.refused > 100


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(10))
def test_many_damaged_files(load, part):
    campaign = fuzz(load, seeds(), 5000, np.random.default_rng(100 + part), SECONDS, (dt.errors.ModelFileError,))
    print(campaign)
    assert campaign.count == 5000


def test_the_driver_finds_what_it_is_for():
    def breaks(data):
        if b"\t" in data:
            raise KeyError("tab")

    def hangs(data):
        while True:
            pass

    with pytest.raises(AssertionError, match="KeyError: 'tab'"):
        fuzz(breaks, seeds(), 2000, np.random.default_rng(3), SECONDS)
    with pytest.raises(AssertionError, match=r"Hang: still busy after 0\.1 s"):
        fuzz(hangs, seeds(), 1, np.random.default_rng(4), 0.1)
