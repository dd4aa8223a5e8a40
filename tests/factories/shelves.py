"""A small service of two versions, whose definition tests change in place."""

from __future__ import annotations

from migrations_app.kernel.json import JsonObject

SHELVES = "shelves.example.com"
BOX = "boxes/b1"
V1 = """
schema:
  jsonNames: camel
  types:
    Box:
      fields:
        name: string
        title: string
        weight: i32
        sealed: bool
        lid: Lid
        parts: Part[]
        tags: {map: Part}
    Lid: {fields: {colour: string, hinge_count: i32}}
    Part: {fields: {id: string, note: string, size: i32}}
  resources: {Box: {patterns: ["boxes/{box}"]}}
"""
STORED: JsonObject = {
    "title": "tools",
    "weight": 7,
    "sealed": True,
    "lid": {"colour": "red", "hingeCount": 2},
    "parts": [{"id": "a", "note": "long", "size": 3}, {"id": "b", "note": "short", "size": 4}],
    "tags": {"x": {"id": "c", "note": "odd", "size": 5}},
}


def folder(v1: str = V1, v2: str = "", more: str = "", ops: str = "") -> dict[str, bytes]:
    """Write the folder of the service; without `v2` and `ops` both versions differ in the name of the title."""
    named = "caption" if "caption:" in v1 else "title"
    top = f"""
service: {SHELVES}
displayName: Shelves
versions:
  - {{version: v1, stage: stable, ordinal: 10, nextVersion: v2, sources: [{{kind: ir, path: v1.yaml}}]}}
  - {{version: v2, stage: stable, ordinal: 20, sources: [{{kind: ir, path: v2.yaml}}]}}
edges: [edge.yaml]
{more}
"""
    rename = f"{{rename: {{from: {named}, to: label}}}}" if f"{named}:" in v1 else "{added: label}"
    edge = f"""
edge: {{service: {SHELVES}, from: v1, to: v2}}
unassessed: warning
types: {{Box: {{ops: [{ops or rename}]}}}}
"""
    new = v2 or (v1.replace(f"{named}:", "label:") if f"{named}:" in v1 else V1.replace("title:", "label:"))
    files = {"service.yaml": top, "v1.yaml": v1, "v2.yaml": new, "edge.yaml": edge}
    return {path: text.encode() for path, text in files.items()}
