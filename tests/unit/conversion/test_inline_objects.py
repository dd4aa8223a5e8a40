"""Objects whose types have no name of their own are called by the place they are at, also where that changes."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.domain.conversion.laws.verify import verify
from migrations_app.domain.conversion.proposals.propose import proposals
from migrations_app.domain.conversion.proposals.text import edge_text
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import RawEdge, ServiceFolder, read_files
from migrations_app.kernel.json import JsonObject

SERVICE = b"""
service: issuers.example.com
versions:
  - {version: v1, ordinal: 10, sources: [{kind: crd, path: crds.yaml}]}
  - {version: v2, ordinal: 20, sources: [{kind: crd, path: crds.yaml}]}
"""
PLACE = "The address at which the server of the issuer answers requests of this account."
ABOUT = "What the issuer signs with, as the account of its server knows it."


def definition(kind: str, *fields: str) -> str:
    """Write a definition of two versions, whose `spec` has an object of other names in the second one."""
    versions = "".join(
        f"""
  - name: {version}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              kept: {{type: integer}}
              {holder}:
                type: object
                description: {ABOUT}
                properties:
                  {field}: {{type: string, description: "{PLACE}"}}
                  port: {{type: integer}}"""
        for version, holder, field in (("v1", "target", fields[0]), ("v2", "endpoint", fields[1]))
    )
    return f"kind: CustomResourceDefinition\nspec:\n  names: {{kind: {kind}}}\n  versions:{versions}"


def proposed() -> ServiceFolder:
    """Take what is proposed for two kinds whose objects have one name and other fields."""
    text = "\n---\n".join((definition("Issuer", "url", "location"), definition("Signer", "place", "address")))
    bare = read_files({"service.yaml": SERVICE, "crds.yaml": text.encode()})
    (found,) = proposals(bare)
    assert found.is_covered, edge_text(found)
    return replace(bare, edges=(RawEdge(edge_text(found), "edge.yaml"),))


def test_ops_inside_two_objects_of_one_name_are_told_apart() -> None:
    compiled = compile_service(proposed())

    for kind, old, new in (("Issuer", "url", "location"), ("Signer", "place", "address")):
        document: JsonObject = {"name": "a/b", "spec": {"kept": 1, "target": {old: "x", "port": 2}}}
        made = compiled.converter(kind, "v1", "v2").forward("a/b", document).body
        assert made["spec"] == {"kept": 1, "endpoint": {new: "x", "port": 2}}
        assert compiled.converter(kind, "v1", "v2").backward("a/b", made).body == document


def test_the_laws_hold_of_them() -> None:
    results = list(verify(compile_service(proposed()), count=20))

    assert [each.failure for each in results if each.failure] == []
    assert sum(each.documents for each in results) > 0
