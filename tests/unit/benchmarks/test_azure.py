"""What wheels of Azure's management APIs declare is read as it stands on the wire."""

from __future__ import annotations

import zipfile
from pathlib import Path

from benchmarks.published.azure import models_folder, read_wheel, version_pairs
from migrations_app.domain.schema.types import (
    EnumType,
    Field,
    ListType,
    ObjectType,
    ScalarKind,
    ScalarType,
    StructType,
)

ENUMS = """
class _CaseInsensitiveEnumMeta(EnumMeta):
    pass

class State(str, Enum):
    #: It is on.
    ON = "On"
    OFF = "off"
"""
MODELS = r'''
class Resource(Model):
    _attribute_map = {{
        "id": {{"key": "id", "type": "str"}},
        "name": {{"key": "name", "type": "str"}},
        "type": {{"key": "type", "type": "str"}},
        "zones": {{"key": "zones", "type": "[str]"}},
    }}

class {name}(Resource):
    """A disk.

    :param id: Its name.
    :type id: str
    :ivar size: Required. The size in
     GiB. Possible values include: 1, 2
    :vartype size: int
    :ivar states: What it was. Known values are: "On" and "off".
    :vartype states: list[str or ~azure.mgmt.some.v1.models.State]
    :ivar rule: Its rule.
    :vartype rule: ~azure.mgmt.some.v1.models.Rule
    """

    _attribute_map = {{
        "id": {{"key": "id", "type": "str"}},
        "name": {{"key": "name", "type": "str"}},
        "type": {{"key": "type", "type": "str"}},
        "kind": {{"key": "odata\\.kind", "type": "str"}},
        "size": {{"key": "properties.sizeGB", "type": "int"}},
        "states": {{"key": "properties.states", "type": "[str]"}},
        "rule": {{"key": "properties.rule", "type": "Rule"}},
    }}

class Rule(Model):
    _attribute_map = {{"kind": {{"key": "kind", "type": "str"}}}}
    _subtype_map = {{"kind": {{"Text": "TextRule", "Size": "SizeRule"}}}}

class TextRule(Rule):
    _attribute_map = {{
        "kind": {{"key": "kind", "type": "str"}},
        "value": {{"key": "value", "type": "str"}},
        "length": {{"key": "length", "type": "int"}},
    }}

class SizeRule(Rule):
    _attribute_map = {{
        "kind": {{"key": "kind", "type": "str"}},
        "value": {{"key": "value", "type": "int"}},
    }}
'''


def _wheel(folder: Path, release: str, **names: str) -> Path:
    """Write a wheel with a folder of models for each version, in which the disk has this name."""
    wheel = folder / f"azure_mgmt_some-{release}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for version, name in names.items():
            home = f"azure/mgmt/some/{version}/models" if version != "only" else "azure/mgmt/some/models"
            packed.writestr(f"{home}/_models_py3.py", MODELS.format(name=name))
            packed.writestr(f"{home}/_models.py", "class Twin(Model):\n    _attribute_map = {}\n")
            packed.writestr(f"{home}/_some_enums.py", ENUMS)
            packed.writestr(f"{home}/__init__.py", "class Listed(Model):\n    _attribute_map = {}\n")
        packed.writestr("azure/mgmt/other/models/_models.py", "class Other:\n    _attribute_map = {}\n")
    return wheel


def test_fields_stand_where_they_do_in_json_with_their_texts_and_types(tmp_path: Path) -> None:
    (version,) = read_wheel(_wheel(tmp_path, "1.0.0", only="Disk"))
    folder = models_folder("a.example.com", (version, version))
    schema = folder.schemas["v1"]

    assert (version.name, list(schema.resources), schema.resources["Disk"].name_field) == (
        "1.0.0",
        ["Disk"],
        "id",
    )
    assert set(schema.types) == {"State", "Resource", "Disk", "Rule", "TextRule", "SizeRule"}
    assert [each.name for each in schema.object("Disk").fields] == ["id", "name", "type", "properties"]
    inner = schema.object("Disk").fields[-1].type
    assert isinstance(inner, ObjectType)
    assert {each.name: each.description for each in inner.fields} == {
        "sizeGB": "The size in GiB.",
        "states": "What it was.",
        "rule": "Its rule.",
    }
    assert _field(inner, "sizeGB").type == ScalarType(ScalarKind.I64)
    states = _field(inner, "states").type
    assert isinstance(states, ListType)
    symbols = schema.resolve(states.item)
    assert isinstance(symbols, EnumType)
    assert [each.name for each in symbols.values] == ["On", "off"]
    rule = schema.resolve(_field(inner, "rule").type)
    assert isinstance(rule, ObjectType)
    assert [each.name for each in rule.fields] == ["kind", "value", "length"]
    assert _field(rule, "value").type == StructType()  # the two rules have values of their own


def _field(given: ObjectType, name: str) -> Field:
    found = given.field(name)
    assert found is not None
    return found


def test_a_version_follows_the_newest_older_one_with_its_resource_types(tmp_path: Path) -> None:
    wheel = _wheel(
        tmp_path,
        "1.0.0",
        v2018_01_01="Disk",
        v2018_01_01_preview="Disk",
        v2019_01_01="Share",
        v2020_01_01="Disk",
    )

    assert [(old.name, new.name) for old, new in version_pairs([wheel])] == [
        ("2018-01-01-preview", "2018-01-01"),
        ("2018-01-01", "2020-01-01"),
    ]


def test_releases_with_one_version_each_follow_each_other(tmp_path: Path) -> None:
    releases = [_wheel(tmp_path, "1.0.0", only="Disk"), _wheel(tmp_path, "2.0.0", only="Share")]

    assert [(old.name, new.name) for old, new in version_pairs(releases)] == [("1.0.0", "2.0.0")]
