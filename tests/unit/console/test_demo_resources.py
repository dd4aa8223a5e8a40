"""The demo's made-up resources: which fields of an update must stay for the server to take it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import LazySettings

from console.demo.making import Maker
from console.demo.stand import environment
from migrations_app.adapters.extensions import installed_extensions
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_folder
from migrations_app.ports.regions.directory import Served

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.mark.parametrize(
    ("example", "version", "type_", "held"),
    [
        ("secrets", "v1", "SecretGrant", {"secret"}),
        ("secrets", "v1", "Secret", set()),
        ("delivery", "v2", "Rule", set()),
    ],
)
def test_fields_that_need_a_reference_are_named(
    example: str, version: str, type_: str, held: set[str]
) -> None:
    compiled = compile_service(read_folder(EXAMPLES / example))
    served = Served("services/s/deployments/here", compiled.service, "here", version, compiled, {})
    assert Maker(served, version, seed=1).held(type_) == held


@pytest.mark.parametrize("version", ["v1beta1", "v1"])
def test_resources_with_choices_of_required_fields_are_made_up(version: str) -> None:
    compiled = compile_service(read_folder(EXAMPLES / "privateca"))
    served = Served("services/s/deployments/here", compiled.service, "here", version, compiled, {})
    maker = Maker(served, version, seed=1)
    made = [maker.make(number, 120) for number in range(120)]
    assert {each.type for each in made} == set(maker.types)


def test_the_hooks_that_examples_call_are_installed_in_a_demo(tmp_path: Path, settings: LazySettings) -> None:
    names = environment(tmp_path)["SWITCHYARD_EXTENSIONS"].split(",")
    settings.SWITCHYARD = replace(settings.SWITCHYARD, extensions=tuple(names))
    compiled = compile_service(read_folder(EXAMPLES / "person"), None, installed_extensions().hooks)
    assert ("v20130101", "v20140101") in compiled.edges
