"""Lines of the log sent to an OpenTelemetry collector over OTLP/HTTP, each with the trace and span in which it was written."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from opentelemetry._logs import SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource

OF_THE_EXPORT = ("opentelemetry", "urllib3")
"""What the export itself logs: sent as well, each failure would be followed by the next."""
_SEVERITIES = (
    (logging.CRITICAL, SeverityNumber.FATAL),
    (logging.ERROR, SeverityNumber.ERROR),
    (logging.WARNING, SeverityNumber.WARN),
    (logging.INFO, SeverityNumber.INFO),
)


class OpenTelemetryLogHandler(logging.Handler):
    """A handler that exports lines in batches, by a thread of its own, as `formatter` writes them.

    A collector that does not answer costs lines, never requests: what finds no room in the queue is dropped.
    """

    def __init__(
        self,
        url: str,
        *,
        resource: Mapping[str, str],
        headers: Mapping[str, str],
        formatter: logging.Formatter | None,
    ) -> None:
        super().__init__()
        self.setFormatter(formatter)
        # A filter, because it is asked before the lock is taken, which the end of the process holds while it exports.
        self.addFilter(lambda record: not record.name.startswith(OF_THE_EXPORT))
        self._provider = LoggerProvider(resource=Resource.create(dict(resource)), shutdown_on_exit=False)
        exporter = OTLPLogExporter(f"{url.rstrip('/')}/v1/logs", headers=dict(headers), timeout=5)
        self._provider.add_log_record_processor(BatchLogRecordProcessor(exporter, schedule_delay_millis=1000))
        self._logger = self._provider.get_logger("switchyard")

    def emit(self, record: logging.LogRecord) -> None:
        """Export a line; the span around it is that of the calling thread."""
        try:
            self._logger.emit(
                timestamp=int(record.created * 1e9),
                severity_number=severity_of(record.levelno),
                severity_text=record.levelname,
                body=self.format(record),
                attributes={"logger.name": record.name},
            )
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Export what is left, for a few seconds at most."""
        self._provider.shutdown()
        super().close()


def severity_of(level: int) -> SeverityNumber:
    """Give the severity of OpenTelemetry for a level of `logging`."""
    return next((severity for least, severity in _SEVERITIES if level >= least), SeverityNumber.DEBUG)
