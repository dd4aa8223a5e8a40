"""Api-skeletons give resource types, names, methods and hints; nothing unknown is dropped silently."""

from __future__ import annotations

import pytest

from migrations_app.domain.schema.basic_actions import ACTIONS, opted_out
from migrations_app.domain.schema.findings import Severity
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.ir import ScopeAttribute, VersioningHint

SERVICE = b"""
service: vault.example.com
versions:
  - version: v1alpha2
    sources: [{kind: skeleton, path: skeleton.yaml}]
"""
SKELETON = rb"""
name: vault.example.com
proto:
  package: {name: example.vault, currentVersion: v1alpha2, nextVersion: v1}
  service: {name: Vault, defaultHost: vault.example.com}
imports: [iam.example.com]
resources:
- name: Box
- name: Secret
  idPattern: "[\\\\w]{1,8}\\\\/[a-z]{1,8}"
  parents: [iam.example.com/Project, Box, ""]
  scopeAttributes: [Region]
  scopeAttributeOverrides: {Region: {isOptional: true}}
  optOuts: {basicActions: ["{Create}Secret", ListSecrets], paging: true}
  multiRegion: {syncType: NEVER}
  versioning: {replacement: Item, skipTransformersBasicActions: [UpdateSecret], skipAccessTransformer: true}
  actions:
  - name: RevealSecret
    verb: reveal
    withStoreHandle: {transaction: NONE, readOnly: true}
- name: Policy
  plural: Policies
  parents: [Box]
  scopeAttributes: [Region]
apis:
- name: Keys
  actions:
  - name: RotateAll
    verb: rotate
    versioning: {replacement: Vault/RotateKeys}
"""


def read(skeleton: bytes = SKELETON, service: bytes = SERVICE, **more: bytes) -> ServiceFolder:
    return read_files({"service.yaml": service, "skeleton.yaml": skeleton, **more})


def test_names_come_from_parents_and_scopes() -> None:
    folder = read()
    schema = folder.schemas["v1alpha2"]

    assert folder.findings == ()
    assert schema.resource("Secret").patterns == (
        "projects/{project}/secrets/{secret}",
        "projects/{project}/regions/{region}/secrets/{secret}",
        "boxes/{box}/secrets/{secret}",
        "boxes/{box}/regions/{region}/secrets/{secret}",
        "secrets/{secret}",
        "regions/{region}/secrets/{secret}",
    )
    assert schema.resource("Secret").id_patterns == {"secret": r"[\w]{1,8}/[a-z]{1,8}"}
    assert schema.resource("Secret").scope_attributes == (ScopeAttribute("Region", optional=True),)
    assert schema.resource("Policy").patterns == ("boxes/{box}/regions/{region}/policies/{policy}",)
    assert {"iam.example.com/Project", "Secret"} <= {loss.path for loss in schema.losses}


def test_actions_and_hints_are_kept() -> None:
    schema = read().schemas["v1alpha2"]

    assert "CreateSecret" not in schema.methods
    assert "ListSecrets" not in schema.methods
    assert "ListPolicies" in schema.methods
    assert schema.methods["RevealSecret"].options["withStoreHandle"] == {
        "transaction": "NONE",
        "readOnly": True,
    }
    assert schema.resource("Secret").options == {
        "multiRegion": {"syncType": "NEVER"},
        "optOuts": {"basicActions": ["{Create}Secret", "ListSecrets"], "paging": True},
    }
    assert schema.hints == {
        "Secret": VersioningHint("Item", False, ("UpdateSecret",), True),
        "Keys/RotateAll": VersioningHint("Vault/RotateKeys"),
    }
    assert (schema.next_version, schema.imports) == ("v1", ("iam.example.com",))


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        (b"imports:", b"colour: red\nimports:", "colour"),
        (b"syncType: NEVER", b"syncKind: NEVER", "multiRegion.syncKind"),
        (b"readOnly: true", b"readOnly: true, cached: true", "withStoreHandle.cached"),
        (b"verb: rotate", b"verb: rotate\n    async: true", "async"),
    ],
)
def test_an_unknown_option_is_reported_with_its_line(old: bytes, new: bytes, path: str) -> None:
    found = read(SKELETON.replace(old, new)).findings

    assert [(each.code, each.severity) for each in found] == [("W-OPTION", Severity.WARNING)]
    assert f"unknown option {path}" in found[0].message
    assert found[0].line > 1


def test_published_options_are_known_and_their_values_kept() -> None:
    more = b"verb: rotate\n    grpcTranscoding: {httpMethod: put, httpPathOverrides: [/v1/keys]}"
    found = read(
        SKELETON.replace(b"verb: rotate", more).replace(
            b"- name: Box\n", b"- name: Box\n  optOuts: {nameField: true}\n"
        )
    )
    schema = found.schemas["v1alpha2"]

    assert found.findings == ()
    assert schema.methods["RotateAll"].options["grpcTranscoding"] == {
        "httpMethod": "put",
        "httpPathOverrides": ["/v1/keys"],
    }
    # What has no name cannot be addressed: no basic action is left.
    assert opted_out(schema.resource("Box")) == frozenset(ACTIONS.values())
    assert opted_out(schema.resource("Policy")) == frozenset()


def test_parents_that_lead_back_are_refused() -> None:
    looped = SKELETON.replace(b"- name: Box\n", b"- name: Box\n  parents: [Policy]\n")
    assert {each.code for each in read(looped).findings} == {"E-CYCLE"}


def test_the_version_must_agree() -> None:
    assert [each.code for each in read(SKELETON.replace(b"v1alpha2", b"v2")).findings] == ["E-VERSION"]


def test_fields_come_from_another_source() -> None:
    service = SERVICE.replace(b"[{kind", b"[{path: types.yaml}, {kind")
    types = b"""
types:
  Secret: {fields: {name: string, value: bytes}}
resources:
  Secret: {nameField: name, singular: secret}
"""
    folder = read(service=service, **{"types.yaml": types})
    schema = folder.schemas["v1alpha2"]

    assert folder.findings == ()
    assert [field.name for field in schema.document_type("Secret")] == ["name", "value"]
    assert [field.name for field in schema.document_type("Box")] == ["name"]
    assert len(schema.resource("Secret").patterns) == 6


def test_two_sources_that_disagree_are_refused() -> None:
    service = SERVICE.replace(b"[{kind", b"[{path: types.yaml}, {kind")
    types = b"""
types: {Secret: {fields: {name: string}}}
resources: {Secret: {patterns: ["secrets/{secret}"]}}
"""
    assert [each.code for each in read(service=service, **{"types.yaml": types}).findings] == ["E-CLASH"]
