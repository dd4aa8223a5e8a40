"""What compares a sample of what is answered with the answers after the switch."""

from __future__ import annotations

from functools import cache

from django.db import connections

from migrations_app.adapters.repositories.shadow_reads import ShadowReadRows
from migrations_app.adapters.shadow_reads import SampledShadowReads
from migrations_app.engine.methods.shadow_calls import ShadowCalls
from migrations_app.engine.serving.shadowing.shadow_reading import ShadowReading
from migrations_app.ports.shadow_reads import Answered, AnsweredCall, ShadowReadComparison
from migrations_app.wiring.methods import method_handlers, method_server
from migrations_app.wiring.registry import directory, reading_registry
from migrations_app.wiring.storage import store


@cache
def shadow_reads() -> SampledShadowReads:
    """Give what compares a sample of live reads, and of calls that read, with the answers after the switch."""
    calls = ShadowCalls(method_server(), method_handlers(), directory(), store())
    reading = ShadowReading(directory(), store(), calls.compare)

    def compare(answered: Answered | AnsweredCall, into: ShadowReadComparison) -> None:
        with reading_registry():
            reading.compare(answered, into)

    return SampledShadowReads(compare, ShadowReadRows().add, hang_up=connections.close_all)
