"""The life of a match through the ledger: opening, joining, acting, closing, and every refusal on the way."""

from collections.abc import Callable

import pytest

from events.azul import DisplaysFilled, StartDrawn
from events.core import CHANCE, LEDGER
from events.match import MatchClosed, MatchOpened, SeatResigned, SeatTaken
from projections.fold import fold
from service.errors import Conflict, IllegalAction, LedgerError, NotFound, Refused, UsageError
from service.games.azul.rules import DraftTiles
from service.games.core import Outcome
from service.play.appending import Call
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, act, deal, join, open_match, rematch, resign
from service.play.players import NewPlayer, read_players
from service.play.replay import load
from service.store.shapes import Appended
from tests.conftest import THREE, TWO, finish, move

DEAL = Outcome(tuple(index % 5 for index in range(20)))


def refused(code: str) -> "pytest.RaisesExc[LedgerError]":
    return pytest.RaisesExc(LedgerError, check=lambda error: error.code == code)


def test_opening_seats_everybody_and_sets_the_table_up(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 3, players=THREE)
    kinds = [(type(envelope.event), envelope.step, envelope.actor) for envelope in live.envelopes]
    assert kinds == [
        (MatchOpened, 1, LEDGER),
        (SeatTaken, 2, 1),
        (SeatTaken, 3, 2),
        (SeatTaken, 4, 3),
        (StartDrawn, 5, CHANCE),
        (DisplaysFilled, 5, CHANCE),
    ]
    assert load(ledger, live.id).table == live.table
    assert live.table.opened.options["boardSide"] == "coloured"


def test_the_last_to_join_sets_the_table_up(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 3, players=TWO)
    assert live.table.status == "open"
    with refused("match/not-started"):
        act(ledger, live, 1, DraftTiles(1, 0, 1))
    with refused("match/seat-taken"):
        join(ledger, live, NewPlayer("Cleo"), seat=2)
    join(ledger, live, NewPlayer("Cleo", nonce="my share"), seat=3)
    assert live.table.status == "playing"
    assert live.table.state.phase == "draft"
    assert live.table.nonces == {1: "nonce00001", 2: "nonce00002", 3: "my share"}
    with refused("match/full"):
        join(ledger, live, NewPlayer("Dora"))
    assert [row.name for row in ledger.store.seats(live.id)] == ["Ann", "Ben", "Cleo"]


@pytest.mark.parametrize(
    "keywords, chance, undo",
    [
        ({}, "fair", "strict"),
        ({"seed": 4}, "seeded", "strict"),
        ({"chance_mode": "recorded"}, "recorded", "free"),
        ({"chance_mode": "recorded", "undo": "consent"}, "recorded", "consent"),
    ],
)
def test_what_is_usual_unless_said_otherwise(
    ledger: LocalLedger, keywords: dict[str, object], chance: str, undo: str
) -> None:
    opened = open_match(ledger, "azul", players=THREE, **keywords).opened  # type: ignore[arg-type]
    assert (opened.seats, opened.chance, opened.undo) == (3, chance, undo)


