"""From Python to machine code, by Numba and LLVM; imported only when a kernel has to be compiled."""
