"""`swy windows`, `swy policies`, `swy emergencies`: when switching is allowed, who must agree, and what went on without."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, ConsoleProblem, read_credentials
from console.cli.output import Form, screen, show, show_one
from console.cli.upgrades.approvals import Output

windows = typer.Typer(help="When switching is allowed.", invoke_without_command=True)
policies = typer.Typer(help="Who must agree before a switch, or a rollback.", invoke_without_command=True)
emergencies = typer.Typer(help="What went on without votes, and its review.", invoke_without_command=True)

DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]
Text = Annotated[str | None, typer.Option()]
Number = Annotated[int | None, typer.Option()]
Scope = Annotated[str | None, typer.Option(help="A name or a glob; * is everywhere.")]


FromVersion = Annotated[
    str | None, typer.Option(help="Only for upgrades from it; a name or a pattern, '' for any.")
]
ToVersion = Annotated[
    str | None, typer.Option(help="Only for upgrades to it; a name or a pattern, '' for any.")
]
Kinds = Annotated[
    list[str] | None, typer.Option(help="Only for these: version, location or data. '' for all.")
]
FreeSeconds = Annotated[
    int | None, typer.Option(help="For revert: so long after the switch no vote is needed.")
]
VoidWhenWorse = Annotated[
    bool | None, typer.Option(help="Votes are void once a check fails that passed when one was given.")
]
WithoutRollback = Annotated[
    bool | None, typer.Option(help="Only for upgrades that do not keep the old version current.")
]


@windows.callback()
def list_windows(context: typer.Context, output: Output = None) -> None:
    """List windows and freezes with their next opening."""
    if context.invoked_subcommand is None:
        found = ConsoleClient(read_credentials()).every("/api/v1/windows")
        for each in found:
            each["next_opens"] = each["next"][0]["opens"] if each["next"] else "never again"
        show(found, ("name", "effect", "service", "region", "next_opens", "zone", "reason"), output, "name")


@windows.command("set")
def set_window(
    name: str,
    effect: Annotated[str | None, typer.Option(help="allow or deny")] = None,
    zone: Annotated[str | None, typer.Option(help="An IANA name such as Europe/Warsaw")] = None,
    cron: Annotated[str | None, typer.Option(help="When it opens, in local time of the zone")] = None,
    minutes: Annotated[int | None, typer.Option(help="How long it stays open")] = None,
    starts: Annotated[str | None, typer.Option(help="A single one: its first moment, in local time")] = None,
    ends: Annotated[str | None, typer.Option(help="A single one: its end, in local time")] = None,
    service: Scope = None,
    region: Scope = None,
    environment: Scope = None,
    reason: Text = None,
    ticket: Text = None,
    overrider: Annotated[
        list[str] | None,
        typer.Option(help="Who may override it: an account, or 'role NAME'. '' for none."),
    ] = None,
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Set a window or a freeze; what is not said stays as it is."""
    said = {
        "effect": effect,
        "zone": zone,
        "cron": cron,
        "minutes": minutes,
        "starts": starts,
        "ends": ends,
        "service": service,
        "region": region,
        "environment": environment,
        "reason": reason,
        "ticket": ticket,
        "overriders": None if overrider is None else [each for each in overrider if each],
    }
    _set("windows", name, said, dry_run, output)


@windows.command("delete")
def delete_window(name: str, dry_run: DryRun = False) -> None:
    """Remove a window or a freeze."""
    _delete("windows", name, dry_run)


