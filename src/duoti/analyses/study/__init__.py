"""What model files ask for, and comparisons of solvers and constraint methods."""
