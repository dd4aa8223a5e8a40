"""The converter of one custom method between two versions: requests there, responses back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from migrations_app.domain.conversion.bag import strip_object
from migrations_app.domain.conversion.compile.python import generate
from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.methods.names import ResourceNames
from migrations_app.domain.conversion.methods.plan import MessagePlan, MethodPlan
from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.kernel.json import JsonObject

Message = Callable[[JsonObject], JsonObject]


@dataclass(frozen=True)
class MethodConverter:
    """Converts calls of a method of a source version for the handler of a target version.

    `resource` converts what the method acts on, `answered` the resource that it answers with, if it answers with one.
    `names` and `names_back` are of the resources inside messages.
    """

    source: Schema
    target: Schema
    method: Method
    target_method: Method
    hops: tuple[MethodPlan, ...]
    resource: TypeConverter
    names: ResourceNames
    names_back: ResourceNames
    answered: TypeConverter | None = None

    @property
    def problem(self) -> str:
        """Why the messages of this method cannot be converted; empty when they can."""
        return next((hop.problem for hop in self.hops if hop.problem), "")

    @property
    def changes_request(self) -> bool:
        """Whether an edge on the way changes requests."""
        return any(_changes(hop.request) for hop in self.hops)

    @property
    def changes_response(self) -> bool:
        """Whether an edge on the way changes responses that are no resources."""
        return self.answered is None and any(_changes(hop.response) for hop in self.hops)

    @cached_property
    def _there(self) -> Message:
        return _then(message_function([hop.request for hop in self.hops]), self.renamed_request)

    @cached_property
    def _back(self) -> Message:
        plans = [hop.response.inverse for hop in reversed(self.hops)]
        return _then(message_function(plans), self.renamed_response)

    @cached_property
    def renamed_request(self) -> Message | None:
        """The conversion of names inside a request that is converted otherwise; None where there are none."""
        return self.names.function(self.target_method.request)

    @cached_property
    def renamed_response(self) -> Message | None:
        """The conversion of names inside a response that is converted otherwise; None where there are none."""
        return self.names_back.function(self.method.response)

    def name(self, name: str) -> str | None:
        """Convert the name of the resource, or of the parent of the collection, that a call is of."""
        if not self.method.is_collection:
            return self.resource.name(name)
        return _parent(self.resource, name)

    def request(self, message: JsonObject) -> JsonObject:
        """Convert a request; the field that the address fills is for the caller to set."""
        return self._there(message)

    def response(self, message: JsonObject) -> JsonObject:
        """Convert the response of the target version's handler back.

        Raises: NoImage when it is a resource that the source version hides.
        """
        if self.answered is None:
            return self._back(message)
        key, shown_key = name_key(self.target, self.answered.target_type), self._own_key
        body = {name: value for name, value in message.items() if name not in (key, "metadata")}
        name, shown = self.answered.get(str(message.get(key, "")), body)
        found: JsonObject = {shown_key: name, **shown}
        if "metadata" in message:
            found["metadata"] = message["metadata"]
        return found

    @property
    def _own_key(self) -> str:
        return name_key(self.source, None if self.answered is None else self.answered.source_type)


def _then(first: Message, second: Message | None) -> Message:
    return first if second is None else lambda message: second(first(message))


def message_function(plans: Sequence[MessagePlan]) -> Message:
    """Generate the conversion of a message over a chain of edges; nothing is kept for an inverse."""
    chain = [each.plan for each in plans if each.plan is not None and _changes(each)]
    if not chain:
        return lambda message: message
    made = generate(*chain)
    return lambda message: strip_object(made(message))


def _changes(message: MessagePlan) -> bool:
    return message.plan is not None and not message.plan.is_identity


def _parent(converter: TypeConverter, parent: str) -> str | None:
    pattern = converter.source.resource(converter.source_type).patterns[0]
    collection = pattern.rpartition("/")[0].rpartition("/")[2]
    found = converter.name("/".join(filter(None, (parent, collection, "-"))))
    return None if found is None else found.rpartition("/")[0].rpartition("/")[0]


def name_key(schema: Schema, type_: str | None) -> str:
    """Tell the key of the name in documents of a resource type."""
    if type_ is None:
        return "name"
    resource = schema.resource(type_)
    found = schema.object(resource.message).field(resource.name_field)
    return found.key if found else resource.name_field
