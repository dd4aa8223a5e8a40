"""Handlers installed in this process: what the modules of `SWITCHYARD_EXTENSIONS` list in their `METHODS`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from migrations_app.domain.methods.registration import Handler, ServiceMethods
from migrations_app.domain.schema.ir import Method
from migrations_app.kernel.errors import InvariantBroken
from migrations_app.kernel.messages import message
from migrations_app.ports.services.method_handlers import Handlers


@dataclass(frozen=True, slots=True)
class RegisteredHandlers(Handlers):
    """The handlers over registered functions."""

    known: Mapping[tuple[str, str, str], Handler]

    @classmethod
    def of(cls, services: Iterable[ServiceMethods]) -> RegisteredHandlers:
        """Take the handlers of several services and versions together.

        Raises: InvariantBroken (`extension`) when two extensions register handlers of one method.
        """
        known: dict[tuple[str, str, str], Handler] = {}
        for service in services:
            for name, handler in service.handlers.items():
                key = (service.service, service.version, name)
                if key in known:
                    raise InvariantBroken(
                        message(
                            "Two extensions register handlers of {name} of {service} {version}.",
                            name=name,
                            service=service.service,
                            version=service.version,
                        ),
                        code="extension",
                    )
                known[key] = handler
        return cls(known)

    def find(self, service: str, region: str, version: str, method: Method) -> Handler | None:
        return self.known.get((service, version, method.name))
