"""Changes of names that publishers often make: each is a line where documents agree, and none where they do not."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.propose import proposals
from tests.unit.conversion.services import folder

STAY = "name: string, place: {type: string, description: 'Where it is kept.'}, capacity: i32"


def ops(old: str, new: str, type_: str, said: tuple[str, str], more: str = "") -> list[object]:
    def of(name: str, document: str, rest: str) -> str:
        return f"Thing: {{fields: {{{STAY}, {name}: {{type: {type_}, description: '{document}'}}, {rest}}}}}{more}"

    (found,) = proposals(folder(of(old, said[0], "gone: bytes"), of(new, said[1], "come: struct"), "[]"))
    return [(each.op, each.args) for each in found.lines if each.op not in ("removed", "added")]


@pytest.mark.parametrize(
    ("old", "new", "type_", "said"),
    [
        ("is_enabled", "enabled", "bool", "Whether the probe is enabled."),
        ("enable_logs", "isLogsEnabled", "bool", "Whether logs are enabled for the cluster."),
        ("vault_id", "vault", "string", "The resource of the vault that holds the key."),
        ("poolName", "pool", "string", "The name of the pool that the machine is in."),
        ("subnet", "subnet_list", "{list: {item: string}}", "The subnets that the machine is in."),
        ("timeout", "timeout_in_seconds", "i32", "How long the probe may take, in seconds."),
        ("retention_days", "retentionInDays", "i32", "For how many days records are kept."),
        ("num_nodes", "nodeCount", "i32", "How many nodes the pool has at most."),
        ("admin_username", "administrator_user_name", "string", "The user who administers the server."),
        ("displayName", "friendlyName", "string", "The text that users are shown for it."),
        ("vm_size", "virtualMachineSize", "string", "How large the machine that runs it is."),
        ("provisioning_status", "provisioningState", "string", "How far provisioning has come by now."),
        ("target_resource_id", "target_id", "string", "The resource that the alert is for."),
    ],
)
def test_a_common_change_is_a_line_where_documents_agree(old: str, new: str, type_: str, said: str) -> None:
    assert ops(old, new, type_, (said, said)) == [("rename", {"from": old, "to": new})]


@pytest.mark.parametrize(
    ("old", "new", "type_", "said"),
    [
        ("vault_id", "vault", "string", ("The key that is kept.", "Who may read or write it.")),
        (
            "retention_days",
            "retention_hours",
            "i32",
            ("How long records are kept.", "How long records are kept."),
        ),
        ("source_id", "target_id", "string", ("The resource of the copy.", "The resource of the copy.")),
        ("min_size", "max_size", "i32", ("How large it may be at all.", "How large it may be at all.")),
        ("pool_name", "zone_name", "string", ("The pool of the machine.", "The zone of the disk.")),
    ],
)
def test_what_looks_like_a_common_change_is_no_line(
    old: str, new: str, type_: str, said: tuple[str, str]
) -> None:
    assert ops(old, new, type_, said) == []
