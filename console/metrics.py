"""Metrics for Prometheus: the process's own, the requests, and how work, outbox, workers and upgrades stand."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Gauge, generate_latest

from migrations_app.control.access.sign_in.authentication import actor_of_http
from migrations_app.control.health.queries import gauges
from migrations_app.control.upgrades.queries.metrics import upgrade_gauges
from migrations_app.kernel.errors import Denied, SwitchyardError
from migrations_app.kernel.json import encode
from migrations_app.web.problems import CONTENT_TYPE, problem_of


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer callers that may see health, by token or session."""
    try:
        actor = actor_of_http(request)
        if not actor.name:
            raise Denied("Send a token that may read health.", code="unauthenticated")
        found, upgrades = gauges(actor), upgrade_gauges(actor)
    except SwitchyardError as error:
        problem = problem_of(error, instance=request.path)
        return HttpResponse(
            encode(problem.body),
            status=problem.status,
            headers=dict(problem.headers),
            content_type=CONTENT_TYPE,
        )
    own = CollectorRegistry()
    for name, (help_text, value) in found.items():
        if isinstance(value, Mapping):
            gauge = Gauge(f"switchyard_{name}", help_text, ["work_class"], registry=own)
            for work_class, number in value.items():
                gauge.labels(work_class).set(number)
        else:
            Gauge(f"switchyard_{name}", help_text, registry=own).set(value)
    for name, labelled in upgrades.items():
        gauge = Gauge(f"switchyard_{name}", labelled.help_text, labelled.labels, registry=own)
        for labels, number in labelled.values.items():
            gauge.labels(*labels).set(number)
    return HttpResponse(generate_latest(REGISTRY) + generate_latest(own), content_type=CONTENT_TYPE_LATEST)
