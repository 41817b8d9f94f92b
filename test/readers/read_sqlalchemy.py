"""Reads a published file through SQLAlchemy and duckdb_engine, as Superset does."""

import os
import sys
import warnings

import duckdb
import duckdb_engine
import sqlalchemy

path, following, views = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
warnings.simplefilter("ignore")


def engine():
    return sqlalchemy.create_engine(f"duckdb:///{path}", connect_args={"read_only": True})


def sync_day(connection):
    return connection.execute(sqlalchemy.text("select sync_day from sync_settings")).scalar()


first = engine()
inspector = sqlalchemy.inspect(first)
names = inspector.get_view_names(schema="main")
assert set(views) <= set(names), names
assert inspector.get_table_names(schema="core")
columns = [column for view in views for column in inspector.get_columns(view, schema="main")]
silent = [column["name"] for column in columns if not column["comment"]]
assert not silent, silent
assert inspector.get_table_comment(views[0], schema="main")["text"]
with first.connect() as connection:
    counts = {name: len(connection.execute(sqlalchemy.text(f"select * from {name}")).fetchall()) for name in names}
    rows = [counts[view] for view in views]
    assert all(rows), rows
    before = sync_day(connection)
os.replace(following, path)
with first.connect() as connection:
    pooled = "old" if sync_day(connection) == before else "new"
first.dispose()
with engine().connect() as connection:
    assert sync_day(connection) > before, "a new engine sees the old file"
print(
    f"SQLAlchemy {sqlalchemy.__version__}, duckdb_engine {duckdb_engine.__version__}, duckdb {duckdb.__version__}: "
    f"{len(names)} views read, {len(columns)} columns explained, rows {rows}; second publish seen after dispose(), "
    f"from the pool the {pooled} state"
)
