"""A worker killed in the middle: nothing is lost, nothing doubled, and the answers are those of one process."""

from collections.abc import Iterator
from typing import Any, TypeVar

from service.audit.bulk import BATCH, AuditTerms, Batch, audit_all
from service.games.shelf import find_game
from service.play.replay import replay_all
from service.play.simulate import make_plan, simulate
from service.store.connect import open_store
from tests.cluster.conftest import kill_a_busy_worker, two_workers
from tests.signing import STRANGER

AZUL = find_game("azul")
MATCHES = 8 * BATCH
Item = TypeVar("Item")


def with_a_worker_killed(cluster: Any, items: Iterator[Item]) -> list[Item]:
    """Everything that comes, a worker being killed with work in hand once the first has come."""
    found = [next(items)]
    is_killed = kill_a_busy_worker(cluster)
    for item in items:
        is_killed = is_killed or kill_a_busy_worker(cluster)
        found.append(item)
    assert is_killed, "all was done before anybody could be killed: this was no test"
    return found


def total(batches: list[Batch]) -> Batch:
    whole = Batch()
    for batch in batches:
        whole.merge(batch)
    return whole


def test_a_worker_killed_in_the_middle_changes_nothing(database: str) -> None:
    plan = make_plan("azul", 2, {}, ["random", "greedy"], 40)
    alone = list(simulate(plan, MATCHES))
    with two_workers() as cluster:
        played = simulate(plan, MATCHES, database=database, cluster=cluster.scheduler_address)
        kept = with_a_worker_killed(cluster, played)
    assert kept == alone
    with open_store(database) as store:
        seeds = [int(secret[1]) for ids in store.ids(BATCH) for id_ in ids if (secret := store.secret(id_))]
        scores = [tuple(AZUL.projection.scores(table.state)) for _, table in replay_all(store)]
        entries = [entry.match for entry in store.journal() if entry.match]
    assert sorted(seeds) == list(range(40, 40 + MATCHES))
    assert sorted(scores) == sorted(result.scores for result in alone)
    assert len(entries) == len(set(entries)) == MATCHES

    # Nobody trusts a stranger's key, so every match has a report, and all of them are compared.
    terms = AuditTerms([STRANGER.public])
    with two_workers() as cluster:
        suspected = with_a_worker_killed(cluster, audit_all(database, terms, cluster=cluster.scheduler_address))
        audited = total(list(audit_all(database, AuditTerms(), cluster=cluster.scheduler_address)))
    assert suspected == list(audit_all(database, terms))
    assert [len(batch.findings) for batch in suspected[1:]] == [BATCH] * (MATCHES // BATCH)
    assert str(audited) == f"{MATCHES} matches: all clean."
