"""The contract every game keeps. A new game is tested by being in GAMES; it cannot be left out."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events.chain import Chain, Row
from events.codec import Fact, decode, decode_facts, encode
from events.core import CHANCE, Actor, Envelope, Event, ScoreLine, Standing
from events.match import MatchOpened
from projections.core import Names
from projections.fold import fold
from projections.scoresheet import scoresheet
from projections.story import sentence
from service.bots.kinds import KINDS
from service.errors import IllegalAction
from service.games.core import Action, Outcome
from service.games.game import Game, plain_name
from service.games.shelf import GAMES, by_ruleset, find_game, known_games, on_the_shelf
from service.play.history import said
from service.play.simulate import as_append, make_plan, playout
from service.store.shapes import LAST
from tests.golden import LOGS
from tests.shelf import (
    EXAMPLES,
    GREEDY,
    MIXED,
    PLAIN,
    RANDOM,
    SHAPES,
    Shape,
    any_action,
    any_outcome,
    check_counts,
    check_standings,
    each_game,
    each_shape,
    insistent,
    shapes_of,
    turns,
)

pytestmark = pytest.mark.usefixtures("examples_on_the_shelf")


@each_shape
def test_playouts_end_and_keep_invariants_points_and_counts(shape: Shape) -> None:
    """After every event of matches between random, greedy and mixed players, and such as insist."""
    game = shape.game
    for seed, bots in enumerate([RANDOM, MIXED, *([] if shape.options else [GREEDY]), *insistent(shape)]):
        state = shape.initial
        whole = dict(game.projection.invariants(state))
        start = list(game.projection.scores(state))
        ledger = Counter[int]()
        for turn in turns(shape, seed, bots):
            state = turn.state
            for event in turn.events:
                after = game.projection.copy(state)
                game.projection.apply[type(event)](after, event)
                assert dict(game.projection.invariants(after)) == whole, event
                for line in event.scores:
                    ledger[line.seat] += line.applied
                    assert line.applied == line.requested or abs(line.applied) < abs(line.requested), line
                expected = [score + ledger[seat] for seat, score in enumerate(start, start=1)]
                assert list(game.projection.scores(after)) == expected, event
                check_standings(game, after)
                state = after
            check_counts(game, state)


@each_shape
def test_legal_is_exactly_what_decide_accepts(shape: Shape) -> None:
    game = shape.game
    areas = game.rules.areas or (game.key,)
    rng = Random(shape.id)
    for number, turn in enumerate(chain(*(turns(shape, 7, bots) for bots in (RANDOM, *insistent(shape))))):
        state = turn.state
        to_act = game.projection.to_act(state)
        legal = {seat: list(game.rules.legal(state, seat)) for seat in range(1, shape.seats + 1)}
        for seat, actions in legal.items():
            assert bool(actions) == (seat in to_act)
            assert len(set(actions)) == len(actions), "an action is listed twice"
            for action in actions if number % 7 == 0 else rng.sample(actions, min(3, len(actions))):
                assert game.rules.decide(state, seat, action)
        for _ in range(20):
            seat, action = rng.randint(0, shape.seats + 1), any_action(game, rng)
            refusal = _refusal(game, state, seat, action)
            assert (refusal is None) == (action in legal.get(seat, [])), f"{action} by seat {seat}: {refusal}"
            if refusal is not None:
                assert refusal.code.partition("/")[0] in areas
                assert refusal.rule.partition("-")[2]
                assert refusal.message


@each_shape
def test_to_enact_is_to_decide_and_fold(shape: Shape) -> None:
    rng = Random(shape.id)
    for game in (shape.game, *(replace(shape.game, rules=rules) for rules in shape.game.other_rules)):
        rules, projection = game.rules, game.projection
        if rules.enact is None:
            continue
        for turn in turns(shape, 11):
            others: Actor = rng.randint(0, shape.seats + 1)
            for actor, action in ((turn.actor, turn.action), (others, any_action(game, rng))):
                folded, enacted = projection.copy(turn.state), projection.copy(turn.state)
                refusal = _refusal(game, folded, actor, action)
                if refusal is not None:
                    with pytest.raises(IllegalAction, match=re.escape(refusal.message)):
                        rules.enact(enacted, actor, action)
                    assert enacted == turn.state
                    continue
                events = rules.decide(folded, actor, action)
                for event in events:
                    projection.apply[type(event)](folded, event)
                assert rules.enact(enacted, actor, action) == events
                assert enacted == folded


@settings(max_examples=60)
@given(data=st.data())
def test_adversarial_play_never_breaks_a_game(data: st.DataObject) -> None:
    """Whatever anybody sends, in whatever order: refused with the state untouched, or a fact like any other."""
    shape = data.draw(st.sampled_from(SHAPES))
    game = shape.game
    rng = Random(data.draw(st.integers(0, 2**32)))
    state = shape.initial
    whole = dict(game.projection.invariants(state))
    for turn in turns(shape, rng.randrange(2**32)):
        state = game.projection.copy(turn.state)
        if rng.random() < 0.05:
            break
    for _ in range(30):
        before = game.projection.copy(state)
        actor = rng.choice([CHANCE, *range(shape.seats + 2)])
        action = any_outcome(game.rules.request(state), rng) if actor == CHANCE else any_action(game, rng)
        try:
            events = game.rules.decide(state, actor, action)
        except IllegalAction:
            events = []
        assert state == before
        for event in events:
            game.projection.apply[type(event)](state, event)
        assert dict(game.projection.invariants(state)) == whole


@each_shape
def test_every_prefix_folds_to_the_state_reached_step_by_step(shape: Shape) -> None:
    game = shape.game
    envelopes = _whole_match(shape, 3)
    state = shape.initial
    for length in range(1, len(envelopes) + 1):
        event = envelopes[length - 1].event
        if type(event) in game.projection.apply:
            game.projection.apply[type(event)](state, event)
        assert fold(game.projection, envelopes[:length]).state == state


@each_shape
def test_events_survive_their_bytes(shape: Shape) -> None:
    envelopes = _whole_match(shape, 4)
    rows = [encode(envelope) for envelope in envelopes]
    assert [decode(row) for row in rows] == envelopes
    assert [encode(decode(row)) for row in rows] == rows
    assert decode_facts(rows) == [Fact(envelope.step, envelope.event) for envelope in envelopes]


@each_shape
def test_moves_read_as_they_are_written(shape: Shape) -> None:
    notation, rules = shape.game.notation, shape.game.rules
    read = set[Action]()
    for turn in turns(shape, 5):
        if isinstance(turn.action, Outcome):
            request = rules.request(turn.state)
            assert request is not None
            assert (
                notation.read_outcome(notation.write_outcome(request, turn.action), turn.state, request) == turn.action
            )
            continue
        assert isinstance(turn.actor, int)
        for action in rules.legal(turn.state, turn.actor):
            if action not in read:  # a move is written and read without the table it is made at
                text = notation.write(action)
                assert notation.read(text) == action
                assert notation.read(f" {text.lower()} ") == action
                read.add(action)


@each_shape
def test_events_tell_which_action_led_to_them(shape: Shape) -> None:
    notation = shape.game.notation
    for turn in turns(shape, 9):
        if isinstance(turn.action, Outcome):
            assert [notation.recall_outcome(event) for event in turn.events if event.by_chance] == [turn.action]
        else:
            assert notation.recall(turn.state, turn.events) == turn.action


@each_shape
def test_every_event_has_a_sentence_and_every_point_a_reason(shape: Shape) -> None:
    envelopes = _whole_match(shape, 6)
    projection = shape.game.projection
    for envelope in envelopes:
        text = sentence(projection, envelope.event, Names())
        assert text.endswith("."), text
        assert "{" not in text
    entries = scoresheet(projection, envelopes)
    lines = [line for envelope in envelopes for line in envelope.event.scores]
    assert len(entries) == len(lines)
    final = list(projection.scores(fold(projection, envelopes).state))
    base = list(projection.scores(shape.initial))
    assert [
        base[seat - 1] + sum(e.applied for e in entries if e.seat == seat) for seat in range(1, shape.seats + 1)
    ] == final


@each_game
def test_every_event_type_of_a_game_is_applied_and_told(game: Game) -> None:
    assert set(game.projection.apply) == set(game.projection.story) == set(game.events)
    tags = [kind.__struct_config__.tag for kind in game.events]
    assert len(set(tags)) == len(tags)


@each_game
def test_every_variant_worth_naming_is_possible_at_some_table(game: Game) -> None:
    played = [shape.options for shape in shapes_of(game)]
    assert [variant for variant in game.variants if dict(variant) not in played] == []


@each_game
def test_every_kind_of_point_has_its_words(game: Game) -> None:
    given = {line.reason for shape in shapes_of(game) for turn in turns(shape, 0) for line in _lines(turn.events)}
    assert given <= set(game.projection.reasons)
    assert given, "nobody ever scored"
    projection = game.projection
    assert {*projection.subjects, *projection.sums, *projection.slips} <= set(projection.reasons)


@pytest.mark.parametrize("bot", [kind.examples[0] for kind in KINDS.values() if not kind.is_outside])
@each_game
def test_bots_are_deterministic_for_a_seed(game: Game, bot: str) -> None:
    plan = make_plan(game.key, None, {}, [bot], 0)
    assert playout(game, plan, 1).steps == playout(game, plan, 1).steps


@each_game
def test_another_seed_is_another_match(game: Game) -> None:
    plan = make_plan(game.key, None, {}, ["random"], 0)
    assert playout(game, plan, 1).steps != playout(game, plan, 2).steps


@each_game
def test_greedy_wins_more_than_its_share(game: Game) -> None:
    """Alone among random bots, sitting in every seat equally often."""
    seats = next((number for number in game.rules.seats if number > 1), 0)
    if not seats:
        pytest.skip("nobody to win against")
    won = matches = 0.0
    for seat in range(seats):
        bots = ["greedy" if place == seat else "random" for place in range(seats)]
        plan = make_plan(game.key, seats, {}, bots, 0)
        for seed in range(20):
            winners = [place.seat for place in _winners(game, playout(game, plan, seed).state)]
            won += (seat + 1 in winners) / max(1, len(winners))
            matches += 1
    assert won * seats > matches


PROCESSES = (
    ("1", "UTC", "C"),
    ("2", "Asia/Tokyo", "tr_TR.UTF-8"),
    ("3", "America/Lima", "POSIX"),
    ("4", "UTC", "de_DE"),
)


@pytest.mark.parametrize("hash_seed, zone, locale", PROCESSES)
def test_a_match_is_the_same_whatever_the_process(hash_seed: str, zone: str, locale: str) -> None:
    """Promise 1: neither hash seed nor time zone nor locale reaches a fold."""
    code = "from tests.test_shelf import digest_of_everything; print(digest_of_everything())"
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": locale}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, cwd=LOGS.parent.parent
    )
    assert done.stdout.strip() == digest_of_everything()


@each_game
def test_golden_logs_still_replay(game: Game) -> None:
    """Logs are only ever added: today's code reads every one and reaches the scores it was stored with.

    Every ruleset has one, and so has every kind of event that a table of this game writes, or nobody would notice when
    its stored shape changes.
    """
    kinds, rulesets = set(), set()
    for log in sorted((LOGS / game.key).glob("*.jsonl")):
        rows = log.read_bytes().splitlines()
        expected = json.loads(rows[0])
        envelopes = said(Chain(log.stem, [Row(seq, row, b"") for seq, row in enumerate(rows[1:], start=1)]))
        opened = envelopes[0].event
        assert isinstance(opened, MatchOpened)
        table = fold(by_ruleset(opened.ruleset).projection, envelopes)
        assert list(game.projection.scores(table.state)) == expected["scores"], log.name
        view = json.dumps(game.projection.view(table.state)).encode()
        assert hashlib.sha256(view).hexdigest() == expected["view"], log.name
        kinds |= {type(envelope.event) for envelope in envelopes}
        rulesets.add(opened.ruleset)
    assert {rules.ruleset for rules in (game.rules, *game.other_rules)} - rulesets == set()
    written = {type(event) for shape in shapes_of(game) for turn in turns(shape, 0) for event in turn.events}
    assert written - kinds == set()


def digest_of_everything() -> str:
    """A digest over everything a fold shows of a match of every game and seat count; runs in other processes too."""
    text = ""
    with on_the_shelf(*EXAMPLES):
        for shape in PLAIN:
            envelopes = _whole_match(shape, 11)
            table = fold(shape.game.projection, envelopes)
            text += json.dumps(shape.game.projection.view(table.state))
            text += "".join(sentence(shape.game.projection, envelope.event, Names()) for envelope in envelopes)
    return hashlib.sha256(text.encode()).hexdigest()


def _whole_match(shape: Shape, seed: int) -> list[Envelope]:
    plan = make_plan(shape.game.key, shape.seats, shape.options, ["random"], 0)
    append = as_append(shape.game, plan, seed, playout(shape.game, plan, seed), datetime(2026, 1, 2, tzinfo=UTC))
    return [decode(row.data) for row in append.rows]


def _refusal(game: Game, state: object, actor: Actor, action: Action) -> IllegalAction | None:
    try:
        game.rules.decide(state, actor, action)
    except IllegalAction as refusal:
        return refusal
    return None


def _lines(events: Iterable[Event]) -> Iterator[ScoreLine]:
    return (line for event in events for line in event.scores)


def _winners(game: Game, state: object) -> list[Standing]:
    return [place for place in game.projection.standings(state) if place.rank == 1]


def test_no_two_games_go_by_one_name() -> None:
    """A word stands for one game, and never for the match that moved last."""
    known = Counter(name for game in known_games() for name in set(game.names))
    assert [name for name, games in known.items() if games > 1 or name == LAST] == []
    for game in known_games():
        assert [plain_name(name) for name in game.names] == game.names
        assert all(find_game(word) is game for name in game.names for word in (name, name.upper(), game.title))


def test_a_game_is_found_by_its_key_and_its_rulesets_without_the_others() -> None:
    for game in GAMES:
        assert GAMES.get(game.key) is game
        assert all(by_ruleset(rules.ruleset).rules is rules for rules in (game.rules, *game.other_rules))