@pytest.mark.parametrize(
    "keywords, code",
    [
        ({"key": "azull"}, "game/unknown"),
        ({"seats": 5}, "match/seats"),
        ({"options": {"boardside": "grey"}}, "match/option"),
        ({"options": {"boardSide": "gray"}}, "match/option-value"),
        ({"options": {"firstPlayer": "seat:3"}}, "match/option-value"),
        ({"undo": "sometimes"}, "match/undo-policy"),
        ({"chance_mode": "dice"}, "match/chance"),
        ({"chance_mode": "seeded"}, "match/seed"),
        ({"seed": 4, "chance_mode": "fair"}, "match/seed"),
        ({"seed": 4, "chance_mode": "recorded"}, "match/seed"),
        ({"players": THREE}, "match/players"),
        ({"players": (NewPlayer("Ann", nonce="x" * 65),)}, "match/nonce"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_stored(
    ledger: LocalLedger, keywords: dict[str, object], code: str
) -> None:
    with refused(code) as refusal:
        open_match(ledger, **{"key": "azul", "seats": 2, **keywords})  # type: ignore[arg-type]
    assert isinstance(refusal.value, UsageError)
    assert list(ledger.store.matches()) == []


def test_a_step_is_appended_with_everything_that_follows(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    live = azul()
    while live.table.state.round == 1:
        move(ledger, live)
    step = live.step_entries(live.head.step)
    assert isinstance(step[-1].event, DisplaysFilled)
    assert {envelope.actor for envelope in step} == {step[0].actor, CHANCE}
    assert live.game.rules.request(live.table.state) is None


def test_a_refused_action_appends_nothing(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    live = azul()
    before = ledger.store.rows(live.id)
    seat = live.table.state.turn
    with pytest.raises(IllegalAction):
        act(ledger, live, 3 - seat, DraftTiles(1, 0, 1))
    with refused("match/seat"):
        act(ledger, live, 3, DraftTiles(1, 0, 1))
    assert ledger.store.rows(live.id) == before


def test_a_finished_game_closes_the_match_in_the_same_step(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    live = finish(ledger, azul())
    closed = live.envelopes[-1].event
    assert isinstance(closed, MatchClosed)
    assert closed.reason == "finished"
    assert closed.standings == live.table.state.standings
    assert len(live.step_entries(live.head.step)) > 1
    assert ledger.store.find(live.id).status == "closed"
    attempts: list[Callable[[], Appended]] = [
        lambda: act(ledger, live, 1, DraftTiles(1, 0, 1)),
        lambda: deal(ledger, live),
        lambda: resign(ledger, live, 1),
        lambda: abandon(ledger, live),
        lambda: join(ledger, live, NewPlayer("Eve")),
    ]
    for attempt in attempts:
        with refused("match/closed"):
            attempt()


def test_resigning_puts_the_seat_last_and_ranks_the_others_by_score(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 3, players=THREE, options={"maxRounds": "3"}, chance_mode="seeded", seed=4)
    while live.table.state.round < 3:
        move(ledger, live, seed=live.head.seq)
    scores = list(live.game.projection.scores(live.table.state))
    best = scores.index(max(scores)) + 1
    resign(ledger, live, best)
    closed = live.table.closed
    assert closed is not None
    assert closed.reason == "resigned"
    assert (closed.standings[-1].seat, closed.standings[-1].rank) == (best, 3)
    assert [place.score for place in closed.standings[:-1]] == sorted(
        (score for seat, score in enumerate(scores, start=1) if seat != best), reverse=True
    )
    assert isinstance(live.step_entries(live.head.step)[0].event, SeatResigned)


def test_abandoning_leaves_no_result(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    live = azul()
    abandon(ledger, live)
    assert live.table.closed is not None
    assert live.table.closed.standings == ()
    assert live.table.closed.secret


class TestRecordedChance:
    """A match at a real table: the draws come from outside, as actions of chance."""

    def opened(self, ledger: LocalLedger) -> Live:
        return open_match(ledger, "azul", 2, players=TWO, chance_mode="recorded", undo="free")

    def test_draws_are_entered_and_checked(self, ledger: LocalLedger) -> None:
        live = self.opened(ledger)
        assert live.table.opened.commitment == ""
        with refused("match/awaiting-chance"):
            act(ledger, live, 1, DraftTiles(1, 0, 1))
        with refused("match/outcome"):
            deal(ledger, live)
        with refused("azul/start-pool"):
            deal(ledger, live, Outcome((2,)))
        deal(ledger, live, Outcome((1,)))
        with refused("azul/deal-count"):
            deal(ledger, live, Outcome((0, 1, 2)))
        deal(ledger, live, DEAL)
        assert live.table.state.turn == 2
        with refused("match/nothing-to-deal"):
            deal(ledger, live, DEAL)
        move(ledger, live)
        assert ledger.store.secret(live.id) is None

    def test_other_chance_takes_no_outcome_from_outside(self, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 2, players=TWO, confirm_reveals=True)
        while live.game.projection.to_act(live.table.state):
            move(ledger, live)
        with refused("match/outcome"):
            deal(ledger, live, DEAL)


def test_reveals_wait_for_a_word_where_the_table_agreed_so(ledger: LocalLedger) -> None:
    """AZ-93: the last pick of a round can still be undone before the next deal."""
    live = open_match(ledger, "azul", 2, players=TWO, confirm_reveals=True)
    assert live.table.state.phase == "draft", "the opening deal waits for nobody"
    while live.game.projection.to_act(live.table.state):
        move(ledger, live)
    with refused("match/awaiting-chance"):
        act(ledger, live, 1, DraftTiles(1, 0, 1))
    deal(ledger, live)
    assert live.table.state.round == 2
    assert live.envelopes[-1].actor == CHANCE


class TestGuards:
    """Expected heads and command ids: nothing is lost, nothing happens twice."""

    def test_a_stale_head_is_a_conflict(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul()
        old = load(ledger, live.id)
        move(ledger, live)
        seat = old.table.state.turn
        action = old.game.rules.legal(old.table.state, seat)[0]
        with pytest.raises(Conflict):
            act(ledger, old, seat, action)
        with pytest.raises(Conflict, match=f"event {live.head.seq} now"):
            act(ledger, live, 3 - seat, action, Call(expected=old.head.seq))
        assert load(ledger, live.id).head == live.head

    def test_a_repeated_command_gives_the_first_outcome(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul()
        seat = live.table.state.turn
        action = live.game.rules.legal(live.table.state, seat)[0]
        first = act(ledger, live, seat, action, Call(expected=live.head.seq, command="once"))
        again = act(ledger, load(ledger, live.id), seat, action, Call(expected=first.first_seq - 1, command="once"))
        assert (again.first_seq, again.last_seq, again.repeated) == (first.first_seq, first.last_seq, True)
        assert load(ledger, live.id).head == live.head

    def test_a_command_id_is_not_for_two_things(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        live = azul()
        seat = live.table.state.turn
        one, other = live.game.rules.legal(live.table.state, seat)[:2]
        act(ledger, live, seat, one, Call(command="once"))
        with refused("store/command-reused"):
            act(ledger, load(ledger, live.id), seat, other, Call(command="once"))


def test_what_is_shown_was_stored_before(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    """A match in hand moves on only after the commit: a lost race leaves it as it was."""
    live = azul()
    mine = load(ledger, live.id)
    move(ledger, live)
    before = fold(mine.game.projection, mine.envelopes)
    with pytest.raises(Conflict):
        move(ledger, mine)
    assert mine.table == before


def test_unknown_matches_are_named(ledger: LocalLedger) -> None:
    with pytest.raises(NotFound, match="zzz"):
        load(ledger, "zzz")


def test_prefixes_find_a_match_if_they_are_unique(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    one, two = azul(), azul()
    assert load(ledger, two.id).id == two.id
    assert load(ledger, "last").id == two.id
    with pytest.raises(Refused, match=one.id):
        load(ledger, "match")


def test_a_rematch_has_the_same_players_and_agreements_but_no_seed(ledger: LocalLedger) -> None:
    players = (NewPlayer("Ann"), NewPlayer("Ada", kind="bot:greedy"))
    live = open_match(ledger, "azul", 2, players=players, chance_mode="seeded", seed=7, undo="free")
    again = rematch(live)
    assert (again.players, again.options, again.undo) == (["Ann", "Ada=bot:greedy"], live.opened.options, "free")
    assert (again.chance, again.seed) == (None, None)


def test_in_a_rematch_whose_name_was_forgotten_is_called_by_the_seat(ledger: LocalLedger) -> None:
    live = open_match(ledger, "azul", 2, players=(NewPlayer("Ann"), NewPlayer("Ada", kind="bot:greedy")))
    for seat in (1, 2):
        ledger.store.rename(live.id, seat, "")
    again = rematch(load(ledger, live.id))
    assert again.players == ["Seat 1", "Seat 2=bot:greedy"]
    assert [player.name for player in read_players(again.players)] == ["Seat 1", "Seat 2"]
