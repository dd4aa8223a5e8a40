"""Decisions on a definition as a check tells them: a summary in Markdown, and SARIF 2.1.0 for tools of code review."""

from __future__ import annotations

from collections import Counter
from typing import Any

from migrations_app.domain.compatibility.decisions import ChangeVerdict
from migrations_app.domain.compatibility.report import ADVICE, CompatibilityRule
from migrations_app.kernel.json import JsonObject

_LEVELS = {
    ChangeVerdict.ALLOWED.word: "note",
    ChangeVerdict.NEEDS_STEPS.word: "warning",
    ChangeVerdict.NEEDS_DATA_TASK.word: "error",
    ChangeVerdict.REFUSED.word: "error",
}


def sentence(answer: dict[str, Any]) -> str:
    """Say what the decisions come to."""
    counts = Counter(each["verdict"] for each in answer["decisions"])
    if not counts:
        return f"{answer['service']}: nothing changes in what is served."
    told = ", ".join(
        f"{counts[each.word]} {each.word}" for each in reversed(ChangeVerdict) if counts[each.word]
    )
    may = "may be applied" if answer["may_apply"] else "may not be applied"
    return f"{answer['service']}: {told}. It {may}."


def reason(decision: dict[str, Any]) -> str:
    """Say why a decision is what it is, and what was waived."""
    why = "; ".join(decision["reasons"])
    waiver = decision["waiver"]
    if waiver:
        held = f"waiver {waiver['id']} by {waiver['asked_by']} is {waiver['state']} until {waiver['until']}"
        return f"{why} ({held})" if why else held
    return why


def steps_of(decision: dict[str, Any]) -> list[str]:
    """Give the phases with their waits, where there are any; else the steps of each message."""
    phases = [
        f"{each['action']} Wait {each['wait']}." if each["wait"] else each["action"]
        for each in decision["phases"]
    ]
    return phases or list(decision["steps"])


def markdown(answer: dict[str, Any]) -> str:
    """Write the summary of a check."""
    lines = [f"### Definition of {answer['service']}", "", sentence(answer), ""]
    if answer["decisions"]:
        lines += ["| verdict | version | place | change | why | what to do |", "|---|---|---|---|---|---|"]
    for each in answer["decisions"]:
        cells = (
            each["verdict"], each["version"], f"`{each['path']}` {each['rule']}", each["change"], reason(each),
            " ".join((*steps_of(each), each["advice"])),
        )  # fmt: skip
        lines.append("| " + " | ".join(_cell(cell) for cell in cells) + " |")
    if answer["advice"]:
        lines += ["", f"**{answer['advice']['sentence']}**", "", *map(way_line, answer["advice"]["ways"])]
    return "\n".join(lines) + "\n"


def way_line(way: dict[str, Any]) -> str:
    """Say in one line what one way of making a change takes."""
    takes = (
        ("client_deployments", "client deployment"),
        ("server_deployments", "server deployment"),
        ("data_tasks", "data task"),
        ("conversions", "line of an edge"),
    )
    parts = [_many(way[key], noun) for key, noun in takes if way[key]]
    costs = f"costs {way['cost']} ({', '.join(parts)})" if way["possible"] else "is not possible"
    said = " ".join((*way["pros"], *way["cons"]))
    name = "In place" if way["way"] == "in-place" else "A new version"
    return f"- {name} {costs}. {said}"


def _many(number: int, noun: str) -> str:
    first, _, rest = noun.partition(" ")
    if number == 1:
        return f"1 {noun}"
    return f"{number} {first}s {rest}" if rest.startswith("of") else f"{number} {noun}s"


def decisions_sarif(answer: dict[str, Any]) -> JsonObject:
    """Write decisions in SARIF: what a waiver lets through is suppressed."""
    rules = list(dict.fromkeys(each["rule"] for each in answer["decisions"]))
    driver = {
        "name": "Switchyard",
        "rules": [{"id": each, "help": {"text": ADVICE[CompatibilityRule(each)]}} for each in rules],
    }
    results = [_result(answer["service"], each, rules.index(each["rule"])) for each in answer["decisions"]]
    return {
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{"tool": {"driver": driver}, "results": results}],  # type: ignore[dict-item]
    }


def _result(service: str, decision: dict[str, Any], at: int) -> JsonObject:
    place = f"{service}/{decision['version']}/{decision['path']}"
    text = ". ".join(filter(None, (f"{decision['path']}: {decision['verdict']}", reason(decision))))
    waiver = decision["waiver"]
    in_force = waiver is not None and waiver["state"] == "in-force"
    return {
        "ruleId": decision["rule"],
        "ruleIndex": at,
        "level": _LEVELS[decision["verdict"]],
        "message": {"text": f"{text}. {decision['advice']}".strip()},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": place}]}],
        "suppressions": [{"kind": "external", "justification": waiver["reason"]}] if in_force else [],
        "properties": {key: decision[key] for key in ("verdict", "change", "steps", "stored", "senders")},
    }


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
