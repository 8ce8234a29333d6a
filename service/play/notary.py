"""The notary: what the ledger states about its matches, signed and entered into the journal."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice

from msgspec import Struct
from msgspec.structs import asdict, replace

from events.chain import Row
from projections.words import count
from service.errors import Damaged, Refused
from service.play.evidence import Evidence, from_store
from service.store.columns import sound
from service.store.shapes import Entries, Head, JournalEnd, JournalRow
from service.store.store import Store
from service.trust.journal import Journal, read_entry, walk
from service.trust.keys import Key, fingerprint
from service.trust.receipts import Receipt, make_receipt
from service.trust.statements import (
    NOBODY,
    NOTHING,
    OF_ARRIVAL,
    OF_LEDGER,
    Claim,
    Draft,
    Kind,
    Statement,
    is_genuine,
    moment,
    signed,
)

Finding = tuple[int, str]
"""An event, 0 where no single one is to blame, and what is wrong with it."""


class Notary(Struct, frozen=True):
    """Signs for a ledger with its key."""

    key: Callable[[], Key]
    """The ledger's key, made when it is first needed."""
    former: Callable[[], Sequence[str]]
    """The public keys it signed with before."""
    judge: Callable[[Evidence, Journal | None], Finding | None]
    """The first finding of an audit, held to the journal where one is given; None where it is clean."""

    def entries(self, drafts: Sequence[Draft], at: datetime, *, adopts: bool = False) -> Entries:
        """The entries that say this, for the store to add in the moment in which it has the journal to itself."""

        def follow(end: JournalEnd) -> list[JournalRow]:
            key = self.key()
            takeover = self._takeover(end, key.public, adopts)
            rows: list[JournalRow] = []
            place, previous = 0, NOBODY
            if end.last is not None:
                place, previous = end.last.place, end.last.hash.hex()

            def add(draft: Draft) -> None:
                nonlocal place, previous
                place += 1
                statement = signed(
                    key, Statement(**asdict(draft), at=moment(at), key=key.public, place=place, previous=previous)
                )
                about = "" if draft.kind in OF_LEDGER else draft.match
                hash_ = statement.hash
                rows.append(JournalRow(place, about, statement.text, bytes.fromhex(statement.signature), hash_))
                previous = hash_.hex()

            if takeover is not None:
                add(takeover)
            for draft in drafts:
                add(draft)
            return rows

        return follow

    def _takeover(self, end: JournalEnd, key: str, adopts: bool) -> Draft | None:
        """What the journal must say about keys first; refused where it is somebody else's."""
        if end.last is None:
            if end.matches and not adopts:
                raise Refused(
                    "trust/no-journal",
                    f"This ledger has {count(end.matches, 'match', 'matches')} and no journal: an older version kept"
                    " it, or somebody removed it. Check it (`audit --all`); `key adopt` begins a journal with what"
                    " is there.",
                )
            return _about_keys("began", NOBODY)
        last = read_entry(end.last)
        if last is None or last.place != end.last.place or end.last.hash != last.hash or not is_genuine(last):
            raise Damaged(
                "trust/journal",
                f"Entry {end.last.place}, the last of the journal, is not what this ledger wrote; nothing was added.",
                "",
                0,
            )
        if last.key == key:
            return None
        if last.key in self.former():
            return _about_keys("began", last.key)
        if adopts:
            return _about_keys("adopted", last.key)
        raise Refused(
            "trust/other-key",
            f"The journal of this ledger is kept by key {fingerprint(last.key)}; the key here is {fingerprint(key)}."
            " Use its key folder (MATCHLEDGER_KEYS), or run `key adopt` to continue with the key here.",
        )


def _about_keys(kind: Kind, before: str) -> Draft:
    return Draft(kind, NOTHING, NOTHING, NOTHING, NOTHING, 0, before)


# ------------------------------------------------------------------------------------------------------------ claims


def arrival(store: Store, match: str) -> Claim:
    """What the ledger could claim of a match at best, by how it came here: hosted, or witnessed."""
    statements = [read_entry(row) for row in store.entries(match)]
    is_hosted = all(statement is not None and statement.claim == "hosted" for statement in statements)
    return "hosted" if statements and is_hosted else "witnessed"


def claim_for(notary: Notary, best: Claim, evidence: Evidence, journal: Journal | None = None) -> Claim:
    """What is claimed of this evidence. Nothing is claimed of what does not audit clean, and it is not hosted here."""
    finding = notary.judge(evidence, journal)
    if finding is None:
        return best
    if best == "hosted":
        raise unclean(evidence.match, finding)
    return "kept"