@windows.command("override")
def override_window(
    upgrade: str,
    reason: Annotated[str, typer.Option("-m", "--reason", prompt=True)],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Let one upgrade go past the windows and freezes in its way, for an hour."""
    path = f"/api/v1/upgrades/{upgrade}/window-override"
    found = ConsoleClient(read_credentials()).ask("POST", path, {"reason": reason}, dry_run=dry_run).body
    would = "would be" if dry_run else "are"
    show_one(
        found, output, f"{', '.join(found['rules'])} {would} lifted for {upgrade} until {found['until']}."
    )


@windows.command("explain")
def explain_window(
    deployment: Annotated[str, typer.Argument(help="services/S/deployments/R, or S@R")],
    at: Annotated[
        str | None, typer.Option(help="An instant such as 2026-12-24T22:00:00Z; now if left out")
    ] = None,
    output: Output = None,
) -> None:
    """Tell whether a deployment may switch at an instant, and by which rule."""
    found = ConsoleClient(read_credentials()).get(
        "/api/v1/windows/explain", deployment=_full(deployment), at=at
    )
    show_one(
        found,
        output,
        "\n".join([found["sentence"], *(f"  {each}" for each in found["considered"])]),
        "winner",
    )


@policies.callback()
def list_policies(context: typer.Context, output: Output = None) -> None:
    """List the policies."""
    if context.invoked_subcommand is None:
        found = ConsoleClient(read_credentials()).every("/api/v1/policies")
        show(found, ("name", "purpose", "service", "region", "needed", "group", "critical"), output, "name")


@policies.command("set")
def set_policy(
    name: str,
    purpose: Annotated[str | None, typer.Option(help="switch, revert or evict")] = None,
    needed: Annotated[int | None, typer.Option(help="How many must agree")] = None,
    group: Annotated[str | None, typer.Option(help="Whose members may vote")] = None,
    service: Scope = None,
    region: Scope = None,
    environment: Scope = None,
    expires_seconds: Number = None,
    critical: Annotated[bool | None, typer.Option()] = None,
    last_approver_may_run: Annotated[bool | None, typer.Option()] = None,
    window_needed: Annotated[bool | None, typer.Option()] = None,
    break_glass_group: Text = None,
    then: Annotated[
        list[str] | None,
        typer.Option(help="Who votes after the first group, in order: GROUP or GROUP:NUMBER. '' for none."),
    ] = None,
    free_seconds: FreeSeconds = None,
    void_when_worse: VoidWhenWorse = None,
    from_version: FromVersion = None,
    to_version: ToVersion = None,
    kind: Kinds = None,
    without_rollback: WithoutRollback = None,
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Set a policy; what is not said stays as it is."""
    said = {
        "purpose": purpose,
        "needed": needed,
        "group": group,
        "service": service,
        "region": region,
        "environment": environment,
        "expires_seconds": expires_seconds,
        "critical": critical,
        "last_approver_may_run": last_approver_may_run,
        "window_needed": window_needed,
        "break_glass_group": break_glass_group,
        "then": None if then is None else [_stage(each) for each in then if each],
        "free_seconds": free_seconds,
        "void_when_worse": void_when_worse,
    }
    about = {
        "from_version": from_version,
        "to_version": to_version,
        "kinds": None if kind is None else [each for each in kind if each],
        "without_rollback": without_rollback,
    }
    _set("policies", name, said, dry_run, output, about={k: v for k, v in about.items() if v is not None})


def _stage(said: str) -> dict[str, Any]:
    """Read `security:2` as two of security; a mere group is one of it."""
    group, colon, number = said.rpartition(":")
    if not colon:
        return {"group": number, "needed": 1}
    if not number.isdigit():
        raise typer.BadParameter(f"{said!r} is not GROUP or GROUP:NUMBER")
    return {"group": group, "needed": int(number)}


@policies.command("delete")
def delete_policy(name: str, dry_run: DryRun = False) -> None:
    """Remove a policy."""
    _delete("policies", name, dry_run)


@policies.command("explain")
def explain_policy(
    deployment: Annotated[str, typer.Argument(help="services/S/deployments/R, or S@R")],
    purpose: Annotated[str, typer.Option(help="switch, revert or evict")] = "switch",
    output: Output = None,
) -> None:
    """Tell which policy counts for a deployment."""
    found = ConsoleClient(read_credentials()).get(
        "/api/v1/policies/explain", deployment=_full(deployment), purpose=purpose
    )
    stages = [found, *found["then"]] if found["needed"] else []
    asks = ", then ".join(f"{each['needed']} of {each['group']}" for each in stages) or "no votes"
    show_one(found, output, f"{found['name']} asks {asks}.", "name")


@emergencies.callback()
def list_emergencies(context: typer.Context, output: Output = None) -> None:
    """List what went on without votes, newest first."""
    if context.invoked_subcommand is None:
        found = ConsoleClient(read_credentials()).every("/api/v1/emergencies")
        show(found, ("id", "upgrade_id", "purpose", "who", "ticket", "at", "reviewed_by"), output, "id")


@emergencies.command("review")
def review_emergency(
    emergency: str, comment: Annotated[str, typer.Option("-m", "--comment", prompt=True)]
) -> None:
    """Close the review of an emergency that another person made."""
    ConsoleClient(read_credentials()).ask(
        "POST", f"/api/v1/emergencies/{emergency}/review", {"comment": comment}
    )
    screen.print(f"{emergency} is reviewed.")


def _set(
    noun: str,
    name: str,
    said: dict[str, Any],
    dry_run: bool,
    output: Form | None,
    *,
    about: dict[str, Any] | None = None,
) -> None:
    client, place = ConsoleClient(read_credentials()), f"/api/v1/{noun}/{name}"
    given = {key: value for key, value in said.items() if value is not None}
    try:
        kept = client.ask("GET", place)
    except ConsoleProblem as problem:
        if problem.status != 404:
            raise
        given |= {"about": about} if about else {}
        answer = client.ask("POST", f"/api/v1/{noun}", {"name": name, **given}, dry_run=dry_run)
    else:
        rules = {key: kept.body[key] for key in said if key in kept.body}
        if about is not None:
            rules["about"] = {**kept.body["about"], **about}
        answer = client.ask("PUT", place, rules | given, tag=kept.tag, dry_run=dry_run)
    words = f"{name} would be set." if dry_run else f"{name} is set."
    show_one(answer.body, output, "\n".join([words, *answer.body["warnings"]]), "name")


def _delete(noun: str, name: str, dry_run: bool) -> None:
    client, place = ConsoleClient(read_credentials()), f"/api/v1/{noun}/{name}"
    answer = client.ask("DELETE", place, tag=client.ask("GET", place).tag, dry_run=dry_run)
    said = answer.body["warnings"] if answer.body else []
    screen.print("\n".join([f"{name} would be removed." if dry_run else f"{name} is removed.", *said]))


def _full(deployment: str) -> str:
    service, at, region = deployment.partition("@")
    return f"services/{service}/deployments/{region}" if at else deployment
