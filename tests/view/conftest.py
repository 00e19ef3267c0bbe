"""A Chromium without a window for the tests of the viewer, and what it sees."""

import os

import pytest

from duoti.view.images.film import FLAGS, find_chromium, sandbox_flags
from support.view_page import Seen

MUST = os.environ.get("DUOTI_NEED_BROWSER") == "1"


def _missing():
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return 'playwright is not installed: pip install "duoti[test]"'
    return None if find_chromium() else "no Chromium was found: install one, or set DUOTI_CHROMIUM to its path"


@pytest.fixture(scope="session")
def browser():
    reason = _missing()
    if reason and MUST:
        pytest.fail(f"DUOTI_NEED_BROWSER=1, but {reason}")
    if reason:
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        flags = [flag for flag in FLAGS if not flag.startswith("--headless")]
        found = p.chromium.launch(executable_path=find_chromium(), args=[*flags, *sandbox_flags()])
        yield found
        found.close()


@pytest.fixture
def seen(browser):
    """Opens an address in a page of its own."""
    pages = []

    def open_page(address, **options):
        pages.append(Seen(browser, **options))
        return pages[-1].open(address)

    yield open_page
    for page in pages:
        page.close()
