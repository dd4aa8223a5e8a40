"""The kinds of declared objects: their fields, where each is read, and how it is written and removed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from console.cli.client import ConsoleClient, ConsoleProblem
from console.cli.declarations.documents import DeclaredDocument

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class KeptObject:
    """An object as the console keeps it."""

    name: str
    spec: Json
    tag: str
    version: str
    """Another one after every change."""
    maker: str = ""
    """The account that made or last changed it, and the object's identity where it has one."""
    path: str = ""


@dataclass(frozen=True, slots=True)
class BatchWrite:
    """One write of a batch."""

    method: str
    path: str
    body: Any = None
    if_match: str = ""
    if_none_match: str = ""

    def as_json(self) -> Json:
        """Give it as the batch takes it."""
        return {
            "method": self.method,
            "path": self.path,
            "body": self.body,
            "if_match": self.if_match,
            "if_none_match": self.if_none_match,
        }


class ObjectKind:
    """What is common to all kinds: rules that are written whole, by their name."""

    kind: str = ""
    plural: str = ""
    fields: tuple[str, ...] = ()
    removable: bool = True
    nameless: bool = False

    def name_of(self, document: DeclaredDocument) -> str:
        """Give the one spelling of the name that a document declares.

        Raises: ValueError where it is no name of this kind.
        """
        if not document.name:
            raise ValueError("a name is missing")
        return document.name

    def find(self, client: ConsoleClient, name: str) -> KeptObject | None:
        """Read an object, or nothing where there is none."""
        raise NotImplementedError

    def list(self, client: ConsoleClient) -> list[KeptObject]:
        """Read all objects that were made."""
        raise NotImplementedError

    def keep(self, body: Json, tag: str = "") -> KeptObject:
        """Read an answer of the console as an object."""
        raise NotImplementedError

    def write(self, document: DeclaredDocument, name: str, kept: KeptObject | None) -> BatchWrite | None:
        """Write what is declared; nothing where the object cannot differ."""
        raise NotImplementedError

    def remove(self, kept: KeptObject) -> BatchWrite:
        """Remove an object, as long as it is the one that was read."""
        return BatchWrite("DELETE", kept.path, if_match=kept.tag)

    def refusal(self, document: DeclaredDocument, kept: KeptObject | None) -> str:
        """Tell why what is declared cannot be; empty where it can."""
        return ""


