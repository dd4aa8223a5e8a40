"""The stages of a read copy: compared with its source in both directions, then following its changes."""

from __future__ import annotations

from enum import StrEnum

from migrations_app.domain.state_machine import StateMachine, lettered


class ComparisonStage(StrEnum):
    """How far the comparison with a source is.

    THEIRS: what the source owns is looked for here. OURS: what is kept here is looked for there.
    FOLLOW: both were done; changes alone are followed.
    """

    THEIRS = "THEIRS"
    OURS = "OURS"
    FOLLOW = "FOLLOW"


class CopyEvent(StrEnum):
    """What moves a read copy to another stage."""

    SOURCE_READ = "source-read"
    COPY_READ = "copy-read"
    COMPARE = "compare"


READ_COPY = StateMachine(
    "A read copy",
    ComparisonStage,
    (ComparisonStage.THEIRS,),
    lettered(
        [
            (
                ComparisonStage.THEIRS,
                CopyEvent.SOURCE_READ,
                ComparisonStage.OURS,
                "all that the source owns was compared",
            ),
            (
                ComparisonStage.THEIRS,
                CopyEvent.COMPARE,
                ComparisonStage.THEIRS,
                "the source began again: from the first resource",
            ),
            (
                ComparisonStage.OURS,
                CopyEvent.COPY_READ,
                ComparisonStage.FOLLOW,
                "all that is kept here was compared",
            ),
            (
                ComparisonStage.OURS,
                CopyEvent.COMPARE,
                ComparisonStage.THEIRS,
                "the source began again: from the first resource",
            ),
            (
                ComparisonStage.FOLLOW,
                CopyEvent.COMPARE,
                ComparisonStage.THEIRS,
                "the source began again, or the last comparison is old",
            ),
        ]
    ),
)
