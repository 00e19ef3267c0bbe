"""Options and markers of the test suite."""

import importlib.util
import os
import tempfile
from pathlib import Path

import pytest

# what the README's test command installs
NEEDED_IN_CI = ("pinocchio", "mujoco", "matplotlib", "pandas", "networkx", "sksundae")

MOST_WORKERS = 4
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["DUOTI_COMPILERS"] = "1"  # the workers themselves compile side by side


def pytest_configure(config):
    """Tests skip what is not installed; where the whole suite must run, a missing package is an error instead."""
    missing = [name for name in NEEDED_IN_CI if importlib.util.find_spec(name) is None]
    if os.environ.get("CI") and missing:
        raise pytest.UsageError(f"CI would skip tests: {', '.join(missing)} not installed")
    if "PYTEST_XDIST_WORKER" not in os.environ and "DUOTI_MISSES" not in os.environ:
        folder = tempfile.TemporaryDirectory()
        config.add_cleanup(folder.cleanup)
        os.environ["DUOTI_MISSES"] = folder.name  # workers and the programs that tests start inherit it
        config.stash[MISSES] = Path(folder.name)
        config.add_cleanup(lambda: os.environ.pop("DUOTI_MISSES", None))


MISSES = pytest.StashKey[Path]()


def kernels_not_shipped(folder):
    """Kernels of the package that the tests used and that are not shipped: unknown to `duoti compile`, and known."""
    from duoti.kernel import JIT, misses

    found = misses.noted(folder) if JIT else []
    if not found:
        return [], []
    from duoti.kernel import build

    known = {(each.compiled.name, each.signature) for each in build.all_kernels()}
    unknown = [each for each in found if (each.name, each.signature) not in known]
    return unknown, [each for each in found if each not in unknown]


def pytest_sessionfinish(session, exitstatus):
    """The run fails if a kernel of the package is not among those that `duoti compile` finds; in CI, if any is new."""
    folder = session.config.stash.get(MISSES, None)
    if folder is None:
        return
    session.config.stash[NOT_SHIPPED] = unknown, known = kernels_not_shipped(folder)
    if exitstatus == pytest.ExitCode.OK and (unknown or (known and os.environ.get("CI"))):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


NOT_SHIPPED = pytest.StashKey[tuple[list, list]]()


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


def pytest_xdist_auto_num_workers(config):
    """Whole folders are spread over the processors; single files run in this process, without the start of others."""
    if config.option.collectonly or not any(os.path.isdir(each.partition("::")[0]) for each in config.args):
        return 0
    config.option.dist = "worksteal"  # each starts with a part of the files, and helps out when it is done
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(available, MOST_WORKERS)


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the campaigns that take minutes")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="a long campaign: run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


def pytest_make_parametrize_id(config, val, argname):
    """Names of functions instead of their addresses, which differ between the processes that share the tests."""
    if callable(val) and not isinstance(val, type):
        return getattr(val, "__name__", argname).strip("<>")
    return None
