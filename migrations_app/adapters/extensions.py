"""Code installed beside the console: the hooks that edges call, the data tasks, and handlers of methods."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from importlib import import_module

from django.conf import settings

from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.domain.sync import DataTask
from migrations_app.kernel.errors import Broken


def installed() -> tuple[str, ...]:
    """Name the extensions."""
    return tuple(settings.SWITCHYARD.extensions)


def installed_hooks() -> Hooks:
    """Give the hooks of all extensions together."""
    return _installed(installed())[0]


def installed_data_tasks() -> tuple[DataTask, ...]:
    """Give the data tasks of all extensions."""
    return _installed(installed())[1]


def installed_methods() -> tuple[ServiceMethods, ...]:
    """Give the handlers of methods of all extensions."""
    return _installed(installed())[2]


@cache
def _installed(names: tuple[str, ...]) -> tuple[Hooks, tuple[DataTask, ...], tuple[ServiceMethods, ...]]:
    """Import the extensions.

    Raises: Broken (`extension`) when one cannot be imported: without its code resources would be parked.
    """
    hooks, tasks, methods = NO_HOOKS, list[DataTask](), list[ServiceMethods]()
    for name in names:
        try:
            module = import_module(name)
        except Exception as error:
            raise Broken(
                f"The extension {name} cannot be imported: {type(error).__name__}: {error}", code="extension"
            ) from error
        hooks = _joined(hooks, getattr(module, "HOOKS", NO_HOOKS))
        tasks += getattr(module, "DATA_TASKS", ())
        methods += getattr(module, "METHODS", ())
    return hooks, tuple(tasks), tuple(methods)


def _joined(one: Hooks, other: Hooks) -> Hooks:
    """Join the hooks of two extensions, kind by kind; of one place those of the later extension hold."""
    return Hooks(
        **{kind.name: {**getattr(one, kind.name), **getattr(other, kind.name)} for kind in fields(Hooks)}
    )
