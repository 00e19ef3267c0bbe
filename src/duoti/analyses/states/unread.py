"""A warning of parameters that are varied without effect."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable

from duoti.analyses.states.warnings import SimulationWarning
from duoti.model.checks.declared_parameters import unread_parameters
from duoti.model.expand_bond_graphs import described
from duoti.model.model import Model
from duoti.strict import user_level


def warn_of_unread(model: Model, names: Iterable[str], what: str, read: Collection[str] = ()) -> None:
    """Warn of declared parameters that are varied, and that nothing in the model reads; read: what others read."""
    if unread := [name for name in unread_parameters(described(model), names) if name not in read]:
        listed = ", ".join(f'"{name}"' for name in unread)
        text = f"{what} of {model.name!r}: nothing in the model reads {listed}, which therefore changes nothing"
        warnings.warn(text, SimulationWarning, stacklevel=user_level())
