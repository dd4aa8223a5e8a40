# One image for web, worker, beat and the migration job.
# Both base images by digest (of the index of all platforms), so that a build tomorrow starts from the same content. The same
# are in docker-compose.yml; newer ones: `docker buildx imagetools inspect node:22-bookworm-slim`, then `make release-check`.
ARG NODE_IMAGE=node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
ARG PYTHON_IMAGE=python:3.13.14-slim-bookworm@sha256:67a1e1f215ccda113cfc024e8639049257e88f273898f595b61476d128d387e8
FROM ${NODE_IMAGE} AS frontend
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY frontend ./
COPY CHANGELOG.md ../CHANGELOG.md
COPY docs/how-to/runbooks.md ../docs/how-to/runbooks.md
RUN npm run build
WORKDIR /build/published_definitions
COPY published_definitions ./
COPY examples ../examples
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run --silent copy

FROM ${PYTHON_IMAGE}
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 DJANGO_SETTINGS_MODULE=console.settings SWITCHYARD_BIND=0.0.0.0 \
    SWITCHYARD_HOME=/var/lib/switchyard
WORKDIR /srv/switchyard
COPY requirements/run.lock requirements/run.lock
RUN pip install --require-hashes -r requirements/run.lock && useradd --system --home /var/lib/switchyard --create-home switchyard
COPY manage.py pyproject.toml ./
COPY console console
COPY celery_worker celery_worker
COPY migrations_app migrations_app
COPY switchyard_client switchyard_client
COPY --from=frontend /build/examples examples
COPY --from=frontend /build/frontend/dist frontend/dist
# The user below cannot write here, so without this every start would compile everything anew.
RUN python -m compileall -q console celery_worker migrations_app switchyard_client
USER switchyard
EXPOSE 8000
CMD ["python", "-m", "console.web_server", "--host", "0.0.0.0", "--port", "8000", "--grace", "20"]
