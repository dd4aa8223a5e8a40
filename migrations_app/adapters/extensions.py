"""Code installed beside the console: conversion hooks, data tasks, handlers of methods, and service hooks."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module

from django.conf import settings

from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.domain.service_hooks.registration import ServiceHooks
from migrations_app.domain.sync import DataTask
from migrations_app.kernel.errors import InvariantBroken


def installed() -> tuple[str, ...]:
    """Name the extensions."""
    return tuple(settings.SWITCHYARD.extensions)


@dataclass(frozen=True, slots=True)
class Extensions:
    """What all extensions bring together."""

    hooks: Hooks
    data_tasks: tuple[DataTask, ...]
    methods: tuple[ServiceMethods, ...]
    service_hooks: tuple[ServiceHooks, ...]


def installed_hooks() -> Hooks:
    """Give the conversion hooks of all extensions together."""
    return _installed(installed()).hooks


def installed_data_tasks() -> tuple[DataTask, ...]:
    """Give the data tasks of all extensions."""
    return _installed(installed()).data_tasks


def installed_methods() -> tuple[ServiceMethods, ...]:
    """Give the handlers of methods of all extensions."""
    return _installed(installed()).methods


def installed_service_hooks() -> tuple[ServiceHooks, ...]:
    """Give the hooks of writes and responses of all extensions."""
    return _installed(installed()).service_hooks


@cache
def _installed(names: tuple[str, ...]) -> Extensions:
    """Import the extensions.

    Raises: InvariantBroken (`extension`) when one cannot be imported: without its code resources would be quarantined.
    """
    hooks, tasks, methods, service_hooks = (
        NO_HOOKS,
        list[DataTask](),
        list[ServiceMethods](),
        list[ServiceHooks](),
    )
    for name in names:
        try:
            module = import_module(name)
        except Exception as error:
            raise InvariantBroken(
                f"The extension {name} cannot be imported: {type(error).__name__}: {error}", code="extension"
            ) from error
        hooks = _joined(hooks, getattr(module, "HOOKS", NO_HOOKS))
        tasks += getattr(module, "DATA_TASKS", ())
        methods += getattr(module, "METHODS", ())
        service_hooks += getattr(module, "SERVICE_HOOKS", ())
    return Extensions(hooks, tuple(tasks), tuple(methods), tuple(service_hooks))


def _joined(one: Hooks, other: Hooks) -> Hooks:
    """Join the hooks of two extensions, kind by kind; of one place those of the later extension hold."""
    return Hooks(
        **{kind.name: {**getattr(one, kind.name), **getattr(other, kind.name)} for kind in fields(Hooks)}
    )
