"""Roads: descriptions of surfaces, and the numbers that kernels read of them."""
