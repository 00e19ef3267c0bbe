"""What an analysis can treat: bond graphs by themselves, but no rigid contacts where only smooth forces count."""

from __future__ import annotations

import warnings
from typing import Any

from duoti.analyses.states.warnings import SimulationWarning
from duoti.model.contacts.base import ContactLaw
from duoti.model.contacts.rolling_contact import RollingContact
from duoti.model.event import SampleEvent
from duoti.model.expand_bond_graphs import described
from duoti.model.model import Model, require_model
from duoti.strict import user_level
from duoti.system.build.compiler import compile_model
from duoti.system.system import System, require_system


def of_graph(model: Any) -> Any:
    """The model of a bond graph by itself; anything else as it is."""
    if isinstance(model, Model | System) or type(model).__module__ != "duoti.bond.graph":
        return model
    from duoti.bond.compiled.coupled import model_of

    return model_of(model)


def as_system(thing: Model | System) -> System:
    """A system as it is, a model compiled."""
    if isinstance(thing, System):
        return thing
    thing = of_graph(thing)
    if isinstance(thing, Model):
        return compile_model(thing)
    require_system(thing)
    raise AssertionError("unreachable")


def as_model(thing: Model | System) -> Model:
    """The model of a system, as its user described it; a model as it is."""
    thing = of_graph(thing)
    model = thing.model if isinstance(thing, System) else thing
    require_model(model)
    return described(model)


def rigid_elements(model: Any) -> list[str]:
    """Names of the rigid contacts of a model or system."""
    described = model.model if isinstance(model, System) else model
    if not isinstance(described, Model):
        return []
    laws: dict[str, Any] = {name: element.law for name, element in described.contacts.items()}
    return [name for name, law in laws.items() if isinstance(law, ContactLaw) and law.rigid]  # a check tells others


def rolling_elements(system: System) -> list[str]:
    """Names of the rolling contacts of a system, with creep forces."""
    return [name for name, element in system.model.contacts.items() if isinstance(element.law, RollingContact)]


def refuse_rigid_contacts(model: Any, what: str) -> None:
    """Rigid contacts bear any force and give no stiffness: without them, the answer would be that of another model."""
    if rigid := rigid_elements(model):
        names = ", ".join(f'"{name}"' for name in rigid)
        raise NotImplementedError(
            f"{what} knows no rigid contacts ({names}): what they bear is no function of the position. Give them a "
            "dt.CompliantContact law, or simulate until all is at rest"
        )


def warn_of_controllers(model: Model | System, what: str) -> None:
    """Sampled controllers act at instants only: an analysis of a state has their outputs as they are at the start."""
    described: Any = model.model if isinstance(model, System) else model
    if not isinstance(described, Model):  # the analysis says what it is
        return
    names = [name for name, event in described.events.items() if isinstance(event, SampleEvent)]
    if names:
        quoted = ", ".join(f'"{name}"' for name in names)
        warnings.warn(
            f"{what} holds the outputs of sampled controllers ({quoted}) at the values of its start; simulate until "
            "all is at rest, or give the law as a force or as the rate of a state",
            SimulationWarning, stacklevel=user_level(),
        )  # fmt: skip
