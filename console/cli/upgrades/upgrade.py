"""`swy upgrade`: plan, start, watch, approve, switch, roll back, abort, complete."""

from __future__ import annotations

import time
from collections import Counter
from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, ConsoleResponse, read_credentials
from console.cli.exit_codes import CONFLICT, FAILED, TIMED_OUT
from console.cli.figures import causes_of, figures_of, pace_of
from console.cli.output import Form, errors, screen, show, show_one
from console.cli.upgrades import approvals
from console.cli.upgrades.ensure import ensure
from console.cli.upgrades.watching import ENDS, STATES, watch_upgrade

app = typer.Typer(help="Move a deployment to another version.", no_args_is_help=True)
LONG_POLL_SECONDS = 20.0
Output = approvals.Output
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]
Wait = Annotated[bool, typer.Option("--wait", help="Wait until it is done.")]
Timeout = Annotated[float, typer.Option(help="Seconds to wait at most.")]
Comment = Annotated[str, typer.Option("-m", "--comment")]

STEP_MARKS = {"done": "✓", "current": "▶", "todo": "·", "failed": "✕", "skipped": "–"}

app.command("approve")(approvals.approve)
app.command("reject")(approvals.reject)
app.command("ensure")(ensure)


@app.command("list")
def listing(
    service: str = "", region: str = "", state: str = "", live: bool = False, output: Output = None
) -> None:
    """List upgrades, newest first."""
    found = ConsoleClient(read_credentials()).every(
        "/api/v1/upgrades", service=service, region=region, state=state, live="true" if live else None
    )
    show(found, ("id", "service", "region", "from_version", "to_version", "state", "sentence"), output, "id")


@app.command("show")
def show_upgrade(upgrade: str, output: Output = None) -> None:
    """Show one upgrade: its figures and their age, what holds it up, its steps, what stands against its switch, who works on its shards, what it offers you."""
    found = ConsoleClient(read_credentials()).get(f"/api/v1/upgrades/{upgrade}")
    show_one(found, output, describe_upgrade(found))


@app.command("removals")
def removals(upgrade: str, output: Output = None) -> None:
    """List what the new version does not have of the old one: how much is stored, who calls it, who accepted it."""
    found = ConsoleClient(read_credentials()).every(f"/api/v1/upgrades/{upgrade}/removals")
    machine = output is not None and output is not Form.TABLE
    rows = found if machine else [_removal(each) for each in found]
    show(rows, ("rule", "path", "what", "stored", "callers", "accepted", "exported"), output, "path")


def _removal(of: dict[str, Any]) -> dict[str, Any]:
    stored = "" if of["stored"] is None else f"{'about ' if of['is_estimate'] else ''}{of['stored']}"
    waiver, kept = of["waiver"], of["kept"]
    accepted = f"until {waiver['until'][:10]}" if of["accepted"] else "asked" if waiver else "no"
    exported = "" if kept is None else {True: "yes", False: "no", None: "unknown"}[kept["exported"]]
    return {
        **of,
        "stored": stored,
        "callers": ", ".join(of["callers"]),
        "accepted": accepted,
        "exported": exported,
    }


def describe_upgrade(found: dict[str, Any]) -> str:
    """Write an upgrade for people."""
    checks = [
        f"  {approvals.MARKS[each['verdict']]} {each['sentence']}" for each in found["readiness"]["checks"]
    ]
    offered = [each["action"] for each in found["actions"] if each["allowed"]]
    you = f"You can: {', '.join(offered) or 'only look'}."
    figures = [f"  {figures_of(found)}"] if found["started_at"] else []
    return "\n".join(
        [
            found["sentence"],
            *figures,
            *causes_of(found),
            *pace_of(found),
            *_steps(found),
            *checks,
            *_nodes(found),
            you,
        ]
    )


def _steps(found: dict[str, Any]) -> list[str]:
    """Write the steps of an upgrade as its page does: the sign says how far each is."""
    told = []
    for each in found["steps"]:
        at = each["started_at"][:16].replace("T", " ") + " UTC" if each["started_at"] else ""
        words = [word for word in (at, each["who"], each["text"]) if word]
        told.append(f"  {STEP_MARKS[each['state']]} {each['step']:<16}{', '.join(words)}".rstrip())
    stopping = [each for each in found["preflight"] if each["verdict"] in ("fail", "pending", "unknown")]
    return [*told, *(f"  {approvals.MARKS[each['verdict']]} {each['sentence']}" for each in stopping)]


def _nodes(found: dict[str, Any]) -> list[str]:
    """Name the workers that reported last, with how many shards each."""
    nodes = Counter(shard["node"] for shard in found["shards"]["items"] if shard["node"])
    return [f"  {many} {'shard' if many == 1 else 'shards'} by {node}" for node, many in nodes.most_common()]


