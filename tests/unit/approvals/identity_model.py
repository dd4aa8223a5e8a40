"""A small world of persons and accounts in which everything that may happen is tried, in every order.

Persons own accounts. Who sets a password may sign in with it; who makes a token holds it. The world knows who acts; the rules of
the product (`AccountHistory`, `recounted`, `refusal`) see only accounts, and have to arrive at the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from migrations_app.domain.approvals.account_control import (
    RESET,
    AccountControlChange,
    AccountHistory,
    ChangeKind,
    joined,
)
from migrations_app.domain.approvals.electorate import Elector, recounted
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.approvals.votes import Vote, Voter, VoteVerdict, VotingRequest, refusal
from migrations_app.kernel.messages import NOTHING, message

PERSONS = ("mallory", "root", "ann")
"""Mallory and root manage access; mallory wants to have something; ann approves."""
ADMINS = frozenset({"mallory", "root"})
ACCOUNTS = (*PERSONS, "puppet")
START = datetime(2026, 11, 23, tzinfo=UTC)
POLICY = Policy("two", Purpose.SWITCH, needed=2)
APPROVER = frozenset({"approver"})


@dataclass(frozen=True)
class Key:
    """A person can act as an account: with its password, or with a token that another account made (`maker`)."""

    person: str
    account: str
    maker: str = ""


@dataclass(frozen=True)
class Act:
    """Who planned or asked: the account that the product wrote down, and the person."""

    account: str
    person: str
    at: datetime


@dataclass(frozen=True)
class World:
    """What happened so far."""

    keys: frozenset[Key] = frozenset(Key(name, name) for name in PERSONS)
    open: frozenset[str] = frozenset(PERSONS)
    voters: frozenset[str] = frozenset(PERSONS)
    changes: tuple[AccountControlChange, ...] = ()
    planned: Act | None = None
    asked: Act | None = None
    votes: tuple[tuple[Vote, str], ...] = ()
    chosen: tuple[tuple[str, str, datetime], ...] = ()
    """Persons who decided after the plan that an account may vote."""
    clock: int = 0

    @property
    def now(self) -> datetime:
        """The present instant."""
        return START + timedelta(minutes=self.clock)


@dataclass(frozen=True)
class Rules:
    """One way of reading requests, voters and tokens; without `control` it is the one of before."""

    control: bool

    def writes(self, key: Key) -> str:
        """Name who is written down as planner, asker or changer."""
        return key.maker if self.control and key.maker else key.account

    def request(self, world: World, planned: Act, asked: Act) -> VotingRequest:
        """Read the request."""
        votes = tuple(vote for vote, _ in world.votes)
        request = VotingRequest(
            "a1", asked.account, "d", 1, POLICY, asked.at, votes, planned_by=planned.account
        )
        if not self.control:
            return request
        history = AccountHistory(world.changes, planned.at)
        authors = joined(history.control(act.account, act.at) for act in (planned, asked))
        electors = {vote.who: self._elector(world, history, vote) for vote in votes}
        return recounted(replace(request, author_control=authors), electors)

    def voter(self, world: World, planned: Act, name: str) -> Voter:
        """Read a voter."""
        if not self.control:
            return Voter(name, APPROVER)
        history = AccountHistory(world.changes, planned.at)
        control, by = history.control(name, world.now), history.entitled_by(name, world.now)
        return Voter(name, APPROVER, False, control, by)

    def _elector(self, world: World, history: AccountHistory, vote: Vote) -> Elector:
        return Elector(
            APPROVER if vote.who in world.voters else frozenset(),
            NOTHING if vote.who in world.open else message("The account {who} is closed.", who=vote.who),
            history.control(vote.who, vote.at),
            history.entitled_by(vote.who, vote.at),
        )


NEW, OLD = Rules(True), Rules(False)
ALL = frozenset({"password", "create", "token", "role", "account"})
"""Ways to act as another, or to decide who may; `explore` knows more: `own` passwords, to `wait`, and, to see further,
plans that are asked for `at-once` and administration of `only` one account."""
DAYS = 2 * 24 * 60


def steps(world: World, rules: Rules, ways: frozenset[str]) -> Iterator[tuple[str, World]]:
    """Give everything that an account can do next, with what the world is then."""
    later = replace(world, clock=world.clock + 1)
    if "wait" in ways and world.planned is None and world.changes:
        yield "days pass", replace(world, clock=world.clock + DAYS)
    for key in sorted(world.keys, key=lambda key: (key.person, key.account, key.maker)):
        if key.account not in world.open:
            continue
        yield from _decisions(later, key, rules, ways)
        if "own" in ways and not key.maker and world.planned is None:
            kept = frozenset(each for each in world.keys if each.account != key.account or each.maker)
            yield (
                f"{_who(key)} sets another password as the owner",
                replace(_changed(later, key.account, key.account, ChangeKind.PASSWORD), keys=kept | {key}),
            )
        if key.account in ADMINS:
            for account in ACCOUNTS:
                if account != key.account and ("only" not in " ".join(ways) or f"only {account}" in ways):
                    yield from _administration(later, key, account, rules, ways)
        if key.maker and not rules.control:
            own = Key(key.person, key.account)
            yield f"{_who(key)} makes a token", replace(later, keys=later.keys | {own})


def _who(key: Key) -> str:
    means = f" by a token of {key.maker}" if key.maker else ""
    return key.person if key.person == key.account else f"{key.person} as {key.account}{means}"


def _decisions(world: World, key: Key, rules: Rules, ways: frozenset[str]) -> Iterator[tuple[str, World]]:
    act = Act(rules.writes(key), key.person, world.now)
    if world.planned is None and "at-once" in ways:
        yield f"{_who(key)} plans and asks", replace(world, planned=act, asked=act)
    elif world.planned is None:
        yield f"{_who(key)} plans", replace(world, planned=act)
    elif world.asked is None:
        yield f"{_who(key)} asks", replace(world, asked=act)
    elif key.account in world.voters and not key.maker:
        request = rules.request(world, world.planned, world.asked)
        voter = rules.voter(world, world.planned, key.account)
        if not refusal(request, voter, world.now):
            vote = Vote(key.account, VoteVerdict.APPROVE, world.now, 1, "d")
            yield f"{_who(key)} votes", replace(world, votes=(*world.votes, (vote, key.person)))


def _administration(
    world: World, key: Key, account: str, rules: Rules, ways: frozenset[str]
) -> Iterator[tuple[str, World]]:
    by, who, is_open = rules.writes(key), _who(key), account in world.open
    made = any(change.account == account for change in world.changes)
    opening = Key(key.person, account)
    if "create" in ways and account == "puppet" and not made:
        kinds = (ChangeKind.CREATED, ChangeKind.PASSWORD, ChangeKind.ROLE)
        born = _chosen(_changed(world, account, by, *kinds), key.person, account)
        keys, voters = world.keys | {opening}, world.voters | {account}
        yield f"{who} creates {account}", replace(born, keys=keys, open=world.open | {account}, voters=voters)
    if "password" in ways and is_open and opening not in world.keys:
        then = _changed(world, account, by, ChangeKind.PASSWORD, detail=RESET)
        # The owner is notified; others who knew the password, or had a token made with it, are out.
        kept = frozenset(each for each in world.keys if each.account != account or each.maker)
        keys = kept | {opening, Key(account, account)} if account in PERSONS else kept | {opening}
        yield f"{who} sets the password of {account}", replace(then, keys=keys)
    token = Key(key.person, account, by)
    if "token" in ways and is_open and not (rules.control and key.maker) and token not in world.keys:
        yield f"{who} makes a token of {account}", replace(world, keys=world.keys | {token})
    if "role" in ways and is_open and account in world.voters:
        yield f"{who} unbinds {account}", replace(world, voters=world.voters - {account})
    elif "role" in ways and is_open:
        then = _chosen(_changed(world, account, by, ChangeKind.ROLE), key.person, account)
        yield f"{who} binds {account}", replace(then, voters=world.voters | {account})
    if "account" in ways and is_open:
        yield f"{who} closes {account}", replace(world, open=world.open - {account})
    elif "account" in ways and (made or account != "puppet"):
        then = _chosen(_changed(world, account, by, ChangeKind.OPENED), key.person, account)
        yield f"{who} opens {account}", replace(then, open=world.open | {account})


def _changed(world: World, account: str, by: str, *kinds: ChangeKind, detail: str = "") -> World:
    made = tuple(AccountControlChange(account, kind, by, world.now, detail) for kind in kinds)
    return replace(world, changes=(*world.changes, *made))


def _chosen(world: World, person: str, account: str) -> World:
    """Note who decides that an account may vote, once there is a plan."""
    if not world.planned:
        return world
    return replace(world, chosen=(*world.chosen, (person, account, world.now)))


def broken(world: World, rules: Rules) -> str:
    """Say how the law is broken; empty while it holds.

    As many persons stand behind the votes that count as there are votes; none planned it or asked for it, and none who
    did chose them; and each such vote is that of an account that is open and may vote.
    """
    if not (world.planned and world.asked and world.votes):
        return ""
    authors = {world.planned.person, world.asked.person}
    request = rules.request(world, world.planned, world.asked)
    # A vote stands for one account and round: there are no two of an account that count.
    count = {vote.who: vote.at for vote in request.counted}
    persons = [person for vote, person in world.votes if count.get(vote.who) == vote.at]
    if set(persons) & authors:
        return f"{sorted(set(persons) & authors)} decided about their own"
    if len(set(persons)) < len(persons):
        return "one person was counted twice"
    chosen = [
        name for who, name, at in world.chosen if who in authors and name in count and at <= count[name]
    ]
    if chosen:
        return f"who planned or asked chose that {sorted(chosen)} votes"
    gone = sorted(count.keys() - (world.open & world.voters))
    return f"the votes of {gone} count, who may not vote" if gone else ""


def explore(depth: int, rules: Rules, ways: frozenset[str] = ALL) -> tuple[int, tuple[str, ...]]:
    """Try everything up to a number of steps; give how many worlds were seen, and the shortest way to break the law."""
    layer: dict[World, tuple[str, ...]] = {World(): ()}
    seen = 1
    for _ in range(depth):
        following: dict[World, tuple[str, ...]] = {}
        for world, way in layer.items():
            for said, then in steps(world, rules, ways):
                if then in following:
                    continue
                why = broken(then, rules)
                if why:
                    return seen, (*way, said, why)
                following[then] = (*way, said)
        seen += len(following)
        layer = following
    return seen, ()
