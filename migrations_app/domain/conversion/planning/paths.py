"""Field paths as edges write them, field by field: each step goes into a field and perhaps its elements."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.schema.paths import Name, parse_path
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True)
class PathSegment:
    """One step of a path: a field, and whether it goes into its elements (`[]`) or map values (`{}`)."""

    name: str
    into: str = ""

    def __str__(self) -> str:
        return str(Name(self.name)) + self.into


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A path of fields, from an object type downwards."""

    segments: tuple[PathSegment, ...]

    @classmethod
    def parse(cls, text: str) -> FieldPath:
        """Read a path.

        Raises: Invalid (`E-PATH`).
        """
        segments: list[PathSegment] = []
        for step in parse_path(text).steps:
            if isinstance(step, Name):
                segments.append(PathSegment(step.name))
            elif segments and not segments[-1].into:
                segments[-1] = PathSegment(segments[-1].name, str(step))
            else:
                raise Invalid(
                    message("{text}: lists of lists have no field path.", text=repr(text)), code="E-PATH"
                )
        return cls(tuple(segments))

    @classmethod
    def of(cls, name: str) -> FieldPath:
        """Make the path of one field."""
        return cls((PathSegment(name),))

    def __str__(self) -> str:
        return ".".join(map(str, self.segments))

    @property
    def head(self) -> PathSegment:
        """The first step."""
        return self.segments[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The fields passed through."""
        return tuple(segment.name for segment in self.segments)

    def tail(self) -> FieldPath:
        """Drop the first step."""
        return FieldPath(self.segments[1:])

    def __len__(self) -> int:
        return len(self.segments)
