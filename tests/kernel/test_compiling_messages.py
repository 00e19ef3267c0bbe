"""What is said while kernels are compiled."""

import importlib
import importlib.util
import pkgutil
import threading

import pytest

import duoti
from duoti.kernel import JIT
from duoti.kernel import console as progress
from duoti.kernel.decorators import REGISTRY

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled in plain Python")


@pytest.fixture
def said(monkeypatch):
    """What is said, and an event that is set with each sentence."""
    sentences, heard = [], threading.Semaphore(0)

    def say(text):
        sentences.append(text)
        heard.release()

    monkeypatch.setattr(progress, "say", say)
    monkeypatch.setattr(progress, "_HINTED", [])
    return sentences, heard


def kernels():
    importlib.import_module("duoti.integrate.implicit.radau_loop")
    importlib.import_module("duoti.dynamics.loops.projection")
    names = ("duoti.integrate.implicit.radau_loop.radau_step", "duoti.dynamics.loops.projection.project_entry")
    return [REGISTRY[name] for name in names]


def test_all_kernels_have_a_subject_in_words():
    for module in pkgutil.walk_packages(duoti.__path__, "duoti."):
        if module.name.startswith(
            ("duoti.dynamics", "duoti.integrate", "duoti.results", "duoti.model", "duoti.analyses", "duoti.contact")
        ):
            importlib.import_module(module.name)
    from duoti.contact.collide.pair_types import pair_entries
    from duoti.model.pairs import find_pair

    pair, _ = find_pair("plane", "sphere")
    assert pair is not None
    pair_entries(pair)  # which makes them
    for name, compiled in REGISTRY.items():
        if name.startswith("duoti.") and ".forces." not in name:
            assert progress.subject(compiled) in progress.SUBJECTS.values(), name


def test_subjects_name_modules_that_exist():
    for name in progress.SUBJECTS:
        assert importlib.util.find_spec(f"duoti.{name}"), name


def test_what_is_quick_is_not_mentioned(said, monkeypatch):
    monkeypatch.setattr(progress, "QUIET_FOR", 60.0)
    with progress.several(kernels()):
        pass
    assert said[0] == []


def test_what_takes_long_is_announced_once_with_what_is_left(said, monkeypatch):
    monkeypatch.setattr(progress, "QUIET_FOR", 0.001)
    monkeypatch.setattr(progress, "EVERY", 0.001)
    sentences, heard = said
    first, second = kernels()
    with progress.several([first, second]):
        assert heard.acquire(timeout=60)
        with progress.compiling(first):
            assert heard.acquire(timeout=60)
        while not any("1 of 2 kernels left: closed loops" in text for text in sentences):
            assert heard.acquire(timeout=60)
    assert sentences[0] == (
        "duoti: compiling Radau solver, closed loops: 2 kernels, once; later runs find them ready "
        "(`duoti compile` makes all that there are) ..."
    )
    assert sentences[1].startswith("duoti: 2 of 2 kernels left: Radau solver, closed loops")
    assert sum("compiling" in text for text in sentences) == 1


def test_a_single_kernel(said, monkeypatch):
    monkeypatch.setattr(progress, "QUIET_FOR", 0.001)
    sentences, heard = said
    with progress.compiling(kernels()[0]):
        assert heard.acquire(timeout=60)
    assert sentences[0].startswith("duoti: compiling Radau solver: 1 kernel, once")
