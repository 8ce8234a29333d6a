"""Players as the service meets them: each follows the live stream of its match and makes random legal moves to the end.

They lose nothing by themselves: what gets no answer, or is told to come back, is sent again with the same
Idempotency-Key, and a stream that ends is taken up with Last-Event-ID. What they saw and what they were promised is
held against the ledger afterwards.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import groupby
from random import Random
from typing import Any, Final, NamedTuple
from uuid import uuid4

import httpx
import msgspec

from events.core import Seat
from events.match import SeatTaken
from service.audit.bulk import AuditTerms, audit_all
from service.games.shelf import GAMES
from service.play.bots import is_bot
from service.play.ledger import LocalLedger
from service.play.replay import load
from service.store.connect import open_store

LOST: Final = 0
"""In the place of a status: a request that got no answer."""
AWAY: Final = 503
_PAUSE: Final = 0.1
"""Seconds a client leaves a service alone that did not answer, so as not to keep it from coming back."""
_TAKES_BACK: Final = 0.05
"""How likely somebody takes a move back where that is allowed."""

BY_TURNS = [game for game in GAMES if not game.pad_of]
"""Games in which nobody else acts while one thinks; on a pad everybody writes at once."""


class Wire:
    """The way to the service, for as many clients as like; counts how everything was answered."""

    def __init__(self, client: httpx.AsyncClient, answers: Counter[int]) -> None:
        self.client = client
        self.answers = answers

    async def send(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """The answer to a request; asked again until there is one. Names of headers are written with `_`."""
        content = None if body is None else msgspec.json.encode(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        while True:
            try:
                answer = await self.client.request(method, path, content=content, headers=named)
            except httpx.TransportError:
                self.answers[LOST] += 1
            else:
                self.answers[answer.status_code] += 1
                if answer.status_code != AWAY:
                    return answer
            await asyncio.sleep(_PAUSE)

    async def asked(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """What a request that must succeed is answered with."""
        answer = await self.send(method, path, body, **headers)
        assert answer.is_success, f"{method} {path} {body}: {answer.status_code} {answer.text}"
        return answer.json()

    @property
    def failures(self) -> set[int]:
        """The statuses that nobody should ever see."""
        return {status for status in self.answers if status >= 500} - {AWAY}


@asynccontextmanager
async def wired(api: str | httpx.URL, answers: Counter[int] | None = None) -> AsyncIterator[Wire]:
    """A way to the service at this address, with connections of its own; it may count with others."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    headers = {"content-type": "application/json"}
    async with httpx.AsyncClient(
        base_url=api, limits=limits, timeout=60, headers=headers, trust_env=False, verify=False
    ) as client:
        yield Wire(client, Counter() if answers is None else answers)


def bearer(token: str) -> dict[str, str]:
    """The header of whoever has this token; none for the empty one."""
    return {"authorization": f"Bearer {token}"} if token else {}


class Seen(NamedTuple):
    """A step: its number, its first and its last event."""

    step: int
    first: int
    last: int


class Watch:
    """Somebody who watches a match from its opening to its end."""

    def __init__(self, wire: Wire, match: str, token: str = "") -> None:
        self._wire, self._match, self._token = wire, match, token
        self._news = asyncio.Event()
        self.steps: list[Seen] = []
        """Every step in the order in which it was told, as often as it was told."""
        self.ids: list[int] = []
        self.resumed = 0
        """How often the stream had to be taken up again."""
        self.is_over = False

    async def follow(self) -> None:
        """Watch until the match is closed."""
        while not self.is_over:
            try:
                await self._read_stream()
            except httpx.TransportError:
                self._wire.answers[LOST] += 1
            if not self.is_over:
                self.resumed += 1
                await asyncio.sleep(_PAUSE)

    async def _read_stream(self) -> None:
        headers = bearer(self._token) | ({"last-event-id": str(self.ids[-1])} if self.ids else {})
        path = f"/matches/{self._match}/live"
        async with self._wire.client.stream("GET", path, params={"after": 0}, headers=headers) as answer:
            self._wire.answers[answer.status_code] += 1
            if answer.status_code == AWAY:
                return
            assert answer.status_code == 200, f"{path}: {answer.status_code}"
            message: dict[str, str] = {}
            async for line in answer.aiter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    message[name] = value
                    continue
                if "data" in message:
                    self._take(message)
                    if self.is_over:
                        return
                message = {}

    def _take(self, message: dict[str, str]) -> None:
        told = msgspec.json.decode(message["data"])
        assert message["event"] == ("past" if told["undone"] or told["redone"] else "step")
        self.ids.append(int(message["id"]))
        self.steps.append(Seen(told["step"], told["first"], told["last"]))
        self.is_over = any(event["type"] == "match.closed" for event in told["events"])
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def reaches(self, seq: int) -> None:
        """Wait until an event was told, or the match is over."""
        while not self.is_over and (not self.ids or self.ids[-1] < seq):
            await self._news.wait()


class Promised(NamedTuple):
    """A step that was acknowledged to a seat."""

    seat: Seat
    first: int
    last: int


class Played(NamedTuple):
    """A match that was played, with everything that was said about it on the way."""

    match: str
    people: list[Seat]
    promised: list[Promised]
    watches: list[Watch]


class Progress:
    """How many steps were acknowledged in all; whoever means harm waits for a number."""

    def __init__(self) -> None:
        self.steps = 0
        self._waiting: list[tuple[int, asyncio.Event]] = []

    def count(self) -> None:
        """One more."""
        self.steps += 1
        for steps, event in self._waiting:
            if steps <= self.steps:
                event.set()

    async def reaches(self, steps: int) -> None:
        """Wait for so many."""
        event = asyncio.Event()
        self._waiting.append((steps, event))
        if self.steps < steps:
            await event.wait()


