"""Lists of a ledger: whatever they are filtered by, a larger one is not gone through for the same twenty lines."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest

from service.errors import NotFound, Refused
from service.store import Store, open_store
from service.store.shapes import Grant, MatchRow
from tests.store.steps import START, opened

FEW, MANY = 300, 3_000
GAMES = ("azul", "coloretto")
_MATCH = "INSERT INTO match VALUES (?, ?, 'rules/1', 2, ?, 'free', 'seeded', ?, ?, ?, 9, 9, zeroblob(32))"


def filled(path: Path, matches: int) -> None:
    """Lines of closed matches of two games, and among the oldest three of everything that is rare."""
    file = sqlite3.connect(path)
    for number in range(matches):
        is_rare = 10 <= number < 13
        at = (START + timedelta(minutes=number)).isoformat(" ", "microseconds")
        game = "azul-pad" if is_rare else GAMES[number % 2]
        status = "playing" if number < 3 else "closed"
        match = f"m{number:05}"
        file.execute(_MATCH, (match, game, status, "m00000" if is_rare else None, at, at))
        names = ("Zoe", "greedy") if is_rare else ("random", "greedy")
        file.executemany("INSERT INTO seat VALUES (?, ?, ?, 'person')", zip(repeat(match), (1, 2), names, strict=False))
    file.commit()
    file.close()


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> list[Path]:
    folder = tmp_path_factory.mktemp("filters")
    paths = []
    for matches in (FEW, MANY):
        paths.append(Path(shutil.copy(migrated_file, folder / f"{matches}.db")))
        filled(paths[-1], matches)
    return paths


def steps_of(path: Path, ask: Callable[[Store], object]) -> int:
    """How many instructions SQLite carries out for a question."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with open_store(str(path)) as store:
        ask(store)
        store._database._connection().set_progress_handler(count, 1)  # type: ignore[attr-defined]
        ask(store)
    return steps


WANTED: list[dict[str, Any]] = [
    {},
    {"game": "azul"},
    {"game": "azul-pad"},
    {"game": ["azul-pad", "coloretto-pad"]},
    {"game": "chess"},
    {"status": "closed"},
    {"status": "playing"},
    {"status": "open"},
    {"game": "azul", "status": "playing"},
    {"game": "azul", "status": "closed"},
    {"player": "greedy"},
    {"player": "Zoe"},
    {"player": "Zoe", "game": "azul-pad", "status": "closed"},
    {"player": "Nobody", "game": "azul"},
    {"parent": "m00000"},
    {"parent": "m00000", "game": "azul-pad"},
    {"is_public": True},
    {"before": (START + timedelta(minutes=200), "m00200"), "game": "azul"},
    {"before": (START + timedelta(minutes=200), "m00200"), "player": "Zoe"},
]


@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_a_filter_costs_the_same_in_a_larger_ledger(ledgers: list[Path], wanted: dict[str, Any]) -> None:
    few, many = (steps_of(path, lambda store: store.matches(limit=20, **wanted)) for path in ledgers)
    assert many <= 1.5 * few + 50  # a name of a thousand seats is counted that far


@pytest.mark.parametrize("text", ["last", "m00020", "m0002", "x"])
def test_finding_a_match_costs_the_same_in_a_larger_ledger(ledgers: list[Path], text: str) -> None:
    def find(store: Store) -> None:
        with suppress(NotFound, Refused):
            store.find(text)

    few, many = (steps_of(path, find) for path in ledgers)
    assert many <= 1.5 * few + 50


@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_a_filter_finds_what_going_through_all_of_them_finds(ledgers: list[Path], wanted: dict[str, Any]) -> None:
    with open_store(str(ledgers[0])) as store:
        everything = [row for row in store.matches() if isinstance(row, MatchRow)]
        found = [row.id for row in store.matches(**wanted) if isinstance(row, MatchRow)]
        seated = {match: {seat.name for seat in store.seats(match)} for match in (row.id for row in everything)}

    def fits(row: MatchRow) -> bool:
        games = [wanted["game"]] if isinstance(wanted.get("game"), str) else wanted.get("game", [row.game])
        return (
            row.game in games
            and row.status == wanted.get("status", row.status)
            and wanted.get("player", "greedy") in seated[row.id]
            and row.parent == wanted.get("parent", row.parent)
            and (row.moved_at, row.id) < wanted.get("before", (START + timedelta(days=999), ""))
        )

    assert found == [row.id for row in everything if fits(row)]


@pytest.mark.parametrize("wanted", [wanted for wanted in WANTED if "before" not in wanted], ids=str)
def test_as_many_are_counted_as_are_found(ledgers: list[Path], wanted: dict[str, Any]) -> None:
    with open_store(str(ledgers[0])) as store:
        assert store.count_matches(**wanted) == len(store.matches(**wanted))


def test_a_match_for_which_spectators_need_a_token_is_not_public(store: Store) -> None:
    for match in ("a", "b", "c"):
        opened(store, match)
    store.grant("b", Grant("spectator", 0, bytes(32)))
    store.grant("c", Grant("host", 0, bytes(32)))
    listed = [[row.id for row in store.matches(is_public=only) if isinstance(row, MatchRow)] for only in (True, False)]
    assert listed == [["c", "a"], ["c", "b", "a"]]
