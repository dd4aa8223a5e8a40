"""The data databases: store, change feed, fences, read copies, touches, search."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from migrations_app.adapters.database_roles import DatabaseRoles
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.feed.signals import FeedSignals, hanging_up
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.logs.activity import PostgresActivity
from migrations_app.adapters.logs.changes import PostgresResourceChanges
from migrations_app.adapters.logs.conversion_records import PostgresConversionRecords
from migrations_app.adapters.repositories.observation_sessions import OpenSessions
from migrations_app.adapters.search.postgres import PostgresSearch
from migrations_app.adapters.store.copying import PostgresCopies
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.store.touching import PostgresTouches
from migrations_app.engine.regions.feed_watch import keys_of_look
from migrations_app.wiring.work import dispatch


@cache
def databases() -> Databases:
    """Give the connections to the data databases."""
    return Databases(settings.SWITCHYARD.data_url)


def database_roles() -> DatabaseRoles:
    """Give the roles that the addresses of the databases name, which their owner prepares."""
    env = settings.SWITCHYARD
    return DatabaseRoles(env.owner_url, env.database_url, env.data_urls)


@cache
def feed_signals() -> FeedSignals:
    """Give what tells that data databases were written to; processes that serve start it."""
    return FeedSignals(
        hanging_up(lambda database, schemas: dispatch().poke_all(keys_of_look(database, schemas)))
    )


@cache
def store() -> PostgresStore:
    """Give the store of the data databases."""
    return PostgresStore(databases(), feed_signals().note)


@cache
def copies() -> PostgresCopies:
    """Give the read copies in the data databases."""
    return PostgresCopies(databases(), feed_signals().note)


@cache
def touches() -> PostgresTouches:
    """Give the touches of what stands under changed policies."""
    return PostgresTouches(databases())


@cache
def feed() -> PostgresFeed:
    """Give the change feeds of the data databases."""
    return PostgresFeed(databases())


@cache
def fence() -> PostgresFence:
    """Give the fences of the data databases."""
    return PostgresFence(databases())


@cache
def resource_changes() -> PostgresResourceChanges:
    """Give the resource change logs of the data databases."""
    return PostgresResourceChanges(databases())


@cache
def activity() -> PostgresActivity:
    """Give the activity logs of the data databases."""
    return PostgresActivity(databases())


@cache
def conversion_records() -> PostgresConversionRecords:
    """Give the recorded conversions in the data databases."""
    return PostgresConversionRecords(databases())


@cache
def open_sessions() -> OpenSessions:
    """Give the debug sessions that record conversions now."""
    return OpenSessions()


@cache
def search() -> PostgresSearch:
    """Give the search indexes of the data databases."""
    return PostgresSearch(databases())
