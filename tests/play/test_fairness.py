"""Every seat has a share in the draws, and what a match's draws are worth is said in words."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from service.audit import audit
from service.play import fairness
from service.play.appending import Call
from service.play.evidence import from_store
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, join, open_match
from service.play.moves import deal as deal_in_words
from service.play.players import NewPlayer
from service.play.replay import load
from tests.conftest import TWO, finish

BOT = NewPlayer("Ada", kind="bot:greedy")
NONE = "no seat contributed a nonce: whoever made the secret could choose among secrets before the match"


class TestShares:
    """Who sits down as a person in a fair match gets a nonce, unless they brought one."""

    def test_everybody_who_opens_a_match_or_joins_it(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 4, players=(NewPlayer("Ann"), NewPlayer("Ben", nonce="my own"), BOT))
        join(ledger, live, NewPlayer("Cleo"))
        assert live.table.nonces == {1: "nonce00001", 2: "my own", 3: "", 4: "nonce00002"}
        assert fairness.contributed(live.table) == [1, 2, 4]
        assert load(ledger, live.id).table.nonces == live.table.nonces

    def test_one_that_is_brought_along_to_a_free_seat(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 3, players=(NewPlayer("Ann"),))
        join(ledger, live, NewPlayer("Ben", nonce="any text"))
        join(ledger, live, BOT)
        assert live.table.nonces == {1: "nonce00001", 2: "any text", 3: ""}

    @pytest.mark.parametrize("chance", [{"seed": 7}, {"chance_mode": "recorded"}], ids=["seeded", "recorded"])
    def test_a_seed_says_it_all_and_recorded_chance_needs_none(
        self, ledger: LocalLedger, chance: dict[str, object]
    ) -> None:
        live = open_match(ledger, "azul", 3, players=TWO, **chance)  # type: ignore[arg-type]
        join(ledger, live, NewPlayer("Cleo"))
        assert live.table.nonces == {1: "", 2: "", 3: ""}

    def test_a_fork_keeps_what_there_was(self, ledger: LocalLedger) -> None:
        live = finish(ledger, open_match(ledger, "azul", players=(NewPlayer("Ann"), BOT)))
        for mode in ("same-draws", "resample", "recorded"):
            assert fork(ledger, live, 5, chance_mode=mode).table.nonces == live.table.nonces

    def test_a_repeated_join_is_the_first_one(self, ledger: LocalLedger) -> None:
        """What was drawn for the seat is no part of what the caller sent."""
        live = open_match(ledger, "azul", 2, players=TWO[:1])
        first = join(ledger, live, NewPlayer("Ben"), call=Call(command="sit down"))
        again = join(ledger, load(ledger, live.id), NewPlayer("Ben"), call=Call(command="sit down"))
        assert (again.repeated, again.first_seq, again.last_seq) == (True, first.first_seq, first.last_seq)

    def test_it_is_128_bits_and_never_the_same(self, ledger: LocalLedger) -> None:
        drawn = {LocalLedger(ledger.store).new_nonce() for _ in range(100)}
        assert len(drawn) == 100
        assert {len(bytes.fromhex(nonce)) for nonce in drawn} == {16}

    def test_other_nonces_make_other_draws(self, ledger: LocalLedger) -> None:
        same = replace(ledger, new_secret=lambda: b"s" * 32)
        deals = {str(open_match(same, "azul", players=TWO).envelopes[-1].event) for _ in range(4)}
        assert len(deals) == 4


class TestWords:
    """Which seats contributed, and what follows when none did."""

    @pytest.mark.parametrize(
        "players, said",
        [
            (TWO, "seats 1 and 2 contributed a nonce"),
            ((BOT, *TWO), "seats 2 and 3 contributed a nonce"),
            ((BOT, TWO[0]), "seat 2 contributed a nonce"),
            ((BOT, BOT), NONE),
        ],
    )
    def test_a_full_table(self, ledger: LocalLedger, players: tuple[NewPlayer, ...], said: str) -> None:
        live = open_match(ledger, "azul", players=players)
        assert fairness.words(live.table) == said
        report = audit(from_store(ledger.store, live.id))
        assert report["draws"].why == f"the match is open and its secret hidden; 2 draws possible; {said}"
        finish(ledger, live)
        report = audit(from_store(ledger.store, live.id))
        assert report["draws"].why == f"{live.table.draws} draws derived again from the secret; {said}"

    def test_free_seats(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 3, players=TWO[:1])
        assert fairness.words(live.table) == "so far seat 1 contributed a nonce"
        live = open_match(ledger, "azul", 3, players=[BOT])
        assert fairness.words(live.table) == "so far no seat contributed a nonce"
        abandon(ledger, live)
        assert fairness.words(live.table) == NONE

    @pytest.mark.parametrize(
        "seed, said",
        [
            (7, "the seed 7 is easy to guess, and whoever guessed it knew every draw"),
            (-7, "the seed -7 is easy to guess, and whoever guessed it knew every draw"),
            (2**64 - 1, f"the seed {2**64 - 1} is easy to guess, and whoever guessed it knew every draw"),
            (2**64, "whoever knew the seed knew every draw"),
            (10**4000, "whoever knew the seed knew every draw"),
        ],
        ids=["small", "negative", "largest-small", "smallest-large", "large"],
    )
    def test_a_seed_can_be_guessed(self, ledger: LocalLedger, azul: Callable[..., Live], seed: int, said: str) -> None:
        """How large it is, is told when it is public."""
        live = azul(seed=seed)
        now = "whoever knows or guesses the seed knows every draw, and a small one is easy to guess"
        assert fairness.words(live.table) == now
        abandon(ledger, live)
        assert fairness.words(live.table) == said
        assert audit(from_store(ledger.store, live.id))["draws"].why == f"2 draws derived again from the secret; {said}"

    def test_a_nonce_does_not_mend_a_seed(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", players=(NewPlayer("Ann", nonce="x"), NewPlayer("Ben")), seed=7)
        abandon(ledger, live)
        assert fairness.contributed(live.table) == [1]
        assert fairness.words(live.table) == (
            "seat 1 contributed a nonce; the seed 7 is easy to guess, and whoever guessed it knew every draw"
        )

    def test_recorded_chance_has_nothing_to_steer(self, ledger: LocalLedger) -> None:
        players = (NewPlayer("Ann", nonce="x"), NewPlayer("Ben"))
        live = open_match(ledger, "azul", players=players, chance_mode="recorded")
        deal_in_words(ledger, live, "2")
        assert (fairness.contributed(live.table), fairness.words(live.table)) == ([], "")

    @pytest.mark.parametrize("chance", [{}, {"seed": 7}], ids=["fair", "seeded"])
    def test_nobody_contributes_to_a_fork(
        self, ledger: LocalLedger, azul: Callable[..., Live], chance: dict[str, object]
    ) -> None:
        """The nonces were known before a new secret was made; the same draws were public altogether."""
        parent = finish(ledger, azul(**chance))
        said = {
            "resample": "no seat contributed a new nonce: "
            "whoever made the secret could choose among secrets before the fork",
            "same-draws": f"the draws repeat those of match {parent.id}, which were public before this match began",
            "recorded": "",
        }
        for mode, words in said.items():
            child = fork(ledger, parent, 5, chance_mode=mode)
            assert (fairness.contributed(child.table), fairness.words(child.table)) == ([], words)
            if words:
                abandon(ledger, child)
                report = audit(from_store(ledger.store, child.id))
                assert report["draws"].why == f"0 draws derived again from the secret, 2 inherited; {words}"
