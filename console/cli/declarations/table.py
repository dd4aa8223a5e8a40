"""All kinds, in the order in which they are written: what others refer to first."""

from __future__ import annotations

from console.cli.declarations.kinds import Addresses, BindingKind, ObjectKind, RolloutKind, RuleKind
from console.cli.declarations.registry_kinds import DeploymentKind, RegistryObjectKind, ServiceKind

KINDS: tuple[ObjectKind, ...] = (
    RegistryObjectKind("Region", "regions", "regions", ("metadata", "title")),
    ServiceKind(
        "Service",
        "services",
        "services",
        (
            "folder",
            "metadata",
            "multiRegionPolicy",
            "displayName",
            "allVersions",
            "globalDomain",
            "labelledDomains",
            "leadingService",
            "importedServices",
            "usedServices",
            "importedVersions",
            "automaticVersionSwitch",
        ),
    ),
    DeploymentKind(
        "Deployment",
        "deployments",
        "services/-/deployments",
        (
            "database",
            "metadata",
            "publicDomain",
            "privateDomain",
            "labelledDomains",
            "localNetworkId",
            "location",
            "isDisabled",
            "currentVersion",
            "dbDataVersion",
            "dbLocationTag",
            "automaticVersionSwitch",
        ),
    ),
    RuleKind(
        "Role",
        "roles",
        Addresses("/api/v1/access/roles", "/api/v1/access/roles", "role"),
        ("title", "permissions"),
        "changed_by",
    ),
    BindingKind(),
    RuleKind(
        "Policy",
        "policies",
        Addresses("/api/v1/policies", "/api/v1/policies"),
        (
            "purpose",
            "service",
            "region",
            "environment",
            "about",
            "needed",
            "group",
            "then",
            "last_approver_may_run",
            "expires_seconds",
            "critical",
            "window_needed",
            "break_glass_group",
            "free_seconds",
        ),
        "updated_by",
    ),
    RuleKind(
        "Window",
        "windows",
        Addresses("/api/v1/windows", "/api/v1/windows"),
        (
            "effect",
            "zone",
            "service",
            "region",
            "environment",
            "cron",
            "minutes",
            "overrun_minutes",
            "starts",
            "ends",
            "reason",
            "ticket",
            "overriders",
        ),
        "created_by",
    ),
    RuleKind(
        "Webhook",
        "webhooks",
        Addresses("/api/v1/hooks", "/api/v1/hooks/by-name"),
        ("format", "url", "events", "service", "region", "active"),
        "created_by",
    ),
    RolloutKind(),
)
BY_KIND = {each.kind: each for each in KINDS}
BY_WORD = {word: each for each in KINDS for word in (each.kind.lower(), each.plural)}
