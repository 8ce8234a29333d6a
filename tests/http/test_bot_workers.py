"""Bots that think: the service goes on meanwhile, an answer counts for the head it was asked at, and nobody is left."""

import asyncio
import os
import select
import signal
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.audit.bulk import AuditTerms, audit_stored
from service.audit.judge import own_notary
from service.errors import Unavailable
from service.games.azul.rules import DraftTiles
from service.play.bots import answer, bot_to_act, question_of
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import act, open_match
from service.play.moves import take_back
from service.play.players import NewPlayer
from service.play.replay import load
from service.shell.http import bot_turns
from service.shell.http.bot_workers import BotWorkers
from service.shell.http.served_ledger import ServedLedger
from service.shell.http.settings import Settings
from service.store.connect import open_store
from service.store.shapes import Appended
from tests.http.load import workers_for
from tests.http.playing import Watch, bearer, wired
from tests.http.serving import STARTING, Service, serving
from tests.postgres import PostgresServer

SLOW = "search:9s"
QUICK = "search:2"


def against(database: str, bot: str) -> str:
    """A match of Ann, who begins, and a bot."""
    with open_store(database) as store:
        seated = [NewPlayer("Ann"), NewPlayer("Ada", kind=f"bot:{bot}")]
        ledger = LocalLedger(store, notary=own_notary())
        return open_match(ledger, "azul", 2, players=seated, options={"firstPlayer": "seat:1"}, undo="free").id


def moving(number: int) -> Callable[[LocalLedger, Live], Appended]:
    """Ann makes one of the moves she may make."""
    return lambda ledger, live: act(ledger, live, 1, live.game.rules.legal(live.table.state, 1)[number])


async def moved_beyond(cache: ServedLedger, match: str, seq: int) -> Live:
    """The match as soon as it has more events than so many."""
    cached = await cache.look(match)
    stream = cache.feeds.stream(cached, seq, heartbeat=2 * STARTING)  # which would wake bots that gave up
    async for _ in stream:
        cached = await cache.look(match)
        if cached.live.head.seq > seq:
            break
    await stream.aclose()  # type: ignore[attr-defined]
    return cached.live


def test_a_match_can_be_looked_at_while_a_bot_thinks(database: str) -> None:
    match = against(database, SLOW)

    async def run() -> None:
        async with ServedLedger(Settings(database=database)) as cache:
            cached, _ = await cache.change(match, moving(0))
            while bot_to_act(cached.live) and not active_children():
                await asyncio.sleep(0)
                cached = await cache.look(match)
            assert active_children(), "it thought where everybody else waits"
            assert bot_to_act((await cache.look(match)).live) == 2

    asyncio.run(run())  # and it ends without waiting for the answer


def test_an_answer_counts_only_for_the_head_it_was_asked_at(database: str) -> None:
    match = against(database, QUICK)

    def take_what(wanted: DraftTiles) -> Callable[[LocalLedger, Live], Appended]:
        """Ann takes the tiles that the bot is about to take."""
        return lambda ledger, live: act(ledger, live, 1, replace(wanted, line=0))

    async def run() -> None:
        async with ServedLedger(Settings(database=database)) as cache, asyncio.timeout(STARTING):
            cached, _ = await cache.change(match, moving(0))
            wanted = answer(question_of(cached.live, 2))
            assert isinstance(wanted, DraftTiles)
            while not active_children():  # until it is asked
                await asyncio.sleep(0)
            await cache.change(match, lambda ledger, live: take_back(ledger, live))
            cached, _ = await cache.change(match, take_what(wanted))
            expected = cached.live.game.rules.decide(cached.live.table.state, 2, answer(question_of(cached.live, 2)))
            live = await moved_beyond(cache, match, cached.live.head.seq)
            assert live.envelopes[cached.live.head.seq].event == expected[0]

    asyncio.run(run())


def test_whoever_was_killed_over_a_question_is_replaced(database: str) -> None:
    with open_store(database) as store:
        asked_of_ann = question_of(load(LocalLedger(store), against(database, QUICK)), 1)
    quick, slow = replace(asked_of_ann, bot=QUICK), replace(asked_of_ann, bot=SLOW)

    async def run() -> None:
        thinkers = BotWorkers()
        asked = asyncio.create_task(thinkers.ask(slow))
        while not (thinking := active_children()):
            await asyncio.sleep(0)
        thinking[0].kill()
        with pytest.raises(Unavailable, match="killed"):
            await asked
        assert await thinkers.ask(quick) == answer(quick)
        thinkers.close()

    asyncio.run(run())


