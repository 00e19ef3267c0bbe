"""Contacts as pairs of geoms, each with its own friction."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from duoti.formats.mjcf.save_geoms import Geoms, q
from duoti.formats.mjcf.saved import Saved
from duoti.model.contacts.rigid_contact import RigidContact
from duoti.model.elements import GROUND, name_of


class Contacts:
    """The pairs of all contacts."""

    def __init__(self, saved: Saved, geoms: Geoms):
        self.saved, self.geoms, self.lines = saved, geoms, list[str]()

    def read(self) -> None:
        """All contacts of the model."""
        model, saved = self.saved.model, self.saved
        for name, contact in model.contacts.items():
            law = contact.law
            friction = float(getattr(law, "friction", 0.0))
            torsion = float(getattr(law, "torsional_friction", 0.0))
            rolling = float(getattr(law, "rolling_friction", 0.0))
            if not isinstance(law, RigidContact):
                saved.lost.append(f'stiffness and damping of contact "{name}"; it has the softness of MuJoCo')
            elif law.restitution:
                saved.lost.append(f'restitution of contact "{name}"')
            if getattr(law, "static_friction", None) not in (None, friction):
                saved.lost.append(f'static friction of contact "{name}"')
            condim = 6 if rolling else 4 if torsion else 3 if friction else 1
            numbers = q([friction, friction, torsion, rolling, rolling])
            missing: set[str] = set()
            more = f' condim="{condim}" friction={numbers}'
            for a, b in contact.pairs(model):
                for one in self._geoms(contact, a, False, missing):
                    for other in self._geoms(contact, b, True, missing):
                        self.lines.append(f"<pair geom1={quoteattr(one)} geom2={quoteattr(other)}{more}/>")
            saved.lost += [f'contact "{name}" of shapes of kind {kind}' for kind in sorted(missing)]

    def _geoms(self, contact: object, reference: object, second: bool, missing: set[str]) -> list[str]:
        model = self.saved.model
        marker = model.marker(reference)  # pyright: ignore[reportArgumentType]
        if marker is None:
            return []
        body, found = name_of(marker.body), list[str]()
        for shape in contact.shapes_of(model, reference, second):  # pyright: ignore
            geom = self.geoms.name_of(body, shape.moved(marker.pose), body == GROUND)
            if geom is None:
                missing.add(shape.kind)
            else:
                found.append(geom)
        return found
