"""Rulesets no new match is opened under: what was opened under them is played, forked, recorded and audited by them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from events.azul import GameEnded
from events.match import MatchOpened
from service.audit import audit
from service.games.azul.tiling import has_open_cell
from service.games.core import Rules
from service.games.game import Game
from service.games.shelf import GAMES, by_ruleset, rulesets
from service.play import chance
from service.play.bots import let_bots_move
from service.play.dealing import Secret
from service.play.evidence import from_store
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import open_match, start
from service.play.players import NewPlayer
from service.play.replay import load
from service.play.simulate import as_append, make_plan, playout, stated
from service.records import import_evidence, read_evidence, write_text
from service.records.validate import validate
from tests.audit.matches import rehashed
from tests.conftest import move

OLDER = tuple((game, rules) for game in GAMES for rules in game.other_rules)
PAST_DEAD = {
    "azul/1": (6649, 26, {"boardSide": "grey", "maxRounds": "29"}),
    "master-chocolatier/1": (681, 21, {"boardSide": "brown", "specialFactories": "on", "maxRounds": "24"}),
}
"""Matches of two random bots: the seed, the round that ends dead (AZ-95), and options by which the match ends later."""
each_past_dead = pytest.mark.parametrize("ruleset", PAST_DEAD)


def past_dead(ledger: LocalLedger, ruleset: str) -> Live:
    """A stored match that went on after a round that ended dead."""
    game = by_ruleset(ruleset)
    seed, _, options = PAST_DEAD[ruleset]
    plan = make_plan(game.key, 2, options, ["random"], 0)
    assert ledger.notary is not None
    append = as_append(game, plan, seed, playout(game, plan, seed), datetime(2026, 1, 2, tzinfo=UTC))
    append = stated(ledger.notary, append)
    ledger.store.append(append)
    return load(ledger, append.match)


def dead_at(live: Live) -> int:
    """The last event of the round that ended dead; the next one is the deal of another round."""
    _, last_round, _ = PAST_DEAD[live.game.rules.ruleset]
    return next(envelope.seq for envelope in live.envelopes if envelope.event.round > last_round) - 1


@pytest.mark.parametrize("game, rules", OLDER, ids=lambda one: getattr(one, "ruleset", ""))
def test_an_older_ruleset_is_whole_and_nothing_new_is_opened_under_it(
    ledger: LocalLedger, game: Game, rules: Rules
) -> None:
    assert rules.ruleset in rulesets()
    assert by_ruleset(rules.ruleset).rules is rules
    assert open_match(ledger, game.key, game.rules.seats[0]).game.rules.ruleset == game.rules.ruleset != rules.ruleset
    changed = {name for name in Rules.__struct_fields__ if getattr(rules, name) != getattr(game.rules, name)}
    assert changed == {"ruleset", "decide", "enact"}, "an older ruleset says where it differs, and shares the rest"


@each_past_dead
def test_a_match_that_went_on_past_a_dead_position_is_clean(ledger: LocalLedger, ruleset: str) -> None:
    live = past_dead(ledger, ruleset)
    evidence = from_store(ledger.store, live.id)
    ends = [envelope.event for envelope in live.envelopes if isinstance(envelope.event, GameEnded)]
    assert [event.reason for event in ends] == ["rounds"]
    assert audit(evidence).is_clean
    # The same match under the rules of today breaks off where the game should have ended.
    newer = ruleset.replace("/1", "/2").encode()
    opening, *rest = (row.data for row in evidence.rows)
    report = audit(rehashed(evidence, [opening.replace(ruleset.encode(), newer), *rest], signatures=()))
    assert report["facts"].seq == dead_at(live) + 1
    assert '"reason":"dead"' in report["facts"].why


@each_past_dead
def test_its_record_names_the_rules_and_comes_back_the_same(ledger: LocalLedger, ruleset: str, tmp_path: Path) -> None:
    live = past_dead(ledger, ruleset)
    path = tmp_path / "match.mlr"
    path.write_text(write_text(from_store(ledger.store, live.id)), encoding="utf-8")
    assert f'[Ruleset "{ruleset}"]' in path.read_text(encoding="utf-8")
    [evidence] = read_evidence(path)
    assert validate(evidence).ruleset == ruleset
    assert import_evidence(ledger, evidence).head == live.head, "harmless, because it is the very same match"


@each_past_dead
def test_a_fork_keeps_the_rules_and_goes_on_in_a_dead_position(ledger: LocalLedger, ruleset: str) -> None:
    parent = past_dead(ledger, ruleset)
    child = fork(ledger, parent, parent.envelopes[dead_at(parent)].step)
    assert child.game.rules.ruleset == child.table.opened.ruleset == ruleset
    begun = child.table.state.round
    move(ledger, child, 25)
    assert child.table.state.round > begun, "another dead round has ended, and the game has not"
    assert audit(from_store(ledger.store, child.id)).is_clean


def test_bots_seated_in_a_dead_match_give_it_up(ledger: LocalLedger) -> None:
    """Seed 908 without an agreed last round: nothing can end this match of `azul/1`."""
    game = by_ruleset("azul/1")
    plan = make_plan("azul", 2, {"boardSide": "grey"}, ["random"], 0)
    secret = Secret(chance.secret_from_seed(908), "908")
    opened = MatchOpened(
        game="azul",
        ruleset="azul/1",
        seats=2,
        options=dict(plan.options),
        undo="free",
        chance="seeded",
        commitment=chance.commitment(secret.secret),
    )
    bots = [NewPlayer("Ann", "bot:random"), NewPlayer("Ben", "bot:random")]
    live = start(ledger, game, opened, secret, bots, playout(game, plan, 908).steps[:400])
    assert not any(has_open_cell(board) for board in live.table.state.boards)
    assert let_bots_move(ledger, live, patience=60) == 60
    assert live.table.closed is not None
    assert (live.table.closed.reason, live.table.closed.standings) == ("abandoned", ())
