"""The files of small service definitions, as they are stored."""

from __future__ import annotations

import base64
from collections.abc import Sequence

_VERSION = """
schema:
  types: {{{types}}}
  resources: {{{resources}}}
"""


def stored_definition(service: str, versions: Sequence[str], types: Sequence[str]) -> dict[str, str]:
    """Write a definition of two versions, the older first, that have the same types."""
    older, newer = versions
    top = f"""
service: {service}
versions:
  - {{version: {older}, stage: stable, ordinal: 10, nextVersion: {newer}, sources: [{{kind: ir, path: old.yaml}}]}}
  - {{version: {newer}, stage: stable, ordinal: 20, sources: [{{kind: ir, path: new.yaml}}]}}
edges: [edge.yaml]
"""
    version = _VERSION.format(
        types=", ".join(f"{each}: {{fields: {{name: string, title: string}}}}" for each in types),
        resources=", ".join(
            f'{each}: {{patterns: ["{each.lower()}s/{{{each.lower()}}}"]}}' for each in types
        ),
    )
    edge = f"edge: {{service: {service}, from: {older}, to: {newer}}}\n"
    files = {"service.yaml": top, "old.yaml": version, "new.yaml": version, "edge.yaml": edge}
    return {path: base64.b64encode(text.encode()).decode() for path, text in files.items()}
