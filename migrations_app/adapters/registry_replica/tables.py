"""What a replica holds: the control tables that serving resources reads, and what of them is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SCHEMA = "switchyard_replica"


@dataclass(frozen=True, slots=True)
class ReplicatedTable:
    """A table; `where` selects its rows, `masked` columns are copied as an empty text."""

    where: str = ""
    masked: frozenset[str] = field(default_factory=frozenset)


_PREFIX = "switchyard_"
REPLICATED: Mapping[str, ReplicatedTable] = {
    f"{_PREFIX}{name}": table
    for name, table in {
        "region": ReplicatedTable(),
        "service": ReplicatedTable(),
        "servicedefinition": ReplicatedTable(),
        "serviceversion": ReplicatedTable(),
        "import": ReplicatedTable(),
        "deployment": ReplicatedTable(),
        "namespace": ReplicatedTable(),
        "preparednamespace": ReplicatedTable(),
        "resourcetype": ReplicatedTable(),
        "registryhead": ReplicatedTable(),
        # As many as a cache of the registry follows before it reads everything afresh.
        "registrychange": ReplicatedTable(
            "seq > (SELECT coalesce(max(seq), 0) - 1000 FROM switchyard_registrychange)"
        ),
        "upgrade": ReplicatedTable(),
        "eviction": ReplicatedTable(),
        "versionretirement": ReplicatedTable(),
        "brownout": ReplicatedTable(),
        "keystrategy": ReplicatedTable(),
        "fixturemark": ReplicatedTable(),
        "logsettings": ReplicatedTable(),
        "account": ReplicatedTable(masked=frozenset({"password"})),
        "token": ReplicatedTable(),
        "rolebinding": ReplicatedTable(),
        "maderole": ReplicatedTable(),
    }.items()
}
