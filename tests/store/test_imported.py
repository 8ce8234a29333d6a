"""What an imported match brings along: the time it was opened and the remarks of its record, on both databases."""

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from alembic import command
from sqlalchemy import text

from service.errors import Conflict
from service.store import Store, open_store, schema
from service.store.connect import open_engine
from service.store.shapes import RemarkRow
from tests.store.steps import START, new_match, opened

REMARKS = (
    RemarkRow(0, "tag", "Event", 'Friday "table"; 漢字'),
    RemarkRow(0, "line", "", ""),
    RemarkRow(2, "end", "", "the same twice"),
    RemarkRow(2, "end", "", "the same twice"),
)


def test_remarks_come_back_in_order_and_the_opening_keeps_its_time(store: Store) -> None:
    earlier = START - timedelta(days=400, microseconds=1)
    opened(store, "m1", new=msgspec.structs.replace(new_match(), opened_at=earlier, remarks=REMARKS))
    opened(store, "m2")
    assert store.remarks("m1") == list(REMARKS)
    assert store.remarks("m2") == []
    row = store.find("m1")
    assert (row.opened_at, row.moved_at) == (earlier, START)


def test_a_refused_opening_leaves_no_remarks(store: Store) -> None:
    opened(store, "m1")
    with pytest.raises(Conflict):
        opened(store, "m1", new=msgspec.structs.replace(new_match(), remarks=REMARKS))
    assert store.remarks("m1") == []


def test_a_file_from_before_remarks_is_brought_up_to_date(new_address: str) -> None:
    Path(new_address).touch()
    engine = open_engine(new_address)
    config = schema.migrations_config()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001_ledger")
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "0001_ledger"
    engine.dispose()
    with open_store(new_address) as store:
        opened(store, "m1", new=msgspec.structs.replace(new_match(), remarks=REMARKS))
        assert store.remarks("m1") == list(REMARKS)
