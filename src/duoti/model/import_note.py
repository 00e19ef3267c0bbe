"""What an importer left out of a model or changed in it."""

from __future__ import annotations

from dataclasses import dataclass

from duoti.model.checks.findings import visible


@dataclass(frozen=True)
class ImportNote:
    """One thing in an imported file that the model does not have, or has in another form.

    `changes_motion` says whether the imported model may move otherwise than the file means; cameras do not matter.
    """

    file: str
    line: int
    element: str
    """Tag and name, such as `joint "elbow"`."""
    message: str
    changes_motion: bool = True
    unknown: bool = False
    """Whether it is a word that nobody knows, which may change the motion or not."""
    drawn: bool = False
    """Whether it concerns only what is drawn."""

    @property
    def rank(self) -> int:
        """0: it moves otherwise; 1: data for other purposes; 2: only drawn; 3: words that nobody knows."""
        return 3 if self.unknown else 0 if self.changes_motion else 2 if self.drawn else 1

    def __str__(self) -> str:
        return visible(f"{self.file}:{self.line}: {self.element}: {self.message}")


class ImportNotes(list[ImportNote]):
    """All import notes of a model: those that change the motion first; prints one line each."""

    @property
    def changing_motion(self) -> ImportNotes:
        """Those that may change the motion."""
        return ImportNotes(note for note in self if note.changes_motion)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "nothing was left out"


class LeftOutWarning(UserWarning):
    """An importer left out something that may change the motion; `model.import_notes` lists it."""
