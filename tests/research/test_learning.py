"""The example of docs/research.md, with few matches: it learns, draws its curve, and what it keeps audits clean."""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "learning.py"
FEW = {"generations": 2, "matches": 8, "tests": 6, "final": 4, "keep": 2}


def test_the_example_learns_and_keeps_its_matches(tmp_path: Path) -> None:
    words = [word for name, number in FEW.items() for word in (f"--{name}", str(number))]
    command = [sys.executable, str(EXAMPLE), *words, "--ledger", "learned.db", "--picture", "curve.svg"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    *generations, final, audited = done.stdout.splitlines()
    assert [re.match(r"generation \d", line) is not None for line in generations] == [True, True]
    assert re.fullmatch(r"in the end: [\d.]+% of 4 matches against greedy, ± [\d.]+%", final)
    assert audited == "2 matches: all clean."
    curve = (tmp_path / "curve.svg").read_text(encoding="utf-8")
    heights = [int(y) for y in re.findall(r'cy="(\d+)"', curve)]
    assert len(heights) == 3
    assert heights[-1] < heights[0], "it lost as often as before it had learned anything"
