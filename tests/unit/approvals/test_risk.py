"""The risk of a decision: the heaviest reason gives the level, and every reason is told."""

from __future__ import annotations

import pytest

from migrations_app.domain.approvals.risk import Level, Stakes, risk_of


@pytest.mark.parametrize(
    ("stakes", "level", "reasons"),
    [
        (Stakes(), Level.LOW, ("Nothing speaks against it.",)),
        (Stakes(failing=1), Level.MEDIUM, ("1 check of the evidence does not hold now.",)),
        (Stakes(warnings=2), Level.MEDIUM, ("2 checks of the evidence warn.",)),
        (Stakes(breaking=None), Level.MEDIUM, ("Nobody could tell what clients would notice.",)),
        (Stakes(to_accept=1), Level.MEDIUM, ("1 hidden or lost value nobody has accepted yet.",)),
        (
            Stakes(dependants=("apps @ eu-1",)),
            Level.MEDIUM,
            ("apps @ eu-1 builds on the version that is left.",),
        ),
        (Stakes(critical=True), Level.HIGH, ("The policy calls this deployment critical.",)),
        (Stakes(returns=False), Level.HIGH, ("What is written afterwards is lost when going back.",)),
        (
            Stakes(breaking=3, failing=2),
            Level.HIGH,
            ("3 differences would break clients.", "2 checks of the evidence do not hold now."),
        ),
    ],
)
def test_the_heaviest_reason_gives_the_level(stakes: Stakes, level: Level, reasons: tuple[str, ...]) -> None:
    risk = risk_of(stakes)
    assert (risk.level, risk.reasons) == (level, reasons)