@app.command()
def plan(
    deployment: Annotated[str, typer.Argument(help="services/S/deployments/R, or S@R")],
    target_version: Annotated[
        str, typer.Argument(help="Empty with --location, --data-version or --shards alone.")
    ] = "",
    location: Annotated[str, typer.Option(help="Move the data to this data database.")] = "",
    data_version: Annotated[str, typer.Option(help="Change the data in place.")] = "",
    start: Annotated[bool, typer.Option("--start", help="Start it at once.")] = False,
    automatic: Annotated[bool, typer.Option("--automatic", help="Switch when every guard holds.")] = False,
    keep_old: Annotated[bool, typer.Option(help="Follow the new version's writes back.")] = True,
    rollback_hours: Annotated[int, typer.Option(help="How long rollback stays possible.")] = 168,
    shards: Annotated[
        int,
        typer.Option(help="Give the data so many shards; alone, or with a target version or --location."),
    ] = 0,
    comment: Comment = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Plan an upgrade; --dry-run shows what it would do and what stands against it."""
    if sum(map(bool, (target_version, location, data_version))) > 1:
        raise typer.BadParameter("give one of a target version, --location and --data-version")
    kind = "location" if location else "data" if data_version else "version"
    if shards and not (target_version or location or data_version):
        kind = "shards"
    wish = {
        "deployment": full_name(deployment),
        "target_version": target_version,
        "kind": kind,
        "target_location": location,
        "target_data_version": data_version,
        "start": start,
        "comment": comment,
        "downgrade_sync": keep_old,
        "rollback_hours": rollback_hours,
        "target_shard_count": shards,
    } | ({"automatic": True} if automatic else {})
    found = ConsoleClient(read_credentials()).ask("POST", "/api/v1/upgrades", wish, dry_run=dry_run).body
    if not dry_run:
        show_one(found, output, f"{found['id']}: {found['sentence']}")
        return
    steps = [f"  {number}. {step}" for number, step in enumerate(found["would"], 1)]
    checks = [f"  {approvals.MARKS[each['verdict']]} {each['sentence']}" for each in found["checks"]]
    show_one(found, output, "\n".join(["It would:", *steps, "Checks:", *checks]), key="plan_digest")
    if not found["possible"]:
        raise typer.Exit(CONFLICT)


def full_name(deployment: str) -> str:
    """Spell a deployment's name out: `secrets.example.com@eu-1` too."""
    service, at, region = deployment.partition("@")
    return f"services/{service}/deployments/{region}" if at else deployment


@app.command()
def start(upgrade: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Start a planned upgrade."""
    _act(upgrade, "start", {}, dry_run, output)


@app.command()
def pause(upgrade: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Stop copying until it is resumed."""
    _act(upgrade, "pause", {}, dry_run, output)


@app.command()
def resume(upgrade: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Go on copying."""
    _act(upgrade, "resume", {}, dry_run, output)


@app.command()
def throttle(
    upgrade: str,
    limit: Annotated[int, typer.Argument(help="Resources a second at most; 0 removes the limit.")],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Limit the copy rate; live writes are followed as fast as ever."""
    _act(upgrade, "throttle", {"limit": limit or None}, dry_run, output)


@app.command("request-approval")
def request_approval(
    upgrade: str, comment: Comment = "", ticket: str = "", dry_run: DryRun = False, output: Output = None
) -> None:
    """Ask for the votes that the switch, or the rollback, needs."""
    _act(upgrade, "request-approval", {"comment": comment, "ticket": ticket}, dry_run, output)


@app.command()
def switch(
    upgrade: str, wait: Wait = False, timeout: Timeout = 120.0, dry_run: DryRun = False, output: Output = None
) -> None:
    """Switch to the new version."""
    _act(upgrade, "switch", {}, dry_run, output, timeout if wait else 0.0)


@app.command()
def rollback(
    upgrade: str, wait: Wait = False, timeout: Timeout = 120.0, dry_run: DryRun = False, output: Output = None
) -> None:
    """Roll back to the old version; what was written meanwhile is kept."""
    _act(upgrade, "rollback", {}, dry_run, output, timeout if wait else 0.0)


@app.command()
def complete(
    upgrade: str, wait: Wait = False, timeout: Timeout = 120.0, dry_run: DryRun = False, output: Output = None
) -> None:
    """Close the rollback window."""
    _act(upgrade, "complete", {}, dry_run, output, timeout if wait else 0.0)


@app.command()
def extend(
    upgrade: str,
    hours: Annotated[int, typer.Argument(help="How many hours from now rollback shall stay possible.")],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Keep the rollback window open for longer, or for less."""
    _act(upgrade, "extend", {"hours": hours}, dry_run, output)


@app.command()
def enable_reverse_replication(upgrade: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Copy everything back into the old version and keep it current, after a switch with --no-keep-old."""
    _act(upgrade, "enable-reverse-replication", {}, dry_run, output)


@app.command()
def abort(
    upgrade: str,
    wait: Wait = False,
    timeout: Timeout = 120.0,
    comment: Comment = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """End an upgrade before its switch."""
    _act(upgrade, "abort", {"comment": comment}, dry_run, output, timeout if wait else 0.0)


@app.command()
def settle(
    upgrade: str,
    finding: Annotated[str, typer.Option("-m", "--finding", prompt=True)],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Let a halted upgrade end or go on, as the fence has it; say what you found."""
    _act(upgrade, "settle", {"comment": finding}, dry_run, output)


@app.command("break-glass")
def break_glass(
    upgrade: str,
    reason: Annotated[str, typer.Option(prompt=True)],
    ticket: Annotated[str, typer.Option(prompt=True)],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Go on without the votes in an emergency; it owes a review."""
    _act(upgrade, "break-glass", {"comment": reason, "ticket": ticket}, dry_run, output)


@app.command()
def comment(
    upgrade: str,
    text: Annotated[str, typer.Option("-m", "--comment", prompt=True)],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Say something to everybody who follows an upgrade."""
    body = {"comment": text}
    said = ConsoleClient(read_credentials()).ask(
        "POST", f"/api/v1/upgrades/{upgrade}/events", body, dry_run=dry_run
    )
    show_one(said.body, output, f"{said.body['who']}: {said.body['text']}")


@app.command()
def watch(
    upgrade: str,
    until: Annotated[str, typer.Option(help="States to stop at, parted by commas.")] = "",
    timeout: Timeout = 0.0,
) -> None:
    """Watch an upgrade: its bars, its shards and its sentence of state."""
    ends = frozenset(until.split(",")) if until else ENDS
    unknown = sorted(ends - {*STATES})
    if unknown:
        raise typer.BadParameter(f"there is no state {unknown[0]!r}; the states are {', '.join(STATES)}")
    reached = watch_upgrade(ConsoleClient(read_credentials()), upgrade, ends, timeout)
    if not reached:
        raise typer.Exit(TIMED_OUT)


@app.command()
def report(
    upgrade: str, markdown: Annotated[bool, typer.Option("--markdown", help="For people to read.")] = False
) -> None:
    """Print everything about an upgrade as one document."""
    if markdown:
        typer.echo(
            ConsoleClient(read_credentials()).get(f"/api/v1/upgrades/{upgrade}/report", **{"as": "md"}),
            nl=False,
        )
        return
    screen.print_json(data=ConsoleClient(read_credentials()).get(f"/api/v1/upgrades/{upgrade}/report"))


def _act(
    upgrade: str,
    action: str,
    body: dict[str, Any],
    dry_run: bool,
    output: Form | None,
    wait_seconds: float = 0.0,
) -> None:
    client, place = ConsoleClient(read_credentials()), f"/api/v1/upgrades/{upgrade}"
    seen = client.ask("GET", place)
    answer = client.ask("POST", f"{place}/{action}", body, tag=seen.tag, dry_run=dry_run)
    if wait_seconds and answer.location:
        _wait(client, answer, wait_seconds)
        answer = client.ask("GET", f"/api/v1/upgrades/{upgrade}")
    sentence = answer.body["sentence"]
    show_one(answer.body, output, _rehearsed(answer.body) if dry_run else sentence)


def _rehearsed(body: dict[str, Any]) -> str:
    """Say what a dry run found out; the switch and the rollback tell each step."""
    lines = [f"A dry run; it would be: {body['sentence']}"]
    told = body.get("rehearsal")
    if told:
        lines += [f"  {step['step']:<12}{step['text']}" for step in told["steps"]]
        if told["stopped"]:
            lines.append(f"  It would stop: {told['stopped']}")
        else:
            lines.append(f"  Writers would wait about {told['predicted_freeze_ms']:.0f} ms.")
    return "\n".join(lines)


def _wait(client: ConsoleClient, answer: ConsoleResponse, seconds: float) -> None:
    """Wait for the operation that an answer names."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        # The console answers when it has ended; asked again in time for the longest answer to arrive.
        left = max(0.0, min(LONG_POLL_SECONDS, end - time.monotonic()))
        operation = client.get(answer.location, wait=f"{left:.0f}s")
        if operation["state"] == "done":
            return
        if operation["state"] == "failed":
            errors.print(operation["error"]["detail"])
            raise typer.Exit(FAILED)
        time.sleep(0.1)
    raise typer.Exit(TIMED_OUT)
