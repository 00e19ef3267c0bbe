"""Options, markers and layers of the test suite; what a whole run must have used."""

import importlib.util
import os
import tempfile
from pathlib import Path

import pytest

from support import durations, used_types
from support.layers import selected, unknown_cases

# what the README's test command installs
NEEDED_IN_CI = ("pinocchio", "mujoco", "exudyn", "matplotlib", "pandas", "networkx", "sksundae")

# what else the short layer needs to use all that it promises
NEEDED_FOR_ALL = (*NEEDED_IN_CI, "skfem", "pyarrow", "meshio", "xacro", "imageio_ffmpeg", "playwright")

MOST_WORKERS = 4
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["DUOTI_COMPILERS"] = "1"  # the workers themselves compile side by side

MISSES = pytest.StashKey[Path]()
NOT_SHIPPED = pytest.StashKey[tuple[list, list]]()
USED = pytest.StashKey[Path]()
NOT_USED = pytest.StashKey[list]()
CHOICES = ("keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf")
"""Options of pytest that leave tests out."""


# ------------------------------------------------------------------------------------------------------------ options


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="all tests but the campaigns; without it, the short layer")
    parser.addoption("--campaign", action="store_true", help="the long random campaigns; with --full also the rest")
    parser.addoption("--write-durations", metavar="FILE", help="write a table of the 50 slowest tests into a file")


def pytest_configure(config):
    """Tests skip what is not installed; where the whole suite must run, a missing package is an error instead."""
    missing = [name for name in NEEDED_IN_CI if importlib.util.find_spec(name) is None]
    if os.environ.get("CI") and missing:
        raise pytest.UsageError(f"CI would skip tests: {', '.join(missing)} not installed")
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    _share_folder(config, "DUOTI_MISSES", MISSES)
    if is_short_layer(config):
        _share_folder(config, "DUOTI_USED_BY_TESTS", USED)


def _share_folder(config, variable, key):
    """A temporary folder that workers and the programs that tests start find in a variable of the environment."""
    if variable not in os.environ:
        folder = tempfile.TemporaryDirectory()
        config.add_cleanup(folder.cleanup)
        os.environ[variable] = folder.name
        config.stash[key] = Path(folder.name)
        config.add_cleanup(lambda: os.environ.pop(variable, None))


def pytest_xdist_auto_num_workers(config):
    """Whole folders are spread over the processors; single files run in this process, without the start of others."""
    if config.option.collectonly or names_files(config):
        return 0
    config.option.dist = "worksteal"  # each starts with a part of the files, and helps out when it is done
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, MOST_WORKERS)


# ------------------------------------------------------------------------------------------------------------- layers


def names_files(config):
    """Whether the run was asked for single files or tests: all of their tests run then, but the campaigns."""
    return not any(os.path.isdir(each.partition("::")[0]) for each in config.args)


def is_short_layer(config):
    """Whether the run is the short layer as a whole."""
    choices = ("full", "campaign", "collectonly", *CHOICES)
    whole = {config.rootpath / each for each in config.getini("testpaths")}
    given = {Path(each).resolve() for each in config.args}
    return given == whole and not any(getattr(config.option, each, None) for each in choices)


@pytest.hookimpl(trylast=True)  # after the choice by -k and -m
def pytest_collection_modifyitems(config, items):
    everything = not names_files(config) and not any(getattr(config.option, each, None) for each in CHOICES)
    if everything and (wrong := unknown_cases(items)):
        raise pytest.UsageError("markers name cases that do not exist: " + ", ".join(wrong))
    kept = selected(items, config.getoption("--full"), config.getoption("--campaign"), names_files(config))
    if len(kept) < len(items):
        left = {*items} - {*kept}
        config.hook.pytest_deselected(items=[item for item in items if item in left])
        items[:] = kept


# ------------------------------------------------------------------------------------------- what a whole run must use


def pytest_sessionstart(session):
    if "DUOTI_USED_BY_TESTS" in os.environ and not session.config.pluginmanager.hasplugin("dsession"):
        used_types.watch()  # in the processes that run the tests, before they import anything


def pytest_runtest_logreport(report):
    used_types.note_family(report)
    durations.note(report)


def all_is_installed():
    """Whether no test of the short layer is skipped for want of a package or a browser."""
    from duoti.view.images.film import find_chromium

    return all(importlib.util.find_spec(each) for each in NEEDED_FOR_ALL) and bool(find_chromium())


def kernels_not_shipped(folder):
    """Kernels of the package that the tests used and that are not shipped: unknown to `duoti compile`, and known."""
    from duoti.kernel import JIT
    from duoti.kernel.store import misses

    found = misses.noted(folder) if JIT else []
    if not found:
        return [], []
    from duoti.kernel.compile import all_kernels as build

    known = {(each.compiled.name, each.signature) for each in build.all_kernels()}
    unknown = [each for each in found if (each.name, each.signature) not in known]
    return unknown, [each for each in found if each not in unknown]


def pytest_sessionfinish(session, exitstatus):
    """The run fails if a kernel of the package is not among those that `duoti compile` finds; in CI, if any is new.

    The short layer fails if it does not use what it promises to; where a package or a browser is missing, only in CI.
    """
    config, ci = session.config, os.environ.get("CI")
    if folder := os.environ.get("DUOTI_USED_BY_TESTS"):
        used_types.write(folder)
    if (path := config.getoption("--write-durations")) and "PYTEST_XDIST_WORKER" not in os.environ:
        durations.write(Path(path))
    if exitstatus != pytest.ExitCode.OK:
        return
    if (folder := config.stash.get(MISSES, None)) is not None:
        config.stash[NOT_SHIPPED] = unknown, known = kernels_not_shipped(folder)
        if unknown or (known and ci):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if (folder := config.stash.get(USED, None)) is not None:
        config.stash[NOT_USED] = missing = used_types.missing(used_types.seen(folder))
        if missing and (ci or all_is_installed()):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    unknown, known = config.stash.get(NOT_SHIPPED, ([], []))
    if unknown:
        terminalreporter.section("kernels that `duoti compile` does not find", red=True)
        for each in unknown:
            terminalreporter.line(f"{each.name}  {each.signature[:300]}")
        terminalreporter.line("declare their signatures (@kernel) or register what makes them (on_demand)")
    if known:
        terminalreporter.section("kernels that are not shipped for these sources", yellow=True)
        for name in sorted({each.name for each in known}):
            terminalreporter.line(name)
        terminalreporter.line("`duoti compile --ship` brings the file up to date")
    if missing := config.stash.get(NOT_USED, []):
        terminalreporter.section("not used by any test of the short layer", yellow=True)
        for each in missing:
            terminalreporter.line(each)
        terminalreporter.line("each needs a test there: see the markers `full` and `sample` of those that use it")


def pytest_make_parametrize_id(config, val, argname):
    """Names of functions instead of their addresses, which differ between the processes that share the tests."""
    if callable(val) and not isinstance(val, type):
        return getattr(val, "__name__", argname).strip("<>")
    return None
