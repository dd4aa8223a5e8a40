"""The supervisor of one machine: brings the whole system up, keeps it up, takes it down."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from console.embedded import commands
from console.embedded.child import Child, ended, last_lines, reap, start_program
from console.embedded.example_service import NAME as EXAMPLE_SERVICE
from console.embedded.example_service import ExampleService, example_service
from console.embedded.failure import CannotStart
from console.embedded.forked import ForkServer, Process, can_fork
from console.embedded.hang import HangWatch, StartWatch
from console.embedded.home import Home, write_private
from console.embedded.port import free_port, hold_port
from console.embedded.postgres import APPLICATION, DATA, Postgres
from console.embedded.valkey import Valkey
from console.env import ROOT, Env

DATA_REGIONS = ("eu-west1", "us-east2", "ap-south3")
"""Regions that get a data database of their own; others share `default`."""

FORKS = "forks"
PROBE_SECONDS = 5.0


def say(sentence: str) -> None:
    """Tell the person at the terminal."""
    print(f"  {sentence}", flush=True)


@dataclass(slots=True)
class Supervisor:
    """Everything that `make up` runs."""

    env: Env
    home: Home
    listening: socket.socket | None = None
    grpc_port: int = 0
    example_port: int = 0
    children: dict[str, Child] = field(default_factory=dict)
    forks: ForkServer | None = None

    @property
    def port(self) -> int:
        """Where the web process listens."""
        return int(self.listening.getsockname()[1]) if self.listening else 0

    @property
    def url(self) -> str:
        """Where the console is."""
        return f"http://localhost:{self.port}"

    @property
    def _probed(self) -> str:
        host = f"[{self.env.bind}]" if ":" in self.env.bind else self.env.bind
        return f"http://{host}:{self.port}/healthz"

    @property
    def environment(self) -> dict[str, str]:
        """What every child gets."""
        data = {f"data_{region.replace('-', '_')}": region for region in DATA_REGIONS}
        pairs = [f"{region}={self.postgres.url(name, DATA)}" for name, region in data.items()]
        example = self.example
        return {
            "SWITCHYARD_HOME": str(self.home.folder),
            "SWITCHYARD_PORT": str(self.port),
            "SWITCHYARD_GRPC_PORT": str(self.grpc_port),
            "DATABASE_URL": self.postgres.url("switchyard", APPLICATION),
            "REDIS_URL": self.valkey.url(),
            "SWITCHYARD_DATA_URLS": " ".join([f"default={self.postgres.url('data', DATA)}", *pairs]),
            "SWITCHYARD_SECRET_KEY": self.home.secret_key,
            "DJANGO_SETTINGS_MODULE": "console.settings",
            "PYTHONUNBUFFERED": "1",
            **({"SWITCHYARD_METHOD_BACKENDS": example.backends} if example else {}),
        }

    @property
    def example(self) -> ExampleService | None:
        """The service of the example fleet, once that was loaded."""
        return example_service(self.env, self.home, self.example_port)

    @property
    def postgres(self) -> Postgres:
        """The embedded PostgreSQL."""
        return Postgres(self.home.folder / "postgres")

    @property
    def valkey(self) -> Valkey:
        """The embedded Valkey."""
        return Valkey(self.home.folder / "valkey")

    async def run(self) -> None:
        """Bring everything up, keep it up until a signal, take it down.

        Raises: CannotStart, after everything that was started has been stopped again.
        """
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, stop.set)
        self.home.take()
        keepers: list[asyncio.Task[None]] = []
        try:
            bringing = asyncio.create_task(self._bring_up(keepers))
            waiting = asyncio.create_task(stop.wait())
            await asyncio.wait({bringing, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if bringing.done():
                bringing.result()
                await waiting
            else:
                bringing.cancel()
                with contextlib.suppress(asyncio.CancelledError, CannotStart):
                    await bringing
            waiting.cancel()
            print("\n  Stopping …", flush=True)
        finally:
            await self._take_down(keepers)
            self.home.release()

    async def _bring_up(self, keepers: list[asyncio.Task[None]]) -> None:
        began = time.monotonic()
        self._clean_up()
        self.listening = hold_port(self.env.port, self.env.bind)
        self.grpc_port = free_port(self.env.grpc_port, self.env.bind, self.port)
        self.example_port = free_port(0, "127.0.0.1", max(self.port, self.grpc_port))
        self._start_forks()
        await self._start_servers(keepers)
        write_private(
            self.home.folder / "environment",
            "".join(f"{name}={value}\n" for name, value in self.environment.items()),
        )
        say("Preparing the database …")
        first = not self.home.credentials.exists()
        await self._prepare()
        say("Starting web, workers and beat …")
        for child in self._programs():
            self._keep(child, keepers)
        await self._wait_for_web()
        self._start_example(keepers)
        watch = HangWatch(self.children["web"], partial(_answers, self._probed, PROBE_SECONDS))
        keepers.append(asyncio.create_task(watch.watch(say)))
        self.home.tell(self.url)
        self._greet(time.monotonic() - began, first=first)

    def _clean_up(self) -> None:
        mark = f"SWITCHYARD_HOME={self.home.folder}"
        for pid_file in sorted(self.home.run.glob("*.pid")):
            left = reap(pid_file, mark)
            if left:
                say(f"Stopped the {left} that an earlier start had left running.")

    async def _start_servers(self, keepers: list[asyncio.Task[None]]) -> None:
        if not (self.postgres.data / "PG_VERSION").exists():
            say("Making the database …")
        await asyncio.to_thread(self.postgres.create)
        for server, name, ending in (
            (self.postgres, "postgres", signal.SIGINT),
            (self.valkey, "valkey", signal.SIGTERM),
        ):
            log = self.home.logs / f"{name}.log"
            child = Child(name, partial(server.start, log), log, self.home.run / f"{name}.pid", ending, 20)
            process = await asyncio.to_thread(child.launch)
            self.children[name] = child
            await asyncio.to_thread(server.wait_ready, process)
            keepers.append(asyncio.create_task(child.keep(say, self.home.shortage)))
        for database in ("switchyard", "data", *(f"data_{r.replace('-', '_')}" for r in DATA_REGIONS)):
            await asyncio.to_thread(self.postgres.ensure_database, database)

    async def _prepare(self) -> None:
        log = self.home.logs / "prepare.log"
        command = [*commands.COMMAND, "prepare"]
        owner = {"SWITCHYARD_OWNER_URL": self.postgres.url("switchyard")}
        if self.forks is not None:
            await self.forks.is_ready()
        code = await ended(self._start([*command], log, os.environ | self.environment | owner))
        if code != 0:
            reason = "\n    ".join(last_lines(log, 8))
            raise CannotStart(f"The database could not be prepared; see {log}:\n    {reason}")

    def _programs(self) -> list[Child]:
        web = self.listening.fileno() if self.listening else -1
        lines = {
            "web": commands.web_on(web),
            "grpc": commands.grpc(self.env.bind, self.grpc_port),
            "worker": commands.worker("worker", "sync,constraints,housekeeping", concurrency=6),
            "switch": commands.worker("switch", "switch", concurrency=2),
            "notifications": commands.worker("notifications", "notifications", concurrency=8),
            "beat": commands.beat(str(self.home.folder / "beat")),
        }
        environment = os.environ | self.environment
        made = []
        for name, line in lines.items():
            log = self.home.logs / f"{name}.log"
            start = partial(self._start, line, log, environment, listening=web if name == "web" else -1)
            made.append(Child(name, start, log, self.home.run / f"{name}.pid"))
        return made

    def _start_forks(self) -> None:
        """Import what our processes need, while the servers start, in the one that will fork them."""
        if not can_fork():
            return
        environment = os.environ | {"SWITCHYARD_HOME": str(self.home.folder)}
        self.forks = ForkServer(self.home.logs / f"{FORKS}.log", environment)
        (self.home.run / f"{FORKS}.pid").write_text(str(self.forks.process.pid))

    def _start(
        self, command: list[str], log: Path, environment: dict[str, str], *, listening: int = -1
    ) -> Process:
        """Have one of our programs forked; started from nothing where that is not possible."""
        if self.forks is not None:
            forked = self.forks.start(command, log, environment, listening=listening)
            if forked is not None:
                return forked
            self._end_forks()
            say("The process that forks the others has ended; from now on they are started from nothing.")
        sockets = (listening,) if listening >= 0 else ()
        return start_program(command, log, environment, ROOT, sockets=sockets)

    def _end_forks(self) -> None:
        if self.forks is not None:
            self.forks.close()
            self.forks = None
            (self.home.run / f"{FORKS}.pid").unlink(missing_ok=True)

    def _start_example(self, keepers: list[asyncio.Task[None]]) -> None:
        """Start the service of the example fleet, which registers itself with the console that answers now."""
        if (example := self.example) is None:
            return
        log, pid_file = self.home.logs / f"{EXAMPLE_SERVICE}.log", self.home.run / f"{EXAMPLE_SERVICE}.pid"
        environment = example.environment(self.url)
        start = partial(start_program, example.command(), log, environment, self.home.folder)
        self._keep(Child(EXAMPLE_SERVICE, start, log, pid_file), keepers)

    def _keep(self, child: Child, keepers: list[asyncio.Task[None]]) -> None:
        child.launch()
        self.children[child.name] = child
        keepers.append(asyncio.create_task(child.keep(say, self.home.shortage)))

    async def _wait_for_web(self) -> None:
        start = StartWatch(used_at=time.monotonic())
        while True:
            web = self.children["web"].process
            pid = web.pid if web is not None and web.poll() is None else None
            if pid is not None and await asyncio.to_thread(_answers, self._probed):
                return
            if start.has_failed(pid, time.monotonic()):
                break
            await asyncio.sleep(0.1)
        reason = "\n    ".join(last_lines(self.home.logs / "web.log", 8))
        raise CannotStart(f"The web process does not answer; the end of its log:\n    {reason}")

    def _greet(self, seconds: float, *, first: bool) -> None:
        kept = self.home.credentials_of(self.url)
        lines = [f"Switchyard is up after {seconds:.1f} s:  {self.url}", ""]
        if first:
            lines += [f"  {name:<11} {each['password'] or 'token only'}" for name, each in kept.items()] + [
                ""
            ]
        lines += [
            f"Meta API over gRPC: localhost:{self.grpc_port}",
            f"Accounts and tokens: {self.home.credentials}",
            f"Logs: {self.home.logs}    Data: {self.home.folder}",
            "Stop: Ctrl-C",
        ]
        print("\n" + "\n".join(f"  {line}".rstrip() for line in lines) + "\n", flush=True)

    async def _take_down(self, keepers: list[asyncio.Task[None]]) -> None:
        if self.listening is not None:
            self.listening.close()
        names = (EXAMPLE_SERVICE, "beat", "worker", "switch", "notifications", "grpc", "web")
        ours = [self.children[name] for name in names if name in self.children]
        await asyncio.gather(*(child.stop() for child in ours))
        self._end_forks()
        servers = [self.children[name] for name in ("postgres", "valkey") if name in self.children]
        await asyncio.gather(*(child.stop() for child in servers))
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)


def run_installation(env: Env) -> int:
    """Run the whole system until a signal; gives the exit code, after one sentence where it could not start."""
    try:
        asyncio.run(Supervisor(env, Home(env.home)).run())
    except CannotStart as error:
        print(f"switchyard: {error}", file=sys.stderr)
        return 1
    return 0


def _answers(url: str, seconds: float = 2.0) -> bool:
    try:
        # Never by way of a proxy: the address is this machine's own.
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(url, timeout=seconds) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
