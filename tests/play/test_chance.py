"""Chance against its published recipe (docs/fairness.md), written here a second time from the words alone."""

import hashlib
import hmac
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.codec import encode
from events.match import MatchClosed, MatchOpened, SeatTaken
from projections.story import sentence
from service.audit import audit
from service.errors import IllegalAction
from service.games.azul import AZUL
from service.games.core import Outcome, Request, Stage, check_drawn
from service.play import chance
from service.play.dealing import Secret
from service.play.evidence import from_store
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import open_match, start
from service.play.players import NewPlayer
from service.play.replay import load
from service.store.connect import open_store
from tests.audit.matches import envelopes_of, rehashed
from tests.audit.test_verdicts import failed, find, with_event
from tests.conftest import TWO, finish, make_ledger, move
from tests.play.test_matches import refused

FAIRNESS = Path(__file__).parents[2] / "docs" / "fairness.md"
Recipe = Sequence[Any]
"""A stage as docs/fairness.md writes it: `[adds, draws]`, with a third part `true` where pieces go back."""
VECTORS, VECTORS_2 = map(json.loads, re.findall(r"```json\n(.*?)```", FAIRNESS.read_text(encoding="utf-8"), re.DOTALL))


def context_by_the_book(derivation: int, match: str, ruleset: str, entropy: bytes) -> bytes:
    """What the message of every draw begins with, as step 4 has it."""
    label = b"matchledger draw 2\n" + match.encode() + b"\n" + ruleset.encode() + b"\n"
    return {1: b"", 2: label}[derivation] + entropy


def by_the_book(secret: bytes, context: bytes, draw: int, stages: Sequence[Recipe]) -> list[int]:
    """Steps 4 to 7 of the recipe, done the slow way: pieces lined up one by one."""
    numbers: list[int] = []
    block = 0
    pieces: list[int] = []
    drawn: list[int] = []
    for adds, draws, *replaced in stages:
        pieces = sorted(pieces + [kind for kind, count in enumerate(adds) for _ in range(count)])
        for _ in range(draws):
            while True:
                if not numbers:
                    message = context + draw.to_bytes(8, "big") + block.to_bytes(4, "big")
                    data = hmac.new(secret, message, hashlib.sha256).digest()
                    numbers = [int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4)]
                    block += 1
                number = numbers.pop(0)
                if number < 2**32 - 2**32 % len(pieces):
                    break
            position = number % len(pieces)
            drawn.append(pieces[position] if replaced == [True] else pieces.pop(position))
    return drawn


def test_published_vectors() -> None:
    assert chance.commitment(bytes.fromhex(VECTORS["secret"])) == VECTORS["commitment"]
    assert chance.secret_from_seed(7).hex() == VECTORS["secret_of_seed_7"]


@pytest.mark.parametrize("vectors", [VECTORS, VECTORS_2], ids=["derivation-1", "derivation-2"])
def test_published_draws(vectors: dict[str, Any]) -> None:
    secret, entropy = bytes.fromhex(vectors["secret"]), bytes.fromhex(vectors["entropy"])
    match, ruleset = vectors.get("match", ""), vectors.get("ruleset", "")
    derivation = vectors.get("derivation", 1)
    assert chance.entropy_of(vectors["nonces"]) == entropy
    opened = MatchOpened("azul", ruleset, 2, {}, "strict", "fair", derivation=derivation)
    context = chance.context_of(match, opened, dict(enumerate(vectors["nonces"], start=1)))
    assert context == context_by_the_book(derivation, match, ruleset, entropy)
    assert vectors.get("first_message", (context + bytes(12)).hex()) == (context + bytes(12)).hex()
    for draw in (0, 1):
        expected = vectors[f"draw_{draw}_numbers"]
        stream = chance.words(secret, context, draw)
        assert [next(stream) for _ in expected] == expected
    for case in vectors["outcomes"]:
        request = Request("case", tuple(Stage(tuple(adds), *rest) for adds, *rest in case["stages"]))
        assert list(chance.answer(secret, context, case["draw"], request).drawn) == case["drawn"]
        assert by_the_book(secret, context, case["draw"], case["stages"]) == case["drawn"]


stages = st.lists(
    st.tuples(st.lists(st.integers(0, 9), min_size=3, max_size=3), st.floats(0, 1), st.booleans()),
    min_size=1,
    max_size=4,
)


