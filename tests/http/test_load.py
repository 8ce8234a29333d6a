"""Promises under load: whoever watches sees every step once and in order, every ledger audits clean, nothing fails."""

from pathlib import Path

from tests.http.load import CALM, put_load_on, workers_for
from tests.http.serving import serving

MATCHES = 12
"""Each game with two people, with bots, and with one person against a bot; `make load` plays 200."""


def test_many_matches_at_once_lose_double_and_break_nothing(database: str, tmp_path: Path) -> None:
    with serving(database, tmp_path, *CALM, *workers_for(database)) as service:
        load = put_load_on(service, database, MATCHES)
    assert load.streams > 2 * MATCHES
    assert load.steps > 30 * MATCHES
