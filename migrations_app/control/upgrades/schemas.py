"""The shapes of what lies before an upgrade that is only planned."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from migrations_app.control.approvals.schemas import DependantShape
from migrations_app.control.upgrade_state.schemas import CheckShape

Shape = serializers.Serializer[Any]


class ProspectPolicyShape(Shape):
    """The policy that counts, what it asks in words, and why it is this one."""

    name = serializers.CharField()
    needed = serializers.IntegerField()
    group = serializers.CharField(allow_blank=True)
    critical = serializers.BooleanField()
    sentence = serializers.CharField()
    reason = serializers.CharField()


class ProspectWindowShape(Shape):
    """Whether windows and freezes would let it switch now, and when next."""

    allowed = serializers.BooleanField()
    sentence = serializers.CharField()
    next_open = serializers.DateTimeField(allow_null=True)


class TookShape(Shape):
    """How long the newest copies of the service took until all shards were level."""

    low_seconds = serializers.FloatField()
    high_seconds = serializers.FloatField()
    upgrades = serializers.IntegerField()


class ProspectsShape(Shape):
    """What lies before it; `resources` as of the last copy, null when there was none."""

    policy = ProspectPolicyShape()
    window = ProspectWindowShape()
    resources = serializers.IntegerField(allow_null=True)
    took = TookShape(allow_null=True)
    way_back = serializers.CharField()
    dependants = DependantShape(many=True)


class DryRunShape(Shape):
    """A plan that was not kept: what it would do, and what stands against it."""

    plan = serializers.DictField()
    plan_digest = serializers.CharField()
    checks = CheckShape(many=True)
    would = serializers.ListField(child=serializers.CharField())
    possible = serializers.BooleanField()
    prospects = ProspectsShape()