# ----------------------------------------------------------------------------------------------------- a whole service


def test_bots_that_think_play_to_the_end(database: str, tmp_path: Path) -> None:
    async def run(service: Service) -> tuple[str, Watch]:
        async with wired(service.api) as wire:
            wish = {"game": "coloretto", "players": ["Ada=bot:search:40p", "Bo=bot:search:40p"]}
            match = (await wire.asked("POST", "/matches", wish))["match"]["match"]
            watch = Watch(wire, match)
            await watch.follow()
            return match, watch

    with serving(database, tmp_path, *workers_for(database)) as service:
        match, watch = asyncio.run(run(service))
    with open_store(database, read_only=True) as store:
        live = load(LocalLedger(store), match)
        _, report = audit_stored(store, match, AuditTerms())
    assert report.is_clean
    assert [seen.step for seen in watch.steps] == sorted({envelope.step for envelope in live.envelopes})
    assert '"bots stopped"' not in service.log.read_text()


@pytest.fixture
def shared(postgres: PostgresServer) -> Iterator[str]:
    """A database that several services use."""
    address = postgres.migrated_database()
    yield address
    postgres.drop(address)


def test_of_two_services_one_thinks_and_it_is_the_one_somebody_moved_at(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_turns, "_THINKING", 100 * STARTING)
    match = against(shared, QUICK)

    async def run() -> None:
        settings = Settings(database=shared)
        async with ServedLedger(settings) as one, ServedLedger(settings) as other, asyncio.timeout(STARTING):
            moved, _ = await one.change(match, moving(0))
            other.wake_bots(await other.look(match))
            await moved_beyond(one, match, moved.live.head.seq)
            assert len(active_children()) == 1
            await other.look(match)
            moved, _ = await other.change(match, moving(0))
            await moved_beyond(other, match, moved.live.head.seq)
            assert len(active_children()) == 2

    asyncio.run(run())


def test_a_turn_that_nobody_takes_up_is_taken_up_by_whoever_looks(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_turns, "_THINKING", 0)
    match = against(shared, QUICK)
    with open_store(shared) as store:  # somebody who moves and is gone before the bot has answered
        ledger = LocalLedger(store, notary=own_notary())
        moving(0)(ledger, live := load(ledger, match))

    async def run() -> None:
        async with ServedLedger(Settings(database=shared)) as cache, asyncio.timeout(STARTING):
            cache.wake_bots(await cache.look(match))
            assert (await moved_beyond(cache, match, live.head.seq)).head.seq > live.head.seq

    asyncio.run(run())


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_nobody_goes_on_thinking_when_the_service_is_gone(tmp_path: Path, how: signal.Signals) -> None:
    database = str(tmp_path / "ledger.db")

    async def move(service: Service) -> None:
        async with wired(service.api) as wire:
            wish = {"game": "azul", "players": ["Ann", f"bot:{SLOW}"], "options": {"firstPlayer": "seat:1"}}
            opened = await wire.asked("POST", "/matches", wish)
            path = f"/matches/{opened['match']['match']}"
            legal = await wire.asked("GET", f"{path}/legal?seat=1")
            token = bearer(opened["tokens"]["seats"]["1"])
            await wire.asked("POST", f"{path}/actions", {"move": legal["moves"][0]["move"]}, **token)
            while not any(len(list(Path(f"/proc/{child}/task").iterdir())) > 1 for child in children(service)):
                await wire.asked("GET", path)  # until one has begun, and watches over its service beside its work

    with serving(database, tmp_path) as service:
        asyncio.run(move(service))
        thinking = [os.pidfd_open(child) for child in children(service)]
        service.process.send_signal(how)
        assert service.process.wait(STARTING) == (0 if how == signal.SIGTERM else -how)
        for handle in thinking:
            assert select.select([handle], [], [], STARTING)[0], "somebody is still thinking"
            os.close(handle)
        assert "Traceback" not in service.log.read_text()


def children(service: Service) -> list[int]:
    """Every process that a service has started."""
    tasks = Path(f"/proc/{service.process.pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]
