"""The Helm chart: linted and rendered by Helm's own library, every object checked against Kubernetes' schemas."""

from __future__ import annotations

import importlib.util
import json
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import helm_python
import jsonschema_rs
import pytest
import yaml
from kubernetes_validate import utils as kubernetes

from celery_worker.queues import QUEUES
from console.env import ROOT, Env
from migrations_app.domain.work_classes import WorkClass

CHART = ROOT / "deploy" / "helm" / "switchyard"
VERSIONS = ("1.30", "1.36")
"""The oldest Kubernetes that the chart is for, and a recent one."""
REGIONS = {
    "regions": ["eu-west1", "us-west2"],
    "settings": {"SWITCHYARD_PEER_URLS": "eu-west1=https://eu.example.com us-west2=https://us.example.com"},
}
SHAPES: dict[str, dict[str, Any]] = {
    "default": {},
    "hpa": {
        **REGIONS,
        "image": {"repository": "images.example.com/switchyard", "digest": f"sha256:{'a' * 64}", "pullSecrets": ["images"]},
        "web": {"perRegion": True, "replicas": 3, "service": {"type": "LoadBalancer", "port": 80}},
        "autoscaling": {"by": "hpa"},
        "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}},
        "ingress": {"enabled": True, "className": "nginx", "host": "console.example.com", "tlsSecret": "console", "annotations": {"a": "b"}},
        "secrets": {"settings": {"SWITCHYARD_OIDC_SECRET": "oidc_secret"}},
        "networkPolicy": {
            "webFrom": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress"}}}],
            "databases": {"to": [{"ipBlock": {"cidr": "10.20.0.0/16"}}]},
        },
        "homeClaim": "anchors",
        "podAnnotations": {"example.com/team": "platform"},
        "nodeSelector": {"kubernetes.io/arch": "amd64"},
        "tolerations": [{"key": "dedicated", "operator": "Exists"}],
    },
    "keda": {
        "autoscaling": {"by": "keda", "prometheus": "http://prometheus.monitoring:9090"},
        "grpc": {"enabled": False},
        "disruption": {"enabled": False},
        "networkPolicy": {"enabled": False},
    },
}  # fmt: skip
"""Values that together render every branch of the templates."""
_LABELS: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "string"}}


def _strict(required: list[str], **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": False,
    }


_METADATA = _strict(["name", "labels"], name={"type": "string"}, labels=_LABELS)
CUSTOM = {
    "ServiceMonitor": _strict(
        ["apiVersion", "kind", "metadata", "spec"],
        apiVersion={"const": "monitoring.coreos.com/v1"},
        kind={"const": "ServiceMonitor"},
        metadata=_METADATA,
        spec=_strict(
            ["selector", "endpoints"],
            selector=_strict(["matchLabels"], matchLabels=_LABELS),
            endpoints={
                "type": "array",
                "items": _strict(
                    ["port", "path"],
                    port={"type": "string"},
                    path={"type": "string"},
                    interval={"type": "string", "pattern": "^[0-9]+(ms|s|m|h)$"},
                    authorization=_strict(
                        ["credentials"],
                        type={"type": "string"},
                        credentials=_strict(["key"], name={"type": "string"}, key={"type": "string"}),
                    ),
                ),
            },
        ),
    ),
    "ScaledObject": _strict(
        ["apiVersion", "kind", "metadata", "spec"],
        apiVersion={"const": "keda.sh/v1alpha1"},
        kind={"const": "ScaledObject"},
        metadata=_METADATA,
        spec=_strict(
            ["scaleTargetRef", "triggers"],
            scaleTargetRef=_strict(["name"], name={"type": "string"}),
            minReplicaCount={"type": "integer"},
            maxReplicaCount={"type": "integer"},
            cooldownPeriod={"type": "integer"},
            triggers={
                "type": "array",
                "minItems": 1,
                "items": _strict(
                    ["type", "metadata"],
                    type={"const": "prometheus"},
                    metricType={"enum": ["AverageValue", "Value", "Utilization"]},
                    metadata=_LABELS,
                ),
            },
        ),
    ),
}
"""The parts that the chart uses of two kinds that operators define; Kubernetes' own schemas do not have them."""


