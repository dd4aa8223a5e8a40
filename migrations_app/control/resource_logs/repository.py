"""Where the logs of a deployment are: with its data, wherever that is or was."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from migrations_app.adapters.repositories.places import MOVING_KINDS, ends_of, namespace_of
from migrations_app.domain.registry.names import deployment_name
from migrations_app.kernel.errors import DeploymentMissing, NotFound
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows
from migrations_app.models.logs import ConversionSession, LogSettings
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.namespaces import Namespace


@dataclass(frozen=True, slots=True)
class LogLocation:
    """The databases that hold entries of a deployment's logs, and the namespaces whose feeds do."""

    deployment: str
    databases: tuple[str, ...]
    namespaces: tuple[Namespace, ...]


def log_location(service: str, region: str) -> LogLocation:
    """Find where the logs of a deployment are; the databases of its past upgrades too.

    Raises: Missing (`deployment-missing`).
    """
    name = deployment_name(service, region)
    row = rows.Deployment.objects.filter(pk=name).first()
    if row is None:
        raise DeploymentMissing(message("There is no deployment {name}.", name=name))
    registered = rows.Namespace.objects.filter(deployment_id=name).order_by("created_at")
    past = Upgrade.objects.filter(deployment=name)
    # Feeds of places that the registry shows no more carry entries until these are dropped.
    left = [place for each in past.filter(kind__in=MOVING_KINDS) for place in ends_of(each)]
    places = [*(namespace_of(each, row.ring) for each in registered), *left]
    namespaces = {(each.database, each.schema): each for each in places}
    pairs = past.values_list("source_database", "target_database")
    databases = [row.database, *(database for database, _ in namespaces), *chain.from_iterable(pairs)]
    return LogLocation(name, tuple(dict.fromkeys(filter(None, databases))), tuple(namespaces.values()))


def retention_by_database() -> dict[str, list[LogSettings]]:
    """List what the logs of each registered deployment keep, by each database that may hold entries of them.

    Six questions in all, however many deployments there are.
    """
    kept = {row.deployment: row for row in LogSettings.objects.all()}
    places: dict[str, set[str]] = {}
    for name, database in chain(
        rows.Deployment.objects.values_list("pk", "database"),
        rows.Namespace.objects.values_list("deployment_id", "database").distinct(),
        Upgrade.objects.values_list("deployment", "source_database").distinct(),
        Upgrade.objects.values_list("deployment", "target_database").distinct(),
    ):
        places.setdefault(name, set()).add(database)
    found: dict[str, list[LogSettings]] = {}
    for name in rows.Deployment.objects.order_by("pk").values_list("pk", flat=True):
        for database in places[name] - {""}:
            found.setdefault(database, []).append(kept.get(name) or LogSettings(deployment=name, rev=0))
    return found


def log_settings(deployment: str, *, lock: bool = False) -> LogSettings:
    """Give what the logs of a deployment keep; revision 0 is the default, which was not set."""
    found = LogSettings.objects.select_for_update() if lock else LogSettings.objects
    return found.filter(pk=deployment).first() or LogSettings(deployment=deployment, rev=0)


def settings_as_json(row: LogSettings) -> JsonObject:
    """Give the settings as the audit log shows them."""
    return {
        "rev": row.rev,
        "read_sampling": row.read_sampling,
        "activity_days": row.activity_days,
        "change_days": row.change_days,
    }


def conversion_session(deployment: str, session: str, *, lock: bool = False) -> ConversionSession:
    """Find a debug session of a deployment.

    Raises: Missing (`not-found`).
    """
    found = ConversionSession.objects.select_for_update() if lock else ConversionSession.objects
    row = found.filter(pk=session, deployment=deployment).first()
    if row is None:
        raise NotFound(
            message(
                "{deployment} has no session {session}.", deployment=deployment, session=repr(session[:80])
            )
        )
    return row


def conversion_sessions(deployment: str, limit: int) -> list[ConversionSession]:
    """List the newest debug sessions of a deployment."""
    return list(ConversionSession.objects.filter(deployment=deployment)[:limit])
