"""The tables of the ledger, declared once for both databases."""

from datetime import datetime
from typing import ClassVar

from sqlalchemy import CheckConstraint, DateTime, Index, Integer, LargeBinary, MetaData, Text, text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# Byte order on both databases: prefixes of ids are looked up as a range, and streams come in the same order.
IDENTIFIER = Text().with_variant(Text(collation="C"), "postgresql")
MOMENT = DateTime(timezone=True)

# Clustered by primary key: the events of a match lie together and a step touches as few pages as can be.
CLUSTERED = {"sqlite_with_rowid": False}
_UNFINISHED = text("status <> 'closed'")


class LedgerTable(SQLModel, registry=registry(metadata=METADATA)):
    """What the tables share: metadata of their own, so that nobody else's tables are ever migrated with them."""

    metadata: ClassVar[MetaData] = METADATA


class MatchTable(LedgerTable, table=True):
    """One line per match, with the head that every append must move."""

    __tablename__ = "match"
    __table_args__ = (
        CheckConstraint("status IN ('open', 'playing', 'closed')", name="status"),
        CheckConstraint("length(head_hash) = 32", name="head_hash"),
        Index(None, "moved_at", "id"),
        Index(None, "game", "moved_at", "id"),
        Index("ix_match_unfinished", "moved_at", "id", sqlite_where=_UNFINISHED, postgresql_where=_UNFINISHED),
        CLUSTERED,
    )

    id: str = Field(primary_key=True, sa_type=IDENTIFIER)
    game: str = Field(sa_type=Text)
    ruleset: str = Field(sa_type=Text)
    seats: int = Field(sa_type=Integer)
    status: str = Field(sa_type=Text)
    undo: str = Field(sa_type=Text)
    chance: str = Field(sa_type=Text)
    parent: str | None = Field(default=None, sa_type=IDENTIFIER, index=True)
    opened_at: datetime = Field(sa_type=MOMENT)
    moved_at: datetime = Field(sa_type=MOMENT)
    head_seq: int = Field(sa_type=Integer)
    head_step: int = Field(sa_type=Integer)
    head_hash: bytes = Field(sa_type=LargeBinary)


class EventTable(LedgerTable, table=True):
    """The ledger. Triggers made by the migrations refuse every change to a stored row."""

    __tablename__ = "event"
    __table_args__ = (
        CheckConstraint("seq >= 1", name="seq"),
        CheckConstraint("length(hash) = 32", name="hash"),
        CLUSTERED,
    )

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    seq: int = Field(primary_key=True, sa_type=Integer, sa_column_kwargs={"autoincrement": False})
    data: bytes = Field(sa_type=LargeBinary)
    hash: bytes = Field(sa_type=LargeBinary)


class CommandTable(LedgerTable, table=True):
    """The requests already carried out, so that a repeated one gets its first outcome."""

    __tablename__ = "command"
    __table_args__ = (CLUSTERED,)

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    command_id: str = Field(primary_key=True, sa_type=IDENTIFIER)
    fingerprint: bytes = Field(sa_type=LargeBinary)
    first_seq: int = Field(sa_type=Integer)
    last_seq: int = Field(sa_type=Integer)


class SeatTable(LedgerTable, table=True):
    """Who sits where: the only table with names of people."""

    __tablename__ = "seat"
    __table_args__ = (CLUSTERED,)

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    seat: int = Field(primary_key=True, sa_type=Integer, sa_column_kwargs={"autoincrement": False})
    name: str = Field(sa_type=Text, index=True)
    kind: str = Field(sa_type=Text)


class RemarkTable(LedgerTable, table=True):
    """What people wrote around a match in the record it came from: tags of their own and comments."""

    __tablename__ = "remark"
    __table_args__ = (CLUSTERED,)

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    position: int = Field(primary_key=True, sa_type=Integer, sa_column_kwargs={"autoincrement": False})
    step: int = Field(sa_type=Integer)
    kind: str = Field(sa_type=Text)
    name: str = Field(sa_type=Text)
    text: str = Field(sa_type=Text)


