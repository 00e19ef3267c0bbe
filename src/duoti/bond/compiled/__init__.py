"""Bond graphs in compiled models: kernels, ports, derivatives, structure."""
