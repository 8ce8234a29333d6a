"""A clean audit stated in both databases: rested on, copied with the journal, and held to it by `db check`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from service.audit.bulk import AuditTerms, Batch, audit_all
from service.audit.judge import own_notary
from service.audit.storage import check_stored
from service.play.simulate import make_plan, simulate
from service.store.connect import open_store
from service.store.copying import copy_ledger
from service.trust.folder import KEYS_VARIABLE
from tests.store.sealed import seal_all


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key folder of its own for every ledger here."""
    (tmp_path / "keys").mkdir(mode=0o700)
    monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "keys"))


def audited(address: str, *, since: bool = True) -> tuple[int, int, int]:
    """How many matches were audited, passed over, and found unclean."""
    total = Batch()
    for batch in audit_all(address, AuditTerms(), notary=own_notary(), since=since):
        total.merge(batch)
    assert (total.stated is not None) == total.is_clean
    return total.matches, total.unchanged, total.unclean


def fill(address: str, matches: int, seed: int = 0) -> None:
    assert len(list(simulate(make_plan("azul", 2, {}, ["random"], seed), matches, database=address))) == matches


def test_a_clean_audit_is_rested_on(address: str, execute: Callable[[str], None], new_address: str) -> None:
    fill(address, 4)
    assert audited(address) == (4, 0, 0)
    fill(address, 1, seed=4)
    assert audited(address) == (1, 4, 0)
    with open_store(address) as store:
        sealed = seal_all(store)
        heads = store.last_said([*sealed, "none"])
        assert {match: (head, row.match) for match, (head, row) in heads.items()} == {
            match: (store.head(match), match) for match in sealed
        }
    assert audited(address) == (0, 5, 0), "sealing changes no head"
    copy_ledger(address, new_address)
    assert audited(new_address) == (0, 5, 0)
    assert check_stored(new_address).findings == check_stored(address).findings == []
    execute(f"UPDATE match SET head_seq = head_seq - 1 WHERE id = '{sealed[0]}'")
    assert audited(address) == (1, 4, 1)
    assert audited(address, since=False) == (5, 0, 1)
