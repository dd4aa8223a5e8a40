"""`swy schema` needs no server: it verifies, explains, proposes and reports on a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from console.cli.schema import app
from tests.unit.conversion.services import folder

SECRETS = Path(__file__).resolve().parents[3] / "examples" / "secrets"
PERSON = SECRETS.parent / "person"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def secrets(target: Path, was: str = "", becomes: str = "") -> Path:
    """Copy the definitions of the example, with one thing said otherwise wherever it stands."""
    for path in SECRETS.rglob("*.yaml"):
        copy = target / path.relative_to(SECRETS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text().replace(was, becomes) if was else path.read_text())
    return target


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder whose edge leaves fields open."""
    made = folder(
        "Thing: {fields: {name: string, max_tasks_per_second: f64, gone: string}}",
        "Thing: {fields: {name: string, max_dispatches_per_second: f64, size: i32}}",
        "[]",
    )
    for path, data in made.files.items():
        (tmp_path / path).write_bytes(data)
    return tmp_path


def test_an_example_keeps_all_laws_and_its_goldens() -> None:
    result = run("verify", str(SECRETS), "--count", "20")

    assert result.exit_code == 0, result.output
    assert (
        "18 laws, 108 type and version pairs, 2160 checks (65 of documents that the other version hides): all hold."
        in result.output
    )


def test_goldens_are_accepted_and_then_guard(tmp_path: Path) -> None:
    secrets(tmp_path)
    assert "goldens accepted" in run("verify", str(tmp_path), "--count", "1", "--accept").output
    assert run("verify", str(tmp_path), "--count", "1").exit_code == 0

    edge = tmp_path / "edges" / "v1alpha2-v1.yaml"
    edge.write_text(edge.read_text().replace("const: eu-west1", "const: us-east2"))
    result = run("verify", str(tmp_path), "--count", "1")

    assert result.exit_code == 1
    assert "goldens/Secret.v1alpha2-v1.jsonl:1 differs from what was accepted." in result.output


def test_what_an_edge_leaves_open_is_named_with_a_remedy(broken: Path) -> None:
    result = run("verify", str(broken))

    assert result.exit_code == 1
    assert "edge.yaml: E-UNASSESSED v1 Thing.gone is neither matched nor covered by an op." in result.output
    assert "- removed: gone" in result.output


def test_what_is_near_certain_is_proposed_as_a_line_and_the_rest_as_a_comment(broken: Path) -> None:
    result = run("propose", str(broken))

    assert result.exit_code == 1
    assert result.output == (
        "# edge.yaml: 2 lines, 1 to decide, below as comments, 2 places stay open\n"
        "types:\n"
        "  Thing:\n"
        "    ops:\n"
        "      - removed: [gone]\n"
        "      - added: [size]\n"
        "      # 0.79: the names share words; the types are equal; no other open field has such a type "
        "(old.yaml:3 → new.yaml:3)\n"
        "      # - rename: {from: max_tasks_per_second, to: max_dispatches_per_second}\n"
        "      # or - removed: [max_tasks_per_second]\n"
        "      # and - added: [max_dispatches_per_second]\n"
    )


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("rename: {from: title", "renam: {from: title", "v1.yaml:13: E-OP There is no op `renam`. One of"),
        ("to: display_name}", "to: display_name", "v1.yaml:14: E-SYNTAX The file is not YAML"),
        ("title: string", "title: strin", "v1alpha2.yaml:7: Project.title: E-REF"),
    ],
)
def test_what_is_written_wrongly_is_told_before_anything_is_proposed(
    tmp_path: Path, was: str, becomes: str, said: str
) -> None:
    result = run("propose", str(secrets(tmp_path, was, becomes)))

    assert result.exit_code == 1
    assert said in result.output
    assert "- removed" not in result.output


def test_only_the_way_that_an_edge_converts_is_checked_and_reported(tmp_path: Path) -> None:
    one_way = str(secrets(tmp_path, "to: v1}", "to: v1, transformationDirection: fromOldToNew}"))

    checked, reported = run("verify", one_way, "--count", "2"), run("report", one_way)

    assert "18 laws, 54 type and version pairs" in checked.output
    assert "v1 → v1alpha2: does not convert, as its transformationDirection says" in reported.output
    assert "v1alpha2 → v1: Secret.legacy_etag (removed) waits in the bag" in reported.output
    assert "v1 → v1alpha2: Secret" not in reported.output


def test_an_edge_that_converts_nothing_says_that_nothing_was_checked(tmp_path: Path) -> None:
    result = run("verify", str(secrets(tmp_path, "to: v1}", "to: v1, transformationDirection: disabled}")))

    assert result.exit_code == 0
    assert "its edges convert nothing, so there was nothing to check" in result.output


