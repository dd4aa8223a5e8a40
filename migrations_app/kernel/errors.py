"""The errors of Switchyard, named by what whoever meets them should do next.

SwitchyardError
├── Refused    the caller can fix it                 → 4xx, never retried by itself
│   ├── Invalid        the input is wrong             400
│   ├── Denied         not allowed to                 403
│   ├── Missing        there is no such thing         404
│   │   └── Gone       it was here, and was taken away 410
│   └── Conflict       the state forbids it           409
├── Busy       the same again, later                 → 503, retried with backoff
├── Stale      the world moved on; read it afresh    → 412 (409 for a compare-and-set), retried on fresh facts
├── Halted     a person must look                    → 409, quarantined and announced
└── Broken     one of our own invariants failed      → 500, quarantined and announced
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong, where it is, and what mends it."""

    path: str
    message: str
    remedy: str = ""
    code: str = ""


class SwitchyardError(Exception):
    """Whatever Switchyard raises on purpose.

    `code` is stable and documented; `nouns` are the things it speaks of, by kind; `violations` name
    each place of a bad input. None of them knows of HTTP.
    """

    default_code = "broken"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        remedy: str = "",
        violations: tuple[Violation, ...] = (),
        **nouns: object,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.remedy = remedy
        self.violations = violations
        self.nouns: Mapping[str, object] = nouns

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()


class Refused(SwitchyardError):
    """The caller can fix it."""

    default_code = "refused"


class Invalid(Refused):
    """The input is wrong; `violations` say where."""

    default_code = "invalid"


class Denied(Refused):
    """The caller may not do this; `who_can` names who may."""

    default_code = "denied"

    def __init__(self, message: str, *, who_can: tuple[str, ...] = (), **rest: object) -> None:
        super().__init__(message, **rest)  # type: ignore[arg-type]
        self.who_can = who_can


class Missing(Refused):
    """There is no such thing."""

    default_code = "missing"


class Gone(Missing):
    """It was here, and was taken away; the ledger tells when and by whom."""

    default_code = "gone"


class Conflict(Refused):
    """The present state forbids it."""

    default_code = "conflict"


class Busy(SwitchyardError):
    """The same request may succeed later; `retry_after_seconds` says when to try."""

    default_code = "busy"

    def __init__(self, message: str, *, retry_after_seconds: float = 1.0, **rest: object) -> None:
        super().__init__(message, **rest)  # type: ignore[arg-type]
        self.retry_after_seconds = retry_after_seconds


class Stale(SwitchyardError):
    """The world moved on since the caller looked; look again and decide anew."""

    default_code = "stale"


class Halted(SwitchyardError):
    """A person must look before this goes on."""

    default_code = "halted"


class InvariantBroken(SwitchyardError):
    """One of our own invariants failed."""

    default_code = "broken"
