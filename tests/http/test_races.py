"""Promises among rivals: of many clients fighting over one match one wins each head, and one key is one step."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest

from tests.http.load import workers_for
from tests.http.playing import Promised, Wire, bearer, wired
from tests.http.serving import Service, serving

CLIENTS = 32
ROUNDS = 6


@pytest.fixture(scope="module")
def service(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(database, tmp_path_factory.mktemp("log"), "--quiet", *workers_for(database)) as running:
        yield running


class Arena(NamedTuple):
    """A match of two people that many clients fight over, each with the tokens of both."""

    wire: Wire
    match: str
    tokens: dict[int, str]

    async def look(self) -> tuple[str, int]:
        """Where the match stands, and whose turn it is."""
        answer = await self.wire.send("GET", f"/matches/{self.match}")
        return answer.headers["etag"], answer.json()["turn"][0]

    async def moves(self, seat: int) -> list[str]:
        """What a seat may do."""
        legal = await self.wire.asked("GET", f"/matches/{self.match}/legal?seat={seat}")
        return [move["move"] for move in legal["moves"]]

    async def act(self, seat: int, move: str, **headers: str) -> httpx.Response:
        """The answer to a move."""
        path = f"/matches/{self.match}/actions"
        return await self.wire.send("POST", path, {"move": move}, **headers, **bearer(self.tokens[seat]))

    async def steps(self) -> list[Promised]:
        """Who did what, as the ledger has it: every move of a player."""
        page = await self.wire.asked("GET", f"/matches/{self.match}/events")
        found: dict[int, list[dict[str, Any]]] = {}
        for envelope in page["events"]:
            found.setdefault(envelope["step"], []).append(envelope)
        return [
            Promised(entries[0]["actor"], entries[0]["seq"], entries[-1]["seq"])
            for entries in found.values()
            if entries[0]["event"]["type"].startswith("azul.") and entries[0]["actor"] != "chance"
        ]


def fight(service: Service, about: Callable[[Arena], Awaitable[None]]) -> None:
    """Have it out on a new match; nothing may fail on the way."""

    async def run() -> None:
        async with wired(service.api) as wire:
            opened = await wire.asked("POST", "/matches", {"game": "azul", "players": ["Ann", "Ben"]})
            tokens = {int(seat): token for seat, token in opened["tokens"]["seats"].items()}
            await about(Arena(wire, opened["match"]["match"], tokens))
            assert not [status for status in wire.answers if status >= 500], wire.answers

    asyncio.run(run())


def done(answers: list[httpx.Response]) -> list[httpx.Response]:
    return [answer for answer in answers if answer.status_code == 200]


def test_of_many_who_name_a_head_exactly_one_wins_and_the_others_are_told_the_new_one(service: Service) -> None:
    async def about(arena: Arena) -> None:
        rng = Random(1)
        for _ in range(ROUNDS):
            head, seat = await arena.look()
            moves = await arena.moves(seat)
            sent = [arena.act(seat, rng.choice(moves), if_match=head) for _ in range(CLIENTS)]
            answers = await asyncio.gather(*sent)
            assert Counter(answer.status_code for answer in answers) == {200: 1, 412: CLIENTS - 1}
            now, _ = await arena.look()
            assert now != head
            assert {answer.headers["etag"] for answer in answers} == {now}
            assert {answer.json()["head"] for answer in answers if answer.status_code == 412} == {now}
        assert len(await arena.steps()) == ROUNDS

    fight(service, about)


def test_many_who_name_no_head_lose_and_double_nothing(service: Service) -> None:
    async def about(arena: Arena) -> None:
        promised = []
        for number in range(ROUNDS):
            seats = [seat for seat in arena.tokens for _ in range(CLIENTS // 2)]
            moves = {seat: await arena.moves(seat) for seat in arena.tokens}
            answers = await asyncio.gather(
                *(
                    arena.act(seat, Random(f"{number} {client}").choice(moves[seat] or ["1R1"]))
                    for client, seat in enumerate(seats)
                )
            )
            promised += [
                Promised(seat, answer.json()["first"], answer.json()["last"])
                for seat, answer in zip(seats, answers, strict=True)
                if answer.status_code == 200
            ]
            assert {answer.status_code for answer in answers} <= {200, 409, 422}, [answer.text for answer in answers]
        assert sorted(promised) == sorted(await arena.steps())
        assert len(promised) >= ROUNDS

    fight(service, about)


@pytest.mark.parametrize("is_guarded", [False, True], ids=["any-head", "if-match"])
def test_one_key_sent_by_many_at_once_is_one_step_with_one_outcome(service: Service, is_guarded: bool) -> None:
    async def about(arena: Arena) -> None:
        for _ in range(ROUNDS):
            head, seat = await arena.look()
            move, key = (await arena.moves(seat))[0], str(uuid4())
            guards = {"if_match": head} if is_guarded else {}
            sent = [arena.act(seat, move, idempotency_key=key, **guards) for _ in range(CLIENTS)]
            answers = [answer.json() for answer in done(list(await asyncio.gather(*sent)))]
            assert len(answers) == CLIENTS
            assert [answer["repeated"] for answer in answers].count(False) == 1
            outcomes = {(answer["first"], answer["last"], tuple(answer["told"])) for answer in answers}
            assert len(outcomes) == 1
            assert all(answer["told"] and answer["head"] >= answer["last"] for answer in answers)
        assert len(await arena.steps()) == ROUNDS

    fight(service, about)


def test_a_match_opened_by_many_with_one_key_is_one_match_and_one_answer_opens_it(service: Service) -> None:
    async def run() -> None:
        async with wired(service.api) as wire:
            key = str(uuid4())
            wish = {"game": "azul", "players": ["Zoe"], "seats": 2}
            sent = [wire.asked("POST", "/matches", wish, idempotency_key=key) for _ in range(CLIENTS)]
            opened = await asyncio.gather(*sent)
            (match,) = {answer["match"]["match"] for answer in opened}
            assert [listed["id"] for listed in (await wire.asked("GET", "/matches?player=Zoe"))["matches"]] == [match]
            again = await wire.asked("POST", "/matches", wish, idempotency_key=key)
            hosts = [answer["tokens"]["host"] for answer in [*opened, again]]
            path = f"/matches/{match}/tokens"
            statuses = [(await wire.send("GET", path, **bearer(host))).status_code for host in hosts]
            assert statuses == [401] * CLIENTS + [200]

    asyncio.run(run())


def test_a_seat_taken_by_many_with_one_key_is_one_seat(service: Service) -> None:
    async def run() -> None:
        async with wired(service.api) as wire:
            opened = await wire.asked("POST", "/matches", {"game": "azul", "seats": 3})
            match = opened["match"]["match"]
            path, key = f"/matches/{match}/join", str(uuid4())
            sent = [wire.asked("POST", path, {"name": "Ann"}, idempotency_key=key) for _ in range(CLIENTS)]
            answers = await asyncio.gather(*sent)
            assert [answer["repeated"] for answer in answers].count(False) == 1
            assert len({(answer["first"], answer["last"]) for answer in answers}) == 1
            players = (await wire.asked("GET", f"/matches/{match}"))["players"]
            assert [player["name"] for player in players].count("Ann") == 1

    asyncio.run(run())


def test_many_who_want_a_seat_each_get_as_many_as_there_are(service: Service) -> None:
    async def run() -> None:
        async with wired(service.api) as wire:
            opened = await wire.asked("POST", "/matches", {"game": "azul", "seats": 4})
            path = f"/matches/{opened['match']['match']}/join"
            answers = await asyncio.gather(
                *(wire.send("POST", path, {"name": f"P{number}"}, idempotency_key=str(uuid4())) for number in range(8))
            )
            refused = [answer.json()["code"] for answer in answers if answer.status_code != 200]
            assert len(done(list(answers))) == 4
            assert set(refused) <= {"match/full", "store/stale-head"}

    asyncio.run(run())
