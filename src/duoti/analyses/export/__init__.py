"""Models as programs without Python: functional mock-up units (FMI) and C libraries."""
