"""Fonts for characters that matplotlib's own font does not have, such as Chinese names."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

from duoti.strict import user_level

KNOWN = (
    "Noto Sans CJK SC", "Noto Sans SC", "Noto Sans CJK JP", "Source Han Sans SC", "Source Han Sans CN",
    "Microsoft YaHei", "PingFang SC", "Hiragino Sans GB", "Heiti SC", "STHeiti", "SimHei", "SimSun",
    "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Droid Sans Fallback", "AR PL UMing CN", "Arial Unicode MS",
)  # fmt: skip
"""Looked at before all others that are installed."""
_REPORTED: set[str] = set()  # characters without a font, of which a warning was given


def use_fonts(figure: Any) -> None:
    """Let all texts of a figure fall back to fonts that have their characters; one warning names what none has."""
    from matplotlib.text import Text

    missing: set[str] = set()
    for text in figure.findobj(Text):
        content = text.get_text()
        if content.isascii():
            continue
        families, lacking = _families(tuple(text.get_fontfamily()), frozenset(content))
        text.set_fontfamily(list(families))
        missing |= lacking
    if missing - _REPORTED:
        _REPORTED.update(missing)
        shown = "".join(sorted(missing))[:20]
        warnings.warn(
            f'no installed font has the characters "{shown}": they are drawn as boxes. Install one that has, such as '
            "Noto Sans CJK (Debian, Ubuntu: fonts-noto-cjk; Fedora: google-noto-sans-cjk-fonts; macOS and Windows have "
            "such fonts), or write an .svg with matplotlib's rcParams['svg.fonttype'] = 'none'",
            stacklevel=user_level(),
        )


@cache
def _families(given: tuple[str, ...], characters: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The given families and those that have what they lack; and the characters that no font has."""
    from matplotlib.font_manager import FontProperties, fontManager

    codes = {ord(each) for each in characters if each.isprintable() and not each.isspace()}
    own: set[int] = set()
    for family in given:
        own |= _characters(str(fontManager.findfont(FontProperties(family=[family]))))
    families, lacking = list(given), codes - own
    for family, path in _others() if lacking else ():
        if found := lacking & _characters(path):
            families.append(family)
            lacking -= found
            if not lacking:
                break
    return tuple(families), frozenset(map(chr, lacking))


@cache
def _characters(path: str) -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(path).get_charmap())


@cache
def _others() -> tuple[tuple[str, str], ...]:
    """Family and file of every installed font, one file for each family, well-known ones first."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {entry.fname for entry in fontManager.ttflist}
    for path in findSystemFonts():  # matplotlib keeps its list: fonts may be newer
        if path not in known:
            try:
                fontManager.addfont(path)
            except (OSError, RuntimeError):  # a format that FreeType does not read
                continue
    plain = sorted(fontManager.ttflist, key=lambda entry: (entry.style != "normal", entry.weight != 400))
    files: dict[str, str] = {}
    for entry in (entry for entry in plain if not entry.name.startswith("Last Resort")):  # it has boxes for all
        files.setdefault(entry.name, entry.fname)
    first = {name: files[name] for name in KNOWN if name in files}
    return tuple({**first, **files}.items())
