"""From an MJCF file to a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from duoti.formats.mjcf.actuators import add_actuators
from duoti.formats.mjcf.bodies import Builder
from duoti.formats.mjcf.contacts import add_contacts
from duoti.formats.mjcf.document import Document
from duoti.formats.mjcf.equality import add_equalities
from duoti.formats.mjcf.includes import read_with_includes
from duoti.formats.mjcf.joints import soften_limits
from duoti.formats.mjcf.keyframes import apply_keyframe
from duoti.formats.mjcf.sensors import add_sensors
from duoti.formats.mjcf.tendons import add_tendons
from duoti.formats.xml.reading import Reading
from duoti.model.contacts.base import ContactLaw
from duoti.model.model import Model
from duoti.strict import explained


@explained
def load_mjcf(
    path: str | Path,
    *,
    package_paths: Iterable[str | Path] = (),
    strict: bool = False,
    allow_outside: bool = False,
    parameters: Mapping[str, float | str] | None = None,
    keyframe: str | int | None = None,
    contacts: bool | Literal["world"] | ContactLaw = False,
    soft: bool = False,
) -> Model:
    """The model that an MJCF file describes.

    All that is left out is in `model.import_notes`. Faults raise `ModelError` with all of them. Constraints of
    `equality` are rigid here; actuators are forces in joints whose control is a parameter of the model.

    Parameters
    ----------
    package_paths:
        Further folders from which includes and meshes may be read; otherwise only the file's own folder, unless
        `allow_outside`.
    strict:
        What is left out although it may change the motion is an error instead of a warning.
    parameters:
        Values of parameters of the model, such as controls of actuators.
    keyframe:
        Name or number (from 0) of the keyframe in which the model starts; by default the configuration of the file.
    contacts:
        True: geoms touch each other as the file says (contype and conaffinity, pairs, excluded bodies, friction), as
        rigid bodies; "world": only those pairs with a geom of the world, and the pairs that the file lists; a law such
        as `RigidContact(friction=0.5)` or `CompliantContact(1e5)`: the same pairs, with this law. False leaves all
        contacts out, with a note.
    soft:
        Whether contacts and limits of joints give way as `solref` and `solimp` say: linear springs and dampers with the
        penetration of MuJoCo under the weight of what they carry. False: they are rigid.
    """
    if not (isinstance(contacts, bool | ContactLaw) or contacts == "world"):
        raise ValueError(f'contacts={contacts!r}: give True, False, "world" or a law such as dt.RigidContact()')
    reading = Reading(path, package_paths, allow_outside)
    root = read_with_includes(reading, reading.path, str(path))
    reading.raise_faults()
    assert root is not None
    document = Document(reading, root)
    reading.raise_faults()
    model = Model(document.title, gravity=document.settings.gravity)
    builder = Builder(document, model)
    builder.soft = soft
    builder.build()
    reading.raise_faults()  # the rest refers to bodies and joints, which are then known
    tendons = add_tendons(builder)
    add_equalities(builder, tendons)
    add_actuators(builder, tendons)
    add_contacts(builder, contacts, soft)
    if soft:
        soften_limits(builder)
    add_sensors(builder)
    apply_keyframe(builder, keyframe)
    reading.set_parameters(model, parameters)
    return reading.finish(model, strict)
