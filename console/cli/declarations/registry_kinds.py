"""Regions, services and deployments as declared objects: the registry's messages without what it writes itself."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import urlencode

from console.cli.client import ConsoleClient
from console.cli.declarations.documents import DeclaredDocument
from console.cli.declarations.kinds import BatchWrite, Json, KeptObject, ObjectKind, object_or_none
from console.cli.registry import META, pages

METADATA = ("labels", "annotations", "tags")
PLACING = ("currentVersion", "dbDataVersion", "dbLocationTag")
"""Where a deployment begins; afterwards its upgrades say where it is."""


class RegistryObjectKind(ObjectKind):
    """A kind of the registry; what a document leaves out of a message stays as it is."""

    def __init__(self, kind: str, plural: str, listing: str, fields: tuple[str, ...]) -> None:
        self.kind, self.plural, self.fields, self._listing = kind, plural, fields, listing

    def name_of(self, document: DeclaredDocument) -> str:
        """Give the id of a region or service that may be written with its collection."""
        name = super().name_of(document).removeprefix(f"{self.plural}/")
        if "/" in name:
            raise ValueError(f"{document.name!r} is no name of a {self.kind.lower()}")
        return name

    def message_path(self, name: str) -> str:
        """Give the address of the message."""
        return f"{META}/{self.plural}/{name}"

    def find(self, client: ConsoleClient, name: str) -> KeptObject | None:
        """Read one message."""

        def read() -> KeptObject:
            answer = client.ask("GET", self.message_path(name))
            return self.keep(answer.body, answer.tag)

        return object_or_none(read)

    def list(self, client: ConsoleClient) -> list[KeptObject]:
        """Read all messages by name."""
        rows = pages(client, f"{META}/{self._listing}", self.plural, orderBy="name")
        return [self.keep(row) for row in rows]

    def keep(self, body: Json, tag: str = "") -> KeptObject:
        """Read a message as an object, without what the registry writes itself."""
        metadata = body.get("metadata", {})
        spec = {name: body[name] for name in self.fields if name in body}
        shown = {name: metadata[name] for name in METADATA if metadata.get(name)}
        spec |= {"metadata": shown} if shown else {}
        spec.pop("metadata", None) if not shown else None
        version, identity = str(metadata.get("resourceVersion", "")), str(metadata.get("uuid", ""))
        name = self.short_name(body["name"])
        return KeptObject(name, spec, tag, version, identity, self.message_path(name))

    def short_name(self, name: str) -> str:
        """Write a message's name as documents do."""
        return name.removeprefix(f"{self.plural}/")

    def write(self, document: DeclaredDocument, name: str, kept: KeptObject | None) -> BatchWrite | None:
        """Write the fields that are declared; of metadata, the maps that are."""
        return self.write_fields(document.spec, name, kept)

    def write_fields(self, spec: Json, name: str, kept: KeptObject | None) -> BatchWrite | None:
        """Write these fields of a message."""
        paths = [each for each in spec if each != "metadata"]
        paths += [f"metadata.{each}" for each in spec.get("metadata", {})]
        if kept is not None and not paths:
            return None
        asked = urlencode({"updateMask": ",".join(paths), "allowMissing": "true"})
        path = f"{self.message_path(name)}?{asked}"
        body = {**spec, "name": path.partition("?")[0].removeprefix(f"{META}/")}
        # Without a condition: registering a service or a deployment beside it counts its version on too, and only
        # the fields that are declared are written.
        return BatchWrite("PUT", path, body)

    def refusal(self, document: DeclaredDocument, kept: KeptObject | None) -> str:
        """Refuse fields of metadata that the registry writes itself."""
        metadata = document.spec.get("metadata", {})
        if not isinstance(metadata, dict):
            return "metadata is an object"
        other = [name for name in metadata if name not in METADATA]
        return f"metadata has {', '.join(METADATA)} to declare, not {', '.join(other)}" if other else ""


