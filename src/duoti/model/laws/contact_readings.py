"""Forces of rigid contacts that controllers and sensors read: numbers that no state of an instant determines.

Each is a first-order state of the compiled model, with the rate zero, which the run writes before events set anything:
the mean over the last step of time stepping, or the force at this instant of an event-driven run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from duoti.model.laws.law import make_law
from duoti.model.model import Model
from duoti.model.quantities import (
    Quantity,
    contact_quantity,
    find_quantity,
    known_signal,
    sensor_quantity,
    sensors_of,
)
from duoti.model.sensors import normal_force_of
from duoti.model.state import State


@dataclass(eq=False, repr=False)
class ContactReading(State):
    """A force of a rigid contact as events read it; the model that a user wrote does not have it."""

    quantity: Quantity | None = None
    by_user: ClassVar[bool] = False


def reading_name(quantity: Quantity) -> str:
    """Name of the state that holds a number of a contact."""
    end = "" if quantity.component is None else f".{'xyz'[quantity.component]}"
    return f"{quantity.item}.{quantity.what}{end}.read"


def readings_of(model: Model) -> dict[str, Quantity]:
    """What events of a compiled model read of rigid contacts, by the names of the states that hold it."""
    states = model.states.items()
    return {name: each.quantity for name, each in states if isinstance(each, ContactReading) and each.quantity}


def add_contact_readings(model: Model) -> None:
    """Give a model (a copy of the user's) the states for what its events read of rigid contacts."""
    rigid = {name for name, element in model.contacts.items() if element.law.rigid}
    if not rigid:
        return
    known = known_signal(model, feedback=True, forces=True, contacts=True)
    for event in model.events.values():
        for names, value in event.assignments():
            for name in make_law(value, known, model.named_values, len(names)).inputs:
                for quantity in _of_contacts(model, name):
                    state = reading_name(quantity)
                    if quantity.item in rigid and state not in model.states:
                        model.states[state] = ContactReading(state, 0.0, 0.0, quantity.unit, quantity=quantity)


def _of_contacts(model: Model, name: str) -> Iterator[Quantity]:
    """The numbers of contacts that a name means, by itself or as that of a contact sensor without samples."""
    if (found := contact_quantity(model, name)) is not None:
        yield found
    elif (read := sensor_quantity(model, name)) is not None:
        for contact in sensors_of(model)[read.item].contacts:
            yield find_quantity(model, normal_force_of(contact))
