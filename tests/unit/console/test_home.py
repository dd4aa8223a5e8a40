"""The folder of an installation: one holder, private files, a free port."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from console.embedded.failure import CannotStart
from console.embedded.home import Home, write_private
from console.embedded.sockets import LONGEST, socket_folder


def test_a_second_start_is_told_where_the_first_runs(tmp_path: Path) -> None:
    first, second = Home(tmp_path), Home(tmp_path)
    first.take()
    first.tell("http://localhost:8000")
    with pytest.raises(CannotStart, match=r"already runs from .*: http://localhost:8000\. Stop it there"):
        second.take()
    first.release()
    second.take()
    second.release()


def test_a_home_below_a_file_is_refused_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotStart, match="or choose another with SWITCHYARD_HOME"):
        Home(tmp_path / "file" / "home").take()


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    home = Home(tmp_path)
    secret = home.secret_key
    assert home.secret_key == secret
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_a_private_file_replaces_the_old_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "credentials.json"
    path.write_text("old")
    write_private(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)
    assert [each.name for each in tmp_path.iterdir()] == ["credentials.json"]


def test_sockets_stay_beside_the_data_while_the_path_is_short(tmp_path: Path) -> None:
    assert socket_folder(Path("/srv/x")) == Path("/srv/x/run")


def test_a_long_path_gets_a_short_socket_folder_that_is_its_own() -> None:
    long, other = Path("/srv/" + "a" * 100), Path("/srv/" + "b" * 100)
    assert socket_folder(long) == socket_folder(long)
    assert socket_folder(long) != socket_folder(other)
    assert len(str(socket_folder(long))) <= LONGEST


def test_a_full_disk_is_named_as_the_cause_of_a_crash_and_an_empty_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    assert home.shortage() == ""
    real = os.statvfs(tmp_path)
    full = os.statvfs_result((*real[:4], 3, *real[5:]))
    monkeypatch.setattr(os, "statvfs", lambda _: full)
    assert home.shortage() == (
        f"The disk of {tmp_path} is full. Free some; everything then goes on by itself."
    )
    with pytest.raises(CannotStart, match=r"has less than 300 MB free\. Free some, or choose"):
        home.take()