@cache
def rendered(shape: str) -> list[dict[str, Any]]:
    """Render the chart as `helm template` does, and read the objects."""
    return render(SHAPES[shape])


def render(values: dict[str, Any]) -> list[dict[str, Any]]:
    with helm_python.Chart.load(CHART) as chart:
        chart.validate_schema(values)
        files = chart.render(values, name="switchyard", namespace="production")
    texts = [text for name, text in files.items() if name.endswith(".yaml")]
    return [document for text in texts for document in yaml.safe_load_all(text) if document]


def objects(shape: str, *kinds: str) -> list[dict[str, Any]]:
    return [document for document in rendered(shape) if document["kind"] in kinds]


def pods(shape: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name each object that makes pods, and give the template of these."""
    for document in objects(shape, "Deployment", "Job", "CronJob"):
        spec = document["spec"]
        yield (
            document["metadata"]["name"],
            (spec["jobTemplate"]["spec"] if "jobTemplate" in spec else spec)["template"],
        )


def selects(selector: dict[str, str], labels: dict[str, str]) -> bool:
    return selector.items() <= labels.items()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_linter_has_nothing_to_say(shape: str) -> None:
    report = helm_python.lint(CHART, SHAPES[shape], strict=True, namespace="production")
    assert report["errors"] == []
    assert [line for line in report["messages"] if line["severity"] > 1] == []


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_object_is_what_kubernetes_says(shape: str, version: str) -> None:
    found = rendered(shape)
    assert len(found) > 10
    for document in found:
        if document["kind"] in CUSTOM:
            jsonschema_rs.validator_for(CUSTOM[document["kind"]]).validate(document)
        else:
            kubernetes.validate(document, version, strict=True)


def test_an_object_with_an_unknown_field_is_found() -> None:
    document = json.loads(json.dumps(objects("default", "Deployment")[0]))
    document["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
    with pytest.raises(kubernetes.ValidationError):
        kubernetes.validate(document, VERSIONS[0], strict=True)


@pytest.mark.parametrize("shape", SHAPES)
def test_names_are_used_once(shape: str) -> None:
    names = [(document["kind"], document["metadata"]["name"]) for document in rendered(shape)]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_container_is_confined(shape: str) -> None:
    for name, template in pods(shape):
        spec = template["spec"]
        assert spec["automountServiceAccountToken"] is False, name
        assert spec["securityContext"]["runAsNonRoot"] is True, name
        assert spec["securityContext"]["runAsUser"] > 0, name
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        for container in spec["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "runAsNonRoot": True,
                "capabilities": {"drop": ["ALL"]},
            }, name
            assert container["resources"]["limits"]["memory"], name
            assert "/tmp" in {mount["mountPath"] for mount in container["volumeMounts"]}, name


@pytest.mark.parametrize("shape", SHAPES)
def test_processes_that_serve_have_probes(shape: str) -> None:
    probed = {"web": "httpGet", "grpc": "tcpSocket", "worker": "exec"}
    for name, template in pods(shape):
        component = template["metadata"]["labels"]["app.kubernetes.io/component"]
        container = template["spec"]["containers"][0]
        for probe in ("startupProbe", "livenessProbe") if component in probed else ():
            assert probed[component] in container[probe], (name, probe)
        assert ("readinessProbe" in container) == (component in ("web", "grpc")), name


@pytest.mark.parametrize("shape", SHAPES)
def test_secrets_are_files_and_only_jobs_of_the_owner_have_the_owners_address(shape: str) -> None:
    owners = []
    for name, template in pods(shape):
        environment = {entry["name"]: entry["value"] for entry in template["spec"]["containers"][0]["env"]}
        known = {field.metadata["name"] for field in fields(Env)} | {"HOME"}
        assert {setting.removesuffix("_FILE") for setting in environment} <= known, name
        secret = ("KEY", "TOKEN", "SECRET", "DATABASE_URL", "REDIS_URL", "DATA_URLS", "OWNER_URL")
        assert [setting for setting in environment if setting.endswith(secret)] == [], name
        mounted = {mount["mountPath"] for mount in template["spec"]["containers"][0]["volumeMounts"]}
        for setting, path in environment.items():
            if setting.endswith("_FILE") and path.startswith("/run/secrets/"):
                assert path.rpartition("/")[0] in mounted, (name, setting)
        if "SWITCHYARD_OWNER_URL_FILE" in environment:
            owners.append(name)
        volumes = {volume.get("secret", {}).get("secretName") for volume in template["spec"]["volumes"]}
        assert ("switchyard-owner" in volumes) == ("SWITCHYARD_OWNER_URL_FILE" in environment), name
    assert sorted(owners) == ["switchyard-first-accounts", "switchyard-migration"]


def queues_of(template: dict[str, Any]) -> list[str]:
    command = template["spec"]["containers"][0]["command"]
    taken = [part.partition("=")[2] for part in command if part.startswith("--queues=")]
    return taken[0].split(",") if taken else []


@pytest.mark.parametrize(("shape", "regions"), [("default", [None]), ("hpa", REGIONS["regions"])])
def test_the_workers_take_every_queue_once_in_every_region(shape: str, regions: list[str | None]) -> None:
    taken: dict[str, list[str | None]] = {}
    for _, template in pods(shape):
        environment = {entry["name"]: entry["value"] for entry in template["spec"]["containers"][0]["env"]}
        for queue in queues_of(template):
            taken.setdefault(queue, []).append(environment.get("SWITCHYARD_REGIONS"))
    of_all_regions = [None]
    assert taken == {
        queue: regions if queue in ("sync", "constraints") else of_all_regions for queue in QUEUES
    }


def test_commands_name_modules_that_exist() -> None:
    named = set()
    for _, template in pods("default"):
        command = template["spec"]["containers"][0]["command"]
        if command[:2] == ["python", "-m"]:
            named.add(command[2])
        elif command[0] == "celery":
            named.add(command[1].removeprefix("--app="))
    assert named == {"console.web_server", "console.grpc_server", "celery_worker.app"}
    assert [name for name in named if importlib.util.find_spec(name) is None] == []


@pytest.mark.parametrize("shape", ["hpa", "keda"])
def test_pools_are_scaled_by_the_lateness_of_their_classes(shape: str) -> None:
    deployments = {document["metadata"]["name"]: document for document in objects(shape, "Deployment")}
    scaled: dict[str, set[str]] = {}
    for scaler in objects(shape, "HorizontalPodAutoscaler", "ScaledObject"):
        spec = scaler["spec"]
        target = deployments[spec["scaleTargetRef"]["name"]]
        # What scales decides how many there are: an upgrade of the release must not set them back.
        assert "replicas" not in target["spec"]
        if shape == "hpa":
            externals = [metric["external"] for metric in spec["metrics"]]
            assert {external["metric"]["name"] for external in externals} == {METRIC}
            classes = {external["metric"]["selector"]["matchLabels"]["work_class"] for external in externals}
        else:
            queries = [trigger["metadata"]["query"] for trigger in spec["triggers"]]
            classes = {query.partition('work_class="')[2].partition('"')[0] for query in queries}
            assert queries == [
                f'max({METRIC}{{work_class="{name}"}})' for name in sorted(classes, key=_place(queries))
            ]
        scaled[target["metadata"]["labels"]["switchyard/pool"]] = classes
    assert set().union(*scaled.values()) == set(WorkClass)
    assert sum(len(classes) for classes in scaled.values()) == len(WorkClass)
    assert set(scaled) == {"sync", "constraints", "switch", "housekeeping"}


METRIC = "switchyard_work_class_late_seconds"


def _place(queries: list[str]) -> Any:
    return lambda name: next(index for index, query in enumerate(queries) if f'"{name}"' in query)


@pytest.mark.parametrize("shape", ["default", "hpa"])
def test_every_pod_has_one_network_policy_and_workers_take_no_connection(shape: str) -> None:
    policies = {policy["metadata"]["name"]: policy["spec"] for policy in objects(shape, "NetworkPolicy")}
    for name, template in pods(shape):
        labels = template["metadata"]["labels"]
        own = [spec for spec in policies.values() if selects(spec["podSelector"]["matchLabels"], labels)]
        assert len(own) == 1, name
        assert sorted(own[0]["policyTypes"]) == ["Egress", "Ingress"], name
        serves = labels["app.kubernetes.io/component"] in ("web", "grpc")
        assert bool(own[0]["ingress"]) == serves, name
        denied = [
            block["ipBlock"]["except"]
            for rule in own[0]["egress"]
            for block in rule.get("to", [])
            if block.get("ipBlock", {}).get("cidr") in ("0.0.0.0/0", "::/0")
        ]
        assert denied in ([], [["169.254.0.0/16"], ["fe80::/10"]]), name


@pytest.mark.parametrize("shape", ["default", "hpa"])
def test_every_pool_has_one_disruption_budget(shape: str) -> None:
    budgets = [budget["spec"]["selector"]["matchLabels"] for budget in objects(shape, "PodDisruptionBudget")]
    for name, template in pods(shape):
        labels = template["metadata"]["labels"]
        own = [selector for selector in budgets if selects(selector, labels)]
        assert len(own) == (labels["app.kubernetes.io/component"] in ("web", "worker")), name


@pytest.mark.parametrize("shape", SHAPES)
def test_services_and_deployments_select_their_own_pods_alone(shape: str) -> None:
    templates = dict(pods(shape))
    for deployment in objects(shape, "Deployment"):
        selector = deployment["spec"]["selector"]["matchLabels"]
        own = [name for name, template in templates.items() if selects(selector, template["metadata"]["labels"])]  # fmt: skip
        assert own == [deployment["metadata"]["name"]]
    for service in objects(shape, "Service"):
        own = [name for name, template in templates.items() if selects(service["spec"]["selector"], template["metadata"]["labels"])]  # fmt: skip
        assert own == [service["metadata"]["name"]]


def test_the_migration_runs_before_pods_of_the_new_version() -> None:
    (job,) = objects("default", "Job")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    (command,) = [container["command"] for container in job["spec"]["template"]["spec"]["containers"]]
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["migrate"]["command"]
    assert command == compose


def test_the_chart_is_of_this_version_and_knows_this_versions_settings() -> None:
    about = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert about["appVersion"] == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    known = {field.metadata["name"] for field in fields(Env)} - {"SWITCHYARD_FAIL"}
    listed = json.loads((CHART / "values.schema.json").read_text())["$defs"]["setting"]["enum"]
    assert sorted(known ^ set(listed)) == [], "list the setting in $defs of values.schema.json"


POOL = {"classes": [], "replicas": 1, "maxReplicas": 1, "concurrency": 1, "perRegion": False, "resources": {}}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"regions": ["eu-west1"]}, "set settings.SWITCHYARD_PEER_URLS"),
        ({"workers": {"second": POOL | {"queues": ["sync"]}}}, "two pools take the queue sync"),
        ({"workers": {"switch": POOL | {"queues": ["sync"]}}}, "two pools take the queue sync"),
        ({"workers": {"switch": None}}, "no pool takes the queue switch"),
        ({"workers": {"sync": {"maxReplicas": 1}}}, "workers.sync: maxReplicas is less than replicas"),
        ({"settings": {"DATABASE_URL": "postgresql://u:p@h/d"}}, "settings.DATABASE_URL"),
        ({"settings": {"SWITCHYARD_OIDC_SECRET": "canary"}}, "settings.SWITCHYARD_OIDC_SECRET holds a secret"),
        ({"settings": {"SWITCHYARD_HOST": "x"}}, "SWITCHYARD_HOST"),
        ({"autoscaling": {"by": "keda"}}, "autoscaling.prometheus"),
        ({"autoscaling": {"by": "cpu"}}, "autoscaling"),
        ({"ingress": {"enabled": True}}, "ingress.host"),
        ({"webb": {}}, "webb"),
        ({"image": {"digest": "latest"}}, "digest"),
    ],
)  # fmt: skip
def test_values_that_cannot_work_are_refused_with_their_place(values: dict[str, Any], said: str) -> None:
    with pytest.raises(helm_python.HelmError) as refused:
        render(values)
    assert said in str(refused.value)
    assert "canary" not in str(refused.value)
