"""What contributors meet first: the files of .github are what their schemas say, and name what exists."""

from __future__ import annotations

import json
import re
import subprocess
from importlib.resources import files
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from console.env import ROOT

GITHUB = ROOT / ".github"
SCHEMAS = {
    "workflows/ci.yml": "github-workflows",
    "dependabot.yml": "dependabot",
    "ISSUE_TEMPLATE/bug.yml": "github-issue-forms",
    "ISSUE_TEMPLATE/proposal.yml": "github-issue-forms",
    "ISSUE_TEMPLATE/config.yml": "github-issue-config",
}


class GithubLoader(yaml.SafeLoader):
    """YAML as GitHub reads it: `on` is a text."""


GithubLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
GithubLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))


def read(name: str) -> object:
    return yaml.load((GITHUB / name).read_text(), GithubLoader)


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in names.splitlines()]


def test_every_yaml_file_is_held_to_a_schema() -> None:
    assert {path.relative_to(GITHUB).as_posix() for path in GITHUB.rglob("*.yml")} == set(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_file_is_what_its_schema_says(name: str) -> None:
    vendor = files("check_jsonschema") / "builtin_schemas" / "vendor"
    schema = json.loads((vendor / f"{SCHEMAS[name]}.json").read_text())
    errors = jsonschema_rs.validator_for(schema).iter_errors(read(name))
    assert [f"{error.instance_path}: {error.message}" for error in errors] == []


def test_the_workflow_runs_what_ci_runs_on_a_clone_with_its_history() -> None:
    workflow = read("workflows/ci.yml")
    assert isinstance(workflow, dict)
    steps = workflow["jobs"]["test"]["steps"]
    assert {"run": ".ci/run"} in steps
    (checkout,) = [step for step in steps if str(step.get("uses", "")).startswith("actions/checkout@")]
    assert checkout["with"]["fetch-depth"] == 0


def test_updates_are_proposed_for_every_place_that_pins_packages() -> None:
    updates = read("dependabot.yml")
    assert isinstance(updates, dict)
    known = {(entry["package-ecosystem"], entry["directory"]) for entry in updates["updates"]}
    paths = tracked()
    locks = {("npm", f"/{path.parent.as_posix()}") for path in paths if path.name == "package-lock.json"}
    locks |= {("pip", f"/{path.parent.as_posix()}") for path in paths if path.suffix == ".lock"}
    locks |= {("docker", "/") for path in paths if path.name == "Dockerfile"}
    assert locks - known == set()


def test_every_command_of_make_that_is_named_exists() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text()))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    named = {
        name
        for page in pages
        for name in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(), re.MULTILINE)
    }
    assert len(named) > 8
    assert named - targets == set()
