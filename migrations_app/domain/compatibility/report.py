"""What a comparison of two versions reports: findings with a rule, a place, who is hit and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from migrations_app.domain.compatibility.hazards import Update
from migrations_app.kernel.messages import WordedMessage, catalogued


class CompatibilityRule(StrEnum):
    """The stable ids of what may be found."""

    KEY_ADDED = "key-added"
    KEY_ADDED_REQUIRED = "key-added-required"
    KEY_REMOVED = "key-removed"
    KEY_STATUS = "key-status"
    TYPE_WIDENED = "type-widened"
    TYPE_NARROWED = "type-narrowed"
    TYPE_REPLACED = "type-replaced"
    DEFAULT_CHANGED = "default-changed"
    UNIT_CHANGED = "unit-changed"
    NUMBER_CHANGED = "number-changed"
    NUMBER_REUSED = "number-reused"
    RESOURCE_ADDED = "resource-added"
    RESOURCE_REMOVED = "resource-removed"
    PATTERN_ADDED = "pattern-added"
    PATTERN_REMOVED = "pattern-removed"
    ID_PATTERN_CHANGED = "id-pattern-changed"
    SYMBOL_REMOVED = "symbol-removed"
    METHOD_REMOVED = "method-removed"
    METHOD_CHANGED = "method-changed"
    VERSION_REMOVED = "version-removed"
    SUNSET_MOVED = "sunset-moved"


class ClientClass(StrEnum):
    """What kind of client meets a difference: of the binary form, of JSON, of generated code, or of the meaning."""

    WIRE = "wire"
    JSON = "JSON"
    SOURCE = "source"
    SEMANTIC = "semantic"


class Weight(StrEnum):
    """How much a finding weighs when nothing handles it."""

    BREAK = "break"
    STAGED = "staged"
    ORDERED = "ordered"
    NOTE = "note"


ADVICE: Mapping[CompatibilityRule, str] = {
    CompatibilityRule.KEY_ADDED: catalogued("Deploy the server first; stored data has the key absent."),
    CompatibilityRule.KEY_ADDED_REQUIRED: catalogued(
        "Give a default or a backfill: stored data stays without the key."
    ),
    CompatibilityRule.KEY_REMOVED: catalogued(
        "Remove it once it is proved unused; reserve its name and number."
    ),
    CompatibilityRule.KEY_STATUS: catalogued("Follow the plan; prove the precondition from evidence."),
    CompatibilityRule.TYPE_WIDENED: catalogued(
        "In requests deploy the server first, in responses the clients."
    ),
    CompatibilityRule.TYPE_NARROWED: catalogued(
        "In requests the clients first; scan stored data, ratchet validation."
    ),
    CompatibilityRule.TYPE_REPLACED: catalogued(
        "Never in place: use a new key and deprecate the old one, or a new version with convert."
    ),
    CompatibilityRule.DEFAULT_CHANGED: catalogued(
        "Let old writers send the old default first, or keep a default per version."
    ),
    CompatibilityRule.UNIT_CHANGED: catalogued("Use a new key, or a new version with a unit conversion."),
    CompatibilityRule.NUMBER_CHANGED: catalogued(
        "Keep wire numbers within a version; between versions nothing follows from them."
    ),
    CompatibilityRule.NUMBER_REUSED: catalogued(
        "Reserve numbers of removed fields; binary clients would read one as the other."
    ),
    CompatibilityRule.RESOURCE_ADDED: catalogued("Nothing to do; old versions do not see it."),
    CompatibilityRule.RESOURCE_REMOVED: catalogued(
        "Its resources are kept and the old version serves them; accept it once its clients know where to go."
    ),
    CompatibilityRule.PATTERN_ADDED: catalogued(
        "Deploy the server first, or hide such names from old versions."
    ),
    CompatibilityRule.PATTERN_REMOVED: catalogued(
        "Never without an alias or a name conversion: clients have stored the names."
    ),
    CompatibilityRule.ID_PATTERN_CHANGED: catalogued(
        "Clients first when tightened; scan stored names, ratchet validation."
    ),
    CompatibilityRule.SYMBOL_REMOVED: catalogued(
        "Map each with `enum`, let its `rest` say what becomes of the others, or accept that they pass."
    ),
    CompatibilityRule.METHOD_REMOVED: catalogued("Clients first, with evidence that no client calls it."),
    CompatibilityRule.METHOD_CHANGED: catalogued(
        "Never in place: add a method beside it, or rename it in a new version."
    ),
    CompatibilityRule.VERSION_REMOVED: catalogued(
        "Retire it first: upgrade what stores it, and wait until no client calls it."
    ),
    CompatibilityRule.SUNSET_MOVED: catalogued(
        "A sunset only moves later, unless the field is proved unused."
    ),
}


_EVERY_FORM = (ClientClass.WIRE, ClientClass.JSON, ClientClass.SOURCE)
CLASSES: Mapping[CompatibilityRule, tuple[ClientClass, ...]] = {
    CompatibilityRule.KEY_ADDED: (ClientClass.JSON,),
    CompatibilityRule.KEY_ADDED_REQUIRED: _EVERY_FORM,
    CompatibilityRule.KEY_REMOVED: _EVERY_FORM,
    CompatibilityRule.KEY_STATUS: (ClientClass.JSON, ClientClass.SEMANTIC),
    CompatibilityRule.TYPE_WIDENED: (ClientClass.JSON, ClientClass.SOURCE),
    CompatibilityRule.TYPE_NARROWED: (ClientClass.JSON, ClientClass.SOURCE),
    CompatibilityRule.TYPE_REPLACED: _EVERY_FORM,
    CompatibilityRule.DEFAULT_CHANGED: (ClientClass.SEMANTIC,),
    CompatibilityRule.UNIT_CHANGED: (ClientClass.SEMANTIC,),
    CompatibilityRule.NUMBER_CHANGED: (ClientClass.WIRE,),
    CompatibilityRule.NUMBER_REUSED: (ClientClass.WIRE,),
    CompatibilityRule.RESOURCE_ADDED: (ClientClass.SOURCE,),
    CompatibilityRule.RESOURCE_REMOVED: _EVERY_FORM,
    CompatibilityRule.PATTERN_ADDED: (ClientClass.SEMANTIC,),
    CompatibilityRule.PATTERN_REMOVED: (ClientClass.JSON, ClientClass.SEMANTIC),
    CompatibilityRule.ID_PATTERN_CHANGED: (ClientClass.JSON, ClientClass.SEMANTIC),
    CompatibilityRule.SYMBOL_REMOVED: _EVERY_FORM,
    CompatibilityRule.METHOD_REMOVED: _EVERY_FORM,
    CompatibilityRule.METHOD_CHANGED: _EVERY_FORM,
    CompatibilityRule.VERSION_REMOVED: _EVERY_FORM,
    CompatibilityRule.SUNSET_MOVED: (ClientClass.SEMANTIC,),
}


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """One difference between two versions and what it means."""

    rule: CompatibilityRule
    weight: Weight
    path: str
    before: str
    after: str
    where: str
    order: str
    plan: tuple[str, ...] = ()
    transform: str = ""
    reasons: tuple[WordedMessage, ...] = ()
    losing: tuple[Update, ...] = ()
    buf: tuple[str, ...] = ()
    handled: bool = False

    @property
    def advice(self) -> str:
        """What to do about it."""
        if self.handled:
            return catalogued("The conversion between the versions handles it.")
        return ADVICE[self.rule]

    @property
    def classes(self) -> tuple[ClientClass, ...]:
        """What kinds of clients meet it."""
        return CLASSES[self.rule]

    def __str__(self) -> str:
        change = f"{self.before} → {self.after}" if self.before or self.after else ""
        kinds = ", ".join(self.classes) + (f"; Buf: {', '.join(self.buf)}" if self.buf else "")
        head = f"{self.weight} {self.rule} ({kinds}) {self.path}"
        parts = (head, self.where, change, self.order, *map(str, self.reasons))
        return "; ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Report:
    """All differences between two versions."""

    service: str
    before: str
    after: str
    differences: tuple[VersionDifference, ...]

    @property
    def breaking(self) -> tuple[VersionDifference, ...]:
        """What breaks or needs stages and is not handled by the edge."""
        heavy = (Weight.BREAK, Weight.STAGED)
        return tuple(each for each in self.differences if each.weight in heavy and not each.handled)
