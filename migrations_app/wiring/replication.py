"""Copying, verifying and switching."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from django.conf import settings

from migrations_app.adapters.conversions import DefinedConversions
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.repositories.places import DjangoPlaces
from migrations_app.adapters.repositories.sync import DjangoCheckpoints
from migrations_app.adapters.store.comparing import PostgresComparing
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.store.reference_digests import PostgresReferenceIndexes
from migrations_app.adapters.throttle.postgres import PostgresThrottle
from migrations_app.adapters.throttle.postgres import ThrottleLimits as Throttling
from migrations_app.adapters.write_latency.log import WriteLatencyLog
from migrations_app.adapters.write_latency.pulses import PulseWriteLatencies, report_writes
from migrations_app.domain.sync.write_pace import WriteBound
from migrations_app.engine.regions.levels import CopyLevels
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.engine.sync.write_pacing import WritePacing
from migrations_app.wiring.control_ports import control_ports
from migrations_app.wiring.registry import regions_of
from migrations_app.wiring.storage import copies, databases, feed, fence, store
from migrations_app.wiring.work import clock, dispatch


@cache
def ports() -> PipelinePorts:
    """Give the ports that copying, proving and switching work with."""
    env = settings.SWITCHYARD
    return PipelinePorts(
        store=store(),
        feed=feed(),
        fence=fence(),
        checkpoints=DjangoCheckpoints(),
        upgrades=control_ports().upgrades(),
        places=DjangoPlaces(),
        conversions=DefinedConversions(),
        throttle=PostgresThrottle(
            databases(), Throttling(commit_milliseconds=env.throttle_commit_ms, question=env.throttle_query)
        ),
        clock=clock(),
        levels=CopyLevels(copies(), regions_of),
        comparing=PostgresComparing(databases()),
        reference_indexes=PostgresReferenceIndexes(databases()),
        pacing=WritePacing(PulseWriteLatencies(), clock(), WriteBound(env.write_p95_percent / 100)),
        dispatch=dispatch(),
    )


@cache
def write_latency_log() -> WriteLatencyLog:
    """Give what notes how long clients' writes take in this process."""
    return WriteLatencyLog(report_writes)


@cache
def reading_ports() -> PipelinePorts:
    """Give the same ports over connections that cannot write, for rehearsals."""
    pools = Databases(settings.SWITCHYARD.data_url, size=2, read_only=True)
    reading = replace(ports(), store=PostgresStore(pools), feed=PostgresFeed(pools))
    return replace(
        reading,
        fence=PostgresFence(pools),
        comparing=PostgresComparing(pools),
        reference_indexes=PostgresReferenceIndexes(pools),
    )
