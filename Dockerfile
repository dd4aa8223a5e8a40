# One image for web, worker, beat and the migration job.
# A release gives both base images by digest (`make release-check` refuses others); tags are for building on one's own machine:
#   docker build --build-arg NODE_IMAGE=node:22-bookworm-slim@sha256:… --build-arg PYTHON_IMAGE=python:3.13-slim-bookworm@sha256:… .
ARG NODE_IMAGE=node:22-bookworm-slim
ARG PYTHON_IMAGE=python:3.13-slim-bookworm
FROM ${NODE_IMAGE} AS frontend
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY frontend ./
COPY CHANGELOG.md ../CHANGELOG.md
COPY docs/how-to/runbooks.md ../docs/how-to/runbooks.md
RUN npm run build

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
COPY examples examples
COPY --from=frontend /build/frontend/dist frontend/dist
# The user below cannot write here, so without this every start would compile everything anew.
RUN python -m compileall -q console celery_worker migrations_app
USER switchyard
EXPOSE 8000
CMD ["python", "-m", "console.web_server", "--host", "0.0.0.0", "--port", "8000", "--grace", "20"]