class ServiceKind(RegistryObjectKind):
    """Services: of a folder with their definitions, or the message alone."""

    def write(self, document: DeclaredDocument, name: str, kept: KeptObject | None) -> BatchWrite | None:
        """Send the folder that the document names, or write the message."""
        if "folder" not in document.spec:
            return super().write(document, name, kept)
        from migrations_app.domain.schema.files.local_files import read_local_files

        contents = read_local_files(document.folder / str(document.spec["folder"]))
        files = {path: base64.b64encode(content).decode() for path, content in contents.items()}
        return BatchWrite("POST", "/api/v1/services", {"files": files})

    def refusal(self, document: DeclaredDocument, kept: KeptObject | None) -> str:
        """Refuse a folder that cannot be read, or that stands beside other fields."""
        if "folder" not in document.spec:
            return super().refusal(document, kept)
        if len(document.spec) > 1:
            return "a service of a folder has no further fields: its service.yaml says them"
        folder = document.folder / str(document.spec["folder"])
        if not (folder / "service.yaml").is_file():
            return f"{folder} has no service.yaml"
        return ""


class DeploymentKind(RegistryObjectKind):
    """Deployments: begun where the document says, and moved by upgrades from then on."""

    def name_of(self, document: DeclaredDocument) -> str:
        """Write the name as `S@R`."""
        name = self.short_name(document.name)
        if len(name.split("@")) != 2 or not all(name.split("@")):
            raise ValueError(f"{document.name!r} is no name of a deployment; write SERVICE@REGION")
        return name

    def short_name(self, name: str) -> str:
        """Write `services/S/deployments/R` and `S/R` as `S@R`."""
        parts = name.split("/")
        if len(parts) == 4 and (parts[0], parts[2]) == ("services", "deployments"):
            return f"{parts[1]}@{parts[3]}"
        return "@".join(parts) if len(parts) == 2 else name

    def message_path(self, name: str) -> str:
        """Give the address of the message."""
        service, _, region = name.partition("@")
        return f"{META}/services/{service}/deployments/{region}"

    def find(self, client: ConsoleClient, name: str) -> KeptObject | None:
        """Read one message, with the alias of its data database."""
        kept = super().find(client, name)
        return self._placed(client, kept) if kept else None

    def list(self, client: ConsoleClient) -> list[KeptObject]:
        """Read all messages by name, each with the alias of its data database."""
        return [self._placed(client, kept) for kept in super().list(client)]

    def _placed(self, client: ConsoleClient, kept: KeptObject) -> KeptObject:
        service, _, region = kept.name.partition("@")
        shown = client.get(f"/api/v1/deployments/{service}/{region}")
        aliases = {each["namespace"].partition("/")[0] for each in shown["databases"] if not each["disabled"]}
        if len(aliases) == 1:
            kept.spec["database"] = aliases.pop()
        return kept

    def write(self, document: DeclaredDocument, name: str, kept: KeptObject | None) -> BatchWrite | None:
        """Register it with the place of its data, or write the fields that no upgrade moves."""
        spec: dict[str, Any] = {key: value for key, value in document.spec.items() if key != "database"}
        if kept is None:
            service, _, region = name.partition("@")
            database = str(document.spec.get("database", ""))
            return BatchWrite(
                "PUT",
                f"/api/v1/deployments/{service}/{region}",
                {"deployment": spec, "database": database},
            )
        return self.write_fields({key: spec[key] for key in spec if key not in PLACING}, name, kept)

    def refusal(self, document: DeclaredDocument, kept: KeptObject | None) -> str:
        """Refuse another database: moving data is an upgrade."""
        asked, database = document.spec.get("database"), kept.spec.get("database") if kept else None
        if asked and database and asked != database:
            return f"the data are in {database}, not in {asked}: moving them is an upgrade (swy upgrade plan --location)"
        return super().refusal(document, kept)
