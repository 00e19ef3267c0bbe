"""Results: states over time and all that follows from them."""
