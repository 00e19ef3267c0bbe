"""Rotations, poses, inertia (for users) and spatial algebra on tuples (for kernels, in `algebra`)."""

from duoti.spatial.angular_velocity import (
    angular_velocity_from_quaternion_rate,
    angular_velocity_to_rotation_vector_rates,
    quaternion_rate,
    rotation_vector_rate_matrix,
    rotation_vector_rates_to_angular_velocity,
)
from duoti.spatial.axes import axis_vector
from duoti.spatial.euler import (
    angular_acceleration_to_euler_accelerations,
    angular_velocity_to_euler_rates,
    euler_accelerations_to_angular_acceleration,
    euler_angles,
    euler_matrix,
    euler_rate_matrix,
    euler_rate_matrix_derivative,
    euler_rates_to_angular_velocity,
)
from duoti.spatial.frame import Pose
from duoti.spatial.inertia import Cavity, ExtremeProduct, Inertia, Principal, combined
from duoti.spatial.rotation import Rotation
from duoti.spatial.shape import Shape

__all__ = [
    "Cavity",
    "ExtremeProduct",
    "Inertia",
    "Pose",
    "Principal",
    "Rotation",
    "Shape",
    "angular_acceleration_to_euler_accelerations",
    "angular_velocity_from_quaternion_rate",
    "angular_velocity_to_euler_rates",
    "angular_velocity_to_rotation_vector_rates",
    "axis_vector",
    "combined",
    "euler_accelerations_to_angular_acceleration",
    "euler_angles",
    "euler_matrix",
    "euler_rate_matrix",
    "euler_rate_matrix_derivative",
    "euler_rates_to_angular_velocity",
    "quaternion_rate",
    "rotation_vector_rate_matrix",
    "rotation_vector_rates_to_angular_velocity",
]
