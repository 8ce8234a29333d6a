"""People are told who had a share in the draws, and what a seed is worth, wherever matches begin and are looked at."""

from pathlib import Path

import pytest

from tests.shell.terminal import Matchledger, on_empty_ledger, plain

BOTH = "Seats 1 and 2 contributed a nonce."
NOBODY = "No seat contributed a nonce: whoever made the secret could choose among secrets"
SEED = "Whoever knows or guesses the seed knows every draw, and a small one is easy to guess."


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


def test_two_people(matchledger: Matchledger) -> None:
    text = matchledger("new", "azul", "Ann", "Ben")
    assert text.splitlines()[1] == BOTH
    assert BOTH in matchledger("show", "last").splitlines()
    view = matchledger.json("show", "last")
    assert (view["contributed"], view["fairness"]) == ([1, 2], "seats 1 and 2 contributed a nonce")
    assert view["derivation"] == 2
    log = matchledger("log", "last").splitlines()
    assert [line[12:] for line in log[1:3]] == [
        "Ann took seat 1 and added a nonce to the draws.",
        "Ben took seat 2 and added a nonce to the draws.",
    ]
    verdict = next(verdict for verdict in matchledger.json("audit", "last")["verdicts"] if verdict["check"] == "draws")
    assert verdict["why"].endswith("seats 1 and 2 contributed a nonce")


def test_a_person_who_joins(matchledger: Matchledger) -> None:
    text = matchledger("new", "azul", "Ann", "--seats", "2")
    assert text.splitlines()[1] == "So far seat 1 contributed a nonce."
    assert BOTH in matchledger("join", "last", "Ben").splitlines()
    nonces = [event["event"].get("nonce") for event in matchledger.json("log", "last")[1:3]]
    assert len(set(nonces)) == 2
    assert {len(nonce) for nonce in nonces} == {32}


def test_bots_alone(matchledger: Matchledger) -> None:
    text = matchledger("new", "azul", "bot:greedy", "bot:random")
    assert text.splitlines()[1].startswith(NOBODY)
    assert matchledger.json("show", "last")["contributed"] == []
    assert NOBODY[1:] in matchledger("audit", "last")


def test_a_seed(matchledger: Matchledger) -> None:
    assert matchledger("new", "azul", "Ann", "Ben", "--seed", "7").splitlines()[1] == SEED
    view = matchledger.json("show", "last")
    assert (view["contributed"], view["derivation"]) == ([], 1)
    matchledger("abandon", "last")
    assert (
        "The seed 7 is easy to guess, and whoever guessed it knew every draw."
        in matchledger("show", "last").splitlines()
    )
    assert "; the seed 7 is easy to guess, and whoever guessed it knew every draw" in matchledger("audit", "last")
    for command in ("new", "play"):
        assert "whoever guesses it knows them" in " ".join(matchledger(command, "--help").replace("│", " ").split())


def test_draws_entered_by_hand(matchledger: Matchledger) -> None:
    text = matchledger("new", "azul", "Ann", "Ben", "--chance", "recorded")
    assert "contributed" not in text
    assert "secret" not in text
    view = matchledger.json("show", "last")
    assert (view["contributed"], view["fairness"], view["derivation"]) == ([], "", 1)


def test_forks(matchledger: Matchledger) -> None:
    parent = matchledger("new", "azul", "bot:greedy", "bot:random", "--quiet").strip()
    again = matchledger("fork", parent, "--step", "5", "--chance", "same-draws").splitlines()
    assert again[1] == f"The draws repeat those of match {parent}, which were public before this match began."
    anew = matchledger("fork", parent, "--step", "5").splitlines()
    assert anew[1].startswith("No seat contributed a new nonce: whoever made the secret could choose among secrets")


def test_at_the_terminal(matchledger: Matchledger) -> None:
    with matchledger.at_terminal("play", "azul", NO_COLOR="1") as child:
        child.expect_exact("Player> ")
        assert "contributed a nonce." in plain(child.before)
        child.sendline("quit")
