"""The lock of npm is whole: each package that another asks for is in it, those of other platforms too.

Without them `npm ci` fails on a clean clone; npm leaves them out when it makes the lock beside installed packages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.test_docs import ROOT

LOCKS = [
    ROOT / "docs_site" / "package-lock.json",
    ROOT / "frontend" / "package-lock.json",
    ROOT / "published_definitions" / "package-lock.json",
    ROOT / "benchmarks" / "published" / "package-lock.json",
    ROOT / "tests" / "browser" / "chromium" / "package-lock.json",
]
Packages = Mapping[str, Mapping[str, Any]]


def missing(packages: Packages) -> Iterator[str]:
    """Name what is asked for and is not there, with who asks."""
    for place, package in packages.items():
        names = {**package.get("dependencies", {}), **package.get("optionalDependencies", {})}
        if not place:
            names |= package.get("devDependencies", {})
        peers = package.get("peerDependenciesMeta", {})
        names |= {
            name: wanted
            for name, wanted in package.get("peerDependencies", {}).items()
            if not peers.get(name, {}).get("optional")
        }
        for name in names:
            if not any(at in packages for at in _places(place, name)):
                yield f"{place or 'package.json'} asks for {name}"


def _places(place: str, name: str) -> Iterator[str]:
    """Give the places where a package finds another, the nearest first."""
    parts = place.split("/node_modules/") if place else []
    for depth in range(len(parts), -1, -1):
        yield "/node_modules/".join([*parts[:depth], name]) if depth else f"node_modules/{name}"


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.parent.name)
def test_every_package_that_is_asked_for_is_locked_with_its_digest(lock: Path) -> None:
    packages = json.loads(lock.read_text())["packages"]
    assert list(missing(packages)) == []
    assert [place for place, package in packages.items() if place and "integrity" not in package] == []


@pytest.mark.parametrize("kind", ["dependencies", "optionalDependencies", "devDependencies"])
def test_a_package_that_was_left_out_is_named(kind: str) -> None:
    packages = {"": {kind: {"resolver": "1"}}, "node_modules/other": {}}
    assert list(missing(packages)) == ["package.json asks for resolver"]
    assert list(missing({**packages, "node_modules/resolver": {}})) == []


def test_a_binding_of_another_platform_may_not_be_left_out() -> None:
    packages = {
        "": {"devDependencies": {"resolver": "1"}},
        "node_modules/resolver": {"optionalDependencies": {"@resolver/binding-darwin-arm64": "1"}},
    }
    assert list(missing(packages)) == ["node_modules/resolver asks for @resolver/binding-darwin-arm64"]
    nested = {**packages, "node_modules/resolver/node_modules/@resolver/binding-darwin-arm64": {}}
    assert list(missing(nested)) == []
