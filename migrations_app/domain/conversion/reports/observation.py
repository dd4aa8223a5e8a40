"""Conversions as they are served, reported one by one to an observer while there is one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from migrations_app.domain.conversion.bag import strip_object
from migrations_app.domain.conversion.converter import ConvertedResource, TypeConverter
from migrations_app.domain.conversion.split_types import OtherPart
from migrations_app.domain.schema.ir import Schema, UnknownKeys
from migrations_app.domain.schema.sensitive import redacted_object, sensitive_paths
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject

CONVERTED = "converted"


@dataclass(frozen=True, slots=True)
class Conversion:
    """One conversion of a resource, without property bags and sensitive values.

    `direction` is `read` (stored to asked version) or `write` (asked to stored version). `before` is what a write
    found stored. `outcome` is `converted`, or the code of the error, which has neither name nor document as output.
    """

    direction: str
    source_version: str
    target_version: str
    type: str
    name: str
    document: JsonObject
    before: JsonObject | None
    outcome: str
    output_name: str
    output: JsonObject | None
    milliseconds: float


Observer = Callable[[Conversion], None]
_current: ContextVar[Observer | None] = ContextVar("conversion_observer", default=None)


@contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """Report the conversions of the block to an observer."""
    token = _current.set(observer)
    try:
        yield
    finally:
        _current.reset(token)


def observed(converter: TypeConverter) -> TypeConverter:
    """Give a converter that reports to the observer of this request; the same one when there is none."""
    observer = _current.get()
    return converter if observer is None else ObservedConverter(converter, observer)


class ObservedConverter(TypeConverter):
    """A converter that reports each resource it converts; all else is as the one that it observes."""

    def __init__(self, converter: TypeConverter, observer: Observer) -> None:
        self.__dict__.update(converter.__dict__)
        self._converter, self._observer = converter, observer

    def get(self, name: str, body: JsonObject) -> tuple[str, JsonObject]:
        """Read, and report it."""
        # From what is stored, in the target version, to what is asked for.
        report = _Report(
            self._observer, "read", (self.target, self.target_type), (self.source, self.source_type)
        )
        return report.of(name, body, None, lambda: self._converter.get(name, body))

    def create(self, name: str, view: JsonObject) -> ConvertedResource:
        """Convert what is created, and report it."""
        found = self._write().of(name, view, None, lambda: self._converter.create(name, view))
        return ConvertedResource(*found)

    def put(
        self,
        name: str,
        view: JsonObject,
        old_body: JsonObject,
        stored_name: str = "",
        unknown: UnknownKeys | None = None,
    ) -> ConvertedResource:
        """Convert an update, and report it."""
        found = self._write().of(
            name, view, old_body, lambda: self._converter.put(name, view, old_body, stored_name, unknown)
        )
        return ConvertedResource(*found)

    def put_through(
        self,
        way: TypeConverter,
        name: str,
        view: JsonObject,
        stored_name: str,
        old_body: JsonObject,
        unknown: UnknownKeys | None = None,
    ) -> ConvertedResource:
        """Convert an update that may be of another type afterwards, and report it."""
        found = self._write().of(
            name,
            view,
            old_body,
            lambda: self._converter.put_through(way, name, view, stored_name, old_body, unknown),
        )
        return ConvertedResource(*found)

    def _write(self) -> _Report:
        return _Report(
            self._observer, "write", (self.source, self.source_type), (self.target, self.target_type)
        )


class _Report:
    """Times one conversion and reports it, also when it fails."""

    def __init__(
        self,
        observer: Observer,
        direction: str,
        source: tuple[Schema, str | None],
        target: tuple[Schema, str | None],
    ) -> None:
        self._observer, self._direction = observer, direction
        self._source, self._target = source, target

    def of(
        self,
        name: str,
        document: JsonObject,
        before: JsonObject | None,
        convert: Callable[[], tuple[str, JsonObject]],
    ) -> tuple[str, JsonObject]:
        """Convert a document, and report what went in and what came out.

        Raises: what the conversion raises.
        """
        began = time.perf_counter()
        made: tuple[str, JsonObject] | None = None
        outcome = CONVERTED
        try:
            made = convert()
            return made
        except OtherPart:
            # Not a failure: another converter of the same type takes the resource, and reports it.
            outcome = ""
            raise
        except SwitchyardError as error:
            # Its message may quote a value.
            outcome = error.code
            raise
        except Exception as error:
            outcome = type(error).__name__
            raise
        finally:
            # What a write found is stored in the version that it converts to.
            if outcome:
                self._observer(
                    Conversion(
                        self._direction,
                        self._source[0].version,
                        self._target[0].version,
                        self._source[1] or "",
                        name,
                        _shown(self._source, document),
                        None if before is None else _shown(self._target, before),
                        outcome,
                        "" if made is None else made[0],
                        None if made is None else _shown(self._target, made[1]),
                        round((time.perf_counter() - began) * 1000, 3),
                    )
                )


def _shown(version: tuple[Schema, str | None], document: JsonObject) -> JsonObject:
    schema, type_ = version
    if type_ is None or type_ not in schema.resources:
        # Without a definition it is not known which values are sensitive: nothing is shown.
        return {}
    return redacted_object(strip_object(document), sensitive_paths(schema, type_))
