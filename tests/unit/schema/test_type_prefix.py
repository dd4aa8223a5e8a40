"""Versions written before the names of types: taken off by `typePrefix`, so that types match by their names."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.kernel.errors import Invalid

SPEC = """
openapi: 3.0.0
info: {{title: pods, version: "1"}}
paths:
  /pods/{{pod}}:
    get:
      parameters: [{{name: pod, in: path, required: true, schema: {{type: string}}}}]
      responses: {{"200": {{description: ok, content: {{application/json: {{schema: {{$ref: "#/components/schemas/{0}Pod"}}}}}}}}}}
components:
  schemas:
    {0}Pod: {{type: object, properties: {{name: {{type: string}}, spec: {{$ref: "#/components/schemas/{0}Spec"}}}}}}
    {0}Spec: {{type: object, properties: {{image: {{type: string}}}}}}
"""


def pods(first: str = "V1", second: str = "V2", *, spec: str = SPEC) -> ServiceFolder:
    files = {
        "service.yaml": (
            "service: pods.example.com\nversions:\n"
            f"  - {{version: v1, sources: [{{kind: openapi, path: v1.yaml, typePrefix: {first}}}]}}\n"
            f"  - {{version: v2, sources: [{{kind: openapi, path: v2.yaml, typePrefix: {second}}}]}}\n"
            "edges: [edge.yaml]\n"
        ),
        "v1.yaml": spec.format("V1"),
        "v2.yaml": spec.format("V2"),
        "edge.yaml": "edge: {service: pods.example.com, from: v1, to: v2}\n",
    }
    return read_files({path: text.encode() for path, text in files.items()})


def test_types_are_called_without_the_prefix_wherever_they_are_named() -> None:
    folder = pods()
    schema = folder.refuse_errors().schemas["v1"]
    assert set(schema.types) == {"Pod", "Spec"}
    assert schema.resources["Pod"].message == "Pod"
    compiled = compile_service(folder)
    assert compiled.converter("Pod", "v1", "v2").identity
    assert compiled.findings == ()


@pytest.mark.parametrize(
    ("prefix", "spec", "said"),
    [
        ("Beta", SPEC, "No type begins with typePrefix 'Beta'"),
        (
            "V1",
            SPEC.replace("    {0}Spec:", "    Spec: {{type: object}}\n    {0}Spec:"),
            "would both be Spec",
        ),
    ],
)
def test_a_prefix_that_cannot_be_taken_off_is_refused_with_its_place(
    prefix: str, spec: str, said: str
) -> None:
    with pytest.raises(Invalid, match=said) as refused:
        pods(prefix, spec=spec).refuse_errors()
    assert "service.yaml" in str(refused.value)
