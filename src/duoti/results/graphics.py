"""What a result offers to look at itself with: plots, the viewer, pictures and films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duoti.strict import explained_methods

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duoti.results.along import Along
    from duoti.results.result import Result


@explained_methods
class ResultGraphics:
    """Methods of `Result` that draw. They import what draws only when called."""

    def along(self: Any, beam: Any, quantity: str) -> Along:
        """A quantity along a beam over time: `r.along("blade", "bending_moment").plot()`.

        Section forces axial_force, shear_force_y, shear_force_z, shear_force, torque, bending_moment_y,
        bending_moment_z, bending_moment (the last of both); strains stretch, shear_y, shear_z, twist, curvature_y,
        curvature_z, curvature; strain_energy per length; stress, also called normal_stress (of largest size at the
        outline of the section). They are those of the elastic strains, in the axes of the sections. A cable that does
        not resist bending has its axial_force.
        """
        from duoti.results.along import along

        return along(self, self.t, beam, quantity)

    def plot(self: Any, *names: str, compare: Mapping[str, Result] | None = None) -> Figure:
        """Plot channels over time, one panel for each unit. Without names: coordinates and states. "energy" plots
        energies and the residual of their balance.

        compare: other results by name, each in a colour of its own beside this one, whose name is that of its model
        unless it is among them. `.savefig("plot.pdf")` of what is returned writes a file; PDF and SVG are vector
        formats.
        """
        from duoti.results.plots import plot

        return plot(self, names, compare)

    def plot_phase(self: Any, *pairs: tuple[str, str] | str, compare: Mapping[str, Result] | None = None) -> Figure:
        """Phase portraits: one channel over another, as in `r.plot_phase(("A.angle", "A.rate"))`.

        The name of a joint stands for its coordinates over their rates; without any, all joints with one of each.
        """
        from duoti.results.plots import plot_phase

        return plot_phase(self, pairs, compare)

    def plot_energy(self: Any, compare: Mapping[str, Result] | None = None) -> Figure:
        """Energies over time, and what their balance leaves, which is the error of integration."""
        from duoti.results.plots import plot_energy

        return plot_energy(self, compare)

    def plot_reactions(self: Any, *joints: str, compare: Mapping[str, Result] | None = None) -> Figure:
        """Reaction force and torque of joints (all if none is named), components and size, world axes."""
        from duoti.results.plots import plot_reactions

        return plot_reactions(self, joints, compare)

    def show(self: Any, *others: Result, **options: Any) -> Any:
        """Show the motion in the browser, or inline in a notebook; other results are drawn over it.

        options: names, theme, language, camera, plots, follow, arrows, labels, beams, port, browser, block; see
        `duoti.show`.
        """
        from duoti.view import show

        return show(self, *others, **options)

    def export_html(self: Any, path: str | Path, *others: Result, **options: Any) -> Path:
        """Write the viewer with this motion, and others over it, into one file that needs nothing else.

        options: names, theme, language, camera, plots, follow, arrows, labels, beams; see `duoti.view.Page`.
        """
        from duoti.view import Page

        return Page(self, *others, **options).save(path)

    def picture(
        self: Any,
        path: str | Path,
        t: float | None = None,
        size: tuple[int, int] = (1600, 900),
        clock: bool = False,
        others: Sequence[Result] = (),
        **options: Any,
    ) -> Path:
        """Write a PNG of the scene at the time t [s] (the end if left out).

        Drawn by a Chromium without a window if there is one, and otherwise, with a word about it, by matplotlib.
        size: width and height in pixels; clock: write name and time into it; options: theme, camera, follow,
        arrows, labels, beams.
        """
        from duoti.view.film import picture

        return picture([self, *others], path, t, size, clock, **options)

    def film(
        self: Any,
        path: str | Path,
        fps: float = 30.0,
        speed: float = 1.0,
        start: float | None = None,
        end: float | None = None,
        size: tuple[int, int] = (1280, 720),
        clock: bool = True,
        others: Sequence[Result] = (),
        **options: Any,
    ) -> Path:
        """Write a film of the motion, MP4 (by ffmpeg) or GIF by the ending of the path; drawn as in `picture`.

        fps: pictures per second; speed: 0.5 is half as fast as real; start, end: part of the motion [s];
        size, clock, options: as for `picture`.
        """
        from duoti.view.film import film

        return film([self, *others], path, fps, speed, start, end, size, clock, **options)
