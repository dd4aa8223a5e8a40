"""`swy rollout`: several upgrades in waves, where the first failure stops the rest."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.exit_codes import CONFLICT
from console.cli.output import Form, show, show_one
from console.cli.upgrades.approvals import MARKS, Output
from console.cli.upgrades.upgrade import full_name

app = typer.Typer(help="Move several deployments to another version, in waves.", no_args_is_help=True)
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]
Deployment = Annotated[str, typer.Argument(help="services/S/deployments/R, or S@R")]
Comment = Annotated[str, typer.Option("-m", "--comment")]
PlanDigest = Annotated[str, typer.Option(help="The plan that was looked at; another one is refused.")]
SIGNS = {"waiting": "·", "running": "▒", "done": "✓", "failed": "✕", "skipped": "–"}


@app.command("list")
def listing(output: Output = None) -> None:
    """List rollouts, newest first."""
    found = ConsoleClient(read_credentials()).every("/api/v1/rollouts")
    show(found, ("id", "title", "state", "created_by", "sentence"), output, "id")


@app.command("show")
def show_rollout(rollout: str, output: Output = None) -> None:
    """Show one rollout: its waves and where each deployment is."""
    found = ConsoleClient(read_credentials()).get(f"/api/v1/rollouts/{rollout}")
    show_one(found, output, rollout_text(found))


def rollout_text(found: dict[str, Any]) -> str:
    """Tell a rollout, a line for each deployment."""
    lines = [
        found["sentence"],
        *([found["reason"]] if found["reason"] else []),
        f"plan {found['plan_digest']}",
    ]
    for number, wave in enumerate(found["waves"], 1):
        lines.append(f"wave {number}")
        lines += [
            f"  {SIGNS[each['state']]} {each['sentence']} {'Its plan was changed. ' if each['plan_changed'] else ''}{each['reason']}".rstrip()
            for each in wave
        ]
    return "\n".join(lines)


@app.command()
def plan(
    target_version: str,
    wave: Annotated[
        list[str], typer.Option(help="The deployments of one wave, parted by commas: S@R,S@R. Once a wave.")
    ],
    title: str = "",
    max_parallel: Annotated[int, typer.Option(help="How many of a wave move at once.")] = 1,
    pause: Annotated[int, typer.Option(help="Seconds between two waves.")] = 0,
    automatic: Annotated[bool, typer.Option("--automatic", help="Switch when every guard holds.")] = False,
    start: Annotated[bool, typer.Option("--start", help="Start it at once.")] = False,
    plan_digest: PlanDigest = "",
    comment: Comment = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Plan a rollout; nothing is kept when one deployment cannot be planned."""
    wish = {
        "target_version": target_version,
        "waves": [[full_name(each) for each in one.split(",") if each] for one in wave],
        "title": title,
        "max_parallel": max_parallel,
        "pause_seconds": pause,
        "start": start,
        "plan_digest": plan_digest,
        "comment": comment,
    } | ({"automatic": True} if automatic else {})
    found = ConsoleClient(read_credentials()).ask("POST", "/api/v1/rollouts", wish, dry_run=dry_run).body
    if not dry_run:
        show_one(found, output, f"{found['id']}: {rollout_text(found)}")
        return
    lines = []
    for each in found["items"]:
        lines.append(f"wave {each['wave'] + 1}: {each['deployment']}")
        lines += [f"  {MARKS[check['verdict']]} {check['sentence']}" for check in each["checks"]]
        lines += [f"  {MARKS['fail']} {each['problem']['detail']}"] if each["problem"] else []
    lines += [f"plan {found['plan_digest']}"] if found["plan_digest"] else []
    show_one(found, output, "\n".join(lines), key="possible")
    if not found["possible"]:
        raise typer.Exit(CONFLICT)