class Plan(NamedTuple):
    """A match to be played."""

    game: str
    seats: int
    people: int
    undo: str


def plans(count: int) -> list[Plan]:
    """So many matches of all games in turn, for people alone and with bots; who is alone with bots takes moves back."""
    found = []
    for number in range(count):
        game, turn = BY_TURNS[number % len(BY_TURNS)], number // len(BY_TURNS)
        seats = game.rules.seats[0] + turn % 2
        people = seats if turn % 3 == 0 else 1
        found.append(Plan(game.key, seats, people, "free" if people == 1 else "strict"))
    return found


async def play_all(wire: Wire, wanted: Sequence[Plan], progress: Progress, seed: int = 0) -> list[Played]:
    """Play these matches, all at once."""
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_play(wire, plan, Random(f"{seed} {number}"), progress))
            for number, plan in enumerate(wanted)
        ]
    return [task.result() for task in tasks]


async def _play(shared: Wire, plan: Plan, rng: Random, progress: Progress) -> Played:
    # httpx goes through all connections of a client for every request: hundreds of streams in one would be slow.
    async with wired(shared.client.base_url, shared.answers) as wire:
        return await _play_over(wire, plan, rng, progress)


async def _play_over(wire: Wire, plan: Plan, rng: Random, progress: Progress) -> Played:
    wish = {"game": plan.game, "seats": plan.seats, "undo": plan.undo}
    opened = await wire.asked("POST", "/matches", wish, idempotency_key=str(uuid4()))
    match, host = opened["match"]["match"], opened["tokens"]["host"]
    promised: list[Promised] = []
    async with asyncio.TaskGroup() as group:
        watches = [Watch(wire, match)]
        group.create_task(watches[0].follow())
        for number in range(plan.seats - plan.people):
            bot = {"name": "bot:greedy" if number % 2 else "bot:random"}
            path = f"/matches/{match}/join"
            group.create_task(wire.asked("POST", path, bot, idempotency_key=str(uuid4()), **bearer(host)))
        joining = [group.create_task(_sit_down(wire, match, f"P{number}")) for number in range(plan.people)]
        people = [await task for task in joining]
        for seat, token in people:
            watch = Watch(wire, match, token)
            watches.append(watch)
            group.create_task(watch.follow())
            player = _Player(wire, match, seat, token, watch, Random(rng.random()), progress)
            group.create_task(player.play(promised, takes_back=plan.undo == "free"))
    return Played(match, [seat for seat, _ in people], promised, watches)


async def _sit_down(wire: Wire, match: str, name: str) -> tuple[Seat, str]:
    done = await wire.asked("POST", f"/matches/{match}/join", {"name": name}, idempotency_key=str(uuid4()))
    events = await wire.asked("GET", f"/matches/{match}/events?after={done['first'] - 1}")
    return events["events"][0]["actor"], done["token"]


class _Player(NamedTuple):
    wire: Wire
    match: str
    seat: Seat
    token: str
    watch: Watch
    rng: Random
    progress: Progress

    async def play(self, promised: list[Promised], *, takes_back: bool) -> None:
        """Move whenever it is this seat's turn, until the match is over."""
        while not self.watch.is_over:
            legal = await self.wire.asked("GET", f"/matches/{self.match}/legal?seat={self.seat}", **bearer(self.token))
            if not legal["moves"]:
                await self.watch.reaches(legal["head"] + 1)
                continue
            done = await self._do("actions", {"move": self.rng.choice(legal["moves"])["move"]}, promised)
            if takes_back and done["status"] == "playing" and self.rng.random() < _TAKES_BACK:
                await self._do("undo", {}, promised)

    async def _do(self, what: str, body: Any, promised: list[Promised]) -> Any:
        path = f"/matches/{self.match}/{what}"
        answer = await self.wire.send("POST", path, body, idempotency_key=str(uuid4()), **bearer(self.token))
        done = answer.json()
        if what == "undo" and answer.status_code == 409 and done["code"] == "match/closed":
            return done  # the bots were faster, and nobody takes back the end
        assert answer.is_success, f"{path} {body}: {answer.status_code} {answer.text}"
        promised.append(Promised(self.seat, done["first"], done["last"]))
        self.progress.count()
        await self.watch.reaches(done["last"])
        return done


def check(database: str, played: Sequence[Played]) -> int:
    """Hold what everybody saw and was promised against the ledger, and audit it; gives the number of steps."""
    count = 0
    with open_store(database, read_only=True) as store:
        for match in played:
            live = load(LocalLedger(store), match.match)
            assert live.table.closed is not None
            assert live.table.closed.reason == "finished"
            steps, done = [], []
            for number, grouped in groupby(live.envelopes, key=lambda envelope: envelope.step):
                entries = list(grouped)
                first, last, actor = entries[0].seq, entries[-1].seq, entries[0].actor
                steps.append(Seen(number, first, last))
                if isinstance(actor, int) and not is_bot(live, actor) and not isinstance(entries[0].event, SeatTaken):
                    done.append(Promised(actor, first, last))
            assert [watch.steps for watch in match.watches] == [steps] * len(match.watches)
            assert all(watch.ids == [step.last for step in steps] for watch in match.watches)
            assert sorted(match.promised) == sorted(done), "a step was promised and lost, or done twice"
            count += len(steps)
    audited = list(audit_all(database, AuditTerms()))
    assert [str(finding) for batch in audited for finding in batch.findings] == []
    assert sum(batch.matches for batch in audited) == len(played)
    return count
