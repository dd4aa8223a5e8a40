"""The errors of Switchyard, named by what to do next.

SwitchyardError
├── Refused    the caller can fix it                 → 4xx, never retried by itself
│   ├── Invalid        the input is wrong             400
│   ├── Denied         not allowed to                 403
│   ├── Missing        there is no such thing         404
│   │   └── Gone       it was here, and was taken away 410
│   └── Conflict       the state forbids it           409
├── Busy       the same again, later                 → 503, retried with backoff
├── Stale      the world moved on; read it again     → 412 (409 for a compare-and-set), retried on fresh facts
├── Halted     a person must look                    → 409, quarantined and announced
└── Broken     one of our own invariants failed      → 500, quarantined and announced

What code decides on is a class, never a code: an error that is caught by its kind has a class of its own below these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from migrations_app.kernel.messages import NOTHING, Phrase, WordedMessage, as_message, phrases_of


@dataclass(frozen=True, slots=True, init=False)
class Violation:
    """One thing that is wrong, where it is, and what mends it.

    Message and remedy may be messages: their phrases stay beside the text, and do not tell two violations apart.
    """

    path: str
    message: str
    remedy: str
    code: str
    phrases: tuple[Phrase, ...] = field(compare=False)
    remedy_phrases: tuple[Phrase, ...] = field(compare=False)

    def __init__(
        self,
        path: str,
        message: str | WordedMessage,
        remedy: str | WordedMessage = NOTHING,
        code: str = "",
        phrases: tuple[Phrase, ...] = (),
        remedy_phrases: tuple[Phrase, ...] = (),
    ) -> None:
        values = {
            "path": path,
            "message": str(message),
            "remedy": str(remedy),
            "code": code,
            "phrases": phrases_of(message) or phrases,
            "remedy_phrases": phrases_of(remedy) or remedy_phrases,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def words(self) -> WordedMessage:
        """The message with its phrases; one without is in one language only."""
        return as_message(self.message, self.phrases)

    @property
    def remedy_words(self) -> WordedMessage:
        """The remedy with its phrases."""
        return as_message(self.remedy, self.remedy_phrases)


class SwitchyardError(Exception):
    """Whatever Switchyard raises on purpose.

    `code` is stable and documented; `nouns` are the things it speaks of, by kind; `violations` name
    each place of a bad input; `phrases` are those of the message. Switchyard itself gives messages; code of a service may
    give plain texts, which are in one language only. None of them knows of HTTP.
    """

    default_code = "broken"

    def __init__(
        self,
        message: str | WordedMessage,
        *,
        code: str | None = None,
        remedy: str | WordedMessage = NOTHING,
        violations: tuple[Violation, ...] = (),
        **nouns: object,
    ) -> None:
        self.message, self.phrases = str(message), phrases_of(message)
        self.remedy, self.remedy_phrases = str(remedy), phrases_of(remedy)
        super().__init__(self.message)
        self.code = code or self.default_code
        self.violations = violations
        self.nouns: Mapping[str, object] = nouns

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()

    @property
    def words(self) -> WordedMessage:
        """The message with its phrases; one without is in one language only."""
        return as_message(self.message, self.phrases)

    @property
    def remedy_words(self) -> WordedMessage:
        """The remedy with its phrases."""
        return as_message(self.remedy, self.remedy_phrases)

    def begin_with(self, words: WordedMessage) -> None:
        """Say something before the message, such as where it was, in the phrases as well."""
        words += self.words
        self.message, self.phrases = str(words), words.phrases


class Refused(SwitchyardError):
    """The caller can fix it."""

    default_code = "refused"


class Invalid(Refused):
    """The input is wrong; `violations` say where."""

    default_code = "invalid"


class Denied(Refused):
    """The caller may not do this; `who_can` names who may."""

    default_code = "denied"

    def __init__(
        self, message: str | WordedMessage, *, who_can: tuple[str, ...] = (), **rest: object
    ) -> None:
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

    def __init__(
        self, message: str | WordedMessage, *, retry_after_seconds: float = 1.0, **rest: object
    ) -> None:
        super().__init__(message, **rest)  # type: ignore[arg-type]
        self.retry_after_seconds = retry_after_seconds


class Stale(SwitchyardError):
    """The world moved on since the caller looked; look again and decide again."""

    default_code = "stale"


class Halted(SwitchyardError):
    """A person must look before this goes on."""

    default_code = "halted"


class InvariantBroken(SwitchyardError):
    """One of our own invariants failed."""

    default_code = "broken"


class NotFound(Missing):
    """There is no such resource, or nothing registered under the name."""

    default_code = "not-found"


class MethodDiscontinued(Missing):
    """The method has no counterpart in this version any more."""

    default_code = "method-discontinued"


class NamespaceMissing(Missing):
    """The namespace is not there, or was dropped since."""

    default_code = "namespace-missing"


class DeploymentMissing(Missing):
    """There is no such deployment, or not here."""

    default_code = "deployment-missing"


class ServiceUnknown(Missing):
    """No service of that name is registered."""

    default_code = "service-unknown"


class DefinitionMissing(Missing):
    """The service has no definition here."""

    default_code = "definition-missing"


class ReplicatorUnknown(Missing):
    """No replicator of that name follows the shard."""

    default_code = "replicator-unknown"


class FeedTrimmed(Conflict):
    """The changes after a position were deleted: read everything again."""

    default_code = "feed-trimmed"


class AlreadyExists(Conflict):
    """The name is taken."""

    default_code = "already-exists"


class BeingDeleted(Conflict):
    """The resource is still being deleted."""

    default_code = "being-deleted"


class VersionNotServed(Conflict):
    """The deployment does not serve this version now."""

    default_code = "version-not-served"


class ReadOnlyBeforeSwitch(Conflict):
    """The version takes no writes before the switch."""

    default_code = "read-only-before-switch"


class DataElsewhere(Conflict):
    """The data of the deployment is not kept by this installation."""

    default_code = "data-elsewhere"


class DeploymentDisabled(Conflict):
    """The deployment is disabled."""

    default_code = "deployment-disabled"


class DeploymentEvicted(Conflict):
    """The deployment was evicted."""

    default_code = "deployment-evicted"


class PolicyUnknown(Conflict):
    """The policy that decides the placement is not known here."""

    default_code = "policy-unknown"


class DeletionPending(Busy):
    """The resource is still being deleted; the same again afterwards."""

    default_code = "being-deleted"


class Frozen(Busy):
    """Writes pause for a switch."""

    default_code = "frozen"


class PeerUnavailable(Busy):
    """Another deployment does not answer."""

    default_code = "peer-unavailable"


class DataMissing(Busy):
    """The data database does not hold what was kept there: another one was reached, or it lost its data."""

    default_code = "data-missing"


class DatabaseBusy(Busy):
    """The database cannot serve the request now."""

    default_code = "database-busy"


class DryRunRefused(Invalid):
    """A dry run was asked for wrongly, or of what has none."""

    default_code = "dry-run"


class RevisionConflict(Stale):
    """The resource has another revision than expected."""

    default_code = "revision-conflict"


class RevisionMismatch(RevisionConflict):
    """The resource has another revision than its caller named: the caller decides again, nothing is retried."""


class NotActive(Stale):
    """Another version became active; the noun `active` names it."""

    default_code = "version-not-active"


class DirectionChanged(Stale):
    """The direction of replication changed meanwhile."""

    default_code = "direction-changed"


class AttemptResolved(Stale):
    """The attempt of the write was settled meanwhile."""

    default_code = "attempt-resolved"


class AttemptExpired(Stale):
    """The attempt of the write began too long ago."""

    default_code = "attempt-expired"


class ReplicatorExpired(Halted):
    """The replicator was silent for so long that its changes were deleted."""

    default_code = "replicator-expired"


class PageTokenInvalid(Invalid):
    """The page token is not one of this list."""

    default_code = "page-token"


class SecondFactorRequired(Denied):
    """The password alone is not enough; `code` says which second factor is asked for."""

    default_code = "totp-required"


class UnknownAction(Invalid):
    """The schema mixin has no such action."""

    default_code = "mixin-action"


def error_class(kind: type[SwitchyardError], code: str) -> type[SwitchyardError]:
    """Give the class below `kind` that stands for `code`; `kind` itself where no class does."""
    classes = [kind]
    for each in classes:
        if each.default_code == code:
            return each
        # Only those of this module: they are all made alike, from a message and the same keywords.
        classes += [branch for branch in each.__subclasses__() if branch.__module__ == __name__]
    return kind
