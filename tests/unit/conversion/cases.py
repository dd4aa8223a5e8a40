"""Small services, each with the ops that could break a law: old types, new types, the ops of `Thing`."""

from __future__ import annotations

from migrations_app.domain.conversion.service import CompiledService
from tests.unit.conversion.services import service

CASES = {
    "rename and remove": (
        """
            Thing: {fields: {name: string, a: string, lost: {list: i32}}}
        """,
        """
            Thing: {fields: {name: string, b: string}}
        """,
        """
            - rename: {from: a, to: b}
            - removed: lost
        """,
    ),
    "same name, other field": (
        """
            Thing: {fields: {name: string, x: string}}
        """,
        """
            Thing: {fields: {name: string, x: string}}
        """,
        """
            - removed: x
            - added: x
        """,
    ),
    "added with a default": (
        """
            Thing: {fields: {name: string}}
        """,
        """
            Thing: {fields: {name: string, size: i32}}
        """,
        """
            - added: {path: size, as: {default: 30}}
        """,
    ),
    "many symbols to one": (
        """
            Thing: {fields: {name: string, s: {type: {enum: [A, B, C, X]}}, l: {type: {list: {enum: [A, B]}}}}}
        """,
        """
            Thing: {fields: {name: string, s: {type: {enum: [X, Y]}}, l: {type: {list: {enum: [X, Y]}}}}}
        """,
        """
            - enum: {path: s, map: {A: X, B: Y, C: Y}, canonical: {X: A}}
            - enum: {path: "l[]", map: {A: X, B: Y}}
        """,
    ),
    "many symbols to one (scalar)": (
        """
            Thing: {fields: {name: string, s: {type: {enum: [A, B, C, X]}}}}
        """,
        """
            Thing: {fields: {name: string, t: {type: {enum: [X, Y]}}}}
        """,
        """
            - enum: {from: s, to: t, map: {A: X, B: Y, C: Y}, canonical: {X: A}}
        """,
    ),
    "symbols that wait in the bag": (
        """
            Thing: {fields: {name: string, s: {type: {enum: [A, B, C, X]}}, l: {type: {list: {enum: [A, B]}}}}}
        """,
        """
            Thing: {fields: {name: string, s: {type: {enum: [X, Y]}}, l: {type: {list: {enum: [B, Y]}}}}}
        """,
        """
            - enum: {path: s, map: {A: X}, rest: bag}
            - enum: {path: "l[]", map: {}, rest: bag}
        """,
    ),
    "symbols that wait in the bag (scalar)": (
        """
            Thing: {fields: {name: string, s: {type: {enum: [A, B, C, X]}}}}
        """,
        """
            Thing: {fields: {name: string, t: {type: {enum: [X, Y, Z]}}}}
        """,
        """
            - enum: {from: s, to: t, map: {A: X, B: Y}, canonical: {X: X}, rest: bag}
        """,
    ),
    "free text that becomes symbols": (
        """
            Thing: {fields: {name: string, s: string}}
        """,
        """
            Thing: {fields: {name: string, s: {type: {enum: [X, Y]}}}}
        """,
        """
            - enum: {path: s, map: {A: X}, rest: bag}
        """,
    ),
    "flatten one level": (
        """
            Thing: {fields: {name: string, at: {type: End, nullable: true}}}
            End: {fields: {host: string, port: i32, old: string}}
        """,
        """
            Thing: {fields: {name: string, host: string, port: i32}}
        """,
        """
            - flatten: {path: at, fields: [host]}
            - move: {from: at.port, to: port}
            - removed: at.old
        """,
    ),
    "objects inside": (
        """
            Thing: {fields: {name: string, one: Inner, plain: Plain}}
            Inner: {fields: {a: string, gone: i32, deep: Deep}}
            Deep: {fields: {s: {type: {enum: [A, B]}}}}
            Plain: {fields: {x: string}}
        """,
        """
            Thing: {fields: {name: string, two: Inner, plain: Plain}}
            Inner: {fields: {b: string, come: i32, deep: Deep}}
            Deep: {fields: {s: {type: {enum: [C, B]}}}}
            Plain: {fields: {x: string}}
        """,
        """
            - rename: {from: one, to: two}
        """,
    ),
    "flag to a special value": (
        """
            Thing: {fields: {name: string, most: i32, unlimited: bool, plain: string}}
        """,
        """
            Thing: {fields: {name: string, most: i32, plain: string}}
        """,
        """
            - sentinel: {value: most, flag: unlimited, to: most, sentinel: -1}
        """,
    ),
    "presence to a symbol": (
        """
            Thing: {fields: {name: string, pull: Pull, plain: string}}
            Pull: {fields: {}}
        """,
        """
            Thing: {fields: {name: string, kind: {type: {enum: [PULL, PUSH]}}, plain: string}}
        """,
        """
            - convert: {from: pull, to: kind, codec: present-symbol, with: {symbol: PULL}}
        """,
    ),
    "wrap and head": (
        """
            Thing: {fields: {name: string, one: string, many: {list: Inner}}}
            Inner: {fields: {a: string, b: i32, gone: string}}
        """,
        """
            Thing: {fields: {name: string, ones: {list: string}, first: Inner}}
            Inner: {fields: {a: string, b: i32, gone: string}}
        """,
        """
            - wrap: {from: one, to: ones}
            - head: {from: many, to: first}
        """,
    ),
    "nest": (
        """
            Thing: {fields: {name: string, host: string, port: i32}}
        """,
        """
            Thing: {fields: {name: string, at: End}}
            End: {fields: {host: string, port: i32, tls: bool}}
        """,
        """
            - nest: {fields: [host, port], under: at}
            - added: at.tls
        """,
    ),
    "flatten": (
        """
            Thing: {fields: {name: string, at: {type: End, nullable: true}}}
            End: {fields: {host: string, more: More}}
            More: {fields: {x: string}}
        """,
        """
            Thing: {fields: {name: string, host: string, x: string}}
        """,
        """
            - move: {from: at.host, to: host}
            - move: {from: at.more.x, to: x}
        """,
    ),
    "move out of a shared parent": (
        """
            Thing: {fields: {name: string, in: In}}
            In: {fields: {stay: string, go: string}}
        """,
        """
            Thing: {fields: {name: string, in: In, go: string}}
            In: {fields: {stay: string}}
        """,
        """
            - move: {from: in.go, to: go}
        """,
    ),
    "move into a shared parent": (
        """
            Thing: {fields: {name: string, in: {type: In, nullable: true}, go: string}}
            In: {fields: {stay: string}}
        """,
        """
            Thing: {fields: {name: string, in: {type: In, nullable: true}}}
            In: {fields: {stay: string, go: string}}
        """,
        """
            - move: {from: go, to: in.go}
        """,
    ),
    "defaults change": (
        """
            Thing: {fields: {name: string, n: i32, t: string, r: string}}
        """,
        """
            Thing: {fields: {name: string, n: i32, t: string, r: string}}
        """,
        """
            - default: {path: n, old: 3, new: 5}
            - require: {path: t, fill: x}
            - relax: {path: r, fill: a}
        """,
    ),
    "units and codecs": (
        """
            Thing: {fields: {name: string, ms: i32, ttl: duration, at: string, big: i64, on: bool}}
        """,
        """
            Thing: {fields: {name: string, s: i32, ttl_s: i32, to: struct, big: string, state: string}}
        """,
        """
            - unit: {from: ms, to: s, factor: '1/1000', round: down}
            - convert: {from: ttl, to: ttl_s, codec: duration-seconds}
            - convert: {from: at, to: to, codec: host-port}
            - numToString: {path: big}
            - boolToEnum: {from: on, to: state, 'true': ENABLED, 'false': DISABLED}
        """,
    ),
    "null and presence": (
        """
            Thing: {fields: {name: string, a: {type: string, nullable: true}, b: {type: string, presence: implicit}}}
        """,
        """
            Thing: {fields: {name: string, a: string, b: {type: string, nullable: true}}}
        """,
        """
            []
        """,
    ),
    "maps and lists of entries": (
        """
            Thing: {fields: {name: string, labels: {map: string}, all: {list: Entry}}}
            Entry: {fields: {key: string, value: i32}}
        """,
        """
            Thing: {fields: {name: string, tags: {list: Tag}, by: {map: i32}}}
            Tag: {fields: {name: string, text: string}}
        """,
        """
            - mapToList: {from: labels, to: tags, key: name, value: text}
            - listToMap: {from: all, to: by, key: key, value: value}
        """,
    ),
    "explode and group": (
        """
            Thing: {fields: {name: string, limits: {list: Many}, flat: {list: One}}}
            Many: {fields: {resource: string, by: {map: i32}}}
            One: {fields: {kind: string, at: string, size: i32}}
        """,
        """
            Thing: {fields: {name: string, allowances: {list: One}, sizes: {list: Many}}}
            One: {fields: {of: string, region: string, value: i32}}
            Many: {fields: {kind: string, sizes: {map: i32}}}
        """,
        """
            - explode: {from: limits, to: allowances, map: by, mapKey: region, mapValue: value, keep: {resource: of}}
            - group: {from: flat, to: sizes, map: sizes, mapKey: at, mapValue: size, keep: {kind: kind}}
        """,
    ),
    "split, merge and oneof": (
        """
            Thing: {fields: {name: string, full: string, host: string, port: string, a: string, b: string, x: i32}}
        """,
        """
            Thing: {fields: {name: string, first: string, last: string, at: string, a: string, b: string, y: i32}}
        """,
        """
            - split: {from: full, to: [first, last], template: "{first} {last}"}
            - merge: {from: [host, port], to: at, template: "{host}:{port}"}
            - oneof: {members: [b, a], to: [b, a]}
            - oneof: {members: [x], to: [y], dissolve: true}
        """,
    ),
    "flags that turn round": (
        """
            Thing: {fields: {name: string, disabled: bool, inner: {object: {fields: {hidden: bool, a: string}}}}}
        """,
        """
            Thing: {fields: {name: string, enabled: bool, inner: {object: {fields: {visible: bool, a: string}}}}}
        """,
        """
            - invert: {from: disabled, to: enabled}
            - invert: {from: inner.hidden, to: inner.visible}
        """,
    ),
    "references that split and merge": (
        """
            Thing: {fields: {name: string, whole: {type: {reference: Thing}}, left: {type: {reference: Thing}}, right: {type: {reference: Thing}}}}
        """,
        """
            Thing: {fields: {name: string, one: {type: {reference: Thing}}, two: {type: {reference: Thing}}, all: {type: {reference: Thing}}}}
        """,
        """
            - splitReference: {from: whole, to: [one, two], names: {two: [{from: "things/{thing}", to: "things/{thing}"}]}}
            - mergeReferences: {from: [left, right], to: all}
        """,
    ),
    "lists and maps of objects": (
        """
            Thing: {fields: {name: string, all: {list: Inner}, by: {map: Inner}, tree: Tree}}
            Tree: {fields: {old: string, below: {list: Tree}}}
            Inner: {fields: {a: string, b: i32, gone: string}}
        """,
        """
            Thing: {fields: {name: string, all: {list: Inner}, by: {map: Inner}, tree: Tree}}
            Tree: {fields: {new: string, below: {list: Tree}}}
            Inner: {fields: {a: string, b: i32, come: string}}
        """,
        """
            - removed: "all[].gone"
            - removed: "by{}.gone"
            - added: "all[].come"
            - added: "by{}.come"
        """,
    ),
}
TREE = "Tree:\n  ops:\n    - rename: {from: old, to: new}"

DEEP = """
Inner:
  ops:
    - rename: {from: a, to: b}
    - removed: gone
    - added: come
Deep:
  ops:
    - enum: {path: s, map: {A: C}}
"""


def build(case: str) -> CompiledService:
    """Compile one of the cases."""
    old, new, ops = CASES[case]
    return service(old, new, ops, more=TREE if "Tree" in old else DEEP if "Deep" in old else "")