def test_one_document_is_explained_step_by_step(tmp_path: Path) -> None:
    document = tmp_path / "secret.json"
    document.write_text(json.dumps({"name": "projects/p/secrets/db", "title": "T", "owner": "ann"}))

    result = run("explain", str(SECRETS), "Secret", "v1alpha2", "v1", str(document))

    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.output.splitlines()]
    assert 'rename title → display_name "T" → "T"' in lines
    assert 'wrap owner → owners "ann" → ["ann"]' in lines
    assert '"name": "projects/p/regions/eu-west1/secrets/db",' in lines


def test_code_and_sql_can_be_looked_at() -> None:
    code = run("explain", str(SECRETS), "SecretGrant", "v1alpha2", "v1", "--code")
    assert code.output.startswith("def resource_0(n, s):\n    # v1alpha2.SecretGrant → v1.SecretGrant\n")
    sql = run("explain", str(SECRETS), "Secret", "v1alpha2", "v1", "--sql")
    assert sql.output == "There is no SQL for it.\n"


def test_the_report_says_what_assessed_fields_and_what_is_kept_out_of_sight() -> None:
    result = run("report", str(SECRETS))

    assert "secrets.example.com: v1alpha2 → v1, hub v1" in result.output
    assert "v1alpha2 → v1: Secret.legacy_etag (removed) waits in the bag" in result.output
    assert "v1 → v1alpha2: Secret names (resourceName) that the other version cannot write" in result.output
    assert "Project: nothing changes" in result.output


def test_the_report_says_what_the_sources_of_a_version_could_not_tell(tmp_path: Path) -> None:
    source = "{kind: python, module: google.cloud.tasks_v2}"
    (tmp_path / "service.yaml").write_text(
        f"service: tasks.example.com\nversions: [{{version: v2, sources: [{source}]}}]\n"
    )

    told = run("report", str(tmp_path)).output

    assert "v2: 48 types, 0 of resources" in told
    assert "not told by its sources: resources-missing (google.cloud.tasks.v2)" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "{at}/nowhere"], "nowhere has no service.yaml. Write service.yaml first."),
        (["propose", "{at}/nowhere"], "nowhere has no service.yaml. Write service.yaml first."),
        (["verify", str(SECRETS), "--law", "L99"], "There is no law L99. One of L1, "),
        (["verify", str(SECRETS), "--hooks", "{at}/none.py"], "none.py cannot be read: No such file or directory."),
        (["verify", str(SECRETS), "--hooks", "{at}/bad.py"], "bad.py:2: NameError: name 'Hooks' is not defined."),
        (["verify", str(PERSON)], "edges/v20130101-v20140101.yaml:7: E-HOOK There is no hook 'person-date'. Register it, or name its file with --hooks"),
        (["explain", str(SECRETS), "Secret", "v1alpha2", "v9"], "secrets.example.com has no version v9. It has v1alpha2, v1."),
        (["explain", str(SECRETS), "Secret", "v1alpha2", "v1", "{at}/none.json"], "none.json cannot be read: No such file or directory."),
        (["explain", str(SECRETS), "Secret", "v1alpha2", "v1", "{at}/bad.json"], "bad.json: This is not JSON"),
    ],
)  # fmt: skip
def test_what_a_newcomer_gets_wrong_is_told_in_a_sentence(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "bad.py").write_text("import sys\nHOOKS = Hooks()\n")
    (tmp_path / "bad.json").write_text("{bad")

    told = run(*(each.format(at=tmp_path) for each in arguments))

    assert told.exit_code == 1
    assert said in told.output.replace("\n", ""), told.output
    assert "Traceback" not in told.output


def test_a_mistake_in_a_file_of_hooks_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "hooks.py").write_text("HOOKS = 1\nHOOKS = (\n")

    told = run("verify", str(PERSON), "--hooks", str(tmp_path / "hooks.py"))

    assert told.exit_code == 1
    assert "hooks.py:2: SyntaxError: '(' was never closed" in told.output.replace("\n", "")


def test_a_folder_without_edges_says_that_nothing_was_checked() -> None:
    told = run("verify", str(SECRETS.parent / "cloud-kms"))

    assert told.exit_code == 0
    assert "cloudkms.googleapis.com: it has no edges" in told.output


def test_a_missing_file_is_told_once(tmp_path: Path) -> None:
    for path in SECRETS.rglob("*.yaml"):
        target = tmp_path / path.relative_to(SECRETS)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    (tmp_path / "v1.yaml").unlink()

    told = run("report", str(tmp_path))

    assert told.exit_code == 1
    assert told.output.count("v1.yaml is not in the folder") == 1


def test_the_part_that_a_document_goes_to_is_explained(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(
        '{"name": "projects/p/targets/queue-a", "kind": "QUEUE", "address": "q"}'
    )

    told = run("explain", str(SECRETS.parent / "delivery"), "Target", "v1", "v2", str(tmp_path / "t.json"))

    assert told.exit_code == 0, told.output
    assert '"name": "projects/p/queueTargets/queue-a"' in told.output
    assert '"queue": "q"' in told.output
