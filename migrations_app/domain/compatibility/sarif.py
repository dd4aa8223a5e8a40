"""A compatibility report in the format that tools of code review read: SARIF 2.1.0."""

from __future__ import annotations

from typing import Any

from migrations_app.domain.compatibility.report import ADVICE, CompatibilityRule, Weight
from migrations_app.kernel.json import JsonObject

LEVELS = {Weight.BREAK: "error", Weight.STAGED: "error", Weight.ORDERED: "warning", Weight.NOTE: "note"}
"""What is handled by a conversion is a note, whatever it would weigh."""


def sarif(report: dict[str, Any]) -> JsonObject:
    """Write a report, as `document` gives it, in SARIF: a result for each finding, a rule for each of their kinds."""
    rules = list(dict.fromkeys(each["rule"] for each in report["findings"]))
    results = [_result(report, each, rules.index(each["rule"])) for each in report["findings"]]
    driver = {
        "name": "Switchyard",
        "rules": [{"id": each, "help": {"text": ADVICE[CompatibilityRule(each)]}} for each in rules],
    }
    return {
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{"tool": {"driver": driver}, "results": results}],  # type: ignore[dict-item]
    }


def _result(report: dict[str, Any], found: dict[str, Any], at: int) -> JsonObject:
    change = f"{found['before'] or 'nothing'} → {found['after'] or 'nothing'}"
    place = f"{found['path']} {found['where']}".strip()
    full = f"{report['service']}/{report['after']}/{found['path']}"
    return {
        "ruleId": found["rule"],
        "ruleIndex": at,
        "level": "note" if found["handled"] else LEVELS[Weight(found["weight"])],
        "message": {"text": f"{place}: {change}. {found['advice']}"},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": full}]}],
        "properties": {
            "tags": found["classes"],
            "buf": found["buf"],
            "weight": found["weight"],
            "handled": found["handled"],
            "plan": found["plan"],
            "transform": found["transform"],
        },
    }
