"""Namespaces are created once: what was there and is not any more is never created again, empty."""

from __future__ import annotations

from migrations_app.kernel.errors import DataMissing
from migrations_app.kernel.messages import message
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.places import Places
from migrations_app.ports.store import Store

RETRY_SECONDS = 10.0


def refuse_missing(places: Places, store: Store, *namespaces: Namespace) -> None:
    """Refuse to prepare a namespace that stood once and is not in the data database that is reached now.

    An empty one in its place would serve nothing, take writes, and be switched to, while the data are elsewhere.
    Raises: DataMissing.
    """
    for namespace in namespaces:
        if places.is_prepared(namespace) and not store.types(namespace):
            raise DataMissing(
                message(
                    "The data database that {database} leads to does not hold the data of {deployment} in {version}, "
                    "which were kept there.",
                    database=namespace.database,
                    deployment=namespace.deployment,
                    version=namespace.version,
                ),
                remedy=message(
                    "Look where `{database}` leads in SWITCHYARD_DATA_URLS of this process, or restore the database "
                    "from its backup; nothing was written.",
                    database=namespace.database,
                ),
                retry_after_seconds=RETRY_SECONDS,
                database=namespace.database,
                deployment=namespace.deployment,
                version=namespace.version,
            )
