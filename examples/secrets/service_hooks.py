"""Service hooks of the secrets: install with `SWITCHYARD_EXTENSIONS=examples.secrets.service_hooks`.

The old version names a key ring in a secret and has no resource for it. Once the new version is active, a secret that is
created with a key ring in the old one becomes two resources of the new: the secret, and the crypto key that it names.
"""

from __future__ import annotations

from migrations_app.domain.service_hooks.calls import ResponseCall, WriteCall
from migrations_app.domain.service_hooks.registration import ServiceHooks
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject

SERVICE = "secrets.example.com"
v1alpha2 = ServiceHooks(SERVICE, "v1alpha2")
SERVICE_HOOKS = (v1alpha2,)


@v1alpha2.write("Secret", verbs=("create", "update"))
def make_crypto_key(call: WriteCall) -> JsonObject | None:
    """Create the crypto key of a secret in the same transaction, when there is none yet."""
    key_ring = (call.document or {}).get("keyRing")
    if call.active_version == call.version or not key_ring:
        return None
    project = "/".join(call.name.split("/")[:2])
    name = f"{project}/regions/{call.region}/cryptoKeys/{key_ring}"
    try:
        call.active.get("CryptoKey", name)
    except Missing:
        call.active.create("CryptoKey", name, {"algorithm": "AES256"})
    return None


@v1alpha2.response("Secret")
def show_project(call: ResponseCall) -> list[JsonObject]:
    """Show the title of its project for a secret that has none."""
    return [_titled(call, document) for document in call.documents]


def _titled(call: ResponseCall, document: JsonObject) -> JsonObject:
    if document.get("title"):
        return document
    project = "/".join(str(document["name"]).split("/")[:2])
    try:
        return {**document, "title": call.resources.get("Project", project).get("title", "")}
    except Missing:
        return document
