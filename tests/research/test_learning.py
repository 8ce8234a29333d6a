"""The example of docs/research.md with few matches: it goes through, draws its curve and keeps what audits clean."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).parents[2] / "docs" / "learning.py"
FEW = {"generations": 2, "matches": 5, "tests": 4, "final": 4, "keep": 2}


def test_the_example_goes_through_and_keeps_its_matches(tmp_path: Path) -> None:
    words = [word for name, number in FEW.items() for word in (f"--{name}", str(number))]
    command = [sys.executable, str(EXAMPLE), *words, "--ledger", "learned.db", "--picture", "curve.svg"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    first, second, final, audited = done.stdout.splitlines()
    assert re.fullmatch(r"generation 1: \d+% against greedy", first)
    assert re.fullmatch(r"generation 2: \d+% against greedy", second)
    assert re.fullmatch(r"in the end: [\d.]+% of 4 matches against greedy, ± [\d.]+%", final)
    assert audited == "2 matches: all clean."
    curve = (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert curve.count("<circle") == 3
    matchledger: Any = import_module("matchledger")
    with matchledger.open(tmp_path / "learned.db") as ledger:
        assert [match.players for match in ledger.matches()] == [
            {1: "greedy", 2: "linear"},
            {1: "linear", 2: "greedy"},
        ]
