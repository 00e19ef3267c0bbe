"""Result files (HDF5): written while a run goes on, read piece by piece."""
