"""The published pairs that proposals are held against, in parts that are looked at while the matcher is built or not.

What is not looked at is chosen by hashes, before its labels were written: services by that of their path, groups of
resources and REST APIs by that of their name, modules of Ansible by that of their folder in the older release, APIs of
Azure by that of their package.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

from benchmarks.published.azure import models_folder as azure_folder
from benchmarks.published.azure import version_pairs
from benchmarks.published.definitions import Files, age, closure, pairs
from benchmarks.published.discovery import apis, folder_of
from benchmarks.published.options import RELEASES, Release, modules_folder, pair_modules, renames_of
from benchmarks.published.typings import Versions, definitions
from migrations_app.domain.schema.folder import ServiceFolder, read_files

SERVICE = "published.example.com"
# The packages whose declarations are read, of two that declare one version the one named first.
RESOURCES = (
    "kubernetes-models",
    "cert-manager",
    "flux-cd",
    "flux-cd-2",
    "external-secrets",
    "knative",
    "prometheus-operator",
    "gateway-api",
    "istio",
)
# The packages of REST APIs that declare several versions of one.
APIS = (
    "adsense",
    "analyticsadmin",
    "blogger",
    "cloudbuild",
    "cloudresourcemanager",
    "content",
    "displayvideo",
    "drive",
    "tagmanager",
)
# Read before the matcher was built: the design names them as examples, or a page about what changed was read.
SEEN = (
    "drive",
    "google/cloud/tasks",
    "google/cloud/security/privateca",
    "google/cloud/secretmanager",
    "google/cloud/servicedirectory",
    "google/cloud/filestore",
    "google/firestore/admin",
    "google/cloud/kms",
)


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """Two adjacent versions that were published; `load` reads both.

    `declared` is what the versions themselves say of their renames; else a person said it, in a file of truth.
    """

    base: str
    old: str
    new: str
    load: Callable[[], ServiceFolder]
    declared: Mapping[str, list[list[str]]] | None = None

    def __str__(self) -> str:
        return f"{self.base} {self.old} {self.new}"


def is_held_out(name: str, shares: int) -> bool:
    """Tell whether the hash of a name is of the one in so many that are not looked at."""
    return name not in SEEN and int(hashlib.sha256(name.encode()).hexdigest(), 16) % shares == 0


def service_of(files: Files, base: str, versions: Iterable[str]) -> ServiceFolder:
    """Load versions of a published service without an edge between them."""
    versions = list(versions)
    sources = {name: data for each in versions for name, data in closure(files, f"{base}/{each}").items()}
    listed = ", ".join(
        f"{{version: {each}, ordinal: {index}, sources: [{{kind: protobuf, path: {base}/{each}}}]}}"
        for index, each in enumerate(versions, start=1)
    )
    head = f"service: {SERVICE}\nversions: [{listed}]\n"
    return read_files({**sources, "service.yaml": head.encode()})


def protobuf_pairs(files: Files, *, held_out: bool, only: str) -> Iterator[PublishedPair]:
    """List the pairs of protobuf packages of one part."""
    for base, old, new in pairs(files):
        if is_held_out(base, 3) == held_out and only in base:
            yield PublishedPair(base, old, new, partial(service_of, files, base, (old, new)))


def resource_pairs(groups: Mapping[str, Versions], *, held_out: bool, only: str) -> Iterator[PublishedPair]:
    """List the pairs of versions of groups of Kubernetes resources of one part."""
    for group, versions in groups.items():
        if is_held_out(group, 2) == held_out and only in group:
            for old, new in pairwise(sorted(versions, key=age)):
                both = {old: versions[old], new: versions[new]}
                yield PublishedPair(group, old, new, partial(_group_of, group, both))


def _group_of(group: str, versions: Versions) -> ServiceFolder:
    """Load versions of a group of Kubernetes resources as custom resource definitions."""
    listed = ", ".join(
        f"{{version: {each}, ordinal: {index}, sources: [{{kind: crd, path: crd.json}}]}}"
        for index, each in enumerate(versions, start=1)
    )
    head = f"service: {SERVICE}\nversions: [{listed}]\n"
    return read_files({"service.yaml": head.encode(), "crd.json": definitions(group, versions)})


def api_pairs(packages: Iterable[Path], *, held_out: bool, only: str) -> Iterator[PublishedPair]:
    """List the pairs of versions of REST APIs of one part; all APIs of a package are of one."""
    for package in packages:
        for api, texts in apis(package).items():
            if is_held_out(package.name, 2) == held_out and only in api:
                for old, new in pairwise(texts):
                    both = {old: texts[old], new: texts[new]}
                    yield PublishedPair(api, old, new, partial(folder_of, SERVICE, both))


def option_pairs(releases: Iterable[Release], *, held_out: bool, only: str) -> Iterator[PublishedPair]:
    """List the pairs of releases of folders of modules of one part, with the renames that they declare."""
    for (older, newer), (old, new) in zip(pairwise(RELEASES), pairwise(releases), strict=True):
        for folder, (before, after) in pair_modules(old, new).items():
            if is_held_out(folder, 2) == held_out and only in folder:
                load = partial(modules_folder, SERVICE, {older: before, newer: after})
                declared = {"renames": renames_of(before, after)}
                yield PublishedPair(folder, older, newer, load, declared)


def azure_pairs(
    packages: Mapping[str, Iterable[Path]], *, held_out: bool, only: str
) -> Iterator[PublishedPair]:
    """List the pairs of versions of management APIs of Azure of one part."""
    for package, wheels in packages.items():
        name = f"azure/{package}"
        if is_held_out(name, 2) == held_out and only in name:
            for old, new in version_pairs(wheels):
                yield PublishedPair(name, old.name, new.name, partial(azure_folder, SERVICE, (old, new)))
