"""Code installed beside the console, as what runs conversions, methods and hooks is given it."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.hooks import Hooks
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.domain.service_hooks.registration import ServiceHooks
from migrations_app.domain.sync import DataTask


@dataclass(frozen=True, slots=True)
class Extensions:
    """What all extensions bring together, and their names."""

    names: tuple[str, ...]
    hooks: Hooks
    data_tasks: tuple[DataTask, ...]
    methods: tuple[ServiceMethods, ...]
    service_hooks: tuple[ServiceHooks, ...]
