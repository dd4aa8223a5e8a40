"""The risk of a decision: the heaviest reason gives the level, and every reason is told."""

from __future__ import annotations

import pytest

from migrations_app.domain.approvals.risk import RiskInputs, RiskLevel, risk_of


@pytest.mark.parametrize(
    ("stakes", "level", "reasons"),
    [
        (RiskInputs(), RiskLevel.LOW, ("Nothing prevents it.",)),
        (RiskInputs(failing=1), RiskLevel.MEDIUM, ("1 check of the evidence does not hold now.",)),
        (RiskInputs(warnings=2), RiskLevel.MEDIUM, ("2 checks of the evidence warn.",)),
        (RiskInputs(breaking=None), RiskLevel.MEDIUM, ("What clients would notice is unknown.",)),
        (RiskInputs(to_accept=1), RiskLevel.MEDIUM, ("1 hidden or lost value not accepted yet.",)),
        (
            RiskInputs(dependants=("apps @ eu-1",)),
            RiskLevel.MEDIUM,
            ("apps @ eu-1 imports the old version.",),
        ),
        (RiskInputs(critical=True), RiskLevel.HIGH, ("The policy calls this deployment critical.",)),
        (
            RiskInputs(returns=False),
            RiskLevel.HIGH,
            ("What is written afterwards is lost when rolling back.",),
        ),
        (
            RiskInputs(breaking=3, failing=2),
            RiskLevel.HIGH,
            ("3 differences would break clients.", "2 checks of the evidence do not hold now."),
        ),
    ],
)
def test_the_heaviest_reason_gives_the_level(
    stakes: RiskInputs, level: RiskLevel, reasons: tuple[str, ...]
) -> None:
    risk = risk_of(stakes)
    assert (risk.level, risk.reasons) == (level, reasons)
