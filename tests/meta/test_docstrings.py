"""Every public method has a docstring, its own or that of the method that it overrides."""

import importlib
import inspect
import pkgutil
from functools import cached_property

import duoti


def public_methods(cls):
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        function = member.func if isinstance(member, cached_property) else member
        function = function.fget if isinstance(function, property) else function
        function = getattr(function, "__func__", function)
        if inspect.isfunction(function) and function.__qualname__ == f"{cls.__qualname__}.{name}":
            yield name, function


def is_explained(cls, name, function):
    if function.__doc__:
        return True
    overridden = (vars(base)[name] for base in cls.__mro__[1:] if name in vars(base))
    return any(inspect.getdoc(each) for each in overridden)


def test_every_public_method_is_explained():
    found = []
    for module in pkgutil.walk_packages(duoti.__path__, "duoti."):
        if module.name.endswith(("__main__", ".interpreted", ".checked_lowering")):  # the latter for other builds
            continue
        for cls in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(cls) and cls.__module__ == module.name and not cls.__name__.startswith("_"):
                found += [
                    f"{module.name}.{cls.__qualname__}.{name}"
                    for name, function in public_methods(cls)
                    if not is_explained(cls, name, function)
                ]
    assert not found, found
