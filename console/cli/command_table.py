"""The commands of `swy` and where each is, known without importing any of them."""

from __future__ import annotations

from typing import NamedTuple

from console.cli.exit_codes import EXIT_CODES

VERSION = "0.1.0"


class CommandEntry(NamedTuple):
    """Where a command is, and what its help says first."""

    module: str
    attribute: str
    summary: str


COMMANDS = {
    "apply": CommandEntry(
        "declarations.commands",
        "apply",
        "Make the console what documents declare: all of them or nothing; again changes nothing.",
    ),
    "diff": CommandEntry(
        "declarations.commands",
        "diff",
        "Show how the console differs from what documents declare; exits with 2 when it does.",
    ),
    "export": CommandEntry(
        "declarations.commands",
        "export",
        "Write what the console has as documents; applied again they change nothing.",
    ),
    "upgrade": CommandEntry("upgrades.upgrade", "app", "Move a deployment to another version."),
    "report": CommandEntry("upgrades.report", "app", "Run sheets of upgrades as signed files."),
    "rollout": CommandEntry(
        "upgrades.rollout", "app", "Move several deployments to another version, in waves."
    ),
    "approvals": CommandEntry("upgrades.approvals", "app", "What waits for a decision."),
    "approve": CommandEntry(
        "upgrades.approvals", "approve", "Approve a request, or the open one of an upgrade."
    ),
    "reject": CommandEntry(
        "upgrades.approvals", "reject", "Reject a request, or the open one of an upgrade; say why."
    ),
    "waivers": CommandEntry("waivers", "app", "Accepted findings of compatibility reports."),
    "kept": CommandEntry("kept", "app", "Types that only an earlier version serves, and their export."),
    "usage": CommandEntry("usage", "app", "Who still uses what of a version, and when it may be removed."),
    "constraints": CommandEntry("constraints", "app", "References between deployments."),
    "regions": CommandEntry("registry", "regions", "The regions of the registry."),
    "services": CommandEntry("registry", "services", "The services of the registry."),
    "deployments": CommandEntry("registry", "deployments", "The deployments of the registry."),
    "service": CommandEntry(
        "registry", "service", "Apply service folders; `swy services` shows what is registered."
    ),
    "deployment": CommandEntry(
        "registry", "deployment", "Register and switch deployments; `swy deployments` shows them."
    ),
    "fleet": CommandEntry("registry", "fleet", "The fleet: which service runs which version where."),
    "meta": CommandEntry("registry", "meta", "Methods of the registry's own API."),
    "windows": CommandEntry("rules", "windows", "When switching is allowed."),
    "policies": CommandEntry("rules", "policies", "Who must agree before a switch, or a rollback."),
    "emergencies": CommandEntry("rules", "emergencies", "What went on without votes, and its review."),
    "audit": CommandEntry("ledger", "audit", "Who did what."),
    "tokens": CommandEntry("ledger", "tokens", "Secrets that act for you."),
    "compat": CommandEntry("looking", "compat", "What a version changes for those who use another."),
    "schema": CommandEntry("schema", "app", "Check, explain and report on the versions of a service."),
    "data": CommandEntry("data", "app", "Sample resources and load."),
    "get": CommandEntry("looking", "get", "Show one thing whole, whatever it is."),
    "find": CommandEntry(
        "looking",
        "find",
        "Find resources by name, type, deployment or version, to look at what refers to them.",
    ),
    "refs": CommandEntry("looking", "refs", "Show what refers to a resource, and what it refers to."),
    "changes": CommandEntry(
        "logs.changes",
        "changes",
        "List changes of resources with what was there before and after, the newest first.",
    ),
    "activity": CommandEntry("logs.activity", "app", "Who called what of a deployment."),
    "conversions": CommandEntry("logs.conversions", "app", "Record conversions for a while."),
    "deletion-check": CommandEntry(
        "looking", "deletion_check", "Tell whether a resource may be deleted; exits with 1 unless it is safe."
    ),
    "events": CommandEntry(
        "looking",
        "events",
        "Listen to the live stream: a line of JSON an event; goes on where it was when the connection is lost.",
    ),
    "demo": CommandEntry(
        "looking",
        "demo",
        "Migrate a service under live writes, switch, roll back, switch again, on an installation of its own.",
    ),
    "login": CommandEntry("signing_in", "login", "Keep a console's address and a token of yours."),
    "whoami": CommandEntry("signing_in", "whoami", "Say as whom you act, and what you may do."),
}
OTHER_VERB = {"get": "show", "show": "get", "create": "new", "new": "create", "remove": "delete"}
"""What one noun calls otherwise than another; the word that a noun has of its own is the one that its help shows."""
OTHER_NOUN = {
    "approval": "approvals",
    "emergency": "emergencies",
    "policy": "policies",
    "region": "regions",
    "reports": "report",
    "rollouts": "rollout",
    "token": "tokens",
    "upgrades": "upgrade",
    "waiver": "waivers",
    "window": "windows",
}
PAIRS = {
    "deployment": "deployments",
    "deployments": "deployment",
    "service": "services",
    "services": "service",
}
"""Nouns with commands of their own in either number: what one lacks the other has."""


def help_text() -> str:
    """Write what `swy --help` prints."""
    width = max(map(len, COMMANDS)) + 2
    return "\n".join(
        [
            "Usage: swy [--local] COMMAND …",
            "",
            "The command line of Switchyard. `swy COMMAND --help` explains one command.",
            "A file is named, or - for standard input.",
            "",
            "Options:",
            "  --local    Times of tables in this machine's zone.",
            "  --version  Print the version.",
            "  --help     Print this.",
            "",
            "Commands:",
            *(f"  {name:<{width}}{entry.summary}" for name, entry in COMMANDS.items()),
            "",
            "Exit codes:",
            *(f"  {code:<4}{meaning}" for code, meaning in EXIT_CODES.items()),
        ]
    )
