"""An extension for two regions: a method of one service that writes resources of another."""

from __future__ import annotations

from migrations_app.domain.methods.calls import Call
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.kernel.json import JsonObject

v1 = ServiceMethods("user.example.com", "v1")
METHODS = (v1,)


@v1.method("ResizeThing", dry_run=True)
def resize(call: Call) -> JsonObject:
    """Give a thing, which may be of any region, the size that is asked for; none deletes it."""
    things, name = call.peer("base.example.com", "v1"), str(call.request["thing"])
    if call.request.get("size") is None:
        things.delete("Thing", name)
        return {}
    size: JsonObject = {"size": call.request["size"]}
    if call.request.get("create"):
        return {"size": things.create("Thing", name, size)["size"]}
    return {"size": things.update("Thing", name, size)["size"]}
