"""Files that an SDFormat file is made of: versions, worlds, models, includes."""

from __future__ import annotations

from pathlib import Path

from duoti.formats.sdf.frames import Scope, is_true, text_of
from duoti.formats.xml.reading import Reading
from duoti.formats.xml.xml_tree import Element

DEEPEST = 20  # of files that include each other, and of nested models


def version_of(word: str) -> tuple[int, int]:
    """1.10 comes after 1.9."""
    major, _, minor = word.partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (0, 0)


def read_root(reading: Reading) -> Scope | None:
    """The world or the model of the file, with all that it includes; None with faults."""
    root = reading.parse(reading.path, str(reading.path))
    if root is None:
        return None
    if root.tag != "sdf":
        other = {"robot": "load_urdf reads URDF files", "mujoco": "load_mjcf reads MJCF files"}.get(root.tag, "")
        reading.error(root, f"an SDFormat file starts with <sdf>, not <{root.tag}>", other)
        return None
    version = _checked_version(reading, root)
    found = [child for child in root if child.tag in ("world", "model")]
    if not found:
        reading.error(root, "there is no world and no model in it")
        return None
    for other in found[1:]:
        reading.note(other, f"only the first of {len(found)} worlds and models is read; left out")
    for child in root:
        if child.tag in ("actor", "light"):
            reading.note(child, "left out", changes_motion=False)
    return _scope(reading, found[0], "", version, None, 0)


def _checked_version(reading: Reading, root: Element) -> float:
    """The version as a number: 1.4 to 1.9, and 2 for those from 1.10 on."""
    major, minor = version_of(root.get("version"))
    if not major:
        reading.error(root, f'version="{root.get("version")[:20]}" is no version of SDFormat', 'write version="1.9"')
    elif not (1, 4) <= (major, minor) <= (1, 12):
        text = f"version {root.get('version')}: versions 1.4 to 1.12 are known; read as the nearest of them"
        reading.note(root, text)
    return 1.0 + min(minor, 99) / 10.0 if minor < 10 else 2.0


def _scope(reading: Reading, element: Element, name: str, version: float, parent: Scope | None, depth: int) -> Scope:
    scope = Scope(reading, element, name, version, parent)
    scope.static = is_true(text_of(element, "static")) or (parent is not None and parent.static)
    scope.placement_frame = element.get("placement_frame")
    if depth > DEEPEST:
        reading.error(element, f"models are nested more than {DEEPEST} deep")
        return scope
    for child in element:
        if child.tag in ("link", "joint", "frame"):
            own = reading.required(child, "name")
            if version < 1.7 and child.tag == "joint" and scope.items.get(own, ("",))[0] == "link":
                own = f"{own}_joint"  # older versions let a joint have the name of a link
                reading.note(child, f'a link has this name, too; here "{own}"', changes_motion=False)
            if own in scope.items or own in scope.models:
                reading.error(child, f'a second "{own[:80]}" in "{name or element.get("name")}"')
            elif own:
                scope.items[own] = (child.tag, child)
        elif child.tag == "model":
            own = reading.required(child, "name")
            _add(scope, child, own, _scope(reading, child, scope.full(own), version, scope, depth + 1))
        elif child.tag == "include":
            _include(scope, child, depth)
    return scope


def _add(scope: Scope, element: Element, name: str, inner: Scope) -> None:
    if name in scope.items or name in scope.models:
        scope.reading.error(element, f'a second "{name[:80]}"')
    elif name:
        scope.models[name] = inner


def _include(scope: Scope, include: Element, depth: int) -> None:
    reading = scope.reading
    known = ("uri", "name", "pose", "static", "placement_frame", "plugin", "namespace")
    reading.unknown(include, ("merge", "placement_frame"), known)
    uri = text_of(include, "uri")
    if not uri:
        reading.error(include, "it has no uri", "write <uri>model://NAME</uri>")
        return
    file, why = _file_of(reading, uri, Path(include.file).resolve().parent)
    if file is None:
        reading.error(include, why, "pass package_paths=[the folder that holds the models]")
        return
    root = reading.parse(file, str(file))
    if root is None:
        return
    model = root.find("model") if root.tag == "sdf" else None
    if model is None and root.tag == "sdf" and root.children:
        reading.note(include, f"{file.name} has no model, only {root.children[0].tag}; left out", changes_motion=False)
        return
    if model is None:
        reading.error(include, f"{file.name} is no SDFormat file with a model")
        return
    version = _checked_version(reading, root)
    name = text_of(include, "name") or model.get("name")
    merged = is_true(include.get("merge"))
    inner = _scope(reading, model, scope.name if merged else scope.full(name), version, scope, depth + 1)
    inner.merged = merged
    if include.find("static") is not None:
        for each in inner.scopes():
            each.static = is_true(text_of(include, "static")) or scope.static
    inner.placement_frame = text_of(include, "placement_frame") or inner.placement_frame
    if include.find("pose") is not None:
        inner.placed = include
    for plugin in include.all("plugin"):
        reading.note(plugin, "plugins are left out")
    _add(scope, include, f"_merged__{name}" if merged else name, inner)


def _file_of(reading: Reading, uri: str, base: Path) -> tuple[Path | None, str]:
    """The file that an include means: itself, or the newest in a folder with a model.config."""
    plain = uri.rstrip("/")
    if Path(plain).suffix.lower() in (".sdf", ".world"):
        file, why = reading.locate(plain, base)
        return reading.locate(f"model://{plain}") if file is None and "://" not in plain else (file, why)
    config, why = reading.locate(f"{plain}/model.config", base)
    if config is None:
        file, _ = reading.locate(f"{plain}/model.sdf", base)
        if file is None and "://" not in plain:  # a name alone: that of a model in the folders of models
            return _file_of(reading, f"model://{plain}", base)
        return (file, "") if file is not None else (None, why)
    listed = reading.parse(config, str(config))
    files = [] if listed is None else [e for e in listed.all("sdf") if version_of(e.get("version")) <= (1, 12)]
    if not files:
        return None, f"{uri}: its model.config names no file of a known version"
    newest = max(files, key=lambda each: version_of(each.get("version")))
    return reading.locate(f"{plain}/{newest.text.strip()}", base)
