"""Laws of contact: one file each, discovered, so that a new one is a new file and nothing else."""

from __future__ import annotations

from duoti.model.contacts.base import ContactLaw
from duoti.model.discovery import discover

CONTACT_TYPES: dict[str, type[ContactLaw]] = discover(__name__, __path__, ContactLaw)
"""All laws of contact by name."""

__all__ = ["CONTACT_TYPES", "ContactLaw"]
