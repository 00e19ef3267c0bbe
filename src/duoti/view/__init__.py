"""The viewer: motions and models in the browser, in one file, in a notebook, in pictures and films."""

from duoti.view.live import simulate_live
from duoti.view.window import Page, show

__all__ = ["Page", "show", "simulate_live"]
