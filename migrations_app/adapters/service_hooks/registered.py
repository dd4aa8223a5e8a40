"""Hooks installed in this process: what the modules of `SWITCHYARD_EXTENSIONS` list in their `SERVICE_HOOKS`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from migrations_app.domain.service_hooks.registration import ResponseHook, ServiceHooks, WriteHook
from migrations_app.kernel.errors import InvariantBroken
from migrations_app.kernel.messages import message
from migrations_app.ports.services.service_hooks import InstalledHooks


@dataclass(frozen=True, slots=True)
class RegisteredHooks(InstalledHooks):
    """The hooks over registered functions."""

    writes: Mapping[tuple[str, str, str, str], WriteHook]
    responses: Mapping[tuple[str, str, str], ResponseHook]
    services: frozenset[str]

    @classmethod
    def of(cls, services: Iterable[ServiceHooks]) -> RegisteredHooks:
        """Take the hooks of several services and versions together.

        Raises: InvariantBroken (`extension`) when two extensions register the same hook.
        """
        writes: dict[tuple[str, str, str, str], WriteHook] = {}
        responses: dict[tuple[str, str, str], ResponseHook] = {}
        for each in services:
            where = f"{each.service} {each.version}"
            for (type_, verb), hook in each.writes.items():
                key = (each.service, each.version, type_, verb)
                if key in writes:
                    raise _twice(f"write hooks of {type_} for {verb} of {where}")
                writes[key] = hook
            for type_, shown in each.responses.items():
                if (each.service, each.version, type_) in responses:
                    raise _twice(f"response hooks of {type_} of {where}")
                responses[each.service, each.version, type_] = shown
        return cls(writes, responses, frozenset(key[0] for key in writes))

    def write(self, service: str, version: str, type: str, verb: str) -> WriteHook | None:
        return self.writes.get((service, version, type, verb))

    def has_writes(self, service: str) -> bool:
        return service in self.services

    def response(self, service: str, version: str, type: str) -> ResponseHook | None:
        return self.responses.get((service, version, type))


def _twice(what: str) -> InvariantBroken:
    return InvariantBroken(message("Two extensions register {what}.", what=what), code="extension")
