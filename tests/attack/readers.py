"""Fuzz of all that reads what others wrote: valid samples changed by lot, and only results and refusals."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count, islice
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final, NamedTuple

from service.audit import audit
from service.errors import LedgerError
from service.games.shelf import GAMES
from service.play.history import History, of_evidence
from service.play.moves import legal_moves, near_misses, read_move
from service.questions.inquiry import compared
from service.records import read_evidence, write_jsonl, write_text
from service.records.imports import check_evidence
from service.records.validate import validate
from service.shell.commands.audit import ask
from service.shell.terminal.words import read_options
from service.trust.arbiters import read_arbiters
from service.trust.folder import load_arbiter_key
from service.trust.keys import read_public
from service.trust.receipts import read_receipt
from service.trust.statements import is_genuine
from tests.attack.verdicts import Outcome, traceback
from tests.attack.victim import Victim
from tests.signing import STRANGER

PATIENCE: Final = 60
"""Seconds that one input may take in a long campaign; what takes longer hangs."""
_JUNK: Final = (
    b"9" * 5000, b"[" * 5000, b"{" * 500, b" " * 2000, b"\t" * 200, b"\0", b"\xff\xfe", b"\x1b[2J", "\u202e".encode(),
    b"\r\n", b"\n\n\n", b'"', b"\\", b"\\u0000", b"\\ud800", b"-1", b"1e999", b"NaN", b"null", b"{}", b"[]", b"true",
    b"0x1", b"=", b"@+", b"#00000000", b";", b"!", b"\xc2\xa0", "é".encode(), "𝟡".encode(), b"../../x",
    b"999999999999", b"0001-01-01T00:00:00+14:00", b"9999-12-31T23:59:59-14:00", b"undo", b"redo", b"deal", b"x" * 3000,
)  # fmt: skip


class Target(NamedTuple):
    """Something that reads, with samples of what it reads."""

    name: str
    samples: Sequence[bytes]
    read: Callable[[Path, bytes], object]
    """Given the bytes in a file and by themselves."""


class _Hang(BaseException):
    """An input that takes too long; no reader may catch it."""


def fuzzed(victim: Victim, rng: Random, most: int | None = None, *, watches: bool = False) -> Iterator[Outcome]:
    """Changed samples of all kinds in turn; with `watches`, one that takes too long counts as a traceback."""
    targets = _targets(victim)
    path = victim.folder / "fuzzed"
    for number in islice(count(), most):
        target = targets[number % len(targets)]
        data = mutated(rng.choice(target.samples), target.samples, rng)
        kind, what = f"reader: {target.name}", repr(data if len(data) < 300 else data[:300])
        path.write_bytes(data)
        path.chmod(0o600)
        try:
            with _watched(watches):
                target.read(path, data)
        except LedgerError as refusal:
            yield Outcome(kind, what, "named", refusal.code)
        except (Exception, _Hang) as error:
            (victim.folder / f"broke-{target.name.replace(' ', '-')}-{number}").write_bytes(data)
            yield traceback(kind, what, error)
        else:
            yield Outcome(kind, what, "harmless")


def mutated(data: bytes, samples: Sequence[bytes], rng: Random) -> bytes:
    """A sample with one or a few things done to it."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5))):
        size = max(1, len(data))
        start, length = rng.randrange(size), rng.choice((1, 1, 2, 8, 40, 400))
        match rng.randrange(9):
            case 0:
                data = data[:start] + bytes([rng.randrange(256)]) + data[start + 1 :]
            case 1:
                data = data[:start] + data[start + length :]
            case 2:
                data = data[:start] + data[start : start + length] * rng.choice((2, 3, 50)) + data[start + length :]
            case 3 | 4:
                data = data[:start] + rng.choice(_JUNK) + data[start + rng.choice((0, 0, 1, length)) :]
            case 5:
                other = rng.choice(samples)
                place = rng.randrange(max(1, len(other)))
                data = data[:start] + other[place : place + length] + data[start:]
            case 6:
                other = rng.choice(samples)
                data = data[:start] + other[rng.randrange(max(1, len(other))) :]
            case 7:
                lines = data.split(b"\n")
                rng.shuffle(lines)
                data = b"\n".join(lines)
            case 8:
                lines = data.split(b"\n")
                n = rng.randrange(len(lines))
                lines[n] = lines[n] * rng.choice((0, 2, 20))
                data = b"\n".join(lines)
        data = data[:200_000]
    return data