@given(secret=st.binary(max_size=70), draw=st.integers(0, 500), parts=stages)
@example(secret=b"a key longer than a block of the hash" * 2, draw=0, parts=[([1, 1, 1], 1, False)])
@example(secret=b"more than are lined up", draw=1, parts=[([3, 700, 400], 0.1, False), ([9, 0, 9], 0.02, True)])
@example(secret=b"more than are lined up", draw=2, parts=[([9, 0, 9], 0.5, False), ([3, 700, 400], 0.1, False)])
def test_every_draw_follows_the_recipe(secret: bytes, draw: int, parts: list[tuple[list[int], float, bool]]) -> None:
    left, recipes = 0, []
    for adds, share, replaced in parts:
        left += sum(adds)
        draws = int(left * share)
        left -= draws * (not replaced)
        recipes.append((adds, draws, replaced))
    request = Request("x", tuple(Stage(tuple(adds), draws, replaced) for adds, draws, replaced in recipes))
    answer = chance.answer(secret, b"e" * 32, draw, request)
    assert list(answer.drawn) == by_the_book(secret, b"e" * 32, draw, recipes)
    check_drawn(request, answer, "x", "X-1", ["a", "b", "c"])


DICE = Request("throw", (Stage((1,) * 6, 3, replaced=True),))
FACES = ("1", "2", "3", "4", "5", "6")


def test_dice_may_show_the_same_face_and_every_face_alike() -> None:
    thrown = [chance.answer(b"s" * 32, b"", draw, DICE).drawn for draw in range(2000)]
    faces = Counter(face for throw in thrown for face in throw)
    assert all(abs(faces[face] - 1000) < 120 for face in range(6)), faces
    triples = sum(len(set(throw)) == 1 for throw in thrown)
    assert 30 < triples < 85, "one in 36 throws is three of a kind"


@pytest.mark.parametrize(
    "request_, drawn, code, message",
    [
        (DICE, (5, 5), "x-count", "The throw has 3 results, not 2."),
        (DICE, (0, 6, 0), "x-pool", "Result 2 of the throw cannot be 7; choose from: 1, 2, 3, 4, 5, 6."),
        (DICE, (0, 0, -1), "x-pool", "Result 3 of the throw cannot be 0; choose from: 1, 2, 3, 4, 5, 6."),
        (Request("die", (Stage((1, 0, 1, 0, 1, 0), 1, True),)), (1,), "x-pool", "The die cannot be 2: there is none."),
        (Request("deal", (Stage((1, 1), 2),)), (0, 0), "x-pool", "Piece 2 of the deal cannot be 1: none is left."),
        (Request("deal", (Stage((1, 1), 2),)), (0,), "x-count", "The deal has 2 pieces, not 1."),
        (None, (), "x-unasked", "Nothing is to be drawn now."),
    ],
)
def test_impossible_outcomes_are_refused_in_words(
    request_: Request | None, drawn: tuple[int, ...], code: str, message: str
) -> None:
    with pytest.raises(IllegalAction) as refusal:
        check_drawn(request_, Outcome(drawn), "x", "X-1", FACES)
    assert (refusal.value.code, refusal.value.message) == (code, message)
    check_drawn(DICE, Outcome((5, 5, 5)), "x", "X-1", FACES)


def test_numbers_that_would_favour_a_piece_are_rejected() -> None:
    """With 3·2³⁰ pieces a quarter of all numbers must be passed over, or kind 0 would come up twice as often."""
    size = 2**30
    request = Request("x", (Stage((size, size, size), 1),))
    drawn = Counter(chance.answer(b"s" * 32, b"", draw, request).drawn[0] for draw in range(3000))
    assert all(abs(count - 1000) < 120 for count in drawn.values()), drawn
    rejected = sum(next(chance.words(b"s" * 32, b"", draw)) >= 3 * size for draw in range(3000))
    assert rejected > 600


