"""What the source of a protobuf file says of its messages and fields: the comment before each, and its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

_MESSAGE, _NESTED, _FIELD = 4, 3, 2
Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comment:
    """The text before a message or field, without its markers, and where it is declared."""

    text: str = ""
    place: str = ""


def read_comments(files: Iterable[FileDescriptorProto]) -> dict[str, Comment]:
    """Read the comments of messages and fields by their full names (`.package.Message.field`).

    Descriptors without source info have none.
    """
    found: dict[str, Comment] = {}
    for file in files:
        if not file.source_code_info.location:
            continue
        located = {
            tuple(each.path): Comment(_text(each.leading_comments), f"{file.name}:{each.span[0] + 1}")
            for each in file.source_code_info.location
            if each.path and each.path[0] == _MESSAGE
        }
        prefix = f".{file.package}" if file.package else ""
        for index, message in enumerate(file.message_type):
            found.update(_of_message(message, prefix, (_MESSAGE, index), located))
    return found


def _of_message(
    message: DescriptorProto, prefix: str, path: Path, located: Mapping[Path, Comment]
) -> Iterator[tuple[str, Comment]]:
    name = f"{prefix}.{message.name}"
    if path in located:
        yield name, located[path]
    for index, field in enumerate(message.field):
        if (comment := located.get((*path, _FIELD, index))) is not None:
            yield f"{name}.{field.name}", comment
    for index, nested in enumerate(message.nested_type):
        yield from _of_message(nested, name, (*path, _NESTED, index), located)


def _text(comment: str) -> str:
    return "\n".join(line.removeprefix(" ").rstrip() for line in comment.strip("\n").split("\n")).strip()
