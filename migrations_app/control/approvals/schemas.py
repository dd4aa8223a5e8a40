"""The shapes of what a decision puts at stake."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from migrations_app.control.upgrade_state.schemas import choices
from migrations_app.domain.approvals.risk import Level

Shape = serializers.Serializer[Any]


class WhenShape(Shape):
    """When it would happen if the last vote came now; `not_before` is null when nothing holds it back."""

    sentence = serializers.CharField()
    not_before = serializers.DateTimeField(allow_null=True)


class RiskShape(Shape):
    """How careful to be, and why."""

    level = choices(Level)
    reasons = serializers.ListField(child=serializers.CharField())


class RegionVersionShape(Shape):
    """What a region serves; `here` is the one decided about."""

    region = serializers.CharField()
    version = serializers.CharField(allow_blank=True)
    here = serializers.BooleanField()


class DependantShape(Shape):
    """A deployment that stands on this one; `builds_on` is empty for a mere use."""

    service = serializers.CharField()
    region = serializers.CharField()
    version = serializers.CharField(allow_blank=True)
    builds_on = serializers.CharField(allow_blank=True)


class CallerShape(Shape):
    """A client that was seen to call the version that is left."""

    client = serializers.CharField(allow_blank=True)
    messages = serializers.IntegerField()
    last_seen = serializers.DateTimeField()


class BlastShape(Shape):
    """What it reaches."""

    resources = serializers.IntegerField()
    regions = RegionVersionShape(many=True)
    dependants = DependantShape(many=True)
    callers = CallerShape(many=True)
    seen_days = serializers.IntegerField(help_text="How many days back callers were looked for.")


class ReportCountsShape(Shape):
    """What clients would notice: by weight, what would break them, and what nobody accepted yet."""

    counts = serializers.DictField(child=serializers.IntegerField())
    breaking = serializers.IntegerField()
    to_accept = serializers.IntegerField()


class BreakingReferenceShape(Shape):
    """A field of a deployment's resources that refers to what the version does not have."""

    service = serializers.CharField()
    region = serializers.CharField()
    version = serializers.CharField()
    type = serializers.CharField()
    path = serializers.CharField()
    kind = serializers.CharField()
    target = serializers.CharField()
    reason = serializers.CharField()


class ReferencesAtStakeShape(Shape):
    """The references that would break; `unknown` names services whose definition does not tell."""

    found = BreakingReferenceShape(many=True)
    unknown = serializers.ListField(child=serializers.CharField())


class StakesShape(Shape):
    """What a decision puts at stake; equal `change`s may be approved together."""

    when = WhenShape()
    risk = RiskShape()
    blast = BlastShape()
    report = ReportCountsShape(allow_null=True)
    references = ReferencesAtStakeShape()
    change = serializers.CharField()
