"""Seals: closed matches as one compressed row each, with triggers that let events go only where a seal holds them."""

import sqlalchemy as sa
from alembic import op

revision: str = "0006_seals"
down_revision: str | None = "0005_tokens"
branch_labels: str | None = None
depends_on: str | None = None

# As for events: REPLACE fires no delete trigger, so on SQLite the insert itself must refuse a taken key.
SQLITE_TRIGGERS = (
    """
    CREATE TRIGGER event_never_deleted BEFORE DELETE ON event
    WHEN NOT EXISTS (SELECT 1 FROM seal WHERE match_id = OLD.match_id AND events >= OLD.seq)
    BEGIN SELECT RAISE(ABORT, 'a stored event is never deleted, unless a seal holds it'); END
    """,
    """
    CREATE TRIGGER seal_never_updated BEFORE UPDATE ON seal
    BEGIN SELECT RAISE(ABORT, 'a seal is never updated'); END
    """,
    """
    CREATE TRIGGER seal_never_deleted BEFORE DELETE ON seal
    WHEN (SELECT count(*) FROM event WHERE match_id = OLD.match_id AND seq BETWEEN 1 AND OLD.events) < OLD.events
    BEGIN SELECT RAISE(ABORT, 'a seal is never deleted, unless its events are back'); END
    """,
    """
    CREATE TRIGGER seal_never_replaced BEFORE INSERT ON seal
    WHEN EXISTS (SELECT 1 FROM seal WHERE match_id = NEW.match_id)
    BEGIN SELECT RAISE(ABORT, 'a seal is never replaced'); END
    """,
    """
    CREATE TRIGGER dictionary_never_updated BEFORE UPDATE ON dictionary
    BEGIN SELECT RAISE(ABORT, 'a dictionary is never updated'); END
    """,
    """
    CREATE TRIGGER dictionary_never_deleted BEFORE DELETE ON dictionary
    BEGIN SELECT RAISE(ABORT, 'a dictionary is never deleted'); END
    """,
    """
    CREATE TRIGGER dictionary_never_replaced BEFORE INSERT ON dictionary
    WHEN EXISTS (SELECT 1 FROM dictionary WHERE number = NEW.number)
    BEGIN SELECT RAISE(ABORT, 'a dictionary is never replaced'); END
    """,
)

POSTGRESQL_TRIGGERS = (
    """
    CREATE TRIGGER event_never_changed BEFORE UPDATE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_stays_as_it_is()
    """,
    """
    CREATE FUNCTION event_goes_under_seal() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT 1 FROM seal WHERE match_id = OLD.match_id AND events >= OLD.seq) THEN
            RAISE EXCEPTION 'a stored event is never deleted, unless a seal holds it'
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN OLD;
    END
    $$
    """,
    """
    CREATE TRIGGER event_never_deleted BEFORE DELETE ON event
    FOR EACH ROW EXECUTE FUNCTION event_goes_under_seal()
    """,
    """
    CREATE FUNCTION seal_stays_as_it_is() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'a seal and its dictionary stay as they are: % refused', TG_OP
            USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER seal_never_changed BEFORE UPDATE OR TRUNCATE ON seal
    FOR EACH STATEMENT EXECUTE FUNCTION seal_stays_as_it_is()
    """,
    """
    CREATE FUNCTION seal_goes_for_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (SELECT count(*) FROM event WHERE match_id = OLD.match_id AND seq BETWEEN 1 AND OLD.events) < OLD.events THEN
            RAISE EXCEPTION 'a seal is never deleted, unless its events are back'
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN OLD;
    END
    $$
    """,
    """
    CREATE TRIGGER seal_never_deleted BEFORE DELETE ON seal
    FOR EACH ROW EXECUTE FUNCTION seal_goes_for_events()
    """,
    """
    CREATE TRIGGER dictionary_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON dictionary
    FOR EACH STATEMENT EXECUTE FUNCTION seal_stays_as_it_is()
    """,
)

TRIGGERS = {"sqlite": SQLITE_TRIGGERS, "postgresql": POSTGRESQL_TRIGGERS}
REPLACED = {
    "sqlite": "DROP TRIGGER event_never_deleted",
    "postgresql": "DROP TRIGGER event_never_changed ON event",
}
"""The trigger that refused to delete any event at all."""


def upgrade() -> None:
    identifier = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "dictionary",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_dictionary"),
        sa.CheckConstraint("number >= 1", name=op.f("ck_dictionary_number")),
    )
    # With a row id on SQLite, unlike other tables: a clustered row of a kilobyte would take a page of its own.
    op.create_table(
        "seal",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("dictionary", sa.Integer(), nullable=True),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_seal"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_seal_match_id_match"),
        sa.ForeignKeyConstraint(["dictionary"], ["dictionary.number"], name="fk_seal_dictionary_dictionary"),
        sa.CheckConstraint("events >= 1", name=op.f("ck_seal_events")),
    )
    dialect = op.get_bind().dialect.name
    op.execute(REPLACED[dialect])
    for statement in TRIGGERS[dialect]:
        op.execute(statement)
