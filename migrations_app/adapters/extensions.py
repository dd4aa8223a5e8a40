"""Code installed beside the console: conversion hooks, data tasks, handlers of methods, and service hooks."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from importlib import import_module

from django.conf import settings

from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.domain.service_hooks.registration import ServiceHooks
from migrations_app.domain.sync import DataTask
from migrations_app.kernel.errors import InvariantBroken
from migrations_app.kernel.messages import message
from migrations_app.ports.services.extensions import Extensions


def installed_extensions() -> Extensions:
    """Import the extensions that the settings name, once in a process.

    Raises: InvariantBroken (`extension`) when one cannot be imported: without its code resources would be quarantined.
    """
    return _installed(tuple(settings.SWITCHYARD.extensions))


@cache
def _installed(names: tuple[str, ...]) -> Extensions:
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
                message(
                    "The extension {name} cannot be imported: {kind}: {error}",
                    name=name,
                    kind=type(error).__name__,
                    error=str(error),
                ),
                code="extension",
            ) from error
        hooks = _joined(hooks, getattr(module, "HOOKS", NO_HOOKS))
        tasks += getattr(module, "DATA_TASKS", ())
        methods += getattr(module, "METHODS", ())
        service_hooks += getattr(module, "SERVICE_HOOKS", ())
    return Extensions(names, hooks, tuple(tasks), tuple(methods), tuple(service_hooks))


def _joined(one: Hooks, other: Hooks) -> Hooks:
    """Join the hooks of two extensions, kind by kind; of one place those of the later extension hold."""
    return Hooks(
        **{kind.name: {**getattr(one, kind.name), **getattr(other, kind.name)} for kind in fields(Hooks)}
    )
