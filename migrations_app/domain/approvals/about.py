"""Which upgrades a policy is about, beside where it counts: between which versions, of which kind, with a rollback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from migrations_app.kernel.json import JsonObject


@dataclass(frozen=True, slots=True)
class Subject:
    """What a policy looks at of an upgrade; `kind` is that of the plan."""

    from_version: str
    to_version: str
    kind: str = "version"
    rollback: bool = True


@dataclass(frozen=True, slots=True)
class About:
    """Which upgrades are meant: all that is named must hold, and what is empty asks for nothing.

    Versions are globs; `without_rollback` means those after whose switch the old version is not kept current.
    """

    from_version: str = ""
    to_version: str = ""
    kinds: tuple[str, ...] = ()
    without_rollback: bool = False

    @property
    def weight(self) -> int:
        """Count what is asked for: of two policies in one scope, the one that asks for more is the more specific."""
        return sum(map(bool, (self.from_version, self.to_version, self.kinds, self.without_rollback)))

    def meets(self, subject: Subject | None) -> bool:
        """Tell whether an upgrade is meant; without one, only what asks for nothing counts."""
        if subject is None or not self.weight:
            return not self.weight
        return (
            (not self.from_version or fnmatchcase(subject.from_version, self.from_version))
            and (not self.to_version or fnmatchcase(subject.to_version, self.to_version))
            and (not self.kinds or subject.kind in self.kinds)
            and not (self.without_rollback and subject.rollback)
        )

    def as_json(self) -> JsonObject:
        """Write what is asked for; an empty object asks for nothing."""
        said: JsonObject = {
            "from_version": self.from_version,
            "to_version": self.to_version,
            "kinds": list(self.kinds),
            "without_rollback": self.without_rollback,
        }
        return {name: value for name, value in said.items() if value}

    def __str__(self) -> str:
        parts = [f"from {self.from_version}"] if self.from_version else []
        parts += [f"to {self.to_version}"] if self.to_version else []
        parts += [f"of {' or '.join(self.kinds)}"] if self.kinds else []
        parts += ["without a rollback"] if self.without_rollback else []
        return " ".join(parts) or "any"


ANY = About()
"""All upgrades."""


def about_from(given: Mapping[str, Any]) -> About:
    """Read what `as_json` wrote, or what an endpoint has checked."""
    return About(
        from_version=given.get("from_version", ""),
        to_version=given.get("to_version", ""),
        kinds=tuple(sorted(set(given.get("kinds", ())))),
        without_rollback=given.get("without_rollback", False),
    )
