"""`swy regions|services|deployments`, `swy service`, `swy deployment`, `swy fleet`, `swy meta`: the registry."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import httpx
import typer
import yaml

from console.cli import definition_rollouts
from console.cli.client import RUNNING, ConsoleClient, ConsoleProblem, read_credentials
from console.cli.files import read_text
from console.cli.output import Form, people_look, screen, show, show_one
from console.cli.service_changes import Summary, SummaryForm, apply_folder, send_folder, waive
from migrations_app.kernel.errors import Invalid

Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Check everything, store nothing.")]
META = "/meta/v1"
PAGE = 500

COLUMNS = {
    "regions": ("name", "title"),
    "services": ("name", "displayName", "allVersions"),
    "deployments": ("name", "currentVersion", "isDisabled", "upgrade"),
}


def collection(noun: str, listing_path: str) -> typer.Typer:
    """Make the commands of one kind: list, get, watch, apply and delete."""
    app = typer.Typer(help=f"The {noun} of the registry.", no_args_is_help=True)
    _add_reading(app, noun, listing_path)
    _add_writing(app, noun)
    return app


def _add_reading(app: typer.Typer, noun: str, listing_path: str) -> None:
    @app.command("list")
    def list_them(
        filter: Annotated[str, typer.Option(help='A filter, such as currentVersion = "v1".')] = "",
        order_by: Annotated[str, typer.Option(help="Such as region desc, name.")] = "",
        output: Output = None,
    ) -> None:
        """List them all."""
        found = pages(ConsoleClient(read_credentials()), listing_path, noun, filter=filter, orderBy=order_by)
        show([row_of(each) for each in found], COLUMNS[noun], output, "name")

    @app.command("get")
    def get_one(name: str, output: Output = None) -> None:
        """Show one, by its full name or its id."""
        found = ConsoleClient(read_credentials()).get(f"{META}/{full_name(noun, name)}")
        show_one(found, output, yaml.safe_dump(found, sort_keys=False), "name")

    @app.command("watch")
    def watch_them(
        name: Annotated[str, typer.Argument(help="One name; all of them when left out.")] = "",
        filter: Annotated[str, typer.Option(help='A filter, such as currentVersion = "v1".')] = "",
        timeout: Annotated[float, typer.Option(help="Stop after so many seconds, with exit code 5.")] = 0.0,
    ) -> None:
        """Tell everything there is and every change: a line each, JSON unless a person looks."""
        path = f"{META}/{full_name(noun, name)}" if name else listing_path
        watch(ConsoleClient(read_credentials()), f"{path}:watch", {"filter": filter}, timeout)


def _add_writing(app: typer.Typer, noun: str) -> None:
    @app.command("apply")
    def apply_file(file: Path, dry_run: DryRun = False, output: Output = None) -> None:
        """Create or update what a YAML or JSON file describes in the registry's own words."""
        body = read_document(file)
        name = full_name(noun, str(body.get("name", "")))
        paths = ",".join(key for key in body if key != "name")
        answer = ConsoleClient(read_credentials()).ask(
            "PUT",
            f"{META}/{name}",
            {**body, "name": name},
            params={"updateMask": paths, "allowMissing": "true"},
            dry_run=dry_run,
        )
        show_one(answer.body, output, f"{name} {'would be' if dry_run else 'is'} as {file} says.", "name")

    @app.command("delete")
    def delete_one(name: str, missing_ok: Annotated[bool, typer.Option("--missing-ok")] = False) -> None:
        """Remove one that nothing stands on."""
        whole = full_name(noun, name)
        try:
            ConsoleClient(read_credentials()).ask("DELETE", f"{META}/{whole}")
        except ConsoleProblem as problem:
            if not missing_ok or problem.status != 404:
                raise
            screen.print(f"{whole} is not there.")
        else:
            screen.print(f"{whole} is removed.")


regions = collection("regions", f"{META}/regions")
services = collection("services", f"{META}/services")
deployments = collection("deployments", f"{META}/services/-/deployments")
service = typer.Typer(
    help="Apply service folders; `swy services` shows what is registered.", no_args_is_help=True
)
deployment = typer.Typer(
    help="Register and switch deployments; `swy deployments` shows them.", no_args_is_help=True
)
fleet = typer.Typer(help="The fleet: which service runs which version where.", invoke_without_command=True)
meta = typer.Typer(help="Methods of the registry's own API.", no_args_is_help=True)


@service.command("apply")
def apply_service(
    directory: Path, dry_run: DryRun = False, form: SummaryForm = Summary.TEXT, output: Output = None
) -> None:
    """Validate, compile and register a service folder, if it may take the place of what is served and stored."""
    apply_folder(directory, dry_run, form, output)


