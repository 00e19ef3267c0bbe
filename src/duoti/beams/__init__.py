"""Elements of beams as force elements of their own, for those who place nodes themselves; see `Model.add_beam`."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.model.forces.beam_element": "BeamElement",
    "duoti.model.forces.spectral_beam_element": "SpectralBeamElement",
    "duoti.model.forces.thin_beam": "ThinBeam",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
