"""Nonsense handed to every public function and class: refused in words, never by an error of the program's own."""

import warnings

import pytest

import duoti as dt
from duoti.examples import pendulum

NONSENSE = {
    "None": None, "text": "x", "empty": "", "nan": float("nan"), "negative": -1, "list": [1, 2, 3, 4, 5, 6, 7],
    "object": object(), "complex": 3 + 4j,
}  # fmt: skip
NOT_TRIED = ("show", "simulate_live")  # would open a browser
PUBLIC = [
    name
    for name in dt.__all__
    if callable(getattr(dt, name))
    and name not in NOT_TRIED
    and not (isinstance(getattr(dt, name), type) and issubclass(getattr(dt, name), BaseException))
]


@pytest.mark.parametrize("name", PUBLIC)
def test_nonsense_is_refused_in_words(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of it is a name of a file
    function = getattr(dt, name)
    warnings.simplefilter("ignore")
    for what, thing in NONSENSE.items():
        for arguments in ((thing,), (thing, thing), (pendulum.build(), thing)):
            try:
                function(*arguments)
            except (TypeError, ValueError, OSError, dt.DuotiError):
                pass
            except Exception as error:
                pytest.fail(f"{name} of {what}: {type(error).__name__}: {error}")
