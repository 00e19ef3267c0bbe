"""What transformers and gyrators have in common: two bonds, and power that goes through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from duoti.bond.element import Element, End, Gives

if TYPE_CHECKING:
    from duoti.bond.assembly import Assembly

OTHER: Mapping[Gives, Gives] = {"effort": "flow", "flow": "effort"}


class TwoPort(Element):
    """Loses nothing: e1 f1 = e2 f2 along arrows that point through it."""

    role = "two-port"
    ports = 2
    modulated: ClassVar[bool] = False
    swaps: ClassVar[bool] = False
    """Whether effort and flow change places, as in a gyrator."""
    parameter: ClassVar[str]

    @property
    def modulus(self) -> Any:
        """The ratio."""
        return getattr(self, self.parameter)

    def laws(self) -> Iterable[tuple[str, Any]]:
        """The modulus."""
        return ((self.parameter, self.modulus),)

    def implied(self, given: Sequence[Gives | None]) -> Mapping[int, Gives] | None:
        """A transformer decides the effort of one bond and the flow of the other; a gyrator the same of both."""
        first, second = given
        if first is None and second is None:
            return {}
        if first is None:
            assert second is not None
            return {0: second if self.swaps else OTHER[second]}
        other = first if self.swaps else OTHER[first]
        return {1: other} if second in (None, other) else None

    def equations(self, to: Assembly, name: str, ends: Sequence[End]) -> None:
        """e1 = m e2, f2 = m f1 (transformer); e1 = r f2, e2 = r f1 (gyrator); arrows through, else one flow changes."""
        a, b = ends
        through = -float(a.sign * b.sign)  # 1 if one arrow points in and the other one out
        ea, eb, fa, fb = to.effort(a), to.effort(b), to.flow(a), to.flow(b)
        number = to.number(self.modulus)
        # left = m sign right
        pairs = ((ea, fb, through), (eb, fa, 1.0)) if self.swaps else ((ea, eb, 1.0), (fb, fa, through))
        forward = to.gives(name, 0) == "effort"  # it decides e1, and so what stands on the left sides
        for left, right, sign in pairs:
            if number is not None:
                to.equation(name, {left: 1.0, right: -number * sign}, {})
            elif forward:
                to.equation(name, {left: 1.0}, {to.law(name, self.parameter, self.modulus, times=(right, sign)): 1.0})
            else:
                to.equation(name, {right: 1.0}, {to.law(name, self.parameter, self.modulus, over=(left, sign)): 1.0})