def test_the_number_behind_a_rejected_one_decides() -> None:
    size = 2**30
    request = Request("x", (Stage((size, size, size), 1),))
    for draw in range(40):
        number = next(number for number in chance.words(b"s" * 32, b"", draw) if number < 3 * size)
        assert chance.answer(b"s" * 32, b"", draw, request).drawn == (number // size,)


def test_a_pool_may_have_more_kinds_than_a_line() -> None:
    kinds = (0,) * 299 + (2,)
    assert chance.answer(b"s" * 32, b"", 0, Request("x", (Stage(kinds, 2),))).drawn == (299, 299)


def test_nonces_cannot_be_shifted_between_seats() -> None:
    splits = (["ab", "c"], ["a", "bc"], ["abc", ""], ["", "abc"], ["abc"])
    assert len({chance.entropy_of(nonces) for nonces in splits}) == len(splits)


def test_a_closed_match_proves_every_draw(ledger: LocalLedger) -> None:
    """Everything needed to check the draws is in the events: commitment, derivation, nonces, secret."""
    players = (NewPlayer("Ann", nonce="ann was here"), NewPlayer("Ben", nonce="žluťoučký"))
    live = finish(ledger, open_match(ledger, "azul", 2, players=players))
    envelopes = load(ledger, live.id).envelopes
    opened, closed = envelopes[0].event, envelopes[-1].event
    assert isinstance(opened, MatchOpened)
    assert isinstance(closed, MatchClosed)
    secret = bytes.fromhex(closed.secret)
    assert chance.commitment(secret) == opened.commitment
    entropy = chance.entropy_of([e.event.nonce for e in envelopes if isinstance(e.event, SeatTaken)])
    assert opened.derivation == 2
    context = context_by_the_book(2, live.id, "azul/2", entropy)
    state = AZUL.projection.initial(2, opened.options)
    draws = 0
    for envelope in envelopes:
        event = envelope.event
        if event.by_chance:
            request = AZUL.rules.request(state)
            assert request is not None
            recipes = [(stage.adds, stage.draws, stage.replaced) for stage in request.stages]
            derived = Outcome(tuple(by_the_book(secret, context, draws, recipes)))
            assert AZUL.rules.decide(state, "chance", derived) == [event]
            draws += 1
        if type(event) in AZUL.projection.apply:
            AZUL.projection.apply[type(event)](state, event)
    assert draws == live.table.draws > 5


def test_nonces_change_the_draws(ledger: LocalLedger) -> None:
    deals = set()
    for nonce in ("", "x"):
        live = open_match(
            ledger, "azul", 2, players=(NewPlayer("Ann", nonce=nonce), NewPlayer("Ben")), chance_mode="seeded", seed=1
        )
        deals.add(str(live.envelopes[-1].event))
    assert len(deals) == 2


def test_seeds_repeat_and_fair_matches_do_not(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    seeded = [azul(chance_mode="seeded", seed=3).envelopes[-1].event for _ in range(2)]
    fair = [azul().envelopes[-1].event for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert fair[0] != fair[1]


def test_draws_are_counted_not_timed(ledger: LocalLedger, azul: Callable[..., Live]) -> None:
    live = azul()
    assert live.table.draws == 2
    move(ledger, live, 3)
    assert live.table.draws == 2


class TestDerivation:
    """What draws are bound to, which a match pins when it opens."""

    def test_fair_draws_are_bound_to_the_match(self, tmp_path: Path, migrated_file: Path) -> None:
        deals = []
        for name in ("one", "two"):
            with open_store(str(shutil.copy(migrated_file, tmp_path / f"{name}.db"))) as store:
                same = replace(make_ledger(store), new_secret=lambda: b"s" * 32, new_id=partial(str, name))
                players = [NewPlayer("Ann", nonce="a"), NewPlayer("Ben", nonce="b")]
                deals.append(open_match(same, "azul", players=players).envelopes[-1].event)
        assert deals[0] != deals[1]

    def test_a_seed_gives_the_same_draws_in_every_match_as_it_always_did(self, azul: Callable[..., Live]) -> None:
        one, two = (azul(seed=7) for _ in range(2))
        assert one.opened.derivation == two.opened.derivation == 1
        assert one.envelopes[-1].event == two.envelopes[-1].event
        assert sentence(AZUL.projection, one.envelopes[-1].event, one.names) == (
            "Round 1 was dealt: WBKW KYRR RYWB WKBW YKKW. Ann starts."
        )

    def test_recorded_chance_derives_nothing(self, azul: Callable[..., Live]) -> None:
        assert azul(chance_mode="recorded").opened.derivation == 1

    def test_a_match_of_derivation_1_goes_on_with_it(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        """As every match did that was opened before there was another."""
        opened = msgspec.structs.replace(azul().opened, derivation=1)
        secret = Secret(b"s" * 32)
        opened = msgspec.structs.replace(opened, commitment=chance.commitment(secret.secret))
        live = finish(ledger, start(ledger, AZUL, opened, secret, TWO))
        assert b"derivation" not in ledger.store.rows(live.id)[0].data
        assert audit(from_store(ledger.store, live.id)).findings == []
        pinned = with_event(from_store(ledger.store, live.id), 1, msgspec.structs.replace(opened, derivation=2))
        assert failed(audit(pinned)).keys() == {"draws"}

    def test_one_nobody_knows_is_refused_by_name(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        opened = msgspec.structs.replace(azul().opened, derivation=3)
        with refused("match/derivation") as refusal:
            start(ledger, AZUL, opened, Secret(b"s" * 32), TWO)
        why = "its draws follow by derivation 3, which is not known here, only 1 and 2."
        assert refusal.value.message == f"Match match00002: {why}"
        evidence = from_store(ledger.store, finish(ledger, azul()).id)
        _, event = find(evidence, MatchOpened)
        report = audit(with_event(evidence, 1, msgspec.structs.replace(event, derivation=3)))
        assert failed(report) == {"draws": 1}
        assert report["draws"].why == f"It says that {why}"

    def test_a_match_under_another_name_is_found_out(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        """The same events told again as another match: nothing but the draws can tell."""
        evidence = from_store(ledger.store, finish(ledger, azul()).id)
        renamed = [msgspec.structs.replace(envelope, match="another") for envelope in envelopes_of(evidence)]
        copied = rehashed(msgspec.structs.replace(evidence, match="another"), [encode(e) for e in renamed])
        assert failed(audit(copied)).keys() == {"draws"}
