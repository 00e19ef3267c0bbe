"""What of a model is computed at sampled times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from duoti.model.element_id import ElementKind
from duoti.model.laws import Value
from duoti.spatial.axes import MISSING
from duoti.strict import explained_methods

if TYPE_CHECKING:
    from duoti.model.controller import Controller
    from duoti.model.model import Model


@explained_methods
class SampledParts:
    """The part of `Model` that adds controllers."""

    controllers: dict[str, Controller]

    def _add(self, kind: ElementKind, where: dict[str, Any], name: str, item: Any) -> Any:
        raise NotImplementedError

    def add_controller(
        self,
        name: str,
        function: Callable[..., Any] | Mapping[str, Value],
        inputs: Sequence[str] = (),
        outputs: Mapping[str, float] | None = None,
        period: float = MISSING,
        start: float = 0.0,
    ) -> None:
        """Call a function at sampled times, every `period` [s] from `start` on, and hold what it returns between.

        `inputs` are names of quantities (sensors) that the function gets, such as "t", "A.angle"; `outputs` are states
        that take its results, with their values before the first sample; forces read them by name. A state among the
        inputs and outputs is the function's memory: so a run can be resumed. The times lie on the grid start + k period
        whatever the solver's steps are; the event is called `name`, the state `name.next` is the next sample.

        In place of a function, expressions by output, which a model file can hold, too: {"u": "-20*A.angle - 5*i",
        "i": "i + 0.01*A.angle"}. They read quantities by name, as they are before the sample, and take no `inputs`;
        `outputs` start at zero then if they are left out.
        """
        from duoti.model.check_fields import require_arguments
        from duoti.model.controller import add_controller

        given = {"name": name, "period": period, "start": start}
        require_arguments(SampledParts.add_controller, "controller", given)
        made = add_controller(cast("Model", self), name, function, inputs, outputs, period, start)
        self._add("controller", self.controllers, name, made)
