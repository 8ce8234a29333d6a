"""Signatures are stored with the step they sign, or by themselves, once each."""

import msgspec
import pytest

from service.errors import Damaged, LedgerError, Refused
from service.store import Signature, Store
from service.store.columns import signature_row
from tests.store.steps import START, new_match, opened, step_after


def signature(match: str = "m1", count: int = 3, key: str = "cd") -> Signature:
    return Signature(match, count, "ab" * 32, key * 32, "ef" * 64)


def test_a_hand_in_the_table_is_named() -> None:
    """SQLite keeps any kind of value in any column; one that is no signature is damage, and of no other match."""
    with pytest.raises(
        Damaged, match=r"Match m1: the cell signature.head_hash holds 'text', which is not bytes."
    ) as told:
        signature_row("m1", (3, b"\xcd", "text", 7))
    assert (told.value.code, told.value.match) == ("store/cell", "m1")


def test_a_step_is_stored_with_its_signatures_or_not_at_all(store: Store) -> None:
    head = opened(store, "m1")
    both = [signature(count=6), signature(count=6, key="dd")]
    step = msgspec.structs.replace(step_after("m1", head), signatures=both)
    store.append(step)
    assert store.signatures("m1") == both
    with pytest.raises(LedgerError):
        store.append(step)
    late = msgspec.structs.replace(step_after("m1", step.head), signatures=[signature(key="d")])
    with pytest.raises(LedgerError) as refused:
        store.append(late)
    assert refused.value.code in ("store/signature", "store/constraint")
    assert len(store.rows("m1")) == 6
    assert store.signatures("m1") == both


def test_a_stale_step_leaves_no_signature(store: Store) -> None:
    head = opened(store, "m1")
    store.append(step_after("m1", head))
    stale = msgspec.structs.replace(step_after("m1", head, said="late"), signatures=[signature(count=6)])
    with pytest.raises(Refused):
        store.append(stale)
    assert store.signatures("m1") == []


def test_signing_twice_is_signing_once(store: Store) -> None:
    opened(store, "m1")
    opened(store, "m2")
    store.sign([signature(), signature("m2")], START)
    store.sign([signature(), signature(count=2)], START)
    assert store.signatures("m1") == [signature(count=2), signature()]
    assert store.signatures_of(["m1", "m2", "m3"]) == {
        "m1": [signature(count=2), signature()],
        "m2": [signature("m2")],
        "m3": [],
    }


@pytest.mark.parametrize(
    "broken",
    [
        signature("nowhere"),
        signature(count=0),
        signature(key="c"),
        Signature("m1", 3, "no hex", "cd" * 32, "ef" * 64),
        Signature("m1", 3, "ab" * 32, "cd" * 32, "ef" * 63),
    ],
    ids=["match", "count", "key", "head", "signature"],
)
def test_what_is_no_signature_of_a_stored_match_is_refused(store: Store, broken: Signature) -> None:
    opened(store, "m1")
    with pytest.raises(LedgerError):
        store.sign([broken], START)
    assert store.signatures("m1") == []


def test_matches_can_be_gone_through_by_id(store: Store) -> None:
    assert (store.count(), list(store.ids(5))) == (0, [])
    for match in ("b", "a", "d", "c"):
        opened(store, match)
    assert store.count() == 4
    assert list(store.ids(3)) == [["a", "b", "c"], ["d"]]
    assert list(store.ids(4)) == [["a", "b", "c", "d"]]


def test_closed_matches_of_a_game_can_be_gone_through_by_id(store: Store) -> None:
    for match, game, status in (
        ("b", "azul", "closed"),
        ("a", "azul", "closed"),
        ("c", "azul", "playing"),
        ("d", "coloretto", "closed"),
        ("e", "azul", "closed"),
    ):
        opened(store, match, new=new_match(game), status=status)
    assert (store.count(closed_of="azul"), store.count(closed_of="coloretto"), store.count("none")) == (3, 1, 0)
    assert list(store.ids(2, closed_of="azul")) == [["a", "b"], ["e"]]
    assert list(store.ids(closed_of="coloretto")) == [["d"]]
    assert list(store.ids(closed_of="none")) == []