service.command("waive")(waive)
service.add_typer(definition_rollouts.app, name="rollout")


@deployment.command("apply")
def apply_deployment(file: Path, dry_run: DryRun = False, output: Output = None) -> None:
    """Register or change a deployment as a file says: `name: services/S/deployments/R`, `currentVersion`, and others.

    Lets its region join the service, and gives its data a place.
    """
    body = read_document(file)
    answer = send_deployment(ConsoleClient(read_credentials()), body, dry_run)
    show_one(answer, output, answer["sentence"], "name")


@deployment.command("create")
def create_deployment(
    name: Annotated[str, typer.Argument(metavar="SERVICE@REGION")],
    version: Annotated[str, typer.Argument(help="The API version that it serves.")],
    database: Annotated[
        str, typer.Option(help="The data database that holds its resources; without it the first one.")
    ] = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Register a new deployment, let its region join the service, give its data a place."""
    client, whole = ConsoleClient(read_credentials()), full_name("deployments", name)
    try:
        known = client.get(f"{META}/{whole}")
    except ConsoleProblem as problem:
        if problem.status != 404:
            raise
    else:
        raise typer.BadParameter(
            f"{name} is registered already, and serves {known['currentVersion']}. To change its version, plan an upgrade:"
            f" swy upgrade plan {name} {version}"
        )
    answer = send_deployment(
        client, {"name": whole, "currentVersion": version, "database": database}, dry_run
    )
    show_one(answer, output, answer["sentence"], "name")


@deployment.command("switch")
def switch_deployment(name: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Let a deployment whose data another system moves switch, once its shards are ready and people agree."""
    _, owner, _, region = full_name("deployments", name).split("/")
    client = ConsoleClient(read_credentials())
    answer = client.ask("POST", f"/api/v1/deployments/{owner}/{region}/switch", dry_run=dry_run).body
    show_one(answer, output, answer["sentence"], "name")


@fleet.callback()
def show_fleet(context: typer.Context, output: Output = None) -> None:
    """Show what runs where."""
    if context.invoked_subcommand is None:
        cells = ConsoleClient(read_credentials()).get("/api/v1/fleet")["cells"]
        columns = (
            "service",
            "region",
            "current_version",
            "target_version",
            "state",
            "ready",
            "total",
            "oldest_report_at",
        )
        show(cells, columns, output, "name")


@fleet.command("apply")
def apply_fleet(directory: Path) -> None:
    """Apply `fleet.yaml` of a folder: its regions, its services in the order it names them, its deployments."""
    client = ConsoleClient(read_credentials())
    described = read_document(directory / "fleet.yaml")
    for each in described.get("regions", []):
        name = f"regions/{each['region']}"
        zone = {"metadata": {"annotations": {"timeZone": each["zone"]}}} if each.get("zone") else {}
        mask = "title,metadata.annotations.timeZone" if zone else "title"
        params = {"updateMask": mask, "allowMissing": "true"}
        client.ask("PUT", f"{META}/{name}", {"title": each.get("title", ""), **zone}, params=params)
    for path in described.get("services", []):
        answer = send_folder(client, fleet_folder(directory, path), False)
        screen.print(f"{answer['service']}: {', '.join(answer['versions'])}")
    present = {each["name"] for each in pages(client, f"{META}/services/-/deployments", "deployments")}
    for each in described.get("deployments", []):
        for region in each["regions"]:
            name = f"services/{each['service']}/deployments/{region}"
            # Where it starts is for the first time only: afterwards its upgrades say where it is.
            wanted = {
                key: value
                for key, value in each.get("deployment", {}).items()
                if not (name in present and key == "currentVersion")
            }
            shown = send_deployment(client, {"name": name, **wanted}, False)
            screen.print(shown["sentence"])


begin = typer.Typer(help="Begin an upgrade.", no_args_is_help=True)
meta.add_typer(begin, name="begin-upgrade")


@begin.command("deployment")
def begin_upgrade(
    name: Annotated[str, typer.Option(help="services/…/deployments/…")],
    target_version: Annotated[str, typer.Option(help="The available one when left out.")] = "",
    total_shards_count: Annotated[
        int,
        typer.Option(
            help="As many as the data have when left out; others alone, or with another version or location."
        ),
    ] = 0,
    output: Output = None,
) -> None:
    """Begin the upgrade of a deployment."""
    body: dict[str, Any] = {"targetVersion": target_version, "totalShardsCount": total_shards_count}
    wanted = {key: value for key, value in body.items() if value}
    found = ConsoleClient(read_credentials()).ask(
        "POST", f"{META}/{full_name('deployments', name)}:beginUpgrade", wanted
    )
    state = found.body.get("upgradeState", {})
    show_one(
        found.body, output, f"{name} moves to {state.get('targetVersion')}: {state.get('stage')}", "name"
    )


def pages(client: ConsoleClient, path: str, noun: str, **params: Any) -> list[dict[str, Any]]:
    """Read all pages of a list of the registry."""
    found: list[dict[str, Any]] = []
    token = ""
    while True:
        page = client.get(path, pageSize=PAGE, pageToken=token, **params)
        found += page.get(noun, [])
        token = page.get("nextPageToken", "")
        if not token:
            return found


def row_of(found: dict[str, Any]) -> dict[str, Any]:
    """Add what a table shows of an upgrade to a message."""
    state = found.get("upgradeState")
    if state is None:
        return found
    ready, pending = len(state.get("readyShards", [])), len(state.get("pendingShards", []))
    return {**found, "upgrade": f"{state['targetVersion']} {state['stage']} {ready}/{ready + pending}"}


def watch(client: ConsoleClient, path: str, body: dict[str, Any], timeout: float) -> None:
    """Print the changes of a watch, going on by its token when the stream ends or is lost."""
    end = time.monotonic() + timeout if timeout else float("inf")
    asked = {key: value for key, value in body.items() if value}
    while time.monotonic() < end:
        patience = min(60.0, end - time.monotonic())
        try:
            with client.http.stream("POST", path, json=asked, timeout=patience) as answer:
                if answer.status_code >= 400:
                    answer.read()
                    raise ConsoleProblem(answer.status_code, answer.json())
                for message in map(json.loads, filter(None, answer.iter_lines())):
                    asked["resumeToken"] = message.get("resumeToken", asked.get("resumeToken", ""))
                    _tell(message)
                    if time.monotonic() >= end:
                        break
        except httpx.ConnectError as error:
            raise ConsoleProblem(
                0,
                {
                    "detail": f"The console does not answer: {error}.",
                    "code": "unavailable",
                    "remedy": RUNNING,
                },
            ) from error
        except httpx.HTTPError:
            time.sleep(min(1.0, max(0.0, end - time.monotonic())))
    raise ConsoleProblem(0, {"detail": f"Watched for {timeout:g} s.", "code": "timeout"})


def _tell(message: dict[str, Any]) -> None:
    lists = (changes for key, changes in message.items() if key.endswith("Changes"))
    for change in [message["change"]] if "change" in message else [each for one in lists for each in one]:
        if not people_look():
            print(json.dumps(change), flush=True)
            continue
        what, about = next(iter(change.items()))
        found = next((each for each in about.values() if isinstance(each, dict)), about)
        row = row_of(found)
        beside = [str(row[each]) for each in ("currentVersion", "upgrade", "title") if row.get(each)]
        screen.print(f"{what:9}{found['name']}  {'  '.join(beside)}".rstrip())


def full_name(noun: str, name: str) -> str:
    """Write the full name of an id; a deployment may be written as `secrets.example.com@eu-west1` too."""
    if noun == "deployments" and "/" not in name and "@" in name:
        name = name.replace("@", "/", 1)
    if noun == "deployments" and "/" in name and not name.startswith("services/"):
        owner, _, region = name.partition("/")
        return f"services/{owner}/deployments/{region}"
    return name if "/" in name else f"{noun}/{name}"


def read_document(file: Path) -> dict[str, Any]:
    """Read a YAML or JSON file that holds one object."""
    try:
        found = yaml.safe_load(read_text(file))
    except (OSError, yaml.YAMLError) as error:
        raise typer.BadParameter(f"{file} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise typer.BadParameter(f"{file} holds no object")
    return found


def fleet_folder(directory: Path, path: str) -> Path:
    """Find a folder of a service that a fleet names; one that lies elsewhere is not uploaded."""
    from migrations_app.domain.schema.files.local_files import find_subfolder

    try:
        return find_subfolder(directory, path)
    except Invalid as error:
        raise typer.BadParameter(f"{error.message} {error.remedy}") from error


def send_deployment(client: ConsoleClient, body: dict[str, Any], dry_run: bool) -> dict[str, Any]:
    """Send the declaration of a deployment."""
    name = full_name("deployments", str(body.get("name", ""))) if body.get("name") else ""
    parts = name.split("/")
    if len(parts) != 4:
        raise typer.BadParameter(
            f"{name!r} is no name of a deployment. Write services/SERVICE/deployments/REGION, or SERVICE@REGION; in a file"
            " as `name`."
        )
    declared = {key: value for key, value in body.items() if key not in ("name", "database")}
    found: dict[str, Any] = client.ask(
        "PUT",
        f"/api/v1/deployments/{parts[1]}/{parts[3]}",
        {"deployment": declared, "database": str(body.get("database", ""))},
        dry_run=dry_run,
    ).body
    return found
