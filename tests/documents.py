"""The pages people read, as tests run them: every command in order, in a folder of its own, held to what is printed.

A `console` block holds commands behind `$ ` with what they print below. A `sh` or `bash` block is run as it stands;
what it prints is promised only where a `text` block follows. What cannot be run stands in a block of another language.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
HOME = "~"
"""What the pages write for the reader's home; a page is run in a folder that has another one."""
_BLOCK = re.compile(r"^( *)```(\S*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_RUN = ("console", "sh", "bash")
_END = "\x1e"
_PATIENCE = 300
"""Seconds after which a page that hangs is a page that fails."""

MASKS = (
    (re.compile(r"postgresql://\S*[^\s.,:]"), "SERVER"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}"), "UUID"),
    (re.compile(r"\b[0-9a-f]{4}(-[0-9a-f]{4}){3}\b"), "FINGERPRINT"),
    (re.compile(r"[0-9a-f]{12,}"), "HASH"),
    (re.compile(r"(?<![\w-])[\w-]{43}(?![\w-])"), "TOKEN"),
    (re.compile(r"\b[0-9a-hj-km-np-tv-z]{10}\b"), "MATCH"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:[\d.]+)?(Z| UTC)"), "TIME"),
    (re.compile(r"(?<=HASH)-[0-9a-f]{8}\b"), "-NAMES"),
    (re.compile(r"\b[\d.,]+ (bytes|kB|MB|GB)"), "SIZE"),
    (re.compile(r"\b[\d.,]+ s\b"), "SECONDS"),
)
"""What is another on every run, and what it is shown as: the one way in which pages may differ from what comes out."""
_SAME_ON_EVERY_RUN = re.compile(r"[0-9a-f]{12,}")
"""Looks like chance and may follow from what was typed: the commitment of a seed does."""


class Command(NamedTuple):
    """Something to run, and what the page says it prints."""

    page: str
    code: str
    promised: str | None
    """None where the page says nothing of it."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose_of(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)


def headings(page: Path) -> list[str]:
    """The headings of a page as they read, without markup."""
    return [title.replace("`", "").strip() for title in re.findall(r"^#+ (.*)$", prose_of(page), re.MULTILINE)]


def links(page: Path) -> list[tuple[Path, str]]:
    """Every file a page links to or shows, in order, with the heading that is meant there; empty for all of it."""
    found: list[tuple[Path, str]] = []
    for address in re.findall(r"\]\(([^)\s]+)\)", prose_of(page)):
        if not re.match(r"[a-z]+:", address):
            path, _, place = address.partition("#")
            found.append(((page.parent / path).resolve() if path else page, place))
    return found


def blocks(page: Path) -> list[tuple[str, str]]:
    """Every fenced block of a page: its language and what stands in it."""
    found = _BLOCK.findall(text_of(page))
    return [(language, re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)) for indent, language, body in found]


def commands(page: Path) -> list[Command]:
    """Everything a page says one can run, in order."""
    found: list[Command] = []
    all_blocks = blocks(page)
    for number, (language, body) in enumerate(all_blocks):
        if language == "console":
            parts = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
            found += [Command(page.name, code, out) for code, _, out in (part.partition("\n") for part in parts)]
        elif language in _RUN:
            after, promised = all_blocks[number + 1] if number + 1 < len(all_blocks) else ("", "")
            found.append(Command(page.name, body, promised if after == "text" else None))
    return found


def masked(text: str, known: Collection[str] = ()) -> str:
    """A text with everything that is another on every run made the same; what is `known` not to be is left as it is."""
    for pattern, shown in MASKS:
        text = pattern.sub(lambda found, shown=shown: found[0] if found[0] in known else shown, text)  # type: ignore[misc]
    return text


def run(steps: list[Command], folder: Path, replaced: Mapping[str, str] | None = None) -> None:
    """Run these in one shell, in this folder, and hold each to what is promised of it.

    Where hashes are promised, everything is run once more in another folder: a hash that comes out again is not chance,
    so the page has to have that one and no other. What is replaced can be used up by one run; there, all are masked.
    """
    came = _outputs(steps, folder, replaced or {})
    known: set[str] = set()
    if not replaced and any(_SAME_ON_EVERY_RUN.search(step.promised or "") for step in steps):
        again = folder.with_name(f"{folder.name}-again")
        again.mkdir()
        known = _hashes(came) & _hashes(_outputs(steps, again, {}))
    for step, (text, code) in zip(steps, came, strict=True):
        if step.promised is None:
            assert code == "0", f"{step.page}: {step.code}\n{text}"
        else:
            assert _lines(text, known) == _lines(step.promised, known), f"{step.page}: {step.code}\n{text}"


def _outputs(steps: list[Command], folder: Path, replaced: Mapping[str, str]) -> list[tuple[str, str]]:
    """What each command prints, with its exit code, up to one of several lines that went wrong."""
    script = "exec 2>&1\n"
    for step in steps:
        # Of a block of several lines, each must go well; a command of a session may be one that is refused.
        is_session = step.promised is not None and "\n" not in step.code.strip()
        script += f"set {'+' if is_session else '-'}e\n{step.code}\nprintf '\\036%s\\036' $?\n"
    for shown, real in replaced.items():
        script = script.replace(shown, real)
    (folder / "page.sh").write_text(script, encoding="utf-8")
    done = subprocess.run(
        ["bash", "page.sh"],
        cwd=folder,
        env=_environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=_PATIENCE,
    )
    (folder / "page.sh").unlink()
    assert not done.stderr
    shown = done.stdout.replace(str(folder / "home"), HOME).replace(str(folder), f"{HOME}/try")
    *parts, rest = shown.split(_END)
    assert len(parts) == 2 * len(steps), f"{steps[len(parts) // 2].code}\n{rest}"
    return list(zip(parts[::2], parts[1::2], strict=True))


def _hashes(came: list[tuple[str, str]]) -> set[str]:
    return {found for text, _ in came for found in _SAME_ON_EVERY_RUN.findall(text)}


def _lines(text: str, known: Collection[str]) -> list[str]:
    return [line.rstrip() for line in masked(text, known).strip().splitlines() if line.strip()]


def _environment(folder: Path) -> dict[str, str]:
    """A user with a home of their own and nothing set, for whom `matchledger` is this program."""
    for name in ("home", "bin"):
        (folder / name).mkdir()
    program = folder / "bin" / "matchledger"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (folder / "docs").symlink_to(ROOT / "docs")  # the pages' own files
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MATCHLEDGER_", "XDG_"))}
    return {
        **kept,
        "HOME": str(folder / "home"),
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
