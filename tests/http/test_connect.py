"""`matchledger.connect`: the same ledger and matches as `matchledger.open` gives, at a server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.shell import python as matchledger
from tests.http.serving import Service, serving
from tests.shell.terminal import on_empty_ledger


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with serving(str(on_empty_ledger(folder).database), folder) as found:
        yield found


@pytest.fixture
def ledger(service: Service) -> Iterator[matchledger.Ledger]:
    with matchledger.connect(service.url, tokens=":memory:") as found:
        yield found


def test_both_ledgers_have_the_same_methods() -> None:
    """There is one class for both; a method that is only for one of them says so in words."""
    with matchledger.open(":memory:") as here, pytest.raises(matchledger.UsageError) as refused:
        here.add_token("match", "token")
    assert refused.value.code == "server/none"


def test_a_match_against_a_bot(ledger: matchledger.Ledger) -> None:
    match = ledger.start("azul", "Ann", "bot:greedy", seed=7, options={"firstPlayer": "seat:1"})
    told = match.play(match.legal()[0])
    assert (len(told), match.turn) == (2, (1,)), "the bot has replied"
    assert ledger.match(match.id[:6]).event == match.event
    assert match.audit().is_clean
    assert str(match) == str(ledger.match(match.id))


def test_matches_are_listed_and_their_records_taken_elsewhere(ledger: matchledger.Ledger, tmp_path: Path) -> None:
    match = ledger.start("coloretto", "bot:greedy", "bot:random", "Xaver=bot:random", seed=3)
    while not match.is_over:
        match.refresh()
    assert [found.id for found in ledger.matches(player="Xaver")] == [match.id]
    match.export(tmp_path / "match.mlr")
    assert match.receipt().startswith("{")
    with matchledger.open(tmp_path / "elsewhere.db") as elsewhere:
        (copy,) = elsewhere.import_(tmp_path / "match.mlr")
        assert (copy.id, copy.scores) == (match.id, match.scores)


def test_a_record_is_taken_to_the_server(ledger: matchledger.Ledger, tmp_path: Path) -> None:
    with matchledger.open(tmp_path / "here.db") as here:
        match = here.start("azul", "bot:greedy", "bot:random", seed=11)
        match.export(tmp_path / "match.mlr")
    (there,) = ledger.import_(tmp_path / "match.mlr")
    assert (there.id, there.result) == (match.id, match.result)


def test_an_episode_is_kept_at_the_server(ledger: matchledger.Ledger) -> None:
    env = matchledger.Env("coloretto", seats=3)
    while not env.is_over:
        env.step(env.legal()[0])
    kept = ledger.keep(env, "Linear", "Linear", "bot:random")
    assert (kept.status, kept.audit().is_clean) == ("closed", True)


def test_a_friend_is_given_a_seat(ledger: matchledger.Ledger, service: Service) -> None:
    match = ledger.start("azul", "Ann", "Ben", seed=7, private=True, options={"firstPlayer": "seat:2"})
    token = ledger.give_token(match.id, "seat", 2)
    with matchledger.connect(service.url, tokens=":memory:") as friends:
        with pytest.raises(matchledger.NotFound):
            friends.match(match.id)
        assert friends.add_token(match.id, token) == ["seat 2"]
        mine = friends.match(match.id)
        mine.play(mine.legal()[0])
        with pytest.raises(matchledger.LedgerError, match="no token"):
            mine.abandon()
    with pytest.raises(matchledger.Conflict):
        match.play(match.legal()[0])
    match.refresh()
    assert match.turn == (1,)


def test_all_matches_are_audited_where_the_ledger_is(ledger: matchledger.Ledger) -> None:
    with pytest.raises(matchledger.UsageError) as refused:
        ledger.audit()
    assert refused.value.code == "server/local-only"
