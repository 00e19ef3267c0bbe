"""Files that an MJCF file includes, put into their places."""

from __future__ import annotations

from pathlib import Path

from duoti.formats.mjcf import schema
from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import MAX_DEPTH, Element

MAX_INCLUDES = 100


def read_with_includes(reading: Reading, path: Path, shown: str) -> Element | None:
    """Root of a file with all that it includes; None, with errors, if there is none."""
    root = reading.parse(path, shown)
    if root is None:
        return None
    _put_in(reading, root, path)
    if root.tag == "mujocoinclude":  # a piece of a model, here as a model
        if root.children and all(child.tag in schema.BODY_CHILDREN for child in root):
            root.children = [Element("worldbody", {}, root.file, root.line, root.children)]
        root.tag = "mujoco"
    return root


def _put_in(reading: Reading, root: Element, path: Path) -> None:
    """Put the children of included files in the place of each `include`.

    A file is looked for beside the main one, then beside the one that includes it.
    """
    included = {path.resolve()}
    folders = {root.file: path.resolve().parent}
    stack = [(root, 1)]
    while stack:
        element, depth = stack.pop()
        if depth > MAX_DEPTH:
            reading.error(element, f"with what is included, elements are nested more than {MAX_DEPTH} deep")
            return
        if any(child.tag == "include" for child in element):
            element.children = [
                item
                for child in element
                for item in _expanded(reading, child, path.resolve().parent, folders, included)
            ]
            stack.append((element, depth))  # what came in may include again
        else:
            stack += [(child, depth + 1) for child in element]


def _expanded(
    reading: Reading, child: Element, main: Path, folders: dict[str, Path], included: set[Path]
) -> list[Element]:
    if child.tag != "include":
        return [child]
    file = reading.required(child, "file")
    if not file:
        return []
    path, why = reading.locate(file, main)
    if path is None and folders[child.file] != main:
        path, _ = reading.locate(file, folders[child.file])
    if path is None:
        reading.error(child, why)
        return []
    if path in included or len(included) > MAX_INCLUDES:
        reading.error(child, f"{file} is included twice, or there are more than {MAX_INCLUDES} includes")
        return []
    included.add(path)
    shown = str(Path(child.file).parent / file)
    root = reading.parse(path, shown)
    folders[shown] = path.parent
    return [] if root is None else root.children
