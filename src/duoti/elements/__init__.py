"""What elements have in common: kernels that read markers, laws and workspaces. Types of elements build on them."""
