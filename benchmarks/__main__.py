"""`make bench`: run everything, print one table, write benchmarks/results.json."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks import (
    appending,
    auditing,
    browsing,
    committing,
    exploring,
    loading,
    playing,
    replaying,
    sealing,
    serving,
    sharing,
    starting,
)
from service.games.shelf import GAMES as SHELF

GAMES = tuple(game for game in SHELF if not game.pad_of)
"""What is played; a pad has no chance and a few dozen entries."""
RESULTS = Path(__file__).parent / "results.json"
MATCHES = 2000
AUDITED = 200
SHARED = 1000
"""Matches that two processes share; of fewer, the start of the second is a large part."""
GOALS = {
    "append_vs_raw": 0.5,
    "group_commit_vs_single": 3.0,
    "http.action_vs_null_post": 0.5,
    "http.state_vs_null_get": 0.7,
    **{f"{game.key}.replay_vs_ceiling": 0.6 for game in GAMES},
    **{f"{game.key}.sealed_replay_vs_rows": 1.5 for game in GAMES},
    "azul.replay_vs_eventsourcing": 10.0,
    "azul.playout_vs_yardstick": 16,
    "master-chocolatier.playout_vs_yardstick": 15,
    "summer-pavilion.playout_vs_yardstick": 9,
    "coloretto.playout_vs_yardstick": 24,
    "azul.audit_vs_yardstick": 64,
    "coloretto.audit_vs_yardstick": 48,
    **{f"{game.key}.env_step_vs_playout": 0.8 for game in GAMES},
    **{f"{game.key}.env_observed_step_vs_playout": 0.4 for game in GAMES},
    **{f"jobs2.{work}_of_plain_{SHARED}": 0.9 for work in ("audit", "simulate")},
}
"""What a figure should reach at least."""
MOST = {
    "start.list_vs_libraries": 1.6,
    "start.list_at_terminal_vs_libraries": 1.6,
    "web.step_median_ms": 50.0,
    "azul.sealed_bytes_per_match": 2000,
    "azul.replay_peak_growth": 1.5,
    **{f"{game.key}.audit_vs_replay_plus_playout": 4.0 for game in GAMES},
    **{f"{game.key}.load_vs_decode_and_link": 2.3 for game in GAMES},
}
"""What a figure should not exceed."""


def main() -> None:
    """Measure one thing after the other and show each as it comes."""
    console = Console()
    results: dict[str, float] = {}
    with TemporaryDirectory(prefix="matchledger-bench-") as name:
        folder = Path(name)
        with console.status("starting"):
            results |= starting.measure(folder)
        with console.status("appending"):
            results |= appending.measure(folder)
        with console.status("committing together"):
            results |= committing.measure(folder)
        with console.status("serving"):
            results |= serving.measure(folder)
        with console.status("browsing"):
            results |= browsing.measure(folder)
        for game in GAMES:
            first = game is GAMES[0]
            with console.status(f"{game.key}: playing"):
                results |= playing.measure(game)
            with console.status(f"{game.key}: exploring"):
                results |= exploring.measure(game)
            with console.status(f"{game.key}: replaying"):
                results |= replaying.measure(folder, game, MATCHES if first else MATCHES // 4, with_peer=first)
            with console.status(f"{game.key}: loading"):
                results |= loading.measure(folder, game)
            with console.status(f"{game.key}: sealing"):
                results |= sealing.measure(folder, game)
            with console.status(f"{game.key}: auditing"):
                results |= auditing.measure(folder, game, AUDITED)
        with console.status(f"{SHARED} matches shared by two processes"):
            results |= sharing.measure(folder, GAMES[0], SHARED)
    RESULTS.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    console.print(_table(results))


def _table(results: dict[str, float]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("measure")
    table.add_column("value", justify="right")
    table.add_column("goal", justify="right")
    table.add_column("")
    for name, value in results.items():
        goal, most = GOALS.get(name), MOST.get(name)
        shown = f"≥ {goal:g}" if goal is not None else f"≤ {most:g}" if most is not None else ""
        met = value >= goal if goal is not None else value <= most if most is not None else None
        verdict = "" if met is None else "[green]met[/]" if met else "[red]missed[/]"
        table.add_row(name, f"{value:,.0f}" if value >= 1000 else f"{value:.3g}", shown, verdict)
    return table


if __name__ == "__main__":
    main()
