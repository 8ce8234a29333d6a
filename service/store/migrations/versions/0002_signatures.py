"""Signed heads of matches, and the triggers that keep them as they are."""

import sqlalchemy as sa
from alembic import op

revision: str = "0002_signatures"
down_revision: str | None = "0001_ledger"
branch_labels: str | None = None
depends_on: str | None = None

# As for events: REPLACE fires no delete trigger, so on SQLite the insert itself must refuse a taken key.
SQLITE_TRIGGERS = (
    """
    CREATE TRIGGER signature_never_updated BEFORE UPDATE ON signature
    BEGIN SELECT RAISE(ABORT, 'a stored signature is never updated'); END
    """,
    """
    CREATE TRIGGER signature_never_deleted BEFORE DELETE ON signature
    BEGIN SELECT RAISE(ABORT, 'a stored signature is never deleted'); END
    """,
    """
    CREATE TRIGGER signature_never_replaced BEFORE INSERT ON signature
    WHEN EXISTS (
        SELECT 1 FROM signature
        WHERE match_id = NEW.match_id AND event_count = NEW.event_count AND public_key = NEW.public_key
    )
    BEGIN SELECT RAISE(ABORT, 'a stored signature is never replaced'); END
    """,
)

POSTGRESQL_TRIGGERS = (
    """
    CREATE FUNCTION signature_stays_as_it_is() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a stored signature stays as it is: % refused', TG_OP
            USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER signature_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON signature
    FOR EACH STATEMENT EXECUTE FUNCTION signature_stays_as_it_is()
    """,
)

TRIGGERS = {"sqlite": SQLITE_TRIGGERS, "postgresql": POSTGRESQL_TRIGGERS}


def upgrade() -> None:
    identifier = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "signature",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("event_count", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("head_hash", sa.LargeBinary(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("signed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "event_count", "public_key", name="pk_signature"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_signature_match_id_match"),
        sa.CheckConstraint("event_count >= 1", name=op.f("ck_signature_event_count")),
        sa.CheckConstraint("length(head_hash) = 32", name=op.f("ck_signature_head_hash")),
        sa.CheckConstraint("length(public_key) = 32", name=op.f("ck_signature_public_key")),
        sa.CheckConstraint("length(signature) = 64", name=op.f("ck_signature_signature")),
        sqlite_with_rowid=False,
    )
    for statement in TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)
