"""Telemetry of a process: traces and logs to an OpenTelemetry collector, errors to Sentry or what understands its protocol.

All are off until their settings name an address; the libraries are imported only then.
"""

from __future__ import annotations

import atexit
import logging
import os
import socket
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db.backends.signals import connection_created

from migrations_app.kernel.tracing import SpanKind, tracer, use_tracer


def start_telemetry(process: str) -> None:
    """Begin to export what this process does; `process` says what it is: `web`, `worker` or `grpc`."""
    if settings.SWITCHYARD.otlp_url:
        resource = _resource(process)
        _export_traces(resource)
        if settings.SWITCHYARD.otlp_logs:
            _export_logs(resource)
    if settings.SWITCHYARD.sentry_dsn:
        _report_errors(process)


def _resource(process: str) -> dict[str, str]:
    """Say what sends; names follow the OpenTelemetry semantic conventions."""
    return {
        "service.namespace": "switchyard",
        "service.name": f"switchyard-{process}",
        "service.instance.id": f"{socket.gethostname()}:{os.getpid()}",
        "deployment.environment.name": settings.SWITCHYARD.environment,
    }


def _export_logs(resource: dict[str, str]) -> None:
    from migrations_app.adapters.log_export import OpenTelemetryLogHandler

    env, root = settings.SWITCHYARD, logging.getLogger()
    formatter = root.handlers[0].formatter if root.handlers else None
    handler = OpenTelemetryLogHandler(
        env.otlp_url, resource=resource, headers=env.otlp_headers, formatter=formatter
    )
    # The end of `logging`, at that of the process, closes it, which exports what is left.
    root.addHandler(handler)


def _export_traces(resource: dict[str, str]) -> None:
    from migrations_app.adapters.tracing import OpenTelemetryTracer, trace_data_statements

    env = settings.SWITCHYARD
    chosen = OpenTelemetryTracer(
        env.otlp_url, share=env.trace_percent / 100, resource=resource, headers=env.otlp_headers
    )
    use_tracer(chosen)
    connection_created.connect(_trace_statements, dispatch_uid="trace-statements")
    trace_data_statements()
    atexit.register(chosen.close)


def _trace_statements(connection: Any, **_: Any) -> None:
    if _traced not in connection.execute_wrappers:
        connection.execute_wrappers.append(_traced)


def _traced(
    execute: Callable[..., Any], statement: Any, parameters: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Open a span for a statement on the control database, inside of other spans only; its text is not kept."""
    if not tracer().ids()[0]:
        return execute(statement, parameters, many, context)
    verb = str(statement).split(None, 1)[0].upper()
    attributes = {"db.system.name": "postgresql", "db.namespace": "control", "db.operation.name": verb}
    with tracer().span(f"{verb} control", attributes, kind=SpanKind.CLIENT):
        return execute(statement, parameters, many, context)


def _without_address(event: Any, _: Any) -> Any:
    """Leave of a request only its method: addresses and queries name what clients keep here."""
    if "request" in event:
        event["request"] = {"method": event["request"].get("method", "")}
    return event


def _report_errors(process: str) -> None:
    import sentry_sdk

    env = settings.SWITCHYARD
    sentry_sdk.init(
        dsn=env.sentry_dsn,
        environment=env.environment,
        server_name=socket.gethostname(),
        # Variables and bodies may hold what clients keep here.
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=_without_address,
    )
    sentry_sdk.set_tag("process", process)
