"""The ledger that is attacked: real matches under a real key, receipts kept outside, and what an honest one says."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from service.audit.bulk import AuditTerms, audit_all
from service.disputes.cases import open_dispute, rule
from service.games.shelf import find_game
from service.play.evidence import from_store
from service.play.fork import fork
from service.play.ledger import LocalLedger
from service.play.matches import abandon, open_match, resign
from service.play.notary import given, take_over
from service.play.players import NewPlayer
from service.play.replay import load
from service.play.simulate import as_append, make_plan, playout, stated
from service.records import import_evidence, read_evidence, write_jsonl, write_text
from service.records.signatures import vouched
from service.store.connect import open_store
from service.trust.folder import key_folder_at, load_server_key, rotate
from service.trust.keys import Key
from service.trust.receipts import make_receipt, read_receipt, write_receipt
from service.trust.statements import Statement
from tests.audit.matches import TO_THE_END, play
from tests.conftest import make_ledger
from tests.disputes.people import CLEO, closed_match

PEOPLE = (NewPlayer("Ann", nonce="Ann's share"), NewPlayer("Ben", nonce="Ben's share"))


class Victim(NamedTuple):
    """A ledger and everything its keeper and its players have of it."""

    database: str
    folder: Path
    """What lies outside: receipts and exports."""
    keys: Path
    key: Key
    """What the ledger signs with, for attacks by its owner."""
    former: Key
    """What it signed with before, for whoever may have stolen that."""
    matches: dict[str, str]
    """The ids by what the matches are."""
    receipts: dict[str, Path]
    """Files that players kept, by when they were given."""
    exports: tuple[Path, ...]

    def receipt(self, name: str) -> Statement:
        """What a receipt says."""
        statement = read_receipt(self.receipts[name])
        assert isinstance(statement, Statement)
        return statement


@contextmanager
def victim_at(database: str, folder: Path, seed: int = 0) -> Iterator[Victim]:
    """A ledger in this empty database with all kinds of matches in it; its keys are those of the process meanwhile."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        friends = _friends_match(folder, seed)
        stack.enter_context(key_folder_at(folder / "keys"))
        with open_store(database) as store:
            victim = _fill(make_ledger(store), database, folder, friends, Random(seed))
        for batch in audit_all(database, AuditTerms()):
            assert batch.is_clean, [report.findings for report in batch.findings]
        yield victim


def _friends_match(folder: Path, seed: int) -> Path:
    """A match of somebody else's ledger, signed with its key, in a file."""
    (folder / "friend").mkdir(parents=True)
    with key_folder_at(folder / "friend" / "keys"), open_store(str(folder / "friend" / "ledger.db")) as store:
        made, ids = make_ledger(store), count(1)
        ledger = LocalLedger(store, made.clock, made.new_secret, lambda: f"other{next(ids):05}", made.notary)
        live = open_match(ledger, "azul", 2, players=PEOPLE, options={"maxRounds": "1"})
        play(ledger, live, TO_THE_END, Random(seed))
        path = folder / "friend" / "match.mlr"
        path.write_text(write_text(vouched(ledger, from_store(store, live.id)).evidence), encoding="utf-8")
        return path


def _fill(ledger: LocalLedger, database: str, folder: Path, friends: Path, rng: Random) -> Victim:
    matches: dict[str, str] = {}
    receipts: dict[str, Path] = {}

    def keep_receipt(name: str, match: str) -> None:
        assert ledger.notary is not None
        statement = given(ledger.notary, ledger.store, from_store(ledger.store, match), ledger.clock())
        receipts[name] = folder / f"{name}.receipt.json"
        receipts[name].write_bytes(write_receipt(make_receipt(statement, "")))

    finished = open_match(ledger, "azul", 2, players=PEOPLE, options={"maxRounds": "2"}, undo="free")
    play(ledger, finished, TO_THE_END, rng)
    matches["finished"] = finished.id
    keep_receipt("early", finished.id)

    under_way = open_match(ledger, "summer-pavilion", 2, players=PEOPLE)
    play(ledger, under_way, 6, rng)
    matches["under way"] = under_way.id
    keep_receipt("under way", under_way.id)
    play(ledger, under_way, 4, rng)

    resigned = open_match(ledger, "coloretto", 3, players=(*PEOPLE, NewPlayer("Cleo")), chance_mode="seeded", seed=7)
    play(ledger, resigned, 12, rng)
    resign(ledger, resigned, 2)
    matches["resigned"] = resigned.id

    former = load_server_key()
    rotate()
    assert ledger.notary is not None
    take_over(ledger.notary, ledger.store, former.public, ledger.clock())

    forked = fork(ledger, load(ledger, finished.id), finished.timeline.done[4])
    play(ledger, forked, 5, rng)
    abandon(ledger, forked)
    matches["forked"] = forked.id

    disputed = closed_match(ledger, seed=3)
    open_dispute(ledger, disputed, 1, "The last row was mine.")
    rule(ledger, disputed, 1, CLEO, rules=["AZ-46"], reason="It was.", adjust=[(1, 2, "AZ-46")])
    matches["disputed"] = disputed.id

    (evidence,) = read_evidence(friends)
    matches["imported"] = import_evidence(ledger, evidence).id

    plan = make_plan("azul", 2, {"maxRounds": "1"}, ["random"], 0)
    game = find_game("azul")
    append = stated(ledger.notary, as_append(game, plan, 5, playout(game, plan, 5), ledger.clock()))
    ledger.store.append(append)
    matches["between bots"] = append.match

    waiting = open_match(ledger, "master-chocolatier", 2, players=PEOPLE[:1])
    matches["waiting"] = waiting.id

    exports = []
    for name in ("finished", "under way", "disputed", "imported"):
        evidence = vouched(ledger, from_store(ledger.store, matches[name])).evidence
        for data, ending in ((write_text(evidence).encode(), "mlr"), (write_jsonl(evidence), "jsonl")):
            exports.append(folder / f"{name}.{ending}")
            exports[-1].write_bytes(data)
    keep_receipt("late", disputed.id)
    play(ledger, under_way, 3, rng)  # nothing is stated about these yet
    return Victim(database, folder, folder / "keys", load_server_key(), former, matches, receipts, tuple(exports))