def _targets(victim: Victim) -> list[Target]:
    root = Path(__file__).parents[2]
    records = [path.read_bytes() for path in victim.exports]
    examples = root / "docs" / "examples"
    finished = of_evidence(read_evidence(victim.exports[0])[0])
    table = [path.read_bytes() for path in sorted(examples.glob("*-table.mlr"))]
    papers = [path.read_bytes() for path in sorted((root / "docs" / "papers").glob("*.csv"))]
    histories = _histories(examples)
    key = STRANGER.public.encode()
    return [
        Target("text records", [data for data in records if data[:1] == b"["], _read_record),
        Target("JSON lines", [data for data in records if data[:1] == b"{"], _read_record),
        Target("table records", table, _read_record),
        Target("papers", [*papers, b"round,1,2\n1,5,3\nend,20,30\n", b"gain;Ann;Ben\n1;+5;-3\n"], _paper(finished)),
        Target("claims", [b"1=54", b"Ann=20", "2=\N{MINUS SIGN}3".encode()], _claims(finished)),
        Target("receipts", [path.read_bytes() for path in victim.receipts.values()], _read_receipt),
        Target("private keys", [STRANGER.private_text], lambda path, data: load_arbiter_key(path)),
        Target("public keys", [key, key.upper() + b"\n"], _read_public),
        Target("arbiters", [key + b" Cleo\n# a list\n" + key + b"\n"], lambda path, data: read_arbiters(path)),
        Target("options", [b"maxRounds=3", b"boardSide=free"], lambda path, data: read_options([_text(data)])),
        Target("moves", [move.encode() for history in histories for move in _moves(history)], _read_moves(histories)),
    ]


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _read_record(path: Path, data: bytes) -> None:
    """Whatever reads, everything that is done with records must cope with."""
    for evidence in read_evidence(path):
        audit(evidence, [STRANGER.public], receipts=list(evidence.signatures)[:1])
        write_text(evidence)
        write_jsonl(evidence)
        with suppress(LedgerError):
            check_evidence(evidence)
        with suppress(LedgerError):
            validate(evidence)


def _paper(history: History) -> Callable[[Path, bytes], object]:
    return lambda path, data: compared(history, ask(history, (), path))


def _claims(history: History) -> Callable[[Path, bytes], object]:
    return lambda path, data: compared(history, ask(history, [_text(data)], None))


def _read_receipt(path: Path, data: bytes) -> None:
    is_genuine(read_receipt(path))


def _read_public(path: Path, data: bytes) -> None:
    read_public(str(path))
    read_public(_text(data))


def _histories(examples: Path) -> list[History]:
    """A match of every game, somewhere in the middle of it."""
    found = []
    for game in GAMES:
        history = of_evidence(read_evidence(examples / f"{game.key}.mlr")[0])
        found.append(history.at(f"s{history.timeline.done[len(history.timeline.done) // 3]}"))
    return found


def _seat(history: History) -> int:
    """A seat that may act: the first, where several may."""
    return next(iter(history.game.projection.to_act(history.table.state)), 1)


def _moves(history: History) -> list[str]:
    return list(legal_moves(history, _seat(history)))[:20] + [move for move, _ in history.game.notation.examples]


def _read_moves(histories: Sequence[History]) -> Callable[[Path, bytes], object]:
    def read(path: Path, data: bytes) -> None:
        text = _text(data)
        for history in histories:
            seat = _seat(history)
            near_misses(history, seat, text)
            with suppress(LedgerError):
                read_move(history, seat, text)

    return read


@contextmanager
def _watched(is_on: bool) -> Iterator[None]:
    def give_up(number: int, frame: FrameType | None) -> None:
        raise _Hang(f"after {PATIENCE} seconds")

    if not is_on:
        yield
        return
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
