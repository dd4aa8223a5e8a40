"""The bag: what a version cannot show, kept beside the object it belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject, canonical, encode
from migrations_app.kernel.messages import message

BAG = "$sy"
FORMAT = 1
LIMIT_BYTES = 64 * 1024

# Of an entry: `v` the stashed value (none when absence itself was stashed), `w` the witness of its image.


def entries(document: JsonObject) -> JsonObject:
    """Copy the entries of an object's bag, to be consumed."""
    bag = document.get(BAG)
    found = bag.get("b") if isinstance(bag, dict) else None
    return dict(found) if isinstance(found, dict) else {}


def seal(document: JsonObject, kept: JsonObject) -> None:
    """Give an object its bag; an empty one is not written.

    Raises: Invalid (`E-BAGSIZE`).
    """
    if kept:
        document[BAG] = sealed(kept)


def sealed(kept: JsonObject) -> JsonObject:
    """Make a bag of entries.

    Raises: Invalid (`E-BAGSIZE`), because cutting a bag short would lose data silently.
    """
    if _is_slight(kept):
        return {"f": FORMAT, "b": kept}
    size = len(encode(kept))
    if size > LIMIT_BYTES:
        raise Invalid(
            message(
                "The hidden values of an object would take {size} bytes; {limit_bytes} are allowed.",
                size=size,
                limit_bytes=LIMIT_BYTES,
            ),
            code="E-BAGSIZE",
            remedy=message("Declare an op or a hook that carries the largest of these values in a field."),
        )
    return {"f": FORMAT, "b": kept}


def _is_slight(kept: JsonObject) -> bool:
    """Tell without writing it that a bag is far below the limit."""
    if len(kept) > 8:
        return False
    for found in kept.values():
        value = found.get("v") if found.__class__ is dict else found
        if value.__class__ is str:
            if len(value) > 200:
                return False
        elif value.__class__ is not int:
            return False
    return True


def witness(image: State) -> str:
    """Name the visible image of a stashed value, to tell later whether a client changed it."""
    if image is ABSENT:
        return "b:-"
    return f"b:{blake2b(canonical(image), digest_size=8).hexdigest()}"


def entry(value: State, image: State = ABSENT, *, derived: bool = False) -> JsonObject:
    """Make the entry of a state; a derived one carries the witness of its image."""
    made: JsonObject = {} if value is ABSENT else {"v": value}
    if derived:
        made["w"] = witness(image)
    return made


def value_of(found: Json) -> State:
    """Read the state an entry stands for."""
    return found.get("v", ABSENT) if isinstance(found, dict) else ABSENT


def is_current(found: Json, image: State) -> bool:
    """Tell whether the image is still the one that the entry was stashed with."""
    return isinstance(found, dict) and found.get("w") == witness(image)


def strip(value: Json) -> Json:
    """Copy a document without the bags in it, as every API shows it."""
    if isinstance(value, dict):
        return {key: strip(below) for key, below in value.items() if key != BAG}
    if isinstance(value, list):
        return [strip(below) for below in value]
    return value


def strip_object(document: JsonObject) -> JsonObject:
    """Copy an object without the bags in it."""
    return {
        key: strip(below) if below.__class__ is dict or below.__class__ is list else below
        for key, below in document.items()
        if key != BAG
    }


def is_bagged(value: Json) -> bool:
    """Tell whether a value carries a bag anywhere."""
    parts: Iterable[Json]
    if isinstance(value, dict):
        if BAG in value:
            return True
        parts = value.values()
    elif isinstance(value, list):
        parts = value
    else:
        return False
    # Every document that is read comes by here: most of what it holds is neither, and a loop is fastest.
    for below in parts:  # noqa: SIM110
        if (below.__class__ is dict or below.__class__ is list) and is_bagged(below):
            return True
    return False
