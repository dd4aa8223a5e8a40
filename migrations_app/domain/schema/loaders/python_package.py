"""The loader of installed Python packages that hold protobuf messages, such as `google.cloud.tasks_v2`."""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import ModuleType

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from migrations_app.domain.schema.ir import LoaderLoss, Source
from migrations_app.domain.schema.loaders.ir import Loaded, VersionInfo
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.loaders.protobuf import read_descriptors
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

ALLOWED = ("google.cloud.", "google.iam.", "google.longrunning")
"""Importing runs a package's code, so a service folder may only name packages that are known to be data."""


def load_python_package(part: Part, files: Mapping[str, bytes], info: VersionInfo) -> Loaded:
    """Load the messages of the installed package `module`, of the protobuf package `package`.

    Such packages rename reserved words and are stripped of annotations; both are reported as losses.
    """
    name, package = part.text("module"), part.text("package")
    if not name.startswith(ALLOWED):
        known = ", ".join(f"{each}*" for each in ALLOWED)
        raise Invalid(
            message("{name} may not be imported.", name=name)
            if name
            else message("A Python source needs its `module`."),
            code="E-SOURCE",
            remedy=message("Name an installed package of {known}.", known=known),
        )
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        raise Invalid(
            message("{name} is not installed.", name=name),
            code="E-SOURCE",
            remedy=message("Install its package."),
        ) from error
    compiled = FileDescriptorSet(file=_with_imports(_file_descriptors(module)))
    if not compiled.file:
        raise Invalid(message("{name} holds no protobuf messages.", name=name), code="E-SOURCE")
    own = sorted({each.package for each in compiled.file})
    wanted = package or _closest(name, own)
    text = b"".join(each.SerializeToString(deterministic=True) for each in compiled.file)
    source = Source("python", name, hashlib.sha256(text).hexdigest())
    loaded = read_descriptors(compiled, info, source, package=wanted)
    renamed = tuple(
        LoaderLoss(f"{kind}.{field.name}", "reserved-word-renamed")
        for kind, each in loaded.schema.objects()
        for field in each
        if field.name.endswith("_")
    )
    losses = (*loaded.schema.losses, *renamed)
    return replace(loaded, schema=replace(loaded.schema, losses=losses))


def _file_descriptors(module: ModuleType) -> Iterator[FileDescriptor]:
    """Find the files of every message class in a package; newer packages wrap the classes."""
    inside = [each for name, each in sys.modules.items() if f"{name}.".startswith(f"{module.__name__}.")]
    for each in inside:
        for value in vars(each).values():
            if not isinstance(value, type):
                continue
            unwrap = getattr(value, "pb", None)
            held = unwrap() if callable(unwrap) and not hasattr(value, "DESCRIPTOR") else value
            file = getattr(getattr(held, "DESCRIPTOR", None), "file", None)
            if isinstance(file, FileDescriptor):
                yield file


def _with_imports(files: Iterator[FileDescriptor]) -> list[FileDescriptorProto]:
    found: dict[str, FileDescriptorProto] = {}
    pending = list(files)
    while pending:
        file = pending.pop()
        if file.name not in found:
            copied = FileDescriptorProto()
            file.CopyToProto(copied)
            found[file.name] = copied
            pending += file.dependencies
    return [found[name] for name in sorted(found)]


def _closest(module: str, packages: list[str]) -> str:
    """Choose the protobuf package that a module is named after: `tasks_v2` holds `tasks.v2`."""
    plain = module.replace("_", ".")
    return next((each for each in packages if each == plain), packages[0])
