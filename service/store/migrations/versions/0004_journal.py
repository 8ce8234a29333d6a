"""The journal of what the ledger has stated, statements of other ledgers, and the triggers that keep both."""

import sqlalchemy as sa
from alembic import op

revision: str = "0004_journal"
down_revision: str | None = "0003_remarks"
branch_labels: str | None = None
depends_on: str | None = None

# As for events: REPLACE fires no delete trigger, so on SQLite the insert itself must refuse a taken key.
SQLITE_TRIGGERS = (
    """
    CREATE TRIGGER journal_never_updated BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'an entry of the journal is never updated'); END
    """,
    """
    CREATE TRIGGER journal_never_deleted BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'an entry of the journal is never deleted'); END
    """,
    """
    CREATE TRIGGER journal_only_extended BEFORE INSERT ON journal
    WHEN NEW.place <> (SELECT coalesce(max(place), 0) + 1 FROM journal)
    BEGIN SELECT RAISE(ABORT, 'an entry of the journal follows the last one'); END
    """,
    """
    CREATE TRIGGER statement_never_updated BEFORE UPDATE ON statement
    BEGIN SELECT RAISE(ABORT, 'a stored statement is never updated'); END
    """,
    """
    CREATE TRIGGER statement_never_deleted BEFORE DELETE ON statement
    BEGIN SELECT RAISE(ABORT, 'a stored statement is never deleted'); END
    """,
    """
    CREATE TRIGGER statement_never_replaced BEFORE INSERT ON statement
    WHEN EXISTS (SELECT 1 FROM statement WHERE match_id = NEW.match_id AND signature = NEW.signature)
    BEGIN SELECT RAISE(ABORT, 'a stored statement is never replaced'); END
    """,
)

POSTGRESQL_TRIGGERS = (
    """
    CREATE FUNCTION statement_stays_as_it_is() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a stored statement stays as it is: % refused', TG_OP
            USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER journal_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
    FOR EACH STATEMENT EXECUTE FUNCTION statement_stays_as_it_is()
    """,
    """
    CREATE TRIGGER statement_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON statement
    FOR EACH STATEMENT EXECUTE FUNCTION statement_stays_as_it_is()
    """,
    """
    CREATE FUNCTION journal_follows() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.place <> (SELECT coalesce(max(place), 0) + 1 FROM journal) THEN
            RAISE EXCEPTION 'an entry of the journal follows the last one'
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END
    $$
    """,
    """
    CREATE TRIGGER journal_only_extended BEFORE INSERT ON journal
    FOR EACH ROW EXECUTE FUNCTION journal_follows()
    """,
)

TRIGGERS = {"sqlite": SQLITE_TRIGGERS, "postgresql": POSTGRESQL_TRIGGERS}


def upgrade() -> None:
    identifier = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "journal",
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("place", name="pk_journal"),
        sa.CheckConstraint("place >= 1", name=op.f("ck_journal_place")),
        sa.CheckConstraint("length(signature) = 64", name=op.f("ck_journal_signature")),
        sa.CheckConstraint("length(hash) = 32", name=op.f("ck_journal_hash")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_journal_match_id", "journal", ["match_id"])
    op.create_table(
        "statement",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "signature", name="pk_statement"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_statement_match_id_match"),
        sa.CheckConstraint("length(signature) = 64", name=op.f("ck_statement_signature")),
        sqlite_with_rowid=False,
    )
    for statement in TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)
