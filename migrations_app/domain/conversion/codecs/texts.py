"""Codecs of texts: encodings, addresses, lists and JSON inside text, names and ids."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

from migrations_app.domain.conversion.codecs.base import CodecSpec, NothingThere, Pair, fixed, integer, text
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, canonical, decode


def _from_base64(value: Json) -> bytes:
    raw = text(value)
    made = base64.b64decode(raw, validate=True)
    return made


def _base64_to_url(value: Json) -> Json:
    return base64.urlsafe_b64encode(_from_base64(value)).decode()


def _url_to_base64(value: Json) -> Json:
    return base64.b64encode(base64.b64decode(text(value), altchars=b"-_", validate=True)).decode()


def _base64_to_hex(value: Json) -> Json:
    return _from_base64(value).hex()


def _hex_to_base64(value: Json) -> Json:
    return base64.b64encode(bytes.fromhex(text(value))).decode()


_HOST_PORT = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:/\s]+)):([0-9]{1,5})")


def _host_port(value: Json) -> Json:
    found = _HOST_PORT.fullmatch(text(value))
    if found is None or (found[3] != "0" and found[3].startswith("0")) or int(found[3]) > 65535:
        raise ValueError("not host:port")
    return {"host": found[1] or found[2], "port": int(found[3])}


def _join_host_port(value: Json) -> Json:
    if not isinstance(value, dict) or value.keys() != {"host", "port"}:
        raise ValueError("not a host and a port")
    host = text(value["host"])
    return f"[{host}]:{integer(value['port'])}" if ":" in host else f"{host}:{integer(value['port'])}"


def _comma_list(parameters: Mapping[str, Json]) -> Pair:
    comma = str(parameters.get("separator", ","))

    def _there(value: Json) -> Json:
        return list(text(value).split(comma)) if text(value) else []

    def _back(value: Json) -> Json:
        parts = [text(each) for each in value] if isinstance(value, list) else None
        if parts is None or any(comma in part for part in parts) or parts == [""]:
            raise ValueError("not a list of parts")
        return comma.join(parts)

    return _there, _back


def _json_text(value: Json) -> Json:
    try:
        return decode(text(value))
    except Invalid as error:
        raise ValueError(str(error)) from error


def _struct_to_text(value: Json) -> Json:
    if not isinstance(value, dict | list):
        raise TypeError("not a structure")
    return canonical(value).decode()


def _id_name(parameters: Mapping[str, Json]) -> Pair:
    prefix = str(parameters.get("prefix", ""))

    def _there(value: Json) -> Json:
        if "/" in text(value):
            raise ValueError("not an id")
        return prefix + text(value)

    def _back(value: Json) -> Json:
        if not text(value).startswith(prefix) or "/" in text(value)[len(prefix) :]:
            raise ValueError("not a name of this prefix")
        return text(value)[len(prefix) :]

    return _there, _back


def _booleans(parameters: Mapping[str, Json]) -> Pair:
    yes, no = parameters.get("true", "TRUE"), parameters.get("false", "FALSE")

    def _there(value: Json) -> Json:
        if not isinstance(value, bool):
            raise TypeError("not a boolean")
        return yes if value else no

    def _back(value: Json) -> Json:
        if value == yes:
            return True
        if value == no:
            return False
        raise ValueError("neither symbol")

    return _there, _back


def _present(parameters: Mapping[str, Json]) -> Pair:
    symbol = parameters.get("symbol")

    def _there(value: Json) -> Json:
        return symbol

    def _back(value: Json) -> Json:
        if value != symbol:
            raise NothingThere
        return {}

    return _there, _back


def _phone(value: Json) -> Json:
    digits = re.sub(r"[\s().-]", "", text(value))
    if not re.fullmatch(r"\+[1-9][0-9]{6,14}", digits):
        raise ValueError("not an international number")
    return digits


CODECS = (
    CodecSpec("base64-base64url", "bytes in base64 ↔ base64url", fixed(_base64_to_url, _url_to_base64)),
    CodecSpec("base64-hex", "bytes in base64 ↔ hex", fixed(_base64_to_hex, _hex_to_base64)),
    CodecSpec("host-port", '"host:1" ↔ {host, port}, IPv6 in brackets', fixed(_host_port, _join_host_port)),
    CodecSpec("separated-list", '"a,b" ↔ [a, b]; `separator`', _comma_list),
    CodecSpec("json-struct", "JSON in a text ↔ the value", fixed(_json_text, _struct_to_text)),
    CodecSpec("id-name", "an id ↔ a name; `prefix`", _id_name),
    CodecSpec("bool-enum", "true and false ↔ two symbols; `true`, `false`", _booleans),
    CodecSpec("present-symbol", "an empty message that is there ↔ a symbol; `symbol`", _present),
    CodecSpec("e164", "a telephone number as typed → +4912345678", fixed(_phone, lambda value: value)),
)
