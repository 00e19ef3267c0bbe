"""Options and markers of the test suite."""

import importlib.util
import os

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