@app.command()
def propose(
    target_version: str,
    service: Annotated[
        list[str] | None, typer.Option(help="All deployments of a service. Repeat it.")
    ] = None,
    region: Annotated[list[str] | None, typer.Option(help="Only in these regions. Repeat it.")] = None,
    deployment: Annotated[list[str] | None, typer.Option(help="One deployment, S@R. Repeat it.")] = None,
    prefer: Annotated[str, typer.Option(help="balanced, fastest or safest; all without.")] = "",
    output: Output = None,
) -> None:
    """Propose waves in which no state breaks an importer, with the reasons for each deployment."""
    query = {
        "target_version": target_version,
        "services": ",".join(service or ()),
        "regions": ",".join(region or ()),
        "deployments": ",".join(full_name(each) for each in deployment or ()),
    }
    given = {key: value for key, value in query.items() if value}
    found = ConsoleClient(read_credentials()).every("/api/v1/rollouts/proposals", **given)
    for each in found:
        if not prefer or each["kind"] == prefer:
            show_one(each, output, _proposal_text(each), key="kind")


@app.command()
def rest(rollout: str, output: Output = None) -> None:
    """Tell whether the waves that did not begin still hold, and propose the ones that would; exits with 6 if not."""
    found = ConsoleClient(read_credentials()).get(f"/api/v1/rollouts/{rollout}/proposal")
    said = (
        ["The waves that are left hold."]
        if found["holds"]
        else [*found["reasons"], _proposal_text(found["proposal"])]
    )
    show_one(found, output, "\n".join(said), key="holds")
    if not found["holds"]:
        raise typer.Exit(CONFLICT)


@app.command()
def replan(rollout: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Put what did not begin into the waves that `swy rollout rest` proposes; what cannot move comes last."""
    found = ConsoleClient(read_credentials()).get(f"/api/v1/rollouts/{rollout}/proposal")
    _act(rollout, "replan", {"proposal_digest": found["digest"]}, dry_run, output)


def _proposal_text(found: dict[str, Any]) -> str:
    took = "unknown" if found["seconds"] is None else f"{found['seconds']:.0f} s"
    lines = [
        f"{found['kind']}: {len(found['waves'])} waves to {found['target_version']}, expected time {took}"
    ]
    for number, wave in enumerate(found["waves"], 1):
        lines.append(f"  wave {number}")
        lines += [f"    {each['deployment']}: {'; '.join(each['reasons'])}" for each in wave]
    lines += [f"  left out {each['deployment']}: {each['reason']}" for each in found["left_out"]]
    waves = " ".join("--wave " + ",".join(each["deployment"] for each in wave) for wave in found["waves"])
    return "\n".join([*lines, f"  swy rollout plan {found['target_version']} {waves}"] if waves else lines)


@app.command()
def start(rollout: str, plan_digest: PlanDigest = "", dry_run: DryRun = False, output: Output = None) -> None:
    """Let the first wave begin."""
    _act(rollout, "start", {"plan_digest": plan_digest}, dry_run, output)


@app.command()
def pause(rollout: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Begin no further deployment; those under way go on."""
    _act(rollout, "pause", {}, dry_run, output)


@app.command()
def resume(rollout: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Let the waves go on."""
    _act(rollout, "resume", {}, dry_run, output)


@app.command()
def retry(rollout: str, deployment: Deployment, dry_run: DryRun = False, output: Output = None) -> None:
    """Plan a failed deployment again, and go on."""
    _act(rollout, "retry", {"deployment": full_name(deployment)}, dry_run, output)


@app.command()
def skip(
    rollout: str,
    deployment: Deployment,
    comment: Annotated[str, typer.Option("-m", "--comment", prompt=True)],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Leave a deployment out, and go on; say why."""
    _act(rollout, "skip", {"deployment": full_name(deployment), "comment": comment}, dry_run, output)


@app.command()
def stop(rollout: str, comment: Comment = "", dry_run: DryRun = False, output: Output = None) -> None:
    """End it: what did not switch yet is aborted, what did stays as it is."""
    _act(rollout, "stop", {"comment": comment}, dry_run, output)


@app.command()
def rollback(rollout: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Pause, and take the newest wave that switched back."""
    _act(rollout, "rollback", {}, dry_run, output)


def _act(rollout: str, action: str, body: dict[str, Any], dry_run: bool, output: Form | None) -> None:
    client, place = ConsoleClient(read_credentials()), f"/api/v1/rollouts/{rollout}"
    seen = client.ask("GET", place)
    answer = client.ask("POST", f"{place}/{action}", body, tag=seen.tag, dry_run=dry_run)
    words = rollout_text(answer.body)
    show_one(answer.body, output, f"A dry run; it would be: {words}" if dry_run else words)
