"""simulate: choice of the solver, consistent start, run, and whether the result can be trusted."""
