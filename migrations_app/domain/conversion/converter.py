"""The converter of one resource type between two versions: what every other package calls."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from migrations_app.domain.conversion.bag import is_bagged, strip_object
from migrations_app.domain.conversion.compile.records import Bytes, RecordProgram
from migrations_app.domain.conversion.compile.resources import Forward, ResourceProgram
from migrations_app.domain.conversion.compile.sql import SqlPlan, sql_plan
from migrations_app.domain.conversion.compile.sql_witness import NEVER
from migrations_app.domain.conversion.graft import Grafter
from migrations_app.domain.conversion.requests.filters import ConvertedFilter, convert_filter
from migrations_app.domain.conversion.requests.orders import ConvertedOrder, convert_order
from migrations_app.domain.conversion.requests.pieces import path_images
from migrations_app.domain.conversion.requests.trails import Segments
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.filters.ast import Filter, Path
from migrations_app.domain.filters.masks import Mask, merge
from migrations_app.domain.filters.order import OrderTerm
from migrations_app.domain.schema.ir import Schema, UnknownKeys
from migrations_app.kernel.json import JsonObject


class ConvertedResource(NamedTuple):
    """A resource in another version: its name there and its storage document."""

    name: str
    body: JsonObject


def view(body: JsonObject) -> JsonObject:
    """Show a storage document as the API of its version does: without bags."""
    return strip_object(body)


class TypeConverter:
    """Converts resources of one type from a source to a target version.

    `forward` goes from storage document to storage document. `get`, `create` and `put` serve the *source*
    version's API over resources that are stored in the *target* version.
    """

    def __init__(
        self,
        source: Schema,
        target: Schema,
        source_type: str,
        hops: tuple[ResourcePlan, ...],
        dropped: bool,
        *,
        stored_as: str = "",
    ) -> None:
        self.source, self.target = source, target
        self.source_type = source_type
        last = stored_as or (hops[-1].target_type if hops else source_type)
        self.target_type: str | None = None if dropped else last
        self.hops = hops
        self.hops_back = tuple(hop.inverse for hop in reversed(hops))
        self._grafter = Grafter(source, carries=bool(hops))

    @property
    def identity(self) -> bool:
        """Whether names and documents of both versions are the same."""
        return self.target_type is not None and all(hop.is_identity for hop in self.hops)

    @cached_property
    def partial_sql(self) -> SqlPlan | None:
        """The same conversion for PostgreSQL to do, equal to `forward` where the plan is not unsure; None without any."""
        return None if self.target_type is None else sql_plan(self.hops)

    @property
    def sql(self) -> SqlPlan | None:
        """The same conversion for PostgreSQL to do, equal to `forward`, if all of it can be said in SQL."""
        plan = self.partial_sql
        return plan if plan is not None and plan.unsure_expression == NEVER else None

    @cached_property
    def _there(self) -> Forward:
        return ResourceProgram(self.hops).forward()

    @cached_property
    def _back(self) -> Forward:
        return ResourceProgram(self.hops_back).forward()

    @cached_property
    def _shown(self) -> Forward:
        if len(self.hops_back) > 1:
            return self._back
        return ResourceProgram(self.hops_back, keeps=False).forward()

    def forward(self, name: str, body: JsonObject) -> ConvertedResource:
        """Convert a stored resource, its bag included.

        Raises: NoImage when it cannot be named in the target version.
        """
        return ConvertedResource(*self._there(name, body))

    @cached_property
    def _bytes(self) -> Bytes:
        return RecordProgram(self.hops, self._there).convert()

    def forward_text(self, name: str, data: bytes) -> tuple[str, bytes]:
        """Convert a stored resource as JSON text; parts that nothing changes are not even decoded.

        Raises: NoImage, Invalid (`json-syntax`).
        """
        return self._bytes(name, data)

    def backward(self, name: str, body: JsonObject) -> ConvertedResource:
        """Convert a resource stored in the target version back to the source version.

        Raises: NoImage.
        """
        return ConvertedResource(*self._back(name, body))

    def get(self, name: str, body: JsonObject) -> tuple[str, JsonObject]:
        """Read a resource stored in the target version through the source version's API.

        Raises: NoImage when the source version hides it.
        """
        old_name, shown = self._shown(name, body)
        return old_name, strip_object(shown) if is_bagged(shown) else shown

    def create(self, name: str, view: JsonObject) -> ConvertedResource:
        """Make the stored resource of one that a client of the source version creates.

        Raises: NoImage.
        """
        return ConvertedResource(*self._there(name, strip_object(view)))

    def put(
        self,
        name: str,
        view: JsonObject,
        old_body: JsonObject,
        stored_name: str = "",
        unknown: UnknownKeys | None = None,
    ) -> ConvertedResource:
        """Make the stored resource of an update by a client of the source version.

        What the client cannot see comes from `old_body`, the resource as stored before; its name there is
        `stored_name`, needed only where the name alone does not tell it. So do, from another version, keys that the
        source version does not know, unless `unknown`, or else their type, says that they are dropped.

        Raises: NoImage.
        """
        stored = stored_name or self.name(name) or name
        return self.put_through(self, name, view, stored, old_body, unknown)

    def put_through(
        self,
        way: TypeConverter,
        name: str,
        view: JsonObject,
        stored_name: str,
        old_body: JsonObject,
        unknown: UnknownKeys | None = None,
    ) -> ConvertedResource:
        """Read the stored resource this way and store the update another way, for types that split.

        Raises: NoImage.
        """
        _, before = self._back(stored_name, old_body)
        given = self.source.document_type(self.source_type)
        return way.forward(name, self._grafter.graft(given, strip_object(view), before, unknown))

    def update(
        self, name: str, view: JsonObject, mask: Mask, old_body: JsonObject, stored_name: str = ""
    ) -> ConvertedResource:
        """Make the stored resource of a partial update: the masked parts of the view over what was read.

        Raises: NoImage.
        """
        stored = stored_name or self.name(name) or name
        _, shown = self.get(stored, old_body)
        return self.put(name, merge(shown, view, mask), old_body, stored)

    def filter(self, given: Filter) -> ConvertedFilter:
        """Convert a bound filter of the source version to documents stored in the target version."""
        return convert_filter(self.hops, given)

    def mask(self, given: Mask) -> Mask:
        """Convert a bound mask: every place that a part of what it names goes to.

        A mask that names nothing the target version shows becomes one of no field, not of all.
        """
        return _masked(self.hops, given)

    def order(self, terms: tuple[OrderTerm, ...]) -> ConvertedOrder:
        """Convert bound terms of an orderBy to documents stored in the target version."""
        return convert_order(self.hops, terms)

    def name(self, name: str) -> str | None:
        """Convert a name without its resource; `-` stays a wildcard. None when it has no image."""
        found: str | None = name
        for hop in self.hops:
            if found is None:
                return None
            found = hop.names.find(found)
        return found

    @cached_property
    def names_ask_documents(self) -> bool:
        """Whether a field of the resource, or registered code, decides names of either version."""
        return any(hop.names.asks_documents for hop in self.hops)

    def wild_name(self, name: str) -> str | None:
        """Convert a name without its resource; whatever only the resource decides becomes `-`."""
        found: str | None = name
        for hop in self.hops:
            if found is None:
                return None
            found = hop.names.wild(found)
        return found

    def old_name(self, name: str) -> str | None:
        """Convert a name of the target version back."""
        found: str | None = name
        for hop in self.hops_back:
            if found is None:
                return None
            found = hop.names.find(found)
        return found


def _images(hops: tuple[ResourcePlan, ...], paths: set[Segments]) -> set[Segments]:
    for hop in hops:
        paths = {image for path in paths for image in path_images(hop, path)}
    return paths


def _masked(hops: tuple[ResourcePlan, ...], given: Mask) -> Mask:
    if given.is_everything:
        return given
    paths = _images(hops, {path.segments for path in given.paths})
    return Mask(tuple(sorted((Path(path) for path in paths), key=str)) or (Path(("$none",)),))
