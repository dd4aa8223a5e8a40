"""The only reader of the process environment: every setting, typed, documented, checked once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from console.env_values import WrongEnvironment as WrongEnvironment
from console.env_values import check_meta, check_sign_in, running_installation, text_of_file, value_of
from console.env_values import setting as _setting

ROOT = Path(__file__).resolve().parent.parent
_BUNDLE = ROOT / "console" / "bundle"
FILES = _BUNDLE if _BUNDLE.is_dir() else ROOT
"""Where the built front end and the examples are: a clone has them at its root, a wheel inside this package."""
HOME = (ROOT if FILES is ROOT else Path.home()) / ".switchyard"


@dataclass(frozen=True, slots=True)
class Env:
    """All settings of one process. Each field's metadata holds its variable and its documentation."""

    home: Path = _setting(
        "SWITCHYARD_HOME",
        "Folder of the embedded servers' data, the logs and credentials.json.",
        HOME,
    )
    port: int = _setting(
        "SWITCHYARD_PORT",
        "Port of the web process. When not set: 8000, or the next free one.",
        0,
    )
    bind: str = _setting("SWITCHYARD_BIND", "Address the web process listens on.", "127.0.0.1")
    grpc_port: int = _setting(
        "SWITCHYARD_GRPC_PORT",
        "Port of the Meta API over gRPC. When not set: the next free one after the web process's.",
        0,
    )
    grpc_certificate: str = _setting(
        "SWITCHYARD_GRPC_CERTIFICATE",
        "File with the certificate chain (PEM) of the Meta API over gRPC; empty serves without TLS.",
    )
    grpc_key: str = _setting(
        "SWITCHYARD_GRPC_KEY", "File with the private key (PEM) to `SWITCHYARD_GRPC_CERTIFICATE`."
    )
    environment: str = _setting(
        "SWITCHYARD_ENVIRONMENT",
        "Name of this installation, shown in the console's header; roles bound to another environment do not count.",
        "local",
    )
    database_url: str = _setting(
        "DATABASE_URL", "Control database, `postgresql://user:password@host:port/name`."
    )
    owner_url: str = _setting(
        "SWITCHYARD_OWNER_URL",
        "Control database as the owner of its tables. Only for `manage.py migrate`, `roles` and `prepare`, which then "
        "work with it; web, workers and beat refuse to start with it.",
    )
    redis_url: str = _setting(
        "REDIS_URL", "Broker and channel layer, `redis://…`, `rediss://…` or `unix:///path?db=0`."
    )
    data_urls: Mapping[str, str] = _setting(
        "SWITCHYARD_DATA_URLS",
        "Data databases as `alias=url` pairs parted by spaces; a region's alias is its name. "
        "The alias `default` serves regions that have none of their own.",
        dict,
    )
    regions: tuple[str, ...] = _setting(
        "SWITCHYARD_REGIONS",
        "Regions whose resource servers and work this process takes, parted by commas; it registers `services/switchyard` "
        "there, and the region itself where it is missing. Empty: all, and nothing is registered.",
        (),
    )
    replica: str = _setting(
        "SWITCHYARD_REPLICA",
        "Alias of the data database that holds a replica of the registry, such as `eu-west1`: this process then serves "
        "resources by it, also while the control database is away. Empty: by the control database.",
    )
    secret_key: str = _setting(
        "SWITCHYARD_SECRET_KEY", "Signs sessions, page tokens and service tokens; at least 32 characters."
    )
    anchors: tuple[str, ...] = _setting(
        "SWITCHYARD_ANCHORS",
        "Where signed heads of the audit ledger are kept, parted by commas: `file` (in `anchors` of SWITCHYARD_HOME), "
        "`file:/folder`, `post:https://…`, `put:https://…` (each under a name of its own below the address).",
        ("file",),
    )
    anchor_seconds: int = _setting(
        "SWITCHYARD_ANCHOR_SECONDS", "How often the head of the audit ledger is kept, in seconds.", 300
    )
    anchor_token: str = _setting("SWITCHYARD_ANCHOR_TOKEN", "Bearer token that heads are sent with.")
    anchor_key: str = _setting(
        "SWITCHYARD_ANCHOR_KEY",
        "Private key (32 bytes, base64) that signs heads of the audit ledger. When not set it is derived from "
        "`SWITCHYARD_SECRET_KEY`, and changes with it.",
    )
    report_key: str = _setting(
        "SWITCHYARD_REPORT_KEY",
        "Private key (32 bytes, base64) that signs shared run sheets. When not set it is derived from "
        "`SWITCHYARD_SECRET_KEY`, and changes with it.",
    )
    earlier_report_keys: tuple[str, ...] = _setting(
        "SWITCHYARD_EARLIER_REPORT_KEYS",
        "Public keys that shared run sheets were signed with before, parted by commas: they stay published, and the files "
        "stay verifiable. `swy report keys` prints the current one.",
        (),
    )
    hosts: tuple[str, ...] = _setting(
        "SWITCHYARD_HOSTS",
        "Host names the console answers to, parted by commas.",
        ("localhost", "127.0.0.1", "[::1]"),
    )
    origins: tuple[str, ...] = _setting(
        "SWITCHYARD_ORIGINS",
        "Further origins (`https://…`) that may post forms and open sockets, parted by commas.",
        (),
    )
    tls: bool = _setting(
        "SWITCHYARD_TLS", "`true` behind TLS: secure cookies, HSTS, redirect to https.", False
    )
    proxies: tuple[str, ...] = _setting(
        "SWITCHYARD_TRUSTED_PROXIES",
        "Addresses and networks of the proxies in front, parted by commas: `X-Forwarded-For` and `X-Forwarded-Proto` "
        "are believed from them alone. Empty: from no proxy.",
        (),
    )
    connections: int = _setting(
        "SWITCHYARD_CONNECTIONS",
        "Connections that a web process holds at once, sockets of the live stream included; one more is answered 503.",
        1000,
    )
    header_seconds: float = _setting(
        "SWITCHYARD_HEADER_SECONDS",
        "How long the headers of a request may take to arrive, in seconds, before the connection ends with 408.",
        10.0,
    )
    body_seconds: float = _setting(
        "SWITCHYARD_BODY_SECONDS",
        "How long the body of a request may take to arrive, in seconds, before the connection ends with 408.",
        30.0,
    )
    resource_rate: int = _setting(
        "SWITCHYARD_RESOURCE_RATE",
        "Requests a minute that one account may make of the resource API (`/apis`) of a web process.",
        30_000,
    )
    anonymous_rate: int = _setting(
        "SWITCHYARD_ANONYMOUS_RATE",
        "Requests a minute without a good token that one address may make of the resource API of a web process.",
        600,
    )
    sockets: int = _setting(
        "SWITCHYARD_SOCKETS",
        "Live streams (sockets and server-sent events) that one account may hold open in a web process.",
        50,
    )
    extensions: tuple[str, ...] = _setting(
        "SWITCHYARD_EXTENSIONS",
        "Python modules of yours, parted by commas, with `HOOKS` that edges call, `DATA_TASKS`, and `METHODS` with the "
        "handlers of custom methods; installed beside the console, in every process.",
        (),
    )
    method_backends: Mapping[str, str] = _setting(
        "SWITCHYARD_METHOD_BACKENDS",
        "Addresses of services that answer their custom methods themselves, `service/version=https://…` or "
        "`service/version@region=https://…` pairs parted by spaces.",
        dict,
    )
    throttle_query: str = _setting(
        "SWITCHYARD_THROTTLE_QUERY",
        "Query of yours that copying asks a data database twice a second: a row of text stops the copy and is shown.",
    )
    throttle_commit_ms: int = _setting(
        "SWITCHYARD_THROTTLE_COMMIT_MS",
        "Copying and proving rest while a commit to the data database takes longer than these milliseconds.",
        200,
    )
    proof_percent: int = _setting(
        "SWITCHYARD_PROOF_PERCENT",
        "Share of its time, in percent, for which a worker process may compare both versions in full; with less, who "
        "writes is slowed less, and the first clean pass comes later.",
        100,
    )
    write_p95_percent: int = _setting(
        "SWITCHYARD_WRITE_P95_PERCENT",
        "Copying and comparing slow down while the 95th percentile of a deployment's writes is above this share, in "
        "percent, of what it is without them, such as 125; 0: never.",
        0,
    )
    work_shares: Mapping[str, str] = _setting(
        "SWITCHYARD_WORK_SHARES",
        "Shares of worker time by class of work while there is more work than time, `class=number` pairs parted by "
        "spaces. Unnamed classes keep theirs: `catch-up=40 constraint-answers=15 backfill=20 verification=10 "
        "read-copies=10 upkeep=5`. A switch under way goes before all of them.",
        dict,
    )
    log_format: str = _setting("SWITCHYARD_LOG_FORMAT", "`text` or `json`.", "text")
    log_level: str = _setting("SWITCHYARD_LOG_LEVEL", "`DEBUG`, `INFO`, `WARNING` or `ERROR`.", "INFO")
    otlp_url: str = _setting(
        "SWITCHYARD_OTLP_URL",
        "Address of an OpenTelemetry collector that takes traces and logs over OTLP/HTTP, `http://host:4318`; empty exports none.",
    )
    otlp_headers: Mapping[str, str] = _setting(
        "SWITCHYARD_OTLP_HEADERS",
        "Headers that the collector asks for, `name=value` pairs parted by spaces.",
        dict,
    )
    otlp_logs: bool = _setting(
        "SWITCHYARD_OTLP_LOGS", "`false` sends the collector traces and no lines of the log.", True
    )
    trace_percent: int = _setting(
        "SWITCHYARD_TRACE_PERCENT",
        "Share, in percent, of the traces exported that begin here; traces of upgrades are always exported.",
        100,
    )
    sentry_dsn: str = _setting(
        "SWITCHYARD_SENTRY_DSN",
        "Where unexpected errors are reported, `https://key@host/project` of Sentry or what understands its protocol; "
        "without addresses, bodies, variables and cookies. Empty reports none.",
    )
    oidc_issuer: str = _setting("SWITCHYARD_OIDC_ISSUER", "OpenID Connect issuer; empty turns it off.")
    oidc_client: str = _setting("SWITCHYARD_OIDC_CLIENT", "OpenID Connect client id.")
    oidc_secret: str = _setting("SWITCHYARD_OIDC_SECRET", "OpenID Connect client secret.")
    local_sign_in: str = _setting(
        "SWITCHYARD_LOCAL_SIGN_IN",
        "Signing in with a name and a password: `on`; `emergency`, only for admins who say why, which is noted and "
        "told; `off`. Other than `on` needs single sign-on.",
        "on",
    )
    password_hashes: int = _setting(
        "SWITCHYARD_PASSWORD_HASHES",
        "How many passwords a process hashes or verifies at once; each takes 64 MiB and a core. Four times as many wait, "
        "further ones are answered 503.",
        2,
    )
    sign_ins_per_minute: int = _setting(
        "SWITCHYARD_SIGN_INS_PER_MINUTE",
        "How many passwords may be tried in a minute from one address, and in one browser that signed in before; "
        "counted over all processes, before anything is hashed.",
        15,
    )
    session_hours: int = _setting(
        "SWITCHYARD_SESSION_HOURS", "How long after signing in a session ends, whatever happens in it.", 12
    )
    session_idle_minutes: int = _setting(
        "SWITCHYARD_SESSION_IDLE_MINUTES",
        "How long a session lasts without a person doing something in it; what a page asks by itself does not count.",
        30,
    )
    groups_hours: int = _setting(
        "SWITCHYARD_GROUPS_HOURS",
        "How long roles through groups of the identity provider count after it named the groups, which it does at each "
        "sign-in; for sessions and for tokens.",
        24,
    )
    public_url: str = _setting(
        "SWITCHYARD_PUBLIC_URL",
        "Address under which people reach the console, `https://…`; links in chats and mails begin with it, and "
        "passkeys are made for its host name. Without it passkeys work at `localhost` alone.",
    )
    mail_url: str = _setting(
        "SWITCHYARD_MAIL_URL",
        "Server that takes mails, `smtp://user:password@host:587` (STARTTLS where there is a user) or "
        "`smtps://…`; empty sends none.",
    )
    mail_from: str = _setting("SWITCHYARD_MAIL_FROM", "Sender of mails.", "switchyard@localhost")
    meta_url: str = _setting(
        "SWITCHYARD_META_URL",
        "Address of another registry that this console mirrors, `https://…`, or `grpcs://host:port` by gRPC (`grpc://` without "
        "TLS); empty when it keeps its own.",
    )
    meta_pages_url: str = _setting(
        "SWITCHYARD_META_PAGES_URL",
        "Address of the console of the mirrored registry, for links to it; empty where it is that of the registry.",
    )
    meta_token: str = _setting("SWITCHYARD_META_TOKEN", "Token with which the mirrored registry is watched.")
    meta_sender: str = _setting(
        "SWITCHYARD_META_SENDER",
        "Deployment, `services/…/deployments/…`, as which requests to it are signed, instead of `SWITCHYARD_META_TOKEN`.",
    )
    meta_audience: str = _setting("SWITCHYARD_META_AUDIENCE", "Its `SWITCHYARD_META_NAME`.")
    meta_name: str = _setting("SWITCHYARD_META_NAME", "Name of this registry in service tokens for it.")
    meta_senders: Mapping[str, str] = _setting(
        "SWITCHYARD_META_SENDERS",
        "Who may ask the Meta API by service tokens, with the rights of which service account: "
        "`services/…/deployments/…=account` pairs parted by spaces. Empty: none.",
        dict,
    )
    meta_keys: Mapping[str, str] = _setting(
        "SWITCHYARD_META_KEYS", "As `SWITCHYARD_PEER_KEYS`, but good for the Meta API alone.", dict
    )
    service_key: str = _setting(
        "SWITCHYARD_SERVICE_KEY",
        "Private key (32 bytes, base64) with which this process's deployments sign service tokens. "
        "When not set it is derived from `SWITCHYARD_SECRET_KEY`.",
    )
    peer_keys: Mapping[str, str] = _setting(
        "SWITCHYARD_PEER_KEYS",
        "Public keys of regions that sign service tokens with a key of their own, `region=key` pairs parted by "
        "spaces; `manage.py service_key` prints one.",
        dict,
    )
    peer_urls: Mapping[str, str] = _setting(
        "SWITCHYARD_PEER_URLS",
        "Addresses of the resource servers of other regions, `region=https://…` pairs parted by spaces. "
        "Used for regions that `SWITCHYARD_REGIONS` does not name.",
        dict,
    )
    peer_seconds: float = _setting(
        "SWITCHYARD_PEER_SECONDS",
        "How long another region may take to answer, in seconds, before it counts as away. "
        "Writes that are handed on get five more: their owner may be changing its version.",
        5.0,
    )
    egress_networks: tuple[str, ...] = _setting(
        "SWITCHYARD_EGRESS_NETWORKS",
        "Networks that are not public and that webhooks may be sent to, such as `10.20.0.0/16`, parted by commas. Mail "
        "server, peers, mirrored registry and OpenID Connect issuer need not be in the list: their settings name them.",
        (),
    )
    pulse_path: str = _setting(
        "SWITCHYARD_PULSE_PATH",
        "File that a worker touches every five seconds as long as its process runs, for the probe of its container. Empty: none.",
    )
    example: bool = _setting(
        "SWITCHYARD_EXAMPLE", "`false` keeps `make up` from loading the example fleet on first start.", True
    )
    fail: str = _setting(
        "SWITCHYARD_FAIL",
        "Failpoints for tests, `step:action@n` (raise, exit, stop, sleep). Never in production.",
    )

    def serves(self, region: str) -> bool:
        """Tell whether this process takes the work and the resources of a region."""
        return not self.regions or region in self.regions

    def needs(self, *names: str) -> None:
        """Refuse to go on without settings that a command can do without and a process cannot.

        Raises: WrongEnvironment naming the first that is missing.
        """
        values = {each.metadata["name"]: getattr(self, each.name) for each in fields(self)}
        for name in names:
            if not values[name]:
                raise WrongEnvironment(
                    f"{name} is not set. Set it (docs/reference/settings.md says to what), or run `make up`, "
                    "which brings everything this process needs."
                )

    def serve(self) -> None:
        """Refuse to start a process that serves without what it needs, or with rights that it must not have.

        Raises: WrongEnvironment.
        """
        self.needs("DATABASE_URL", "REDIS_URL", "SWITCHYARD_SECRET_KEY")
        if self.owner_url:
            raise WrongEnvironment(
                "SWITCHYARD_OWNER_URL is set, with which a process could alter the audit ledger. Leave it out here; "
                "only `manage.py migrate`, `roles` and `prepare` need it."
            )

    def data_url(self, alias: str) -> str:
        """Give the URL of a data database; the alias `default` stands in for an unknown one."""
        url = self.data_urls.get(alias) or self.data_urls.get("default")
        if not url:
            raise WrongEnvironment(
                f"there is no data database {alias!r}: add `{alias}=postgresql://…` to SWITCHYARD_DATA_URLS."
            )
        return url


def read_env(environ: Mapping[str, str]) -> Env:
    """Read the settings from variables.

    Raises: WrongEnvironment with the sentence that says which is wrong and what mends it.
    """
    home = Path(environ.get("SWITCHYARD_HOME") or HOME).expanduser().absolute()
    own = environ.get("DATABASE_URL") or environ.get("DATABASE_URL_FILE")
    known = {} if own else running_installation(home)
    values: dict[str, Any] = {}
    for each in fields(Env):
        name = each.metadata["name"]
        text = environ.get(name) or text_of_file(name, environ) or known.get(name, "")
        if text.strip():
            values[each.name] = value_of(name, text.strip(), each.default)
    env = Env(**values)
    check_sign_in(env.local_sign_in, env.oidc_issuer)
    check_meta(env.meta_token, env.meta_sender, env.meta_audience, env.meta_senders, env.meta_name)
    return env


def current_env() -> Env:
    """Read the settings of this very process."""
    return read_env(os.environ)
