"""SDFormat: models and worlds of Gazebo."""
