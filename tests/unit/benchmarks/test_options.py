"""What a release declares of renamed options is read from its aliases alone."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from benchmarks.published.options import declared_renames, modules_folder, pair_modules, read_release
from migrations_app.domain.schema.scalars import ScalarKind


def test_an_option_that_is_an_alias_of_a_new_one_was_renamed_on_every_level() -> None:
    old = {
        "user": {},
        "kept": {},
        "taken": {},
        "some_name": {},
        "dfs_root": {},
        "rules": {"type": "list", "elements": "dict", "suboptions": {"kind": {}}},
    }
    new = {
        "username": {"aliases": ["user"]},
        "kept": {"aliases": ["taken"]},  # was there before: two became one
        "someName": {"aliases": ["some_name"]},  # one name in JSON
        "DFSRoot": {"aliases": ["dfs_root"]},  # one name for edges, which need no line
        "rules": {"type": "list", "elements": "dict", "suboptions": {"type": {"aliases": ["kind"]}}},
    }

    assert list(declared_renames(old, new, "Thing")) == [
        ("Thing", "user", "username"),
        ("Thing.rules", "kind", "type"),
    ]


def test_modules_are_resource_types_of_a_folder() -> None:
    old = {"system": {"user_group": {"name": {"description": ["The name.", "It is C(one)."]}}}}
    new = {"general": {"user_group": {"name": {"type": "int"}}}}

    before, after = pair_modules(old, new)["system"]
    folder = modules_folder("a.example.com", {"1": before, "2": after})

    assert list(folder.schemas["v1"].resources) == ["UserGroup"]
    field = next(
        each for _, given in folder.schemas["v1"].objects() for each in given.fields if each.name == "name"
    )
    assert field.description == "The name. It is `one`."


def test_an_option_without_a_type_is_a_flag_where_its_default_is_one_or_it_chooses_between_two() -> None:
    options = {
        "by_default": {"default": False},
        "by_text": {"default": "yes"},
        "by_choice": {"choices": ["yes", "no"], "default": "no"},
        "said": {"type": "str", "default": True},
        "chosen": {"choices": ["on", "off"], "default": "on"},
        "plain": {"default": "none"},
    }
    folder = modules_folder("a.example.com", {"1": {"thing": options}, "2": {"thing": options}})

    kinds = {
        each.name: getattr(each.type, "kind", None)
        for _, given in folder.schemas["v1"].objects()
        for each in given.fields
    }
    assert {name for name, kind in kinds.items() if kind is ScalarKind.BOOL} == {
        "by_default",
        "by_text",
        "by_choice",
    }
    assert kinds["said"] is kinds["plain"] is ScalarKind.STRING


def test_a_module_that_a_collection_holds_twice_is_one(tmp_path: Path) -> None:
    code = b'DOCUMENTATION = """\noptions:\n  size: {type: int}\n"""\n'
    home = "ansible-9/ansible_collections/some/general"
    archive = tmp_path / "ansible-9.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        for place in (
            "plugins/modules/disk.py",
            "plugins/modules/system/disk.py",
            "tests/unit/plugins/modules/disk.py",
        ):
            entry = tarfile.TarInfo(f"{home}/{place}")
            entry.size = len(code)
            packed.addfile(entry, io.BytesIO(code))

    assert read_release(archive) == {"some/general": {"disk": {"size": {"type": "int"}}}}
    assert read_release(archive, only={"other"}) == {}
