"""How every process writes its log: one line an event, text for people or JSON for machines."""

from __future__ import annotations

import logging.config
from collections.abc import MutableMapping
from typing import Any

import structlog

from migrations_app.kernel.tracing import tracer


def _add_trace(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Add the ids of the trace and the span in which the line was written."""
    trace, span = tracer().ids()
    if trace:
        event.update(trace_id=trace, span_id=span)
    return event


_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    _add_trace,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def logging_config(form: str, level: str) -> dict[str, Any]:
    """Describe the log for `logging.config.dictConfig` and set structlog up to feed it."""
    # Plain tracebacks: the pretty ones print local variables, secrets among them, and take long to draw.
    text = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    json = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    last: list[Any] = json if form == "json" else [text]
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    config: dict[str, Any] = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
                "foreign_pre_chain": _SHARED,
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "uvicorn.access": {"level": "WARNING"},
            "uvicorn.error": {"level": level},
            "django.request": {"level": "ERROR"},
        },
    }
    logging.config.dictConfig(config)
    return config