def object_or_none(read: Callable[[], KeptObject]) -> KeptObject | None:
    """Read an object, or nothing where there is none."""
    try:
        return read()
    except ConsoleProblem as problem:
        if problem.status in (404, 410):
            return None
        raise


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where a kind of rule is listed, and where one is."""

    listing: str
    one: str
    name_field: str = "name"


class RuleKind(ObjectKind):
    """Rules with a name in their address: windows, policies, roles, webhooks."""

    def __init__(
        self, kind: str, plural: str, addresses: Addresses, fields: tuple[str, ...], maker_field: str
    ) -> None:
        self.kind, self.plural, self.fields = kind, plural, fields
        self._addresses, self._maker_field = addresses, maker_field

    def _path(self, name: str) -> str:
        return f"{self._addresses.one}/{quote(name, safe='')}"

    def find(self, client: ConsoleClient, name: str) -> KeptObject | None:
        """Read one by its name; revision 0 is what counts by default."""

        def read() -> KeptObject:
            answer = client.ask("GET", self._path(name))
            return self.keep(answer.body, answer.tag)

        kept = object_or_none(read)
        return None if kept is None or kept.version == "0" else kept

    def list(self, client: ConsoleClient) -> list[KeptObject]:
        """Read all that were made."""
        rows = client.every(self._addresses.listing)
        return [self.keep(row, f'"{row["rev"]}"') for row in rows if row["rev"]]

    def keep(self, body: Json, tag: str = "") -> KeptObject:
        """Read an answer of the console as a rule."""
        name = str(body[self._addresses.name_field])
        spec = {name: self.value(name, body[name]) for name in self.fields if name in body}
        maker = str(body.get(self._maker_field) or "")
        path = f"/api/v1/hooks/{body['id']}" if self.kind == "Webhook" else self._path(name)
        return KeptObject(name, spec, tag, str(body["rev"]), maker, path)

    def value(self, name: str, value: Any) -> Any:
        """Write a field as documents have it."""
        if name == "permissions":
            return [each["permission"] for each in value]
        return value

    def write(self, document: DeclaredDocument, name: str, kept: KeptObject | None) -> BatchWrite | None:
        """Write the rule whole: what the document leaves out is as the console has it for a new one."""
        if kept is None:
            return BatchWrite("PUT", self._path(name), document.spec, if_none_match="*")
        return BatchWrite("PUT", self._path(name), document.spec, if_match=kept.tag)


class BindingKind(ObjectKind):
    """Roles that are given: each is named by what it says."""

    kind, plural, nameless = "Binding", "bindings", True
    key = ("subject_kind", "subject", "role", "service", "region", "environment")
    fields = (*key, "expires_at", "conditions")
    listing = "/api/v1/access/bindings"

    def name_of(self, document: DeclaredDocument) -> str:
        """Name a binding by its subject, its role and its scope."""
        if document.name:
            raise ValueError("a binding has no name: its subject, role and scope say which it is")
        return self._name(document.spec)

    def _name(self, spec: Json) -> str:
        given = (
            {"subject_kind": "account", "subject": "", "role": ""} | dict.fromkeys(self.key[3:], "*") | spec
        )
        scope = "/".join(str(given[name]) for name in self.key[3:])
        return f"{given['subject_kind']}:{given['subject']} {given['role']} {scope}"

    def find(self, client: ConsoleClient, name: str) -> KeptObject | None:
        """Find a binding by what it says."""
        return next((each for each in self.list(client) if each.name == name), None)

    def list(self, client: ConsoleClient) -> list[KeptObject]:
        """Read all bindings."""
        return [self.keep(row, f'"{row["tag"]}"') for row in client.every(self.listing)]

    def keep(self, body: Json, tag: str = "") -> KeptObject:
        """Read an answer of the console as a binding; what it does not bound is left out."""
        spec = {name: body[name] for name in self.fields if body.get(name)}
        path = f"{self.listing}/{body['id']}"
        maker = f"{body['created_by']} {body['id']}"
        return KeptObject(self._name(spec), spec, tag, str(body["tag"]), maker, path)

    def write(self, document: DeclaredDocument, name: str, kept: KeptObject | None) -> BatchWrite | None:
        """Give the role, or another end where it is held."""
        return BatchWrite("PUT", self.listing, document.spec)


@dataclass
class RolloutKind(ObjectKind):
    """Rollouts: planned once, and then carried out; what is planned already is not planned again."""

    kind: str = "Rollout"
    plural: str = "rollouts"
    fields: tuple[str, ...] = field(
        default=(
            "target_version",
            "waves",
            "max_parallel",
            "pause_seconds",
            "automatic",
            "downgrade_sync",
            "rollback_hours",
            "start",
            "comment",
        )
    )
    removable: bool = False
    compared = ("target_version", "waves", "max_parallel", "pause_seconds")

    def find(self, client: ConsoleClient, name: str) -> KeptObject | None:
        """Find the newest rollout of a title."""
        return next((each for each in self.list(client) if each.name == name), None)

    def list(self, client: ConsoleClient) -> list[KeptObject]:
        """Read the newest rollout of each title."""
        by_title: dict[str, KeptObject] = {}
        for row in client.every("/api/v1/rollouts"):
            by_title.setdefault(row["title"], self.keep(row))
        return [*by_title.values()]

    def keep(self, body: Json, tag: str = "") -> KeptObject:
        """Read an answer of the console as a rollout."""
        waves = [[item["deployment"] for item in wave] for wave in body["waves"]]
        versions = {item["to_version"] for wave in body["waves"] for item in wave}
        spec = {
            "target_version": min(versions, default=""),
            "waves": waves,
            "max_parallel": body["max_parallel"],
            "pause_seconds": body["pause_seconds"],
        }
        return KeptObject(
            body["title"], spec, tag, body["id"], body["created_by"], f"/api/v1/rollouts/{body['id']}"
        )

    def write(self, document: DeclaredDocument, name: str, kept: KeptObject | None) -> BatchWrite | None:
        """Plan a rollout that is not planned yet."""
        if kept is not None:
            return None
        waves = [[full_deployment(each) for each in wave] for wave in document.spec.get("waves", [])]
        return BatchWrite("POST", "/api/v1/rollouts", {**document.spec, "title": name, "waves": waves})

    def refusal(self, document: DeclaredDocument, kept: KeptObject | None) -> str:
        """Refuse to change a rollout that is planned."""
        if kept is None:
            return ""
        spec = {"max_parallel": 1, "pause_seconds": 0} | document.spec
        spec["waves"] = [[full_deployment(each) for each in wave] for wave in spec.get("waves", [])]
        other = [name for name in self.compared if spec.get(name) != kept.spec[name]]
        if not other:
            return ""
        return f"the rollout {kept.name!r} ({kept.version}) is planned with another {', '.join(other)}; stop it, or take another name"


def full_deployment(name: str) -> str:
    """Write the full name of a deployment that may be written `S@R`."""
    service, at, region = str(name).partition("@")
    return f"services/{service}/deployments/{region}" if at else str(name)
