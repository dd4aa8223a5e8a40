"""Small services written in the test itself."""

from __future__ import annotations

from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import ServiceFolder, read_files

SERVICE = "things.example.com"


def folder(old: str, new: str, ops: str, *, top: str = "", more: str = "") -> ServiceFolder:
    """Make a service of two versions from the types of each (YAML under `types:`) and the ops of `Thing`."""
    files = {
        "service.yaml": (
            f"service: {SERVICE}\nversions:\n"
            "  - {version: v1, ordinal: 10, sources: [{kind: ir, path: old.yaml}]}\n"
            "  - {version: v2, ordinal: 20, sources: [{kind: ir, path: new.yaml}]}\n"
            "edges: [edge.yaml]\n"
        ),
        "old.yaml": _schema(old),
        "new.yaml": _schema(new),
        "edge.yaml": (
            f"edge: {{service: {SERVICE}, from: v1, to: v2}}\n{top}\n"
            f"types:\n  Thing:\n    ops:\n{_indented(ops, 6)}\n{_indented(more, 2)}\n"
        ),
    }
    return read_files({path: text.encode() for path, text in files.items()})


def service(old: str, new: str, ops: str, *, top: str = "", more: str = "") -> CompiledService:
    """Compile a service of two versions."""
    return compile_service(folder(old, new, ops, top=top, more=more))


def _schema(types: str) -> str:
    return (
        f"schema:\n  types:\n{_indented(types, 4)}\n"
        '  resources:\n    Thing: {patterns: ["things/{thing}"]}\n'
    )


def _indented(text: str, by: int) -> str:
    lines = text.strip("\n").splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(" " * by + line[margin:] for line in lines)


def named_service() -> CompiledService:
    """Compile a service in which a region enters the name of things."""
    made = folder(
        "Thing: {fields: {name: string, a: string}}",
        "Thing: {fields: {name: string, b: string}}",
        """
        - rename: {from: a, to: b}
        - resourceName:
            variants:
              - from: "projects/{project}/things/{thing}"
                to: "projects/{project}/regions/{region}/things/{thing}"
                set: {region: {const: north}}
        """,
    )
    patterns = ("projects/{project}/things/{thing}", "projects/{project}/regions/{region}/things/{thing}")
    files = dict(made.files)
    for path, pattern in zip(("old.yaml", "new.yaml"), patterns, strict=True):
        files[path] = files[path].replace(b"things/{thing}", pattern.encode())
    return compile_service(read_files(files))
