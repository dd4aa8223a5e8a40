"""Names as words: how alike two names are, whether they are opposites, what a document says beside the name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from migrations_app.domain.conversion.proposals.names.synonyms import FLAGS, OPPOSITE_WORDS

_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VERSION = re.compile(r"v\d+(?:p\d+)?(?:(?:alpha|beta|preview)\d*)?")
_SPLIT = re.compile(r"[^A-Za-z0-9]+")

_SHORT = {
    "config": "configuration",
    "cfg": "configuration",
    "conf": "configuration",
    "num": "count",
    "number": "count",
    "identifier": "id",
    "uuid": "uid",
    "params": "parameter",
    "param": "parameter",
    "args": "argument",
    "arg": "argument",
    "auth": "authentication",
    "repo": "repository",
    "env": "environment",
    "desc": "description",
    "addr": "address",
    "msg": "message",
    "info": "information",
    "ts": "time",
    "timestamp": "time",
    "datetime": "time",
    "dest": "destination",
    "dst": "destination",
    "src": "source",
    "cert": "certificate",
    "org": "organization",
    "db": "database",
    "k8s": "kubernetes",
    "max": "maximum",
    "min": "minimum",
    "spec": "specification",
    "attr": "attribute",
    "attrs": "attribute",
    "temp": "temporary",
    "pct": "percent",
    "percentage": "percent",
    "sec": "second",
    "secs": "second",
    "millis": "millisecond",
    "ms": "millisecond",
    "creation": "create",
    "created": "create",
    "enabled": "enable",
    "disabled": "disable",
    "allowed": "allow",
    "denied": "deny",
    "included": "include",
    "excluded": "exclude",
    "inclusion": "include",
    "exclusion": "exclude",
    "accepted": "accept",
    "declined": "decline",
    "permitted": "permit",
    "training": "train",
    "hq": "headquarter",
    "lat": "latitude",
    "lng": "longitude",
    "lon": "longitude",
    "avg": "average",
    "prev": "previous",
    "freq": "frequency",
    "perm": "permission",
    "prop": "property",
    "dir": "directory",
    "del": "delete",
    "err": "error",
    "obj": "object",
    "cond": "condition",
    "seq": "sequence",
    "mem": "memory",
    "lib": "library",
    "ext": "extension",
    "req": "request",
    "resp": "response",
    "updated": "update",
    "modified": "update",
    "deleted": "delete",
    "deletion": "delete",
    "ref": "reference",
    "pwd": "password",
    "url": "uri",
    "uris": "uri",
    "vm": "instance",
    "stats": "statistic",
    "statistics": "statistic",
    "meta": "metadata",
    "opts": "option",
    "impl": "implementation",
    "exec": "execution",
    "ver": "version",
    "lang": "language",
    "doc": "document",
    "img": "image",
    "vol": "volume",
    "net": "network",
    "svc": "service",
    "acct": "account",
    "qty": "quantity",
    "colour": "color",
    "organisation": "organization",
    "licence": "license",
    "regexp": "regex",
    "proto": "protocol",
    "prio": "priority",
    "op": "operation",
    "iface": "interface",
    "nic": "interface",
    "passwd": "password",
    "pw": "password",
}
_AGAINST = frozenset(frozenset(pair) for pair in OPPOSITE_WORDS)
_NEGATIONS = ("un", "non", "not", "no", "dis", "in", "de")
_DENYING = frozenset(_NEGATIONS) - {"in"}  # words that deny by themselves: `in` is a preposition then
_ENDINGS = ("ation", "ating", "ated", "ate", "ition", "ion", "ing", "ied", "ed", "e", "y")
_LEAST_ROOT = 5
_OF_TIMES = frozenset({"time", "date", "at", "on", "utc"})
_EMPTY = frozenset({"a", "an", "are", "for", "has", "in", "is", "list", "of", "the"})
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "by",
        "can",
        "for",
        "from",
        "has",
        "have",
        "if",
        "in",
        "is",
        "it",
        "its",
        "may",
        "must",
        "of",
        "on",
        "only",
        "optional",
        "or",
        "required",
        "output",
        "this",
        "that",
        "the",
        "then",
        "these",
        "to",
        "used",
        "when",
        "which",
        "will",
        "with",
        "field",
        "value",
        "boolean",
        "flag",
        "indicate",
        "indicating",
        "specify",
        "specifie",
        "represent",
        "representing",
        "whether",
        "set",
        "read",
        "immutable",
    ]
)


@lru_cache(maxsize=100_000)
def words(name: str) -> tuple[str, ...]:
    """Split a name into words in singular, abbreviations written out."""
    parts = _SPLIT.split(_HUMPS.sub("_", name))
    return tuple(_plain(part.lower()) for part in parts if part)


def type_words(name: str) -> tuple[str, ...]:
    """Split the name of a type into words, without the version that definitions of several versions put into it."""
    split = words(name)
    return tuple(word for word in split if not _VERSION.fullmatch(word)) or split


def _plain(word: str) -> str:
    if word in _SHORT:
        return _SHORT[word]
    return _SHORT.get(found := _singular(word), found)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def are_opposites(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether two names differ by words that exclude one another, or by a negation."""
    gone, come = [each for each in old if each not in new], [each for each in new if each not in old]
    if any(frozenset((left, right)) in _AGAINST for left in gone for right in come):
        return True
    if any(left != right and _stem(left) == _stem(right) for left in gone for right in come):
        return True
    if set(gone) | set(come) <= _DENYING and (gone or come):
        return True
    return any(
        left == f"{prefix}{right}" or right == f"{prefix}{left}"
        for left in gone
        for right in come
        for prefix in _NEGATIONS
    )


