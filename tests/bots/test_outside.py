"""Programs and functions at the table: what they are told, how they answer, and what is said of those that fail."""

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from textwrap import indent

import pytest
from msgspec.structs import replace

from events.match import MoveForfeited
from service.audit import audit
from service.bots.core import Occasion
from service.bots.kinds import find_bot
from service.bots.outside import ProgramTerms, read_terms
from service.bots.programs import Programs, may_play, welcome
from service.errors import LedgerError, UsageError
from service.games.azul import AZUL
from service.limits import quoted
from service.play.bots import let_bots_move
from service.play.evidence import from_store
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import join, open_match
from service.play.moves import replied, take_back
from service.play.players import NewPlayer
from service.play.replay import load
from service.play.simulate import make_plan
from service.records import import_evidence, read_evidence, write_jsonl, write_text
from service.research.arena import make_contest
from service.store.connect import open_store
from service.store.shapes import MatchRow
from tests.bots.conftest import heard
from tests.bots.scripts import moving, script

LISTENING = """
heard = open("heard.jsonl", "a", buffering=1)
def hello(message):
    heard.write(json.dumps(message) + "\\n")
    say(protocol=1)
def move(message):
    heard.write(json.dumps(message) + "\\n")
    say(number=message["number"], index=len(message["actions"]) - 1)
def end(message):
    heard.write(json.dumps(message) + "\\n")
"""


def seated(ledger: LocalLedger, kind: str, game: str = "azul", **keywords: object) -> Live:
    """A match between a bot from outside, who starts, and greedy."""
    players = [NewPlayer("mine", f"bot:{kind}"), NewPlayer("greedy", "bot:greedy")]
    return open_match(ledger, game, players=players, seed=4, **keywords)  # type: ignore[arg-type]


def forfeits(live: Live) -> list[MoveForfeited]:
    return [envelope.event for envelope in live.envelopes if isinstance(envelope.event, MoveForfeited)]


def once(ledger: LocalLedger, kind: str) -> tuple[Live, MoveForfeited]:
    """A match in which a bot was asked for one move and failed; and what the ledger says of it."""
    players = [NewPlayer("mine", f"bot:{kind}"), NewPlayer("Ann")]
    live = replied(ledger, open_match(ledger, "azul", players=players, options={"firstPlayer": "seat:1"}, seed=4))
    (fact,) = forfeits(live)
    return live, fact


