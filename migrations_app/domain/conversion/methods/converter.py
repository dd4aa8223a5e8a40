"""The converter of one custom method between two versions: requests there, responses back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from migrations_app.domain.conversion.bag import strip_object
from migrations_app.domain.conversion.compile.python import generate
from migrations_app.domain.conversion.converter import Converter
from migrations_app.domain.conversion.methods.plan import MessagePlan, MethodPlan
from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.kernel.json import JsonObject

Message = Callable[[JsonObject], JsonObject]


@dataclass(frozen=True)
class MethodConverter:
    """Converts calls of a method of a source version for the handler of a target version.

    `resource` converts what the method acts on, `answered` the resource that it answers with, if it answers with one.
    """

    source: Schema
    target: Schema
    method: Method
    target_method: Method
    hops: tuple[MethodPlan, ...]
    resource: Converter
    answered: Converter | None = None

    @property
    def problem(self) -> str:
        """Why the messages of this method cannot be converted; empty when they can."""
        return next((hop.problem for hop in self.hops if hop.problem), "")

    @cached_property
    def _there(self) -> Message:
        return message_function([hop.request for hop in self.hops])

    @cached_property
    def _back(self) -> Message:
        return message_function([hop.response.inverse for hop in reversed(self.hops)])

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
        key, shown_key = _name_key(self.target, self.answered.target_type), self._own_key
        body = {name: value for name, value in message.items() if name not in (key, "metadata")}
        name, shown = self.answered.get(str(message.get(key, "")), body)
        found: JsonObject = {shown_key: name, **shown}
        if "metadata" in message:
            found["metadata"] = message["metadata"]
        return found

    @property
    def _own_key(self) -> str:
        return _name_key(self.source, None if self.answered is None else self.answered.source_type)


def message_function(plans: Sequence[MessagePlan]) -> Message:
    """Generate the conversion of a message over a chain of edges; nothing is kept for a way back."""
    chain = [each.plan for each in plans if each.plan is not None and not each.plan.is_identity]
    if not chain:
        return lambda message: message
    made = generate(*chain)
    return lambda message: strip_object(made(message))


def _parent(converter: Converter, parent: str) -> str | None:
    pattern = converter.source.resource(converter.source_type).patterns[0]
    collection = pattern.rpartition("/")[0].rpartition("/")[2]
    found = converter.name("/".join(filter(None, (parent, collection, "-"))))
    return None if found is None else found.rpartition("/")[0].rpartition("/")[0]


def _name_key(schema: Schema, type_: str | None) -> str:
    if type_ is None:
        return "name"
    resource = schema.resource(type_)
    found = schema.object(resource.message).field(resource.name_field)
    return found.key if found else resource.name_field
