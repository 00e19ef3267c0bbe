"""Impact laws."""
