"""From a checked model to flat arrays."""
