"""Options and markers of the test suite."""

import importlib.util
import os

import pytest

# what the README's test command installs
NEEDED_IN_CI = ("pinocchio", "mujoco", "matplotlib", "pandas", "networkx", "sksundae")


def pytest_configure(config):
    """Tests skip what is not installed; where the whole suite must run, a missing package is an error instead."""
    missing = [name for name in NEEDED_IN_CI if importlib.util.find_spec(name) is None]
    if os.environ.get("CI") and missing:
        raise pytest.UsageError(f"CI would skip tests: {', '.join(missing)} not installed")


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the campaigns that take minutes")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="a long campaign: run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)
