"""The reference page of versioning metadata, written from the ops and codecs themselves."""

from __future__ import annotations

from migrations_app.domain.conversion.codecs.registry import CODECS
from migrations_app.domain.conversion.laws.verify import ALL_LAWS
from migrations_app.domain.conversion.ops.base import OpForm
from migrations_app.domain.conversion.ops.registry import OPS

_HEAD = """\
# Versioning metadata

One YAML file per pair of adjacent versions says how documents, names and references become those of the other
version. From it both ways are derived. `swy schema verify DIR` proves them, `swy schema propose DIR` prints missing
lines, `swy schema explain` shows one document step by step. This page is written by `make reference`.

```yaml
edge: {service: secrets.example.com, from: v1alpha2, to: v1}   # transformationDirection: bidirectional (default),
                                                               # fromOldToNew, fromNewToOld or disabled
unassessed: error                  # `warning` takes open fields for removed and added
matching: {numbersStable: false}   # true makes wire numbers count in proposals
typeRename: {AttemptStatus: Attempt}
types:
  Secret:                          # a type by its old name; a type only the new side has by its new one
    ops:
      - rename: {from: title, to: display_name}
      - removed: [legacy_etag]     # short form for removed, added and ignore
resources:
  added: [CryptoKey]
  removed: []
  renamed: {}                      # old resource type: new resource type
  split: {}                        # one old type becomes several, see below
  merge: {}                        # several old types become one
methods:                           # custom methods, by their names in the definitions
  renamed: {DimLamp: SetBrightness}
  discontinued: {FlickerLamp: "Set the brightness twice."}   # what callers are told to use; or a list of names
  added: [BlinkLamp]
```

Every field of both sides must be matched, or covered by an op, or acknowledged. Fields match by themselves when
their names are equal, when their snake_case is, or when they are after Unicode case folding; two fields of one side
that fold to one key match nothing (`E-AMBIGUOUS`). Everything else only proposes.

All ops read the old document, so their order means nothing; two ops that speak for one field are refused
(`E-OVERLAP`). Paths are written with field names: `a.b` into objects, `a[]` into a list, `a{}` into a map. An op whose
two paths begin in the same matched field works inside it, also for every element of a list or map. An op cannot lead
out of a list. The type of an object that has no name of its own is called by its place, as `Secret.spec.rotation`.

## Custom methods

A method of one name on both sides is the same. Ops of its request and response stand under `types`, by the names of
these types. An edge that has `methods` speaks of all of them: what is neither on both sides nor named there is refused
(`E-UNASSESSED`). Without it such methods, and messages that cannot be converted, are warnings: calls in one version that
another one would answer are refused then (`method-discontinued`, `method-not-converted`). `replacement` and `discontinued`
of an api-skeleton's action count where the edge says nothing. Names of resources inside messages are converted like the
resources themselves; one that has no name in the caller's version is left out.

## Resource types that split and merge

```yaml
resources:
  split:
    Target: {by: kind, into: {HttpTarget: [HTTP, HTTPS], QueueTarget: [QUEUE]}, else: HttpTarget}
  merge:
    Channel: {by: kind, from: {EmailChannel: [EMAIL], PagerChannel: [PAGER]}}
```

`by` is a field of the undivided type; its value decides which part a resource is. The parts need no such field: the
first value listed is what it is without a bag. `else` names the part of whatever no part claims; without it such a
resource has no image. The ops of a split or merge stand under the names of the parts. Resources of two parts must
never share a name as the undivided type: their ids begin differently, or a segment is set to another constant for
each (`E-BIJECTION`). So a name alone tells what a resource becomes: an update that would make it another part is refused
(`no-image`, `place-moved`); delete it and create the other. An upgrade copies, follows, compares and serves such types
in both directions; the undivided type's API lists the parts together, in the order of names, without links to earlier
pages. `CompiledService.typed` converts such resources; `converter` refuses the undivided type (`conversion-fork`).
`examples/delivery` shows both.

## Resource types that one version does not have

```yaml
resources: {removed: [Receipt], added: [Schedule]}
```

Resources of such a type are not left behind. A namespace keeps them as the last version that has the type stores them,
under a name of their own (`Receipt@v1`): they are copied, followed and compared with all else, the API of that version
serves them in full while the other one is active, and a switch to a version that has the type makes them its own
again. So receipts outlive the upgrade that drops them, and schedules outlive a rollback. References to them from types that
go on wait in the bag. They go only when they are deleted, through the API of a version that has the type.

An edge whose `transformationDirection` rules out the way there allows no upgrade (`plan-no-way`); one that rules out
the inverse allows it only without downgrade sync (`plan-no-rollback`), and requests of the old version are then refused
(`direction`) once the new one serves.

## Names of resources

```yaml
- resourceName:
    variants:
      - from: "projects/{project}/secrets/{secret}"
        to: "projects/{project}/regions/{region}/secrets/{secret}"
        set: {region: {const: eu-west1}}      # or {field: path}, {by: project, table: {p: r}, else: r}, {same: old}
        back: hidden                          # a new name that no old one gives: hidden, or bag
```

`back: {set: {…}}` fills segments that only the old pattern has; `drop: bag` keeps a dropped segment in the bag. A
resource that cannot be named in a version is hidden there: reads do not find it, a conversion says `no-image`.
References to the resource type are converted by the same map, wherever they stand, also by services that import
this one.

## Hooks

An edge names hooks, it never brings code: a process registers `Hooks` (`migrations_app/domain/conversion/hooks.py`),
`swy schema verify --hooks FILE` takes them from a file of yours. Objects, values, items of lists and maps, and names
can be overridden piece by piece; an override runs after, or instead of, what is generated.
"""


def versioning_page() -> str:
    """Describe every op, codec and law."""
    lines = [_HEAD, "## Ops", ""]
    for op in OPS.values():
        lines += _op(op)
    lines += ["## Codecs", "", "For `convert`; `NAME:back` reads one from the other side.", ""]
    lines += ["| codec | what it says |", "|---|---|"]
    lines += [f"| `{spec.name}` | {spec.summary.replace('|', '/')} |" for spec in CODECS.values()]
    lines += [
        "",
        "## Laws",
        "",
        "What `verify` checks of every resource type and every ordered pair of versions; M1 to M4 of every custom method.",
        "",
    ]
    for name, law in ALL_LAWS.items():
        sentence = " ".join((law.__doc__ or "").split()).partition(": ")[2]
        lines.append(f"- **{name}** {sentence}")
    return "\n".join([*lines, ""])


def _op(op: OpForm) -> list[str]:
    arguments = [
        f"`{key}`{' (needed)' if what.startswith('!') else ''} {what.removeprefix('!')}"
        for key, what in op.arguments.items()
    ]
    return [
        f"### {op.name}",
        "",
        f"{op.summary} Keeps: {op.keeps}.",
        "",
        "```yaml",
        f"- {op.example}",
        "```",
        "",
        f"- Arguments: {'; '.join(arguments)}.",
        f"- Backward: {op.backward}.",
        f"- Filters: {op.filters}. Masks: {op.masks}.",
        "",
    ]
