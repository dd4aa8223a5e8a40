"""Code installed beside the console: the hooks that edges call, and the data tasks."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from django.conf import settings

from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks
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


@cache
def _installed(names: tuple[str, ...]) -> tuple[Hooks, tuple[DataTask, ...]]:
    """Import the extensions.

    Raises: Broken (`extension`) when one cannot be imported: without its code resources would be parked.
    """
    hooks, tasks = NO_HOOKS, list[DataTask]()
    for name in names:
        try:
            module = import_module(name)
        except Exception as error:
            raise Broken(
                f"The extension {name} cannot be imported: {type(error).__name__}: {error}", code="extension"
            ) from error
        hooks = _joined(hooks, getattr(module, "HOOKS", NO_HOOKS))
        tasks += getattr(module, "DATA_TASKS", ())
    return hooks, tuple(tasks)


def _joined(one: Hooks, other: Hooks) -> Hooks:
    return Hooks(
        {**one.named, **other.named},
        {**one.objects, **other.objects},
        {**one.values, **other.values},
        {**one.names, **other.names},
    )
