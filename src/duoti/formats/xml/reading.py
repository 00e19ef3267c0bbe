"""What a reader of files collects: faults, all of them, and what it leaves out; and how it reads numbers and files."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duoti.formats.xml.xacro import in_package, package_roots
from duoti.formats.xml.xml_tree import MAX_BYTES, MAX_ELEMENTS, Element, XmlError, parse_xml, read_bytes
from duoti.model.checks.findings import Findings
from duoti.model.errors import ModelError, ParameterError, did_you_mean
from duoti.model.import_note import ImportNote, ImportNotes, LeftOutWarning
from duoti.model.model import Model
from duoti.model.parameters import find
from duoti.strict import user_level

Array = NDArray[np.float64]
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
LARGEST = 1e30  # a number beyond this is a mistake in any unit, and its products would overflow
MOST_FAULTS = 100
MOST_KNOWN = 5000  # names among which near ones are looked for
SHOWN_NOTES = 5  # in the warning; all are in model.import_notes


class Reading:
    """The faults and notes of one file with all that it includes, and the folders from which it may read."""

    def __init__(self, path: str | Path, package_paths: Iterable[str | Path] = (), allow_outside: bool = False):
        self.path = Path(path)
        self.folder = self.path.resolve().parent
        self.packages = [Path(p).resolve() for p in package_paths]
        self.allow_outside = allow_outside
        self.found = Findings()
        self.notes = ImportNotes()
        self._reported: set[tuple[str, str]] = set()
        self._noted: set[ImportNote] = set()
        self._bytes = self._elements = 0  # of all files together

    # --------------------------------------------------------------------------------------------- faults and notes

    def error(self, element: Element, what: str, remedy: str = "", why: str = "") -> None:
        """Something is wrong with an element."""
        self.error_at(
            f"{element.file}:{element.line}: {element.label}" if element else str(self.path), what, remedy, why
        )

    def error_at(self, where: str, what: str, remedy: str = "", why: str = "") -> None:
        """The same, for a place that is no element."""
        if (where, what) not in self._reported:
            self._reported.add((where, what))
            self.found.error("import", (), f"{where}: {what}", why, remedy.strip())

    def note(
        self, element: Element, message: str, changes_motion: bool = True, unknown: bool = False, drawn: bool = False
    ) -> None:
        """Something is left out or changed; see `ImportNote`."""
        changes_motion = changes_motion and not drawn
        note = ImportNote(element.file, element.line, element.label, message, changes_motion, unknown, drawn)
        if note not in self._noted:
            self._noted.add(note)
            self.notes.append(note)

    def near(self, name: str, known: Collection[str], or_list: bool = True) -> str:
        """As `did_you_mean`, as long as there are not so many names and faults that the search would take long."""
        few = len(self.found.found) + len(self.notes) < MOST_FAULTS and len(known) < MOST_KNOWN
        return did_you_mean(name, known, or_list) if few else ""

    def missing(self, element: Element, what: str, name: str, known: Collection[str]) -> None:
        """A name that refers to nothing."""
        self.error(element, f'there is no {what} "{name[:80]}".{self.near(name, known)}')

    def raise_faults(self) -> None:
        """Raise ModelError if anything is wrong so far."""
        if self.found.found:
            rest = len(self.found.found) - MOST_FAULTS
            if rest > 0:
                del self.found.found[MOST_FAULTS:]
                self.found.error("import", (), f"{self.path}: and {rest} more")
            raise ModelError(self.found.report(self.path.name))

    def set_parameters(self, model: Model, values: Mapping[str, float | str] | None) -> None:
        """Give numbers of the model other values; unknown names and what is no number are faults."""
        for name, value in (values or {}).items():
            word = str(value).strip()
            try:
                parameter = find(model, name)
                parameter.number(model)
                if not NUMBER.fullmatch(word) or abs(float(word)) > LARGEST:
                    self.error_at(str(self.path), f'parameter "{name}": {_not_a_number(word)}')
                else:
                    parameter.put(model, float(word))
            except ParameterError as error:
                self.error_at(str(self.path), str(error))

    def finish(self, model: Model, strict: bool) -> Model:
        """Give the model its notes; with `strict`, what may change the motion is an error, otherwise a warning."""
        self.notes.sort(key=lambda note: note.rank)
        changing = self.notes.changing_motion
        if strict:
            for note in changing:
                self.found.error(
                    "left-out", (), str(note), remedy="take it out of the file, or load without strict=True"
                )
        self.raise_faults()
        model.import_notes = self.notes
        model.imported = True
        if changing:
            n, rest = len(changing), len(changing) - SHOWN_NOTES
            listed = "\n".join(f"  {note}" for note in changing[:SHOWN_NOTES]) + (f"\n  and {rest} more" * (rest > 0))
            thing = (
                "1 thing that may change the motion was" if n == 1 else f"{n} things that may change the motion were"
            )
            text = f"{self.path.name}: {thing} left out or changed (all notes: model.import_notes)\n{listed}"
            warnings.warn(text, LeftOutWarning, stacklevel=user_level())
        return model

    # ------------------------------------------------------------------------------------------------------ numbers

    def numbers(
        self, element: Element, attribute: str, count: int | Sequence[int] = 3, default: Sequence[float] | None = None
    ) -> Array:
        """The finite numbers of an attribute: `count` of them, or one of several counts; faults give the default."""
        counts = (count,) if isinstance(count, int) else count
        fallback = np.zeros(counts[0]) if default is None else np.asarray(default, dtype=float)
        if attribute not in element.attributes:
            return fallback
        words = element.get(attribute).split()
        values: list[float] = []
        for word in words[:1000]:
            value = float(word) if NUMBER.fullmatch(word) else math.nan
            if not math.isfinite(value) or abs(value) > LARGEST:
                self.error(element, f'{attribute}="{element.get(attribute)[:60]}": {_not_a_number(word)}')
                return fallback
            values.append(value)
        if len(words) not in counts:
            wanted = " or ".join(map(str, counts))
            given = f'{attribute}="{element.get(attribute)[:60]}"'
            self.error(
                element, f"{given} has {len(words)} numbers, not {wanted}", f"give {wanted} numbers, with spaces"
            )
            return fallback
        return np.array(values)

    def number(self, element: Element, attribute: str, default: float = 0.0) -> float:
        """One finite number."""
        return float(self.numbers(element, attribute, 1, (default,))[0])

    def positive(self, element: Element, attribute: str, default: float = 0.0) -> float:
        """One number that is not negative."""
        value = self.number(element, attribute, default)
        if value < 0.0:
            self.error(element, f"{attribute} is {value:g}; it cannot be negative")
            return default
        return value

    def vector(self, element: Element, attribute: str, default: Sequence[float]) -> Array:
        """A direction: three numbers, made a unit vector."""
        value = self.numbers(element, attribute, 3, default)
        length = math.hypot(*value.tolist())
        if length < 1e-12:
            self.error(element, f'{attribute}="{element.get(attribute)}" has no direction', "give a vector, as 0 0 1")
            return np.array([0.0, 0.0, 1.0])
        return value if abs(length - 1.0) < 1e-15 else value / length

    def choice(self, element: Element, attribute: str, known: Iterable[str], default: str = "") -> str:
        """One of the known words."""
        value, words = element.get(attribute, default), list(known)
        if value not in words:
            self.error(element, f'{attribute}="{value[:60]}" is unknown.{self.near(value, words)}')
            return default or words[0]
        return value

    def required(self, element: Element, attribute: str) -> str:
        """A text that must be there."""
        value = element.get(attribute)
        if not value:
            near = self.near(attribute, element.attributes, or_list=False)
            self.error(element, f"{attribute} is missing", f'write {attribute}="..."{near}')
        return value

    def unknown(self, element: Element, known: Iterable[str], children: Iterable[str] | None = None) -> None:
        """Note attributes and, if `children` is given, elements that nobody knows."""
        words = known if isinstance(known, frozenset) else [*known]
        for attribute in element.attributes:
            if attribute not in words and not attribute.startswith("xmlns"):
                near = self.near(attribute, words, or_list=False)
                self.note(
                    element, f"attribute {attribute} is unknown{'.' + near if near else ''}; left out", unknown=True
                )
        if children is not None:
            tags = [*children]
            for child in element:
                if child.tag not in tags:
                    near = self.near(child.tag, tags, or_list=False)
                    self.note(
                        child, f"unknown here{'.' + near if near else ''}; left out with all it holds", unknown=True
                    )

    # -------------------------------------------------------------------------------------------------------- files

    def parse(self, path: Path, shown: str) -> Element | None:
        """Root element of an XML file; None, with an error, if there is none."""
        try:
            content = read_bytes(path, MAX_BYTES - self._bytes)
            self._bytes += len(content)
            root = parse_xml(content, shown, MAX_ELEMENTS - self._elements)
            self._elements += len(root.walk())
            return root
        except XmlError as fault:
            self.error_at(f"{shown}:{fault.line}" if fault.line else shown, fault.message)
            return None

    def allowed(self, path: Path) -> bool:
        """Whether a resolved path lies in the model's folder or in one of the package folders."""
        return self.allow_outside or any(path.is_relative_to(folder) for folder in (self.folder, *self.packages))

    def locate(self, uri: str, base: Path | None = None) -> tuple[Path | None, str]:
        """The file that a URI means (package://, file://, relative to `base`), or None and the reason."""
        if "\0" in uri or len(uri) > 1000:
            return None, "this is no file name"
        scheme, _, rest = uri.partition("://")
        try:
            if rest and scheme in ("package", "model"):
                return self._in_package(uri, *rest.partition("/")[::2])
            if rest and scheme != "file":
                return None, f"{scheme}:// is not supported; give a file"
            path = ((base or self.folder) / (rest or uri)).resolve()
            if not self.allowed(path):
                return None, f"{uri} is outside the model's folder; {self._permission(path.parent)}"
            return (path, "") if path.is_file() else (None, f"there is no file {uri}")
        except (OSError, RuntimeError, ValueError) as error:  # a name too long, a loop of links
            return None, f"{uri[:80]} cannot be read: {error}"

    def _in_package(self, uri: str, package: str, rest: str) -> tuple[Path | None, str]:
        for root in package_roots(package, self.folder, self.packages):
            path = (root / rest).resolve()
            if path.is_file() and (self.allowed(path) or in_package(path, root)):
                return path, ""
        return None, f"{uri} was not found; pass package_paths=[the folder that holds {package}]"

    def _permission(self, folder: Path) -> str:
        return f'pass package_paths=["{folder}"] or allow_outside=True'


def _not_a_number(word: str) -> str:
    shown = word[:40]
    if NOT_FINITE.fullmatch(word) or NUMBER.fullmatch(word):
        return f"{shown} is not a finite number of sensible size"
    if "," in word:
        return f'"{shown}" is not a number; separate numbers by spaces, write decimals with a point'
    if "$" in word:
        return f'"{shown}" is a placeholder of a macro language; expand the file first (xacro file > robot.urdf)'
    return f'"{shown}" is not a number'