def unclean(match: str, finding: Finding) -> Damaged:
    """Why nothing is signed."""
    seq, why = finding
    where = f"event {seq}: " if seq else ""
    return Damaged(
        "trust/unclean", f"Match {match} does not audit clean, so it is not signed: {where}{why}", match, seq
    )


def _inherited(store: Store, origin: str) -> Claim:
    """The most a fork can claim: no more than its parent, and less where the parent is not what was stated."""
    best = arrival(store, origin)
    if best == "hosted":
        parent = from_store(store, origin)
        heads = [hash_.hex() for hash_ in parent.chain.hashes]
        is_stated = all(said.head in heads[said.count - 1 : said.count] for said in parent.stated)
        if not is_stated or journal_about(store, parent).flaw is not None:
            return "witnessed"
    return best


def journal_about(store: Store, evidence: Evidence) -> Journal:
    """The journal from its first word about a match on: what stood before can neither vouch for it nor accuse it.

    So whoever signs pays for what was stated since the match was opened, and not for the age of the ledger.
    """
    first = next(iter(evidence.stated), None)
    if first is None:
        return Journal(count=sum(1 for _ in islice(store.journal(), 1)))
    if first.kind not in OF_ARRIVAL:  # whatever was said before it may have been listed under another name since
        return walk(store.journal())
    return walk(store.journal(after=first.place - 1), since=first)


# -------------------------------------------------------------------------------------------------------- statements


def about_step(
    notary: Notary, store: Store, kind: Kind, match: str, rows: Sequence[Row], head: Head, origin: str | None
) -> Draft:
    """What is stated with a step that is about to be appended; `origin` is the match a new one was forked from."""
    if kind == "opened":
        best: Claim = "hosted" if origin is None else _inherited(store, origin)
        evidence = Evidence(match, match, rows, len(rows), head.hash.hex())
    else:
        stored = from_store(store, match)
        # First what is there, held to the journal, which does not know the step yet.
        best = claim_for(notary, arrival(store, match), stored, journal_about(store, stored))
        # What the database keeps beside the events is of the moment before, and not yet to be held to the step.
        after = [*stored.rows, *rows]
        evidence = replace(stored, rows=after, count=head.seq, head=head.hash.hex(), stored=None)
    return draft(kind, claim_for(notary, best, evidence), evidence)


def draft(kind: Kind, claim: Claim, evidence: Evidence) -> Draft:
    """A statement about evidence whose opening reads."""
    opened = evidence.chain.opened
    assert opened is not None
    return Draft(kind, evidence.match, claim, opened.game, opened.ruleset, evidence.count, evidence.head)


def state(notary: Notary, store: Store, kind: Kind, evidence: Evidence, at: datetime) -> Statement | None:
    """Sign and enter a statement about a stored match as it stands; None where the ledger claims nothing of it."""
    claim = claim_for(notary, arrival(store, evidence.match), evidence, journal_about(store, evidence))
    return None if claim == "kept" else _enter(notary, store, draft(kind, claim, evidence), at)


def given(notary: Notary, store: Store, evidence: Evidence, at: datetime) -> Statement:
    """The statement of a receipt; refused for what does not audit clean."""
    if (finding := notary.judge(evidence, journal_about(store, evidence))) is not None:
        raise unclean(evidence.match, finding)
    return _enter(notary, store, draft("receipt", arrival(store, evidence.match), evidence), at)


def receipt_for(notary: Notary, store: Store, evidence: Evidence, at: datetime) -> Receipt:
    """A receipt of a stored match as it stands; refused for what does not audit clean."""
    statement = given(notary, store, evidence, at)
    opened = evidence.chain.opened
    assert opened is not None  # it audits clean
    return make_receipt(statement, opened.commitment)


def _enter(notary: Notary, store: Store, said: Draft, at: datetime) -> Statement:
    statement = read_entry(store.enter(notary.entries([said], at), said.match, said.count)[-1])
    assert statement is not None  # it was made a moment ago
    return statement


def take_over(notary: Notary, store: Store, old: str, at: datetime) -> None:
    """Enter into the journal that this key follows the old one, if the old one signs it; else leave it alone."""
    if walk(store.journal()).key == old:
        store.enter(notary.entries([], at))


def adopt(notary: Notary, store: Store, at: datetime) -> int:
    """Keep this ledger's journal with the key here from now on; gives how many matches were put into it.

    Matches of a ledger that never had a journal are entered as found: they are here, and nothing is said for them.
    A damaged line among them is refused, because there is no head of it to enter.
    """
    found = []
    if next(store.journal(), None) is None:
        found = [
            Draft("found", row.id, "kept", row.game, row.ruleset, row.head.seq, row.head.hash.hex())
            for row in sound(store.matches())
        ]
    store.enter(notary.entries(found, at, adopts=True))
    return len(found)
