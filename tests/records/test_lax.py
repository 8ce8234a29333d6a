"""Reading is lax where a person typed: the same match comes out of every way to write it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from service.records import write_text
from service.records.imports import check_evidence
from tests.records.histories import reread

LONG = {"B": "blue", "Y": "yellow", "R": "red", "K": "black", "W": "white"}


def in_long_words(text: str) -> str:
    """Every draft with the name of its colour, blanks between its parts and nothing in capitals."""
    return re.sub(
        r"(:\w+ +)([1-5C])([BYRKW])([1-5-])",
        lambda m: f"{m[1]}{'centre' if m[2] == 'C' else m[2]} {LONG[m[3]]} , {'floor' if m[4] == '-' else m[4]}",
        text,
    )


def without_labels(text: str) -> str:
    return re.sub(r"^( *\d+x?\. +)(\d):\w+ +", r"\1seat \2 : ", text, flags=re.MULTILINE)


def shuffled_tags(text: str) -> str:
    head, rest = text.split("\n\n", 1)
    return " ".join(reversed(head.splitlines())) + "\n\n\n" + rest


VARIANTS: dict[str, Callable[[str], str]] = {
    "as written": lambda text: text,
    "windows": lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    "old mac": lambda text: text.replace("\n", "\r"),
    "no points": lambda text: re.sub(r" \{[^}]*\}", "", text),
    "no totals": lambda text: re.sub(r" =\d+", "", text),
    "no rule ids": lambda text: re.sub(r" AZ-\d+", "", text),
    "no hashes beside the steps": lambda text: re.sub(r" #[0-9a-f]{8}", "", text),
    "no hashes at all": lambda text: re.sub(r" #[0-9a-f]{8}|\[(Count|Head) .*\n", "", text),
    "no derived tags": lambda text: re.sub(r"\[(Result|Ruled|Ended|Started) .*\n", "", text),
    "no step numbers": lambda text: re.sub(r"^ *\d+\. +", "", text, flags=re.MULTILINE),
    "no alignment": lambda text: re.sub(r"  +", " ", text).replace("\n ", "\n"),
    "tabs": lambda text: re.sub(r"  +", "\t", text),
    "long names": in_long_words,
    "small letters": lambda text: re.sub(r"(:\w+ +)([1-5C][BYRKW][1-5-])", lambda m: m[1] + m[2].lower(), text),
    "seats without names": without_labels,
    "names without seats": lambda text: re.sub(r"^( *\d+x?\. +)\d:(\w+) ", r"\1\2 ", text, flags=re.MULTILINE),
    "capital hashes": lambda text: re.sub(r"#([0-9a-f]{8})", lambda m: "#" + m[1].upper(), text),
    "comments everywhere": lambda text: "; hello\n" + re.sub(r"(?<!^)\n", " ; said [so] {+3} \"\n;;\n", text),
    "tags on one line, in another order": shuffled_tags,
    "tags without quotes": lambda text: re.sub(r'^\[(\w+) "([\w /-]+)"\]', r"[ \1 : \2 ]", text, flags=re.MULTILINE),
}  # fmt: skip


@pytest.mark.parametrize("name", VARIANTS)
def test_every_way_to_write_it_is_the_same_match(name: str, examples: Path, tmp_path: Path) -> None:
    text = (examples / "azul.mlr").read_text(encoding="utf-8")
    right = reread(text, tmp_path)
    varied = VARIANTS[name](text)
    assert varied != text or name == "as written"
    read = reread(varied, tmp_path)
    assert (read.remarks, read.is_whole) == ([], True)
    assert [row.data for row in read.rows] == [row.data for row in right.rows]
    assert check_evidence(read).rows == check_evidence(right).rows


def test_comments_and_tags_of_their_own_are_kept(examples: Path, tmp_path: Path) -> None:
    text = (examples / "azul.mlr").read_text(encoding="utf-8")
    assert write_text(reread(text, tmp_path)) == text
    noted = text.replace("\n   6.", "\n; my best move\n   6.").replace("[Event ", '[Round "3"]\n[Event ')
    again = write_text(reread(noted, tmp_path))
    assert again == noted
    assert write_text(reread(again, tmp_path)) == again


def test_a_name_forgotten_in_the_tags_only(examples: Path, tmp_path: Path) -> None:
    """A person may ask to be forgotten: the tag is emptied, and the lines still read."""
    text = (examples / "azul.mlr").read_text(encoding="utf-8")
    read = reread(text.replace('[Seat 2 "Ben"]', '[Seat 2 ""]').replace("Ben 55", "Seat 2 55"), tmp_path)
    assert (read.remarks, read.is_whole) == ([], True)
    assert "Ben" not in re.sub(r";.*", "", write_text(read))


@pytest.mark.parametrize("name", ["C", "Red", "1", "deal me in", "2B3", "open"])
def test_names_that_look_like_moves(name: str, examples: Path, tmp_path: Path) -> None:
    text = (examples / "azul.mlr").read_text(encoding="utf-8")
    label = name.replace(" ", "_")
    named = (
        text.replace('Seat 1 "Ann"', f'Seat 1 "{name}"').replace("1:Ann", f"1:{label}").replace("Ann 59", f"{name} 59")
    )
    read = reread(named, tmp_path)
    assert (read.remarks, read.is_whole) == ([], True)
    assert read.head == reread(text, tmp_path).head
    assert [row.data for row in read.rows] == [row.data for row in reread(text, tmp_path).rows]
