"""The gRPC server as a process: health, reflection, deadlines, limits, TLS, what it does not understand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from console.embedded import commands
from migrations_app.adapters.rates.valkey import shared_rates
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import RegistryHead
from migrations_app.web.throttles import WINDOW_SECONDS, PerActor
from tests.contract.meta.published import PACKAGE, message, published
from tests.contract.meta.transports import Failed, failed
from tests.factories.access import make_account, token_of
from tests.processes import Children, free_port

SERVICES = {f"{PACKAGE}.{one}Service" for one in ("Region", "Service", "Deployment", "Resource")}


@pytest.fixture(scope="module")
def address(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One gRPC process for all tests here."""
    children = Children(tmp_path_factory.mktemp("grpc"))
    try:
        yield children.start_grpc()
    finally:
        children.stop()


@pytest.fixture
def channel(address: str, transactional_db: None) -> Iterator[grpc.Channel]:
    """An open channel."""
    make_account("root", "admin")
    with grpc.insecure_channel(address) as opened:
        yield opened


def test_health_is_told_for_each_service(channel: grpc.Channel) -> None:
    stub = health_pb2_grpc.HealthStub(channel)
    for name in ("", *SERVICES):
        answer = stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=60)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    with pytest.raises(grpc.RpcError) as unknown:
        stub.Check(health_pb2.HealthCheckRequest(service="other"), timeout=60)
    assert unknown.value.code() is grpc.StatusCode.NOT_FOUND


def test_reflection_tells_of_services_and_messages(channel: grpc.Channel) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=f"{PACKAGE}.Deployment"),
    ]
    listed, described = stub.ServerReflectionInfo(iter(asked), timeout=60)
    names = {each.name for each in listed.list_services_response.service}
    assert names > SERVICES
    file = FileDescriptorProto.FromString(described.file_descriptor_response.file_descriptor_proto[0])
    assert "Deployment" in {each.name for each in file.message_type}


def test_a_field_that_is_not_published_is_refused_by_its_number(channel: grpc.Channel) -> None:
    call = channel.unary_unary(f"/{PACKAGE}.RegionService/CreateRegion")
    request = message("CreateRegionRequest")(region={"name": "regions/eu"}).SerializeToString()
    inner = b"\x12\x0e\x0a\x0aregions/eu\xd8\x04\x01"
    assert request == b"\x12\x0c\x0a\x0aregions/eu"
    with pytest.raises(grpc.RpcError) as refused:
        call(inner[:1] + bytes([len(inner) - 2]) + inner[2:], timeout=60)
    error = failed(refused.value)
    assert isinstance(error, Failed)
    assert (error.code, error.reason) == ("INVALID_ARGUMENT", "message-shape")
    assert str(error).startswith("region: there is no field number 75.")


@pytest.mark.parametrize(
    "name", ["regions", "regions/", "regions/a/b", "regions/eu:watch", "services/eu", ""]
)
def test_a_name_of_another_form_is_refused(channel: grpc.Channel, name: str) -> None:
    meta = published(channel, token_of("root"))
    with pytest.raises(grpc.RpcError) as refused:
        meta.call("RegionService", "GetRegion", {"name": name})
    error = failed(refused.value)
    assert isinstance(error, Failed)
    assert (error.code, error.reason) == ("INVALID_ARGUMENT", "name-pattern")


def test_a_call_is_written_into_the_audit_log_with_its_request_id(channel: grpc.Channel) -> None:
    meta = published(channel, token_of("root"), x_request_id="of-the-caller")
    meta.call("RegionService", "CreateRegion", {"region": {"name": "regions/eu"}})
    entry = LedgerEntry.objects.filter(action="registry.write").latest("id")
    assert (entry.actor, entry.target, entry.outcome) == ("root", "regions/eu", "done")
    assert entry.request_id == "of-the-caller"


def test_a_call_with_an_idempotency_key_is_made_once(channel: grpc.Channel) -> None:
    meta = published(channel, token_of("root"), idempotency_key="one")
    asked = {"region": {"name": "regions/eu", "title": "Europe"}}
    first = meta.call("RegionService", "CreateRegion", asked)
    assert meta.call("RegionService", "CreateRegion", asked) == first


def test_a_word_for_a_rehearsal_that_is_no_word_is_refused(channel: grpc.Channel) -> None:
    meta = published(channel, token_of("root"), dry_run="maybe")
    with pytest.raises(grpc.RpcError) as refused:
        meta.call("RegionService", "CreateRegion", {"region": {"name": "regions/eu"}})
    error = failed(refused.value)
    assert isinstance(error, Failed)
    assert (error.code, error.reason) == ("INVALID_ARGUMENT", "dry-run")


def test_nothing_is_begun_after_the_deadline(channel: grpc.Channel) -> None:
    meta = published(channel, token_of("root"))
    before = RegistryHead.objects.values_list("seq", flat=True).first()
    with pytest.raises(grpc.RpcError) as late:
        meta.call("RegionService", "CreateRegion", {"region": {"name": "regions/eu"}}, timeout=0.0)
    assert late.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert RegistryHead.objects.values_list("seq", flat=True).first() == before


def test_too_many_calls_are_refused_with_a_time_to_wait(channel: grpc.Channel) -> None:
    meta = published(channel, token_of("root"))
    for _ in range(PerActor.most):
        shared_rates().spend("requests:account:root", WINDOW_SECONDS)
    with pytest.raises(grpc.RpcError) as refused:
        meta.call("RegionService", "ListRegions", {"view": "NAME"})
    error = failed(refused.value)
    assert isinstance(error, Failed)
    assert (error.code, error.reason) == ("RESOURCE_EXHAUSTED", "too-many-requests")
    assert "RetryInfo" in error.details


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return paths


def test_tls_is_served_with_the_certificate_of_the_settings(transactional_db: None, tmp_path: Path) -> None:
    make_account("root", "admin")
    certificate, key = _certificate(tmp_path)
    children = Children(tmp_path)
    try:
        address = children.start_grpc(
            SWITCHYARD_GRPC_CERTIFICATE=str(certificate), SWITCHYARD_GRPC_KEY=str(key)
        )
        port = address.rpartition(":")[2]
        trusted = grpc.ssl_channel_credentials(certificate.read_bytes())
        with grpc.secure_channel(f"localhost:{port}", trusted) as channel:
            meta = published(channel, token_of("root"))
            assert meta.call("RegionService", "ListRegions").regions == []
        with (
            grpc.insecure_channel(address) as plain,
            pytest.raises(grpc.RpcError) as refused,
        ):
            published(plain, token_of("root")).call("RegionService", "ListRegions")
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
    finally:
        children.stop()


def test_a_taken_port_and_half_a_certificate_end_the_start(transactional_db: None, tmp_path: Path) -> None:
    children = Children(tmp_path)
    try:
        address = children.start_grpc()
        taken = children.start("second", commands.grpc("127.0.0.1", int(address.rpartition(":")[2])))
        assert taken.wait(60) == 3
        assert "cannot be listened on" in children.log("second")
        half = children.start("half", commands.grpc("127.0.0.1", free_port()), SWITCHYARD_GRPC_KEY="/nowhere")
        assert half.wait(60) == 3
        assert "SWITCHYARD_GRPC_CERTIFICATE and SWITCHYARD_GRPC_KEY" in children.log("half")
    finally:
        children.stop()
