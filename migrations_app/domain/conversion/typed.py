"""Resources between versions where the document decides what type it has there: splits and merges of types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.requests.filters import ConvertedFilter
from migrations_app.domain.conversion.split_types import OtherPart
from migrations_app.domain.filters.ast import Filter
from migrations_app.domain.schema.ir import UnknownKeys
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

Routes = Callable[[str, str, str], tuple[TypeConverter, ...]]


class Typed(NamedTuple):
    """A resource in another version: its type there, its name and its storage document."""

    type: str
    name: str
    body: JsonObject


class TypedConverter:
    """Converts resources of any type between two versions; `TypeConverter` is its like for one type.

    `get`, `create` and `put` serve the *source* version's API over resources stored in the *target* version.
    """

    def __init__(self, source: str, target: str, routes: Routes) -> None:
        self.source, self.target = source, target
        self._routes = routes

    def through(self, wrap: Callable[[TypeConverter], TypeConverter]) -> TypedConverter:
        """Give one whose converters of single types are wrapped."""

        def _wrapped(resource_type: str, source: str, target: str) -> tuple[TypeConverter, ...]:
            return tuple(map(wrap, self._routes(resource_type, source, target)))

        return TypedConverter(self.source, self.target, _wrapped)

    def types(self, resource_type: str) -> tuple[str, ...]:
        """List the types that resources of a type have in the target version; none where that drops it."""
        found = (route.target_type for route in self._routes(resource_type, self.source, self.target))
        return tuple(dict.fromkeys(each for each in found if each is not None))

    def forward(self, resource_type: str, name: str, body: JsonObject) -> Typed:
        """Convert a stored resource.

        Raises: NoImage when it has no type, or no name, in the target version.
        """
        return _along(self._routes(resource_type, self.source, self.target), name, body)

    def backward(self, resource_type: str, name: str, body: JsonObject) -> Typed:
        """Convert a resource stored in the target version back.

        Raises: NoImage.
        """
        return _along(self._routes(resource_type, self.target, self.source), name, body)

    def get(self, resource_type: str, name: str, body: JsonObject) -> Typed:
        """Read a resource stored in the target version through the source version's API.

        Raises: NoImage.
        """
        for route in self._routes(resource_type, self.target, self.source):
            try:
                old_type, old_name, _ = _over(route, name, body)
            except OtherPart:
                continue
            return Typed(old_type, old_name, self._reader(old_type, resource_type).get(name, body)[1])
        raise NoImage(
            message("{name} is of no type of {version}.", name=name, version=self.source), name=name
        )

    def create(self, resource_type: str, name: str, view: JsonObject) -> Typed:
        """Make the stored resource of one that a client of the source version creates.

        Raises: NoImage.
        """
        for route in self._routes(resource_type, self.source, self.target):
            try:
                made = route.create(name, view)
            except OtherPart:
                continue
            return Typed(route.target_type or "", made.name, made.body)
        raise NoImage(
            message("{name} is of no type of {version}.", name=name, version=self.target), name=name
        )

    def put(
        self,
        resource_type: str,
        name: str,
        view: JsonObject,
        stored: Typed,
        unknown: UnknownKeys | None = None,
    ) -> Typed:
        """Make the stored resource of an update by a client of the source version.

        A view whose discriminator has changed makes a resource of another type, and another name perhaps:
        the writer that stores it deletes the resource of the old type in the same transaction. What the client
        cannot see is carried along as far as the other type knows it; the rest waits in the bag.

        Raises: NoImage.
        """
        reader = self._reader(resource_type, stored.type)
        for route in self._routes(resource_type, self.source, self.target):
            try:
                made = reader.put_through(route, name, view, stored.name, stored.body, unknown)
            except OtherPart:
                continue
            return Typed(route.target_type or "", made.name, made.body)
        raise NoImage(
            message("{name} is of no type of {version}.", name=name, version=self.target), name=name
        )

    def filter(self, resource_type: str, given: Filter) -> Mapping[str, ConvertedFilter]:
        """Convert a bound filter: what to ask of each type that resources may have in the target version."""
        routes = self._routes(resource_type, self.source, self.target)
        return {route.target_type: route.filter(given) for route in routes if route.target_type}

    def routes(self, resource_type: str) -> tuple[TypeConverter, ...]:
        """List the ways of a type: several where its resources have several types in the target version."""
        return self._routes(resource_type, self.source, self.target)

    def names(self, resource_type: str, name: str) -> tuple[tuple[str, str], ...]:
        """List the types and names that a resource of a name may have in the target version."""
        routes = self._routes(resource_type, self.source, self.target)
        found = [(route.target_type, route.name(name)) for route in routes]
        return tuple((type_, image) for type_, image in found if type_ and image)

    def _reader(self, source_type: str, target_type: str) -> TypeConverter:
        routes = self._routes(source_type, self.source, self.target)
        return next(route for route in routes if route.target_type == target_type)


def _over(route: TypeConverter, name: str, body: JsonObject) -> Typed:
    made = route.forward(name, body)
    return Typed(route.target_type or "", made.name, made.body)


def _along(routes: tuple[TypeConverter, ...], name: str, body: JsonObject) -> Typed:
    for route in routes:
        if route.target_type is None:
            continue
        try:
            return _over(route, name, body)
        except OtherPart:
            continue
    raise NoImage(
        message("{name} has no type in the other version.", name=name),
        remedy=message(
            "Its discriminator belongs to no part; `else` of the split takes what no part claims."
        ),
        name=name,
    )
