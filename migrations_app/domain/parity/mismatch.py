"""How one resource can differ between two namespaces, and how to say so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrations_app.kernel.json import JsonObject, equal_json


class MismatchKind(StrEnum):
    """The ways to differ."""

    MISSING = "missing"
    EXTRA = "extra"
    STALE = "stale"
    AHEAD = "ahead"
    CONTENT = "content"
    REFERENCES = "references"
    IDENTITY = "identity"
    UNCONVERTIBLE = "unconvertible"


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One side of a comparison: what stands, or should stand, under a name."""

    uid: str
    revision: int
    body: JsonObject


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One resource that differs; `expected` is the source converted again, `found` what the target holds."""

    kind: MismatchKind
    type: str
    name: str
    source_name: str
    expected: ComparedSide | None
    actual: ComparedSide | None

    @property
    def sentence(self) -> str:
        """The difference in words."""
        wanted = self.expected.revision if self.expected else "–"
        held = self.actual.revision if self.actual else "–"
        words = {
            MismatchKind.MISSING: f"is missing in the target (source revision {wanted})",
            MismatchKind.EXTRA: f"is only in the target (revision {held})",
            MismatchKind.STALE: f"is at revision {held} in the target, {wanted} in the source",
            MismatchKind.AHEAD: f"is at revision {held} in the target, ahead of {wanted} in the source",
            MismatchKind.CONTENT: f"has other content in the target at the same revision {held}",
            MismatchKind.REFERENCES: "refers to something else in a reference index than its document says",
            MismatchKind.UNCONVERTIBLE: "does not convert any more",
            MismatchKind.IDENTITY: "is another resource of the same name in the target",
        }
        return f"{self.type} {self.name} {words[self.kind]}"


def compare(
    type_: str, name: str, source_name: str, expected: ComparedSide | None, found: ComparedSide | None
) -> Mismatch | None:
    """Compare what should stand under a name with what stands there; None when they agree."""
    if expected is None and found is None:
        return None
    kind: MismatchKind | None = None
    if found is None:
        kind = MismatchKind.MISSING
    elif expected is None:
        kind = MismatchKind.EXTRA
    elif found.uid != expected.uid:
        kind = MismatchKind.IDENTITY
    elif found.revision < expected.revision:
        kind = MismatchKind.STALE
    elif found.revision > expected.revision:
        kind = MismatchKind.AHEAD
    elif not equal_json(found.body, expected.body):
        kind = MismatchKind.CONTENT
    return Mismatch(kind, type_, name, source_name, expected, found) if kind else None
