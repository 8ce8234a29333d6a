"""No program outlives what it was started for, however that ends; and one is started once for many matches."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace

from events.match import MoveForfeited
from service.bots.programs import Programs
from service.play.ledger import LocalLedger
from service.play.matches import act, open_match
from service.play.moves import replied
from service.play.players import NewPlayer
from service.play.simulate import make_plan, simulate
from service.research.arena import encounters, make_contest, meetings
from service.store.connect import open_store
from tests.bots.scripts import moving, script
from tests.shell.terminal import ROOT

PRESENT = 'present = open("present", "w", buffering=1)\npresent.write("here\\n")\n'
"""A program, and all it starts, holds the other end of a pipe as long as it lives."""


@contextmanager
def watched(folder: Path) -> Iterator[Path]:
    """Ends when nobody is left who holds the pipe; a program that stayed would keep the test from ending."""
    pipe = folder / "present"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reading, True)
    try:
        yield pipe
        while os.read(reading, 4096):
            pass
    finally:
        os.close(reading)


def test_a_program_ends_with_the_match(ledger: LocalLedger, folder: Path) -> None:
    with closing(Programs()) as programs, watched(folder):
        home = replace(ledger, programs=programs)
        players = [NewPlayer("mine", f"bot:exec:{script(folder, PRESENT)}"), NewPlayer("greedy", "bot:greedy")]
        assert replied(home, open_match(home, "azul", players=players, seed=1)).table.closed is not None


def test_it_ends_with_the_ledger_and_takes_along_what_it_started(ledger: LocalLedger, folder: Path) -> None:
    """Though it would not: it heeds no signal that can be ignored, nor the end of its input."""
    stubborn = (
        PRESENT
        + """
import signal, subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen(["sleep", "1000"], stdout=present, pass_fds=[present.fileno()])
"""
        + moving("say(number=message['number'], index=0)\nfor line in sys.stdin: pass\nwhile True: pass")
    )
    with watched(folder), closing(Programs()) as programs:
        home = replace(ledger, programs=programs)
        players = [NewPlayer("mine", f"bot:exec:{script(folder, stubborn)}"), NewPlayer("Ann")]
        live = open_match(home, "azul", players=players, options={"firstPlayer": "seat:1"}, seed=1)
        assert replied(home, live).table.closed is None


def test_it_outlives_the_thread_that_asked_it_first(ledger: LocalLedger, folder: Path) -> None:
    """Threads may share a ledger, and those of a server come and go."""
    with closing(Programs()) as programs:
        home = replace(ledger, programs=programs)
        players = [NewPlayer("mine", f"bot:exec:{script(folder)}"), NewPlayer("Ann")]
        live = open_match(home, "azul", players=players, options={"firstPlayer": "seat:1"}, seed=1)
        asking = Thread(target=replied, args=(home, live))
        asking.start()
        asking.join()
        seats = live.game.projection.to_act(live.table.state)
        assert list(seats) == [2]
        act(home, live, 2, live.game.rules.legal(live.table.state, 2)[0])
        assert not any(isinstance(envelope.event, MoveForfeited) for envelope in replied(home, live).envelopes)


def _heed_signals() -> None:
    """As a terminal would start it: whatever runs behind `&` or `nohup` hands on that these are ignored."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_it_ends_with_a_command_that_is_killed(tmp_path: Path, folder: Path, number: signal.Signals) -> None:
    """In the middle of a move that would never end."""
    if sys.platform != "linux" and number != signal.SIGINT:
        pytest.skip("elsewhere a program sees only the end of its input")
    endless = PRESENT + moving("present.write('asked')\npresent.flush()\nwhile True: pass")
    command = f"exec:1000s:{script(folder, endless)}"
    words = [sys.executable, str(ROOT / "cli.py"), "--database", str(tmp_path / "cli.db")]
    words += ["new", "azul", f"bot:{command}", "Ann", "-o", "firstPlayer=seat:1"]
    with watched(folder) as pipe:
        waiting = os.open(pipe, os.O_RDWR)  # so that there is never nobody, until the program itself is there
        running = subprocess.Popen(
            words,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            preexec_fn=_heed_signals,
        )
        heard = b""
        while b"asked" not in heard:
            heard += os.read(waiting, 4096)
        os.killpg(running.pid, number)
        running.wait()
        os.close(waiting)


def test_processes_start_it_once_and_keep_it_over_matches(folder: Path, tmp_path: Path) -> None:
    """Each its own, greeted for every match, after one that was tried out; nothing is left of them at the end."""
    counting = (
        PRESENT
        + """
import os
counted = open("counted", "a", buffering=1)
counted.write(json.dumps({"start": os.getpid()}) + "\\n")
def hello(message):
    counted.write(json.dumps({"seat": message["seat"]}) + "\\n")
    say(protocol=1)
"""
    )
    with watched(folder):
        plan = make_plan("azul", None, {}, [f"exec:{script(folder, counting)}", "random"], 0)
        results = list(simulate(plan, 60, jobs=2, database=str(tmp_path / "kept.db")))
    counted = [json.loads(line) for line in (folder / "counted").read_text().splitlines()]
    assert 2 <= sum("start" in line for line in counted) <= 3
    assert [line["seat"] for line in counted if "seat" in line] == [1] * 61
    assert [result.forfeits for result in results] == [()] * 60
    with open_store(str(tmp_path / "kept.db")) as store:
        assert len(list(store.matches())) == 60


def test_a_simulation_counts_what_was_forfeited(folder: Path) -> None:
    """And goes on; where it was agreed, with a resignation."""
    bad = script(folder, moving("say(number=message['number'], index=-1)"))
    plan = make_plan("azul", None, {}, [f"exec:{bad}", "random"], 0)
    (result,) = simulate(plan, 1)
    assert {(fact.seat, fact.why, fact.follows) for fact in result.forfeits} == {(1, "illegal", "greedy")}
    plan = make_plan("azul", None, {}, ["random", f"exec:resign:{bad}"], 0)
    (result,) = simulate(plan, 1)
    assert [(fact.seat, fact.follows) for fact in result.forfeits] == [(2, "resignation")]
    assert result.winners == (1,)


def test_what_greedy_wins_for_a_bot_that_made_no_move_is_not_its_victory(folder: Path) -> None:
    """It answers when it is tried out, and never again: the other bot wins, whoever has more points."""
    bad = f"exec:{script(folder, moving('sys.exit()'))}"
    (result,) = simulate(make_plan("azul", None, {}, [bad, "random"], 0), 1)
    assert result.scores[0] > result.scores[1]
    assert (result.absent, result.winners) == ((1,), (2,))
    (met,) = meetings(contest := make_contest("azul", None, {}, [bad, "random"], 2, 0), encounters(contest))
    assert (met.wins, met.losses) == (0, 2)
    once = moving("sys.exit() if message['number'] > 1 else say(number=message['number'], index=0)")
    (result,) = simulate(make_plan("azul", None, {}, [f"exec:{script(folder, once, 'once')}", "random"], 0), 1)
    assert len(result.forfeits) > 0
    assert result.absent == ()


def test_neither_wins_where_neither_moved(folder: Path) -> None:
    bad = f"exec:{script(folder, moving('sys.exit()'))}"
    (result,) = simulate(make_plan("azul", None, {}, [bad], 0), 1)
    assert (result.absent, result.winners) == ((1, 2), ())
