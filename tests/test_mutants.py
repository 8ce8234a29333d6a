"""The tool that tests the tests: it must find a weak test weak, a good one good, and leave nothing behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.__main__ import EXPLAINED, RESULTS, ROOMS, ROOT, python_files, sample
from tests.mutants.changes import makes_sense, mutants

CODE = '''"""A shop."""

LIMIT = 3


def price(count: int) -> int:
    """What so many cost."""
    if count > LIMIT:
        raise ValueError("shop/many")
    return count * 2


def untested() -> str:
    """Nobody asks."""
    return f"a word"
'''
WEAK = """
import shop

def test_price():
    assert shop.price(2) == 4

def test_that_fails_anyway():
    assert shop.untested() == "another word"
"""
STRONG = """
import pytest
import shop

@pytest.mark.parametrize("count, right", [(1, 2), (3, 6)])
def test_price(count, right):
    assert shop.price(count) == right

def test_the_limit():
    with pytest.raises(ValueError, match="shop/many$"):
        shop.price(4)

def test_the_word():
    assert shop.untested() == "a word"
"""


def changes(code: str) -> list[str]:
    """Every change to a text, as the line after it."""
    source = code.encode()
    return [mutant.lines(source)[1] for mutant in mutants("x.py", source) if makes_sense(mutant, source)]


@pytest.mark.parametrize(
    "line, others",
    [
        ("x = a < b", ["x = a <= b", "x = a >= b"]),
        ("x = a is not b", ["x = a is b"]),
        ("x = a not  in b", ["x = a in b"]),
        ("x = a + (b)", ["x = a - (b)"]),
        ("x = min(a, b)", ["x = max(a, b)"]),
        ("x = not a", ["x = (a)"]),
        ("x = -a", ["x = (a)"]),
        ("x = a or b", ["x = a", "x = a and b", "x = b"]),
        ("x = 0", ["x = 1", "x = (-1)"]),
        ("x = True", ["x = False"]),
        ("x = 'word'", ["x = 'word~'"]),
        ("x = 'words for people'", []),
        ("x = f'{a + 1} words'", []),
        ("x: Final[int] = a", []),
        ("x = f(a, key=b)", ["x = f(a, )"]),
        ("x = [a for a in b if a]", ["x = [a for a in b if True]"]),
        ("x = a if b else c", ["x = a if True else c", "x = a if False else c"]),
        ("assert a < b", []),
        ("__all__ = ['a']", []),
        ("Kind = Literal['a', 'b']", []),
        ("class A(B, gc=False, tag='t'): ...", ["class A(B, gc=False, ): ...", "class A(B, gc=False, tag='t~'): ..."]),
    ],
)  # fmt: skip
def test_what_is_changed(line: str, others: list[str]) -> None:
    assert sorted(changes(line + "\n")) == sorted(others)


def test_statements_are_left_out_inside_functions() -> None:
    code = (
        "def f(a):\n    'Words.'\n    a.b = c\n    a += b\n    raise a\n    for c in a:\n        break\n    return a\n"
    )
    assert changes(code) == ["pass", "pass", "a -= b", "pass", "continue", "return None"]


DECLARED = ("service/store/database.py", "service/games/actions.py")
"""They declare what both databases offer, and what an action is, and do nothing."""


def test_no_file_of_the_rooms_is_beyond_it() -> None:
    for room in ROOMS:
        for path in python_files(ROOT, [room]):
            found = mutants(path, (ROOT / path).read_bytes())
            assert found or path.endswith("__init__.py") or path in DECLARED, path
    drawn = sample(ROOT, ["events"], 20, 1)
    assert drawn == sample(ROOT, ["events"], 20, 1) != sample(ROOT, ["events"], 20, 2)
    assert len(drawn) == 20
    assert "service/store/migrations/env.py" not in python_files(ROOT, ["service/store"])


def tried(folder: Path, test: str) -> tuple[str, str]:
    """What the tool says about the shop with this test: to those who wait, and in the end."""
    (folder / "shop.py").write_text(CODE, encoding="utf-8")
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n', encoding="utf-8")
    (folder / "test_shop.py").write_text(test, encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    words = ["--root", str(folder), "--only", "shop.py", "--tests", "test_shop.py", "--count", "0"]
    command = [sys.executable, "-m", "tests.mutants", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    (folder / RESULTS).unlink()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return done.stderr, done.stdout


def test_a_weak_test_is_found_weak(tmp_path: Path) -> None:
    (tmp_path / EXPLAINED).parent.mkdir()
    (tmp_path / EXPLAINED).write_text("- `shop.py`: `LIMIT = 3` → `LIMIT = 2`: why not.\n", encoding="utf-8")
    told, said = tried(tmp_path, WEAK)
    assert "1 tests fail although nothing is wrong, and judge nothing: test_shop.py::test_that_fails_anyway" in told
    assert "shop.py:8 survived\n  - if count > LIMIT:\n  + if count >= LIMIT:" in said
    assert 'shop.py:9 unreached\n  - raise ValueError("shop/many")\n  + pass' in said
    assert 'shop.py:15 unreached\n  - return f"a word"\n  + return None' in said
    assert "shop.py:3 survived (explained)\n  - LIMIT = 3\n  + LIMIT = 2" in said
    assert "shop.py:3 survived\n  - LIMIT = 3\n  + LIMIT = 4" in said
    assert "shop.py:10 survived\n  - return count * 2\n  + return count + 2" in said, "2 + 2 is 4 as well"
    assert "return count * 1" not in said


def test_a_strong_test_is_found_strong(tmp_path: Path) -> None:
    _, said = tried(tmp_path, STRONG)
    assert said.splitlines()[-1].endswith(" 100.0%"), said
