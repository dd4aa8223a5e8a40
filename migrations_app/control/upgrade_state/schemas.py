"""The shapes of upgrades, for the schema and for reading requests."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from migrations_app.domain.switch.blockages import BlockageKind
from migrations_app.domain.switch.guards import Verdict
from migrations_app.domain.switch.plan import Kind
from migrations_app.domain.switch.states import State
from migrations_app.domain.switch.stepper import StepState
from migrations_app.ports.upgrades import ShardState
from migrations_app.web.shapes import StrictShape

Shape = serializers.Serializer[Any]


def choices(of: Any) -> serializers.ChoiceField:
    """Make the field of an enumeration."""
    return serializers.ChoiceField([each.value for each in of])


class ActionShape(Shape):
    """An action: allowed, or the sentence that refuses it and who could."""

    action = serializers.CharField()
    allowed = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    who_can = serializers.ListField(child=serializers.CharField())


class CheckShape(Shape):
    """A guard, judged."""

    check = serializers.CharField()
    verdict = choices(Verdict)
    sentence = serializers.CharField()
    remedy = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class ShardShape(Shape):
    """The newest report of one shard."""

    shard = serializers.IntegerField()
    state = choices(ShardState)
    stage = serializers.CharField(allow_blank=True)
    copied = serializers.IntegerField()
    total = serializers.IntegerField()
    applied = serializers.IntegerField()
    failed = serializers.IntegerField()
    lag_seconds = serializers.FloatField(allow_null=True)
    rate_per_second = serializers.FloatField()
    error = serializers.CharField(allow_blank=True)
    throttled = serializers.CharField(allow_blank=True)
    falls = serializers.IntegerField(help_text="How often it fell back after it was level.")
    node = serializers.CharField(allow_blank=True, help_text="The worker that reported last: `host:process`.")
    reported_at = serializers.DateTimeField(allow_null=True)


class ShardsShape(Shape):
    """All shards."""

    total = serializers.IntegerField()
    ready = serializers.IntegerField()
    items = ShardShape(many=True)


class EtaShape(Shape):
    """A range of seconds."""

    low_seconds = serializers.FloatField()
    high_seconds = serializers.FloatField()


class ProgressShape(Shape):
    """How far the shards are, all together."""

    copied = serializers.IntegerField()
    total = serializers.IntegerField()
    total_is_minimum = serializers.BooleanField(help_text="Some shards were not counted yet.")
    percent = serializers.IntegerField(
        allow_null=True,
        help_text="100 only when every shard is known to be caught up; null: not counted yet.",
    )
    rate_per_second = serializers.FloatField()
    eta = EtaShape(allow_null=True)
    eta_reason = serializers.CharField(allow_blank=True)
    lag_seconds = serializers.FloatField(
        allow_null=True, help_text="Of the slowest shard, as of now; null: not every shard has measured one."
    )
    unknown_shards = serializers.IntegerField(help_text="Shards whose last report is too old to be believed.")
    oldest_report_at = serializers.DateTimeField(
        allow_null=True, help_text="How old these figures are; null: no shard has reported."
    )


class StallShape(Shape):
    """Since when nobody has reported."""

    since = serializers.DateTimeField()
    shards = serializers.ListField(child=serializers.IntegerField())
    sentence = serializers.CharField()
    causes = serializers.ListField(child=serializers.CharField())


class BlockageShape(Shape):
    """One cause that holds an upgrade up, as found from facts."""

    kind = choices(BlockageKind)
    sentence = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    remedy = serializers.CharField(allow_blank=True)
    needs_person = serializers.BooleanField(help_text="It stays until somebody acts.")


class PacedShape(Shape):
    """That copies and comparisons are slowed for the sake of writes."""

    sentence = serializers.CharField()
    since = serializers.DateTimeField()
    reported_at = serializers.DateTimeField(help_text="When a worker reported it last.")


class UpgradeSummaryShape(Shape):
    """An upgrade as lists show it."""

    id = serializers.CharField()
    rev = serializers.IntegerField()
    deployment = serializers.CharField()
    service = serializers.CharField()
    region = serializers.CharField()
    from_version = serializers.CharField()
    to_version = serializers.CharField()
    kind = choices(Kind)
    state = choices(State)
    paused = serializers.BooleanField()
    request = serializers.CharField(allow_blank=True)
    meta_stage = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField()
    automatic = serializers.BooleanField()
    copy_limit = serializers.IntegerField(
        allow_null=True, help_text="Resources a second at most; null: unbounded."
    )
    requested_by = serializers.CharField()
    comment = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    plan_digest = serializers.CharField()
    shards = ShardsShape()
    progress = ProgressShape()
    parked_count = serializers.IntegerField()
    stall = StallShape(allow_null=True)
    blockages = BlockageShape(many=True)
    reversible_until = serializers.DateTimeField(allow_null=True)
    freeze_ms = serializers.FloatField(allow_null=True)


class StepShape(Shape):
    """One step of the stepper."""

    step = serializers.CharField()
    state = choices(StepState)
    started_at = serializers.DateTimeField(allow_null=True)
    took_seconds = serializers.FloatField(allow_null=True)
    who = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True, help_text="What it went by, where that is known.")


class SwitchStepShape(Shape):
    """One step of the switch itself."""

    step = serializers.CharField()
    state = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    took_seconds = serializers.FloatField(allow_null=True)


class GateApprovalsShape(Shape):
    """How the approval stands."""

    needed = serializers.IntegerField()
    given = serializers.IntegerField()
    request_id = serializers.CharField(allow_null=True)
    state = serializers.CharField()
    sentence = serializers.CharField()
    policy = serializers.CharField()
    group = serializers.CharField(allow_blank=True)
    groups = serializers.CharField(
        allow_blank=True, help_text="All groups in their order: `approver, then security`."
    )


class GateShape(Shape):
    """What stands between an upgrade and its switch; `not_before` is null when no window, freeze or plan forbids it now."""

    not_before = serializers.DateTimeField(allow_null=True)

    checks = CheckShape(many=True)
    approvals = GateApprovalsShape()
    predicted_freeze_ms = serializers.FloatField(allow_null=True)


class RehearsedStepShape(Shape):
    """What one step would do."""

    step = serializers.CharField()
    text = serializers.CharField()


class RehearsalShape(Shape):
    """What a switch or a way back would do now, in its order; `stopped` says what would end it early."""

    steps = RehearsedStepShape(many=True)
    predicted_freeze_ms = serializers.FloatField(allow_null=True)
    stopped = serializers.CharField()


class UndoneShape(Shape):
    """Why what was asked for last was not done."""

    at = serializers.DateTimeField()
    text = serializers.CharField()


class DataTaskShape(Shape):
    """A task that brings the stored data of a version to a newer data version."""

    task_tag = serializers.CharField()
    target_data_version = serializers.CharField(allow_blank=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    progress = serializers.DictField(
        child=serializers.IntegerField(), help_text="What each unfinished shard says."
    )


class UpgradeShape(UpgradeSummaryShape):
    """An upgrade with its steps, its gate and its actions."""

    paced = PacedShape(allow_null=True, help_text="Null: it copies and compares as fast as it can.")
    steps = StepShape(many=True)
    preflight = CheckShape(
        many=True, help_text="What the start went by; while it is planned, what it would go by now."
    )
    switch_steps = SwitchStepShape(many=True)
    gate = GateShape()
    actions = ActionShape(many=True)
    data_tasks = DataTaskShape(many=True)
    rehearsal = RehearsalShape(required=False, help_text="Only in a dry run of switch and rollback.")
    plan = serializers.DictField()
    undone = UndoneShape(allow_null=True)


class NewUpgradeShape(StrictShape):
    """What a deployment shall become."""

    deployment = serializers.CharField(max_length=400)
    target_version = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")
    kind = serializers.ChoiceField([each.value for each in Kind], default=Kind.VERSION.value)
    target_location = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    target_data_version = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")
    comment = serializers.CharField(max_length=4000, required=False, allow_blank=True, default="")
    automatic = serializers.BooleanField(required=False, allow_null=True, default=None)
    downgrade_sync = serializers.BooleanField(required=False, default=True)
    start = serializers.BooleanField(required=False, default=False)
    rollback_hours = serializers.IntegerField(
        min_value=1, max_value=2160, default=168, help_text="How long going back stays possible."
    )


class ActShape(StrictShape):
    """What goes with an action: words for the record; `reason` and `ticket` also break the glass."""

    comment = serializers.CharField(max_length=4000, required=False, allow_blank=True, default="")
    ticket = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    hours = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=2160, help_text="For `extend`: how long from now."
    )
    shard = serializers.IntegerField(required=False, min_value=0, help_text="For `retry-shard`.")
    limit = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        help_text="For `throttle`: so many resources a second at most; null for no bound.",
    )
    automatic = serializers.BooleanField(
        required=False, help_text="For `edit`: whether it switches by itself."
    )
    not_before = serializers.DateTimeField(
        required=False, allow_null=True, help_text="For `edit`: when the switch may happen at the earliest."
    )
    rollback_hours = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2160,
        help_text="For `edit`: how long going back stays possible.",
    )


class AskPeopleShape(StrictShape):
    """What one asks others to do, and why."""

    action = serializers.CharField(max_length=40)
    comment = serializers.CharField(max_length=4000, required=False, allow_blank=True, default="")


class CommentShape(StrictShape):
    """Words for everybody who follows an upgrade."""

    comment = serializers.CharField(max_length=4000)


class LineShape(Shape):
    """One line of the story."""

    seq = serializers.IntegerField()
    at = serializers.DateTimeField()
    who = serializers.CharField()
    kind = serializers.CharField()
    text = serializers.CharField()
    details = serializers.DictField()


class ShardTurnShape(Shape):
    """A moment at which a shard came into another state or stage."""

    at = serializers.DateTimeField()
    state = choices(ShardState)
    stage = serializers.CharField(allow_blank=True)
    copied = serializers.IntegerField()
    applied = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)


class SamplesShape(Shape):
    """The curves, as columns."""

    at = serializers.ListField(child=serializers.DateTimeField())
    ready = serializers.ListField(child=serializers.IntegerField())
    lag_p50 = serializers.ListField(child=serializers.FloatField(allow_null=True))
    lag_p95 = serializers.ListField(child=serializers.FloatField(allow_null=True))
    lag_max = serializers.ListField(child=serializers.FloatField(allow_null=True))
    rate = serializers.ListField(child=serializers.FloatField())


class ParkedShape(Shape):
    """A resource that could not be carried over."""

    shard = serializers.IntegerField()
    type = serializers.CharField()
    name = serializers.CharField()
    revision = serializers.IntegerField()
    error = serializers.CharField()
    code = serializers.CharField(allow_blank=True)
    attempts = serializers.IntegerField()
    retry_at = serializers.DateTimeField(allow_null=True)
    state = serializers.CharField()
    changes_behind = serializers.IntegerField()


class ParkedActShape(StrictShape):
    """What shall become of a parked resource."""

    type = serializers.CharField(max_length=200)
    name = serializers.CharField(max_length=4000)
    verdict = serializers.ChoiceField(["retry", "waive"])
    comment = serializers.CharField(max_length=4000, required=False, allow_blank=True, default="")


class FacetShape(Shape):
    """One value that a list can be narrowed to, and how many it would show."""

    value = serializers.CharField()
    count = serializers.IntegerField()


class FacetsShape(Shape):
    """What a list of upgrades can be narrowed to."""

    service = FacetShape(many=True)
    region = FacetShape(many=True)
    state = FacetShape(many=True)
    kind = FacetShape(many=True)
