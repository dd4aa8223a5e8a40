"""The ways of custom methods between the versions of a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.graph import Hop
from migrations_app.domain.conversion.methods.converter import MethodConverter, name_key
from migrations_app.domain.conversion.methods.names import Rename, ResourceNames
from migrations_app.domain.conversion.methods.plan import EdgeMethods, MethodPlan
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import Invalid, MethodDiscontinued, Missing
from migrations_app.kernel.messages import message

Routes = Callable[[str, str, str], tuple[TypeConverter, ...]]


@dataclass(frozen=True, slots=True)
class MethodWays:
    """Finds the converter of a method over the hops between two versions."""

    schema: Callable[[str], Schema]
    edges: Mapping[tuple[str, str], EdgeMethods]
    hops: Callable[[str, str], tuple[Hop, ...]]
    routes: Routes

    def converter(self, name: str, source_version: str, target_version: str) -> MethodConverter:
        """Find the converter of a method, named as in the source version.

        Raises: Missing (`method-discontinued`) · Invalid (`method-not-converted`).
        """
        source, target = self.schema(source_version), self.schema(target_version)
        plans: list[MethodPlan] = []
        here = name
        for hop in self.hops(source_version, target_version):
            methods = self.edges[hop.edge]
            plan = methods.plan_of(here, forward=hop.forward)
            if plan is None:
                end = hop.edge[1] if hop.forward else hop.edge[0]
                raise _ended(name, source_version, end, methods.discontinued.get(here, ""))
            plans.append(plan)
            here = plan.target
        method, other = source.methods[name], target.methods[here]
        converter = MethodConverter(
            source,
            target,
            method,
            other,
            tuple(plans),
            self._resource(method.resource, source_version, target_version),
            *self._names(source, target),
            self._answered(source, target, method.response),
        )
        if converter.problem:
            raise Invalid(
                message(
                    "Calls of {name} of {source_version} cannot be converted to {target_version}: {problem}",
                    name=name,
                    source_version=source_version,
                    target_version=target_version,
                    problem=converter.problem,
                ),
                code="method-not-converted",
                remedy=message("Fix the edge, or register a handler for this version."),
            )
        return converter

    def _resource(self, type_: str, source: str, target: str) -> TypeConverter:
        return self.routes(type_, source, target)[0]

    def _names(self, source: Schema, target: Schema) -> tuple[ResourceNames, ResourceNames]:
        """Give the conversions of names inside messages, there and back."""
        there: dict[str, tuple[Rename, str]] = {}
        back: dict[str, tuple[Rename, str]] = {}
        for type_ in source.resources:
            for route in self.routes(type_, source.version, target.version):
                if route.target_type is None or all(hop.names.is_identity for hop in route.hops):
                    continue
                message = target.resource(route.target_type).message
                there[message] = (route.name, name_key(target, route.target_type))
                back[source.resource(type_).message] = (route.old_name, name_key(source, type_))
        return _resource_names(target, there), _resource_names(source, back)

    def _answered(self, source: Schema, target: Schema, message: str) -> TypeConverter | None:
        """Find the converter of the resource that a message is, if it is one."""
        for type_, resource in source.resources.items():
            if message and resource.message == message:
                return self._resource(type_, source.version, target.version)
        return None


def _resource_names(schema: Schema, known: Mapping[str, tuple[Rename, str]]) -> ResourceNames:
    renames = {message: rename for message, (rename, _) in known.items()}
    return ResourceNames(schema, renames, {message: key for message, (_, key) in known.items()})


def _ended(name: str, source: str, target: str, instead: str) -> Missing:
    return MethodDiscontinued(
        message(
            "{name} of {source} is discontinued: {target} has no such method.",
            name=name,
            source=source,
            target=target,
        ),
        remedy=message("{instead}.", instead=instead.rstrip("."))
        if instead
        else message("See what {target} offers instead.", target=target),
        method=name,
    )