class TestPlaying:
    """A program that behaves."""

    @pytest.mark.parametrize("game", ["azul", "master-chocolatier", "summer-pavilion", "coloretto"])
    def test_it_plays_a_match_to_its_end(self, home: LocalLedger, folder: Path, game: str) -> None:
        """It is told what its seat may know, each time, and in the end who won."""
        live = replied(home, seated(home, f"exec:{script(folder, LISTENING)}", game))
        assert live.table.closed is not None
        assert forfeits(live) == []
        assert audit(from_store(home.store, live.id)).is_clean
        tried, hello, *asked, over = heard(folder)
        assert tried == hello, "greeted where it was seated, and again when it is to play"
        rules = live.game.rules
        assert hello == {
            "type": "hello",
            "protocol": 1,
            "game": game,
            "ruleset": rules.ruleset,
            "seat": 1,
            "seats": 2,
            "options": live.opened.options,
            "seconds": 5.0,
        }
        assert [question["number"] for question in asked] == list(range(1, len(asked) + 1))
        assert {frozenset(question) for question in asked} == {frozenset(("type", "number", "view", "actions"))}
        own = [envelope.seq for envelope in live.envelopes if envelope.actor == 1][1:]
        state = live.table_after(own[0] - 1).state
        assert asked[0]["view"] == json.loads(json.dumps(live.game.projection.view(state)))
        written = [live.game.notation.write(action) for action in rules.legal(state, 1)]
        assert [choice["move"] for choice in asked[0]["actions"]] == written
        places = [
            {"seat": place.seat, "rank": place.rank, "score": place.score} for place in live.table.closed.standings
        ]
        assert over == {"type": "end", "reason": "finished", "standings": places}

    @pytest.mark.parametrize(
        "named",
        [
            'index=len(message["actions"]) - 1',
            'move=message["actions"][-1]["move"].lower()',
            'action=message["actions"][-1]["action"]',
        ],
    )
    def test_a_move_can_be_named_in_three_ways(self, home: LocalLedger, folder: Path, named: str) -> None:
        command = script(folder, moving(f"say(number=message['number'], {named})"))
        by_name = replied(home, seated(home, f"exec:{command}"))
        assert forfeits(by_name) == []
        own = next(envelope for envelope in by_name.envelopes[3:] if envelope.actor == 1)
        before = by_name.table_after(own.seq - 1).state
        last = by_name.game.rules.legal(before, 1)[-1]
        assert by_name.game.rules.decide(before, 1, last)[0] == own.event

    def test_what_it_writes_to_its_standard_error_is_nobodys_concern(self, home: LocalLedger, folder: Path) -> None:
        """However much it is: it must not come to a halt because nobody reads it."""
        flood = moving('sys.stderr.write("\\x1b[31m" * 100_000)\nsay(number=message["number"], index=0)')
        assert forfeits(replied(home, seated(home, f"exec:{script(folder, flood)}"))) == []

    def test_it_is_started_where_it_was_seated(
        self, home: LocalLedger, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        live = seated(home, f"exec:{script(folder)}")
        monkeypatch.chdir(tmp_path)
        assert forfeits(replied(home, live)) == []
        assert live.table.closed is not None

    def test_a_name_tells_the_terms(self) -> None:
        assert read_terms("./mine --depth 3") == ProgramTerms("./mine --depth 3", 5.0, "greedy")
        assert read_terms("0.5s:./mine") == ProgramTerms("./mine", 0.5, "greedy")
        assert read_terms("resign:2s:a:b") == ProgramTerms("a:b", 2.0, "resignation")
        assert read_terms("2s:resign:a") == ProgramTerms("a", 2.0, "resignation")


class TestFunctions:
    """A Python function is a program as well."""

    def test_it_is_given_the_same(self, home: LocalLedger, folder: Path) -> None:
        """As plain values; what it prints does not stand between its answers."""
        (folder / "mybots.py").write_text(
            "import json\n"
            "def last(question):\n"
            "    print('thinking', flush=True)\n"
            "    with open('heard.jsonl', 'a') as heard:\n"
            "        heard.write(json.dumps(question) + '\\n')\n"
            "    return question['actions'][-1]\n"
        )
        live = replied(home, seated(home, "module:mybots.last"))
        assert live.table.closed is not None
        assert forfeits(live) == []
        assert set(heard(folder)[0]) == {"game", "ruleset", "seat", "seats", "options", "seconds", "view", "actions"}

    @pytest.mark.parametrize(
        "body, why, said",
        [
            ("raise ValueError('lost')", "died", "ValueError: lost"),
            ("return 1000", "illegal", "1000"),
            ("return '9Z9'", "illegal", '"9Z9"'),
            ("return None", "nonsense", '{"number":1,"index":null,"move":null,"action":null}'),
        ],
    )
    def test_one_that_fails_forfeits(self, home: LocalLedger, folder: Path, body: str, why: str, said: str) -> None:
        (folder / "mybots.py").write_text(f"def bad(question):\n    {body}\n")
        _, fact = once(home, "module:mybots.bad")
        assert fact == MoveForfeited(1, why, "greedy", said)  # type: ignore[arg-type]

    def test_one_that_is_gone_when_it_is_asked_forfeits(self, home: LocalLedger, folder: Path) -> None:
        """It was there when it was seated."""
        vanishing = "import pathlib\npathlib.Path(__file__).write_text('')\ndef clever(question):\n    return 0\n"
        (folder / "mybots.py").write_text(vanishing)
        _, fact = once(home, "module:mybots.clever")
        assert fact.why == "died"
        assert "clever" in fact.said


def seated_once(overrides: str) -> str:
    """A program that answers the greeting where it is seated, and does this when it is started to play."""
    return f"import os\nif os.path.exists('seated'):\n{indent(overrides, '    ')}\nopen('seated', 'w').close()\n"


FAILURES = {
    "ends": (moving("sys.exit(3)"), "died", "exit code 3"),
    "is-killed": (moving("import os; os.kill(os.getpid(), 9)"), "died", "killed by signal 9"),
    "ends-when-it-is-started-again": (seated_once("sys.exit(3)"), "died", "exit code 3"),
    "stumbles": (moving("raise ValueError('\\x1b[2Jgone')"), "died", r"ValueError: \x1b[2Jgone"),
    "closes-its-output": (moving("import os; os.close(1)\nwhile True: pass"), "died", "killed by signal 9"),
    "no-json": (moving("print('\\x1b[2J2B3', flush=True)"), "nonsense", r"\x1b[2J2B3"),
    "no-object": (moving("print([1, 2], flush=True)"), "nonsense", "[1, 2]"),
    "too-deep": (moving("print('[' * 40, flush=True)"), "nonsense", "[" * 40),
    "another-number": (
        moving("say(number=message['number'] - 1, index=0)"),
        "nonsense",
        '{"number":0,"index":0,"move":null,"action":null}',
    ),
    "two-names": (
        moving("say(number=message['number'], index=0, move='2B3')"),
        "nonsense",
        '{"number":1,"index":0,"move":"2B3","action":null}',
    ),
    "no-name": (
        moving("say(number=message['number'])"),
        "nonsense",
        '{"number":1,"index":null,"move":null,"action":null}',
    ),
    "no-end": (moving("while True: sys.stdout.write('x' * 4096)"), "nonsense", "x" * 200),
    "another-protocol": (
        seated_once("def hello(message): say(protocol=2)"),
        "nonsense",
        "protocol 2, not 1",
    ),
    "before-the-first": (moving("say(number=message['number'], index=-1)"), "illegal", "-1"),
    "behind-the-last": (moving("say(number=message['number'], index=10**6)"), "illegal", "1000000"),
    "not-a-move": (moving("say(number=message['number'], move='\\x1b[2J')"), "illegal", r'"\u001b[2J"'),
    "not-legal": (moving("say(number=message['number'], move='CB1')"), "illegal", '"CB1"'),
    "no-action": (
        moving("say(number=message['number'], action={'type': 'azul.win'})"),
        "illegal",
        '{"type":"azul.win"}',
    ),
}


class TestFailing:
    """A program that does not behave forfeits its move, and the ledger says so."""

    @pytest.mark.parametrize("overrides, why, said", FAILURES.values(), ids=FAILURES)
    def test_how_it_can_fail(self, home: LocalLedger, folder: Path, overrides: str, why: str, said: str) -> None:
        live, fact = once(home, f"exec:{script(folder, overrides)}")
        assert (fact.why, fact.follows, fact.said) == (why, "greedy", said)
        before, after = live.envelopes[-2:]
        assert (before.actor, before.event, after.actor, after.step) == ("ledger", fact, 1, before.step + 1)
        assert audit(from_store(home.store, live.id)).is_clean

    @pytest.mark.parametrize(
        "overrides, seconds, said",
        [
            (seated_once("while True: pass"), "0.1", "more than 1 s"),
            (moving("while True: pass"), "1", "more than 1 s"),
        ],
    )
    def test_it_has_only_so_much_time(
        self, home: LocalLedger, folder: Path, overrides: str, seconds: str, said: str
    ) -> None:
        """For a move, and ten times as much to get ready."""
        _, fact = once(home, f"exec:{seconds}s:{script(folder, overrides)}")
        assert (fact.why, fact.said) == ("late", said)

    def test_one_that_reads_nothing_is_late_as_well(self, home: LocalLedger, folder: Path) -> None:
        """Even where what it is told does not fit into any pipe."""
        sleeping = seated_once("os.execvp('sleep', ['sleep', '1000'])")
        _, fact = once(home, f"exec:0.1s:{script(folder, sleeping)}")
        assert (fact.why, fact.said) == ("late", "more than 1 s")

    def test_it_may_do_better_the_next_time(self, home: LocalLedger, folder: Path) -> None:
        """A new process is asked for the next move, and greeted anew."""
        stumbles = """
        import os
        def move(message):
            if not os.path.exists("stumbled"):
                open("stumbled", "w").close()
                raise ValueError
            say(number=message["number"], index=0)
        """
        live = replied(home, seated(home, f"exec:{script(folder, stumbles)}"))
        assert live.table.closed is not None
        assert [fact.why for fact in forfeits(live)] == ["died"]

    def test_it_may_be_agreed_that_it_resigns(self, home: LocalLedger, folder: Path) -> None:
        live = replied(home, seated(home, f"exec:resign:{script(folder, moving('sys.exit()'))}"))
        closed = live.table.closed
        assert closed is not None
        assert (closed.reason, [place.seat for place in closed.standings]) == ("resigned", [2, 1])
        assert forfeits(live) == [MoveForfeited(1, "died", "resignation", "exit code 0")]
        assert audit(from_store(home.store, live.id)).is_clean

    def test_undo_takes_the_move_back_and_not_that_it_was_forfeited(self, home: LocalLedger, folder: Path) -> None:
        """Asked again at the same point, the program may move itself."""
        stumbles = """
        import os
        def move(message):
            if os.path.exists("better"):
                say(number=message["number"], index=0)
            else:
                raise ValueError
        """
        players = [NewPlayer("Ann"), NewPlayer("mine", f"bot:exec:{script(folder, stumbles)}")]
        live = open_match(home, "azul", players=players, options={"firstPlayer": "seat:2"}, seed=4, undo="free")
        live = replied(home, live)
        (fact,) = forfeits(live)
        state = live.table_after(4).state
        take_back(home, live, 2, 1)
        assert forfeits(live) == [fact]
        assert live.game.projection.view(live.table.state) == live.game.projection.view(state)
        (folder / "better").touch()
        live = replied(home, live)
        assert forfeits(live) == [fact]
        assert live.game.projection.to_act(live.table.state) == (1,)
        assert audit(from_store(home.store, live.id)).is_clean

    @pytest.mark.parametrize("write", [write_text, write_jsonl])
    def test_a_record_keeps_it(self, home: LocalLedger, folder: Path, tmp_path: Path, write: object) -> None:
        """In words where there are any, and with the same bytes."""
        kind = f"exec:{script(folder, moving('print(1 / 0)'))}"
        live = replied(home, seated(home, kind))
        evidence = from_store(home.store, live.id)
        record = write(evidence)  # type: ignore[operator]
        path = tmp_path / "record"
        path.write_bytes(record if isinstance(record, bytes) else record.encode())
        if isinstance(record, str):
            assert not any(line.startswith("!") for line in record.splitlines())
            words = " ".join(record.split())
            assert '1:mine forfeits died to greedy said "ZeroDivisionError: division by zero"' in words
        (again,) = read_evidence(path)
        assert [row.data for row in again.rows] == [row.data for row in evidence.rows]
        with open_store(str(tmp_path / "other.db")) as store:
            other = replace(home, store=store)
            import_evidence(other, again)
            assert forfeits(load(other, live.id)) == forfeits(live)
            assert audit(from_store(store, live.id)).is_clean


def by_name(ledger: LocalLedger, name: str) -> Live:
    """A match with this bot, its name read as every door reads it."""
    find_bot(name)
    return seated(ledger, name)


@pytest.mark.parametrize(
    "name, code",
    [
        ("exec:", "bot/command"),
        ("exec:resign:", "bot/command"),
        ("exec:'half", "bot/command"),
        ("exec:''", "bot/command"),
        ("exec:./mine\n", "bot/command"),
        (f"exec:{'x' * 191}", "bot/command"),
        ("exec:0s:./mine", "bot/seconds"),
        ("exec:3601s:./mine", "bot/seconds"),
        ("exec:no-such-program-anywhere", "bot/missing"),
        ("exec:./missing", "bot/missing"),
        ("exec:./script.py", "bot/missing"),
        ("module:clever", "bot/command"),
        ("module:no_such_module.clever", "bot/missing"),
        ("module:a b.c", "bot/command"),
        ("exek:./mine", "bot/unknown"),
    ],
)
def test_what_cannot_be_seated(home: LocalLedger, folder: Path, name: str, code: str) -> None:
    """Nothing is opened, and what was sought is said."""
    (folder / "script.py").write_text("")
    with pytest.raises(UsageError) as refusal:
        by_name(home, name)
    assert refusal.value.code == code
    assert list(home.store.matches()) == []


UNGREETED = {
    "misspelt": ("module:mybots.clevr", "AttributeError: module 'mybots' has no attribute 'clevr'"),
    "no-submodule": ("module:mybots.more.clever", "ModuleNotFoundError: No module named 'mybots.more'"),
    "no-script": ("exec:PYTHON nothing.py", "nothing.py"),
    "no-program-of-ours": ("exec:true", "exit code 0"),
    "late": ("exec:0.01s:sleep 1000", "did not answer the greeting in time: more than 0.1 s"),
    "nonsense": ("exec:echo hello", "did not answer the greeting as the protocol says: hello"),
    "another-protocol": ("exec:echo '{\"protocol\": 2}'", "as the protocol says: protocol 2, not 1"),
}


@pytest.mark.parametrize("name, said", UNGREETED.values(), ids=UNGREETED)
def test_what_does_not_answer_is_not_seated(home: LocalLedger, folder: Path, name: str, said: str) -> None:
    """Nor does it play: greedy would play for it, and win."""
    (folder / "mybots.py").write_text("def clever(question):\n    return 0\n")
    name = name.replace("PYTHON", sys.executable)
    begun: list[Callable[[], object]] = [
        lambda: by_name(home, name),
        lambda: join(home, open_match(home, "azul", seats=2), NewPlayer("mine", f"bot:{name}")),
        lambda: make_plan("azul", None, {}, [name, "greedy"], 0),
        lambda: make_contest("azul", None, {}, ["greedy", name], 2, 0),
    ]
    for begin in begun:
        with pytest.raises(UsageError) as refusal:
            begin()
        assert refusal.value.code == "bot/greeting"
        assert quoted(name.partition(":")[2].removeprefix("0.01s:")) in refusal.value.message
        assert said in refusal.value.message
        assert not may_play(name)
    (joined,) = home.store.matches()
    assert isinstance(joined, MatchRow)
    assert joined.head.seq == 1, "the match that was to be joined, as it was"


class TestConsent:
    """A program plays where somebody at this machine has seated it, and nowhere else."""

    MARK = 'open("started", "w").close()'

    def test_a_ledger_that_runs_no_programs_seats_none(self, ledger: LocalLedger, folder: Path) -> None:
        """Such as the one of the service: and it tells nobody which programs there are."""
        for command in (script(folder, self.MARK), "./missing"):
            with pytest.raises(LedgerError) as refusal:
                seated(ledger, f"exec:{command}")
            assert refusal.value.code == "bot/outside"
        assert not (folder / "started").exists()

    def test_nor_lets_one_move(self, home: LocalLedger, ledger: LocalLedger, folder: Path) -> None:
        players = [NewPlayer("mine", f"bot:exec:{script(folder, self.MARK)}"), NewPlayer("greedy", "bot:greedy")]
        live = open_match(home, "azul", players=players, options={"firstPlayer": "seat:1"})
        (folder / "started").unlink()  # it was, where it was seated
        head = live.head
        assert replied(ledger, live).head == head
        assert not (folder / "started").exists()
        assert replied(home, live).table.closed is not None

    def test_a_record_of_a_stranger_starts_nothing(self, home: LocalLedger, folder: Path, tmp_path: Path) -> None:
        """Importing, auditing and playing on; until somebody here seats that program himself."""
        kind = f"exec:{script(folder, self.MARK)}"
        players = [NewPlayer("Ann"), NewPlayer("mine", f"bot:{kind}")]
        live = open_match(home, "azul", players=players, options={"firstPlayer": "seat:2"}, chance_mode="recorded")
        (folder / "started").unlink()
        record = write_text(from_store(home.store, live.id))
        assert f"bot:{kind}" in record
        (tmp_path / "record.mlr").write_text(record)
        with open_store(str(tmp_path / "other.db")) as store, closing(Programs()) as programs:
            mine = replace(home, store=store, programs=programs)
            assert may_play(kind)
            for known in (tmp_path / "keys" / "programs").iterdir():
                known.unlink()
            (evidence,) = read_evidence(tmp_path / "record.mlr")
            import_evidence(mine, evidence)
            imported = load(mine, live.id)
            assert imported.seats[2].kind == f"bot:{kind}"
            assert audit(from_store(store, live.id)).is_clean
            let_bots_move(mine, imported)
            assert not (folder / "started").exists()
            assert not may_play(kind)
            seated(mine, kind)
            assert may_play(kind)

    @pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}", b'{"name": "exec:./other", "folder": "/"}', b"\xff"])
    def test_what_nobody_here_wrote_is_no_consent(self, folder: Path, tmp_path: Path, damage: bytes) -> None:
        kind = f"exec:{script(folder)}"
        welcome(kind, Occasion(AZUL, 2, {}), 1)
        assert may_play(kind)
        (kept,) = (tmp_path / "keys" / "programs").iterdir()
        kept.write_bytes(damage)
        assert not may_play(kind)
