"""Options and markers of the test suite."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the campaigns that take minutes")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="a long campaign: run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)
