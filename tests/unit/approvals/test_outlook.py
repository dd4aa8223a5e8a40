"""The next window of a whole fleet is what each deployment alone would be told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from migrations_app.domain.approvals.policy import DEFAULTS, Purpose, Scope
from migrations_app.domain.approvals.switch_availability import SwitchAvailability, availabilities
from migrations_app.domain.approvals.windows import Effect, WindowSpan, rule_at

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
NIGHTS = WindowSpan("nights", Effect.ALLOW, "UTC", Scope(region="eu-*"), cron="0 22 * * *", minutes=240)
DAYS = WindowSpan(
    "days", Effect.ALLOW, "UTC", Scope(service="iam"), cron="0 8 * * *", minutes=600, overrun_minutes=60
)
FREEZE = WindowSpan(
    "audit",
    Effect.DENY,
    "UTC",
    Scope("iam", "us-1"),
    starts=datetime.fromisoformat("2026-03-04T00:00"),
    ends=datetime.fromisoformat("2026-03-06T00:00"),
)
STRICT = replace(DEFAULTS[Purpose.SWITCH], name="strict", scope=Scope(service="billing"), window_needed=True)
PLACES = [(service, region) for service in ("iam", "apps", "billing") for region in ("eu-1", "us-1")]


def test_each_deployment_is_told_its_next_window() -> None:
    found = availabilities(PLACES, [NIGHTS, DAYS, FREEZE], [STRICT], NOON, "local")
    nights, days = datetime(2026, 3, 4, 22, 0, tzinfo=UTC), datetime(2026, 3, 4, 17, 0, tzinfo=UTC)
    assert (found["iam", "eu-1"].rule, found["iam", "eu-1"].closes) == ("days", days)
    assert (found["iam", "us-1"].allowed, found["iam", "us-1"].rule) == (False, "audit")
    assert found["iam", "us-1"].opens == datetime(2026, 3, 6, 0, 0, tzinfo=UTC)
    assert (found["apps", "eu-1"].allowed, found["apps", "eu-1"].opens) == (False, nights)
    assert found["apps", "us-1"] == SwitchAvailability(True, "No window or freeze applies.")
    assert found["billing", "us-1"] == SwitchAvailability(
        False, "The policy asks for a window, and none is coming."
    )


GLOBS = st.sampled_from(["*", "iam", "eu-*", "us-1", "a*", "billing"])
RULES = st.lists(
    st.builds(
        lambda effect, service, region, hour, overrun: WindowSpan(
            f"{effect.value}-{service}-{region}-{hour}", effect, "Europe/Warsaw", Scope(service, region),
            cron=f"0 {hour} * * *", minutes=180, overrun_minutes=overrun,
        ),
        st.sampled_from(Effect), GLOBS, GLOBS, st.integers(0, 23), st.sampled_from([0, 30]),
    ),
    max_size=5,
)  # fmt: skip


@given(RULES, st.integers(0, 72))
def test_judged_together_is_as_judged_alone(rules: list[WindowSpan], hours: int) -> None:
    at = NOON + timedelta(hours=hours)
    found = availabilities(PLACES, rules, [STRICT], at, "local")
    for service, region in PLACES:
        alone = rule_at(rules, at, service, region, "local", needed=service == "billing")
        told = found[service, region]
        assert (told.allowed, told.sentence, told.rule) == (alone.allowed, alone.sentence, alone.winner)
        assert told.opens == (None if alone.allowed else alone.next_open)
        assert told.closes is None or told.closes > at