def are_negations(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether two names of flags say the opposite of each other, so that one is true where the other is false."""
    gone, come = [each for each in old if each not in new], [each for each in new if each not in old]
    if gone + come in (["not"], ["non"], ["no"]):
        return True
    if len(gone) != 1 or len(come) != 1:
        return False
    short, long = sorted((gone[0], come[0]), key=len)
    return frozenset((short, long)) in FLAGS or long in [f"{prefix}{short}" for prefix in _NEGATIONS]


def _stem(word: str) -> str:
    """Cut the last number off a word that has letters too: `v1beta1` and `v1beta2` have one stem."""
    bare = word.rstrip("0123456789")
    return bare if bare and bare != word else f"={word}"


def are_but_for_empty_words(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether two names are one once the words are left out that say nothing of what a field is."""
    left, right = telling_words(old), telling_words(new)
    return left == right and not _EMPTY.issuperset(left)


def are_one_time(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether two names of times are one but for how they say that they are: `created_at`, `creation_date`.

    A date and a time of one thing may stand side by side where they are texts.
    """
    left, right = (tuple(word for word in name if word not in _OF_TIMES) for name in (old, new))
    return left == right and bool(left)


def telling_words(name: Sequence[str]) -> tuple[str, ...]:
    """Leave out the words that say nothing of what a field is, if others are left."""
    return tuple(word for word in name if word not in _EMPTY) or tuple(name)


def are_forms(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether two names differ by one word each, and these are forms of one, as `validated` and `validation`."""
    gone, come = [each for each in old if each not in new], [each for each in new if each not in old]
    return len(gone) == len(come) == 1 and _root(gone[0]) == _root(come[0])


def _root(word: str) -> str:
    """Cut the ending off a word that forms of it may have, where enough of it is left to tell it from others."""
    for end in _ENDINGS:
        if word.endswith(end) and len(word) - len(end) >= _LEAST_ROOT:
            return word[: -len(end)]
    return word


def are_plural(old: str, new: str) -> bool:
    """Tell whether one name is the other one in plural, also where that is no word, as `gbs` of `gb`."""
    short, long = sorted((old.casefold(), new.casefold()), key=len)
    return long in (f"{short}s", f"{short}es")


@lru_cache(maxsize=100_000)
def likeness(old: str, new: str) -> float:
    """Tell how alike two names look, 0 to 1."""
    return SequenceMatcher(None, "_".join(words(old)), "_".join(words(new))).ratio()


@lru_cache(maxsize=50_000)
def document_words(text: str) -> frozenset[str]:
    """List the words of a document that say something."""
    found = (_plain(part.lower()) for part in _SPLIT.split(text[:600]) if part)
    return frozenset(each for each in found if each not in _STOP)


def without_name(text: str, name: str) -> str:
    """Put a blank for the name of its field in a document, which may begin with it in another case."""
    if (
        name
        and text[: len(name)].casefold() == name.casefold()
        and not text[len(name) : len(name) + 1].isalnum()
    ):
        text = f"_{text[len(name) :]}"
    if not name:
        return text
    return re.sub(
        rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])",
        "_",
        text.replace(name, "_"),
        flags=re.IGNORECASE,
    )


@lru_cache(maxsize=50_000)
def bare_document(text: str, name: str) -> str:
    """Write a document without the name of its field, case and marks; nothing where it says too little."""
    plain = " ".join(_SPLIT.sub(" ", without_name(text, name)).split()).casefold()
    return plain if len(plain.split()) > 2 else ""


def documents_equal(old: tuple[str, str], new: tuple[str, str]) -> bool:
    """Tell whether two documents, each with the name of its field, say the same of their fields.

    A name may be a word that both documents have, so that they are equal only as they are written.
    """
    left, plain = bare_document(*old), bare_document(old[0], "")
    return bool(left) and (left == bare_document(*new) or plain == bare_document(new[0], ""))


def are_of_one_frame(
    left: tuple[str, ...], right: tuple[str, ...], others: Iterable[tuple[str, ...]]
) -> bool:
    """Tell whether other names differ from these two by one word in the very place where these differ.

    So do `failed_count`, `valid_count` and `input_count`, and `max_iops`, `max_read_iops` and `max_write_iops`.
    """
    short, long = sorted((left, right), key=len)
    at = next(
        (index for index, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]), len(short)
    )
    rest = long[:at] + long[at + 1 :]
    if len(long) < 2 or rest != (short if len(short) < len(long) else short[:at] + short[at + 1 :]):
        return False
    return any(
        len(each) == len(long) and each not in (left, right) and each[:at] + each[at + 1 :] == rest
        for each in others
    )
