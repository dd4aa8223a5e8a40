"""No name of a file in a service folder reaches a program, another folder or a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.domain.schema.files.file_paths import MAX_PATH_LENGTH, check_paths, is_allowed_path
from migrations_app.domain.schema.files.local_files import find_subfolder, read_local_files
from migrations_app.domain.schema.folder import read_files, read_folder, read_service_name
from migrations_app.domain.schema.loaders.protoc import compile_protos
from migrations_app.kernel.errors import Invalid
from tests.fuzz.file_names import ALLOWED_NAMES, REFUSED_NAMES

SERVICE = b"""
service: library.example.com
versions: [{version: v1, sources: [{kind: protobuf, path: r, root: r}]}]
"""
PROTO = b'syntax = "proto3";\npackage r;\nmessage A { string name = 1; }\n'


@pytest.mark.parametrize("name", REFUSED_NAMES, ids=ascii)
def test_a_refused_name_is_refused_by_every_reader_of_a_folder(name: str) -> None:
    files = {"service.yaml": SERVICE, "r/a.proto": PROTO, name: PROTO}

    for read in (read_files, read_service_name, lambda given: compile_protos(given, ["r/a.proto"])):
        with pytest.raises(Invalid) as refused:
            read(files)
        assert refused.value.code == "E-FILENAME"
        assert str(refused.value).isprintable()
        assert len(refused.value.message) < 200
        assert "letters, digits" in refused.value.remedy


@pytest.mark.parametrize("name", ALLOWED_NAMES)
def test_an_allowed_name_is_accepted(name: str) -> None:
    check_paths([name])


def test_the_length_of_a_path_is_bounded_at_255_characters() -> None:
    assert is_allowed_path("a" * MAX_PATH_LENGTH)
    assert not is_allowed_path("a" * (MAX_PATH_LENGTH + 1))
    assert MAX_PATH_LENGTH == 255


@pytest.mark.parametrize("names", [("a", "a/b"), ("a/b", "a/b/c/d.proto")])
def test_a_file_that_is_also_a_folder_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(Invalid, match="is a file, and"):
        check_paths(names)


@pytest.mark.parametrize("name", ["--version.proto", "a b.proto", "a\n--plugin=x.proto", "ü.proto"])
def test_a_folder_on_disk_is_held_to_the_same_names(tmp_path: Path, name: str) -> None:
    (tmp_path / "service.yaml").write_bytes(SERVICE)
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / name).write_bytes(PROTO)

    for read in (read_folder, read_local_files):
        with pytest.raises(Invalid) as refused:
            read(tmp_path)
        assert refused.value.code == "E-FILENAME"


def test_links_that_lead_out_of_a_folder_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"key")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "service.yaml").write_bytes(SERVICE)
    (folder / "link").symlink_to(tmp_path / "secret")

    assert read_local_files(folder) == {"service.yaml": SERVICE}


@pytest.mark.parametrize("path", ["..", "../other", "/etc", "missing", "inside/../../other"])
def test_a_fleet_names_only_folders_below_it(tmp_path: Path, path: str) -> None:
    root = tmp_path / "fleet"
    for folder in (root / "inside", tmp_path / "other"):
        folder.mkdir(parents=True)

    assert find_subfolder(root, "inside") == root / "inside"
    with pytest.raises(Invalid, match="no folder below") as refused:
        find_subfolder(root, path)
    assert refused.value.code == "fleet-file"


def test_the_name_of_a_service_is_read_without_opening_a_source() -> None:
    broken = {"service.yaml": SERVICE, "r/a.proto": b"this is no protobuf"}

    assert read_service_name(broken) == "library.example.com"
    with pytest.raises(Invalid) as refused:
        read_service_name({"service.yaml": b"service: [1]"})
    assert refused.value.code == "E-NAME"
