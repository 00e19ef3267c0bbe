"""duoti with the joint types of `added_joints` in its folder of joints, as if a user had put their files there.

As a program it serves the page of a model with such joints until its input ends; it prints where.
"""

import sys

from support.added_types import look_there


def model():
    """Two arms in series: on a parabola, then on a pin in a slot."""
    import duoti as dt
    from duoti.model.joints import JOINT_TYPES

    m = dt.Model("strange joints")
    a = m.add_body("a", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0))
    b = m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0.5, 0, 0))
    m.add_joint("curve", JOINT_TYPES["parabola"](), m.ground, a, at=(0, 0, 0), q0=0.3)
    m.add_joint("slot", JOINT_TYPES["pin_in_slot"]("x", "z"), a, b, at=(0.2, 0, 0))
    return m


def main():
    look_there("added_joints")
    from duoti.view import Page

    page = Page(model())
    path = page.save(sys.argv[1])
    with page.serve() as server:
        print(path.as_uri(), server.address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
