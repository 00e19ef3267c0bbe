"""Warnings of simulations."""


class SimulationWarning(UserWarning):
    """A simulation ended before its time, and the results up to there are kept; or something makes it very slow."""


class OngoingWarning(SimulationWarning):
    """A warning while a run goes on, or before it begins: the summary would come too late."""
