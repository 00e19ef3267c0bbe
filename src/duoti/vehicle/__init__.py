"""Cars from parametrised parts, and the manoeuvres by which they are judged. Axes as in ISO 8855: x forward, y left, z up."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.vehicle.corners": "double_wishbone, mcpherson, trailing_arm",
    "duoti.vehicle.axles": "axle, command, rigid_axle",
    "duoti.vehicle.car": "car",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
