"""Attacks on what people carry around: bytes, lines, headers and signatures of exports, and receipts."""

import json
import re
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random

from msgspec.structs import replace

from service.audit import audit
from service.audit.bulk import AuditTerms
from service.errors import LedgerError
from service.play.evidence import Evidence
from service.records import import_evidence, read_evidence
from service.store.connect import open_store
from service.trust.folder import key_folder_at, own_public_key
from service.trust.receipts import read_receipt
from service.trust.statements import Signed
from tests.attack.doors import found_in
from tests.attack.readers import mutated
from tests.attack.verdicts import Outcome, by_design, traceback
from tests.attack.victim import Victim
from tests.conftest import make_ledger

_TAG = re.compile(r'^\[(\w+)((?: \d+)?) "(.*)"\]$')
_VOUCHING = re.compile(r"^\[(Statement|Signature) ")
_SIGNED = re.compile(rb'"(?:signatures|statements)":\[[^\]]*\]')


def changed_exports(victim: Victim, rng: Random, most: int | None = None) -> Iterator[Outcome]:
    """What becomes of one changed export after the other."""
    with key_folder_at(victim.folder / "friend" / "keys"):
        friend = own_public_key()
    trusted = (victim.key.public, victim.former.public, friend)
    originals = {path: path.read_bytes() for path in victim.exports}
    reader = _Reader(victim.folder / "changed", trusted, originals)
    for number in islice(count(), most):
        path = victim.exports[number % len(victim.exports)]
        what, data = _changed(originals, path, rng, number // len(victim.exports))
        yield reader.judged(path, f"{path.name}: {what}", data)


def changed_receipts(victim: Victim, rng: Random, most: int | None = None) -> Iterator[Outcome]:
    """Changed receipts, brought to the ledger that gave them: refused, named, or the same statement."""
    originals = {name: path.read_bytes() for name, path in victim.receipts.items()}
    path = victim.folder / "changed.receipt.json"
    for _ in islice(count(), most):
        name = rng.choice(list(originals))
        data = mutated(originals[name], list(originals.values()), rng)
        path.write_bytes(data)
        what = f"{name}: {data[:400]!r}"
        try:
            statement = read_receipt(path)
            found = found_in(victim.database, statement.match, AuditTerms(receipts=[statement]))
        except LedgerError as refusal:
            yield Outcome("receipts", what, "named", refusal.code)
            continue
        except Exception as error:  # whatever it is, nobody should have seen it
            yield traceback("receipts", what, error)
            continue
        genuine = [_canonical(victim.receipt(name)) for name in originals]
        if found:
            yield Outcome("receipts", what, "named")
        else:
            yield Outcome("receipts", what, "harmless" if _canonical(statement) in genuine else "missed")


def _canonical(said: Signed) -> Signed:
    """The signature in small letters, for it is the same either way."""
    return replace(said, signature=said.signature.lower())


def _changed(originals: dict[Path, bytes], path: Path, rng: Random, number: int) -> tuple[str, bytes]:
    data = originals[path]
    if number % 3 == 0:
        place, bit = rng.randrange(len(data)), 1 << rng.randrange(8)
        return f"bit {bit} of byte {place}", bytes([*data[:place], data[place] ^ bit, *data[place + 1 :]])
    others = [other for other in originals if other.suffix == path.suffix and other != path]
    if number % 3 == 1:
        return _other_lines(data, originals[rng.choice(others)], rng)
    swap = _other_header if path.suffix == ".mlr" else _other_trailer
    return swap(data, originals[rng.choice(others)], rng)


def _other_lines(data: bytes, other: bytes, rng: Random) -> tuple[str, bytes]:
    """Lines dropped, doubled, swapped, taken from another record, cut off; numbers changed."""
    lines, strange = data.splitlines(keepends=True), other.splitlines(keepends=True)
    n, m = sorted(rng.sample(range(len(lines)), 2))
    match rng.randrange(6):
        case 0:
            return f"line {n + 1} dropped", b"".join([*lines[:n], *lines[n + 1 :]])
        case 1:
            return f"line {n + 1} doubled", b"".join([*lines[:n], lines[n], *lines[n:]])
        case 2:
            return f"lines {n + 1} and {m + 1} swapped", b"".join(
                [*lines[:n], lines[m], *lines[n + 1 : m], lines[n], *lines[m + 1 :]]
            )
        case 3:
            place = min(n, len(strange) - 1)
            return f"line {n + 1} from another record", b"".join([*lines[:n], strange[place], *lines[n + 1 :]])
        case 4:
            return f"cut off after line {n + 1}", b"".join(lines[: n + 1])
    digits = list(re.finditer(rb"[0-9]", lines[n]))
    if not digits:
        return "nothing", data
    found = rng.choice(digits)
    digit = b"%d" % rng.choice([d for d in range(10) if b"%d" % d != found[0]])
    line = lines[n][: found.start()] + digit + lines[n][found.end() :]
    return f"line {n + 1}, a digit {found[0]!r} to {digit!r}", b"".join([*lines[:n], line, *lines[n + 1 :]])


def _other_header(data: bytes, other: bytes, rng: Random) -> tuple[str, bytes]:
    """A tag with another value, the signatures of another record, or none."""
    lines, strange = data.decode().split("\n"), other.decode().split("\n")
    tags = [n for n, line in enumerate(lines) if _TAG.match(line)]
    signed = [n for n in tags if _VOUCHING.match(lines[n])]
    match rng.randrange(4):
        case 0 if signed:
            left = [line for n, line in enumerate(lines) if n not in signed]
            return "the signatures taken away", "\n".join(left).encode()
        case 1 if signed:
            theirs = [line for line in strange if _VOUCHING.match(line)]
            lines[signed[0] : signed[-1] + 1] = theirs
            return "the signatures of another record", "\n".join(lines).encode()
    n = rng.choice(tags)
    found = _TAG.match(lines[n])
    assert found is not None
    values = [tag[3] for line in strange if (tag := _TAG.match(line)) and tag[1] == found[1]] or ["-"]
    value = rng.choice([*values, "", found[3] + "1", "1. Mallory 999"])
    lines[n] = f'[{found[1]}{found[2]} "{value}"]'
    return f"[{found[1]}{found[2]}] {found[3][:60]!r} to {value[:60]!r}", "\n".join(lines).encode()


def _other_trailer(data: bytes, other: bytes, rng: Random) -> tuple[str, bytes]:
    """JSON lines: the header of another match, its trailer, its signatures, or none."""
    lines, strange = data.splitlines(keepends=True), other.splitlines(keepends=True)
    match rng.randrange(5):
        case 0:
            return "the header of another match", b"".join([strange[0], *lines[1:]])
        case 1:
            return "the trailer of another match", b"".join([*lines[:-1], strange[-1]])
        case 2:
            return "no signatures", b"".join([*lines[:-1], _SIGNED.sub(b'"signatures":[]', lines[-1], count=1)])
        case 3:
            theirs = max(_SIGNED.findall(strange[-1]), key=len)
            name = theirs.partition(b":")[0]
            ours = [found for found in _SIGNED.findall(lines[-1]) if found.startswith(name)]
            line = lines[-1].replace(ours[0], theirs) if ours else lines[-1]
            return "the statements of another match", b"".join([*lines[:-1], line])
    field = rng.choice([b'"game":"', b'"ruleset":"', b'"match":"'])
    place = lines[0].index(field) + len(field)
    header = lines[0][:place] + b"x" + lines[0][place:]
    return f"{field!r} in the header", b"".join([header, *lines[1:]])


def _lie(original: bytes, changed: bytes) -> str:
    """A headline that says something else than it did; what is left out or written otherwise is no lie."""
    before, after = _headlines(original), _headlines(changed)
    for name, values in after.items():
        for value in values - before.get(name, values):
            if value and name not in ("seat", "kind", "statement", "signature", "head"):
                return f"headline {name}"
    return ""


def _headlines(data: bytes) -> dict[str, set[str]]:
    """What a record says of itself in front and at its end, by name."""
    found: dict[str, set[str]] = {}
    if data.startswith(b"{"):
        header = json.loads(data.partition(b"\n")[0])
        return {name: {str(header.get(name, ""))} for name in ("game", "ruleset")}
    for line in data.decode().splitlines():
        if tag := _TAG.match(line.strip()):
            found.setdefault(tag[1].casefold(), set()).add(" ".join(tag[3].casefold().split()))
    return found


class _Reader:
    """Somebody who gets a record and knows the keys."""

    def __init__(self, folder: Path, trusted: tuple[str, ...], originals: dict[Path, bytes]) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._trusted = trusted
        self._whole = {path: read_evidence(path)[0] for path in originals}
        for path, evidence in self._whole.items():
            report = audit(evidence, trusted)
            assert report.is_clean, (path, report.findings)

    def judged(self, original: Path, what: str, data: bytes) -> Outcome:
        """Whether the change is named by `audit FILE --key`, refused by `import`, or changed nothing."""
        kind = f"exports, {'text' if original.suffix == '.mlr' else 'JSON lines'}"
        path = self._folder / f"record{original.suffix}"
        path.write_bytes(data)
        try:
            found = read_evidence(path)
            if any(not audit(evidence, self._trusted).is_clean for evidence in found):
                return Outcome(kind, what, "named")
            designs = [self._difference(self._whole[original], evidence) for evidence in found]
            designs.append(_lie(original.read_bytes(), data))
            if not any(designs):
                return Outcome(kind, what, "harmless")
            for design in designs:
                if design in ("names", "unsigned"):
                    return by_design(kind, what, design)
            self._import(found)
        except LedgerError as refusal:
            return Outcome(kind, what, "named", refusal.code)
        except Exception as error:  # whatever it is, nobody should have seen it
            return traceback(kind, what, error)
        return Outcome(kind, what, "missed", "it audits clean and is imported, and says something else")

    def _difference(self, whole: Evidence, evidence: Evidence) -> str:
        """What a reader is told that was not so; empty when nothing is."""
        if not evidence.signatures:
            return "unsigned"
        for name in ("match", "rows", "count"):
            if getattr(whole, name) != getattr(evidence, name):
                return name
        if evidence.head not in ("", whole.head):
            return "head"
        known = list(map(_canonical, whole.signatures))
        if any(_canonical(said) not in known for said in evidence.signatures):
            return "signatures"
        outside = ("names", "kinds", "annotations")
        return "names" if any(getattr(whole, name) != getattr(evidence, name) for name in outside) else ""

    def _import(self, found: list[Evidence]) -> None:
        database = self._folder / "ledger.db"
        database.unlink(missing_ok=True)
        with open_store(str(database)) as store:
            for evidence in found:
                import_evidence(make_ledger(store), evidence)