class SecretTable(LedgerTable, table=True):
    """What the draws are made from, kept apart from everything that is ever shown."""

    __tablename__ = "secret"
    __table_args__ = (CLUSTERED,)

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    secret: bytes = Field(sa_type=LargeBinary)
    seed: str = Field(sa_type=Text)


class SignatureTable(LedgerTable, table=True):
    """Signed heads. Triggers made by the migrations refuse every change to a stored row."""

    __tablename__ = "signature"
    __table_args__ = (
        CheckConstraint("event_count >= 1", name="event_count"),
        CheckConstraint("length(head_hash) = 32", name="head_hash"),
        CheckConstraint("length(public_key) = 32", name="public_key"),
        CheckConstraint("length(signature) = 64", name="signature"),
        CLUSTERED,
    )

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    event_count: int = Field(primary_key=True, sa_type=Integer, sa_column_kwargs={"autoincrement": False})
    public_key: bytes = Field(primary_key=True, sa_type=LargeBinary)
    head_hash: bytes = Field(sa_type=LargeBinary)
    signature: bytes = Field(sa_type=LargeBinary)
    signed_at: datetime = Field(sa_type=MOMENT)


class JournalTable(LedgerTable, table=True):
    """What the ledger has stated, in order. Triggers made by the migrations refuse every change to a stored row.

    It refers to no match: that a match is gone is for the audit to find.
    """

    __tablename__ = "journal"
    __table_args__ = (
        CheckConstraint("place >= 1", name="place"),
        CheckConstraint("length(signature) = 64", name="signature"),
        CheckConstraint("length(hash) = 32", name="hash"),
        CLUSTERED,
    )

    place: int = Field(primary_key=True, sa_type=Integer, sa_column_kwargs={"autoincrement": False})
    match_id: str = Field(sa_type=IDENTIFIER, index=True)
    data: bytes = Field(sa_type=LargeBinary)
    signature: bytes = Field(sa_type=LargeBinary)
    hash: bytes = Field(sa_type=LargeBinary)


class StatementTable(LedgerTable, table=True):
    """What other ledgers stated about matches that came from them. Triggers refuse every change to a stored row."""

    __tablename__ = "statement"
    __table_args__ = (CheckConstraint("length(signature) = 64", name="signature"), CLUSTERED)

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    signature: bytes = Field(primary_key=True, sa_type=LargeBinary)
    data: bytes = Field(sa_type=LargeBinary)


class TokenTable(LedgerTable, table=True):
    """Who may do what over a network: the hash of one token for each role and seat; empty once it was revoked.

    A match with a spectator's token is private: nobody looks at it without one of its tokens.
    """

    __tablename__ = "token"
    __table_args__ = (
        CheckConstraint("role IN ('host', 'seat', 'arbiter', 'spectator')", name="role"),
        CheckConstraint("length(hash) IN (0, 32)", name="hash"),
        CLUSTERED,
    )

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    role: str = Field(primary_key=True, sa_type=Text)
    seat: int = Field(primary_key=True, sa_type=Integer, sa_column_kwargs={"autoincrement": False})
    hash: bytes = Field(sa_type=LargeBinary)


class DictionaryTable(LedgerTable, table=True):
    """What seals of one game have in common, trained on some of them. Triggers refuse every change to a stored row."""

    __tablename__ = "dictionary"
    __table_args__ = (CheckConstraint("number >= 1", name="number"),)

    number: int = Field(primary_key=True, sa_type=Integer, sa_column_kwargs={"autoincrement": False})
    game: str = Field(sa_type=Text)
    data: bytes = Field(sa_type=LargeBinary)


class SealTable(LedgerTable, table=True):
    """The first events of a closed match in one compressed block, instead of rows of their own.

    Triggers refuse to let an event go that no seal holds, or a seal whose events are not back. It is not clustered as
    other tables are: SQLite gives a clustered row of a kilobyte a page of its own.
    """

    __tablename__ = "seal"
    __table_args__ = (CheckConstraint("events >= 1", name="events"),)

    match_id: str = Field(primary_key=True, foreign_key="match.id", sa_type=IDENTIFIER)
    events: int = Field(sa_type=Integer)
    dictionary: int | None = Field(default=None, foreign_key="dictionary.number", sa_type=Integer)
    data: bytes = Field(sa_type=LargeBinary)
