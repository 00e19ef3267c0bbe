"""Speed of duoti beside that of other packages, and of another checkout: `python -m benchmarks`."""
