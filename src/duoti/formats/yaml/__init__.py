"""duoti's own model files (YAML): reading, values with units, writing."""
