"""The ledger: matches, their events, commands, seats and secrets, and the triggers that keep events as they are."""

import sqlalchemy as sa
from alembic import op

revision: str = "0001_ledger"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None

# REPLACE removes the old row without firing delete triggers, so on SQLite the insert itself must refuse a taken key.
SQLITE_TRIGGERS = (
    """
    CREATE TRIGGER event_never_updated BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'a stored event is never updated'); END
    """,
    """
    CREATE TRIGGER event_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'a stored event is never deleted'); END
    """,
    """
    CREATE TRIGGER event_never_replaced BEFORE INSERT ON event
    WHEN EXISTS (SELECT 1 FROM event WHERE match_id = NEW.match_id AND seq = NEW.seq)
    BEGIN SELECT RAISE(ABORT, 'a stored event is never replaced'); END
    """,
)

POSTGRESQL_TRIGGERS = (
    """
    CREATE FUNCTION event_stays_as_it_is() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a stored event stays as it is: % refused', TG_OP
            USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER event_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_stays_as_it_is()
    """,
)

TRIGGERS = {"sqlite": SQLITE_TRIGGERS, "postgresql": POSTGRESQL_TRIGGERS}


def upgrade() -> None:
    identifier = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "match",
        sa.Column("id", identifier, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("undo", sa.Text(), nullable=False),
        sa.Column("chance", sa.Text(), nullable=False),
        sa.Column("parent", identifier, nullable=True),
        sa.Column("opened_at", moment, nullable=False),
        sa.Column("moved_at", moment, nullable=False),
        sa.Column("head_seq", sa.Integer(), nullable=False),
        sa.Column("head_step", sa.Integer(), nullable=False),
        sa.Column("head_hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
        sa.CheckConstraint("status IN ('open', 'playing', 'closed')", name=op.f("ck_match_status")),
        sa.CheckConstraint("length(head_hash) = 32", name=op.f("ck_match_head_hash")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_match_moved_at_id", "match", ["moved_at", "id"])
    op.create_index("ix_match_parent", "match", ["parent"])
    op.create_table(
        "event",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_event"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_event_match_id_match"),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_event_seq")),
        sa.CheckConstraint("length(hash) = 32", name=op.f("ck_event_hash")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "command",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("command_id", identifier, nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("first_seq", sa.Integer(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "command_id", name="pk_command"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_command_match_id_match"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seat",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_seat"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_seat_match_id_match"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seat_name", "seat", ["name"])
    op.create_table(
        "secret",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_secret"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_secret_match_id_match"),
        sqlite_with_rowid=False,
    )
    for statement in TRIGGERS[op.get_bind().dialect.name]:
        op.execute(statement)
