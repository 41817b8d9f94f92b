"""Reads a published file with the duckdb module and sees a second one take its place."""

import os
import sys

import duckdb

path, following, views = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
# DuckDB 1.1 takes minutes to plan the judged views, so it reads those that are named.
is_old = sys.argv[4:] == ["old"]


def sync_day(connection):
    return connection.execute("select sync_day from sync_settings").fetchone()[0]


old = duckdb.connect(path, read_only=True)
names = [row[0] for row in old.execute("select schema_name || '.' || view_name from duckdb_views() where not internal").fetchall()]
assert {f"main.{view}" for view in views} <= set(names), names
names = [name for name in names if not is_old or name in {f"main.{view}" for view in views}]
silent = old.execute("select count(*) from duckdb_columns() where not internal and comment is null").fetchone()[0]
assert silent == 0, f"{silent} columns without a comment"
counts = {name: len(old.execute(f"select * from {name}").fetchall()) for name in names}
rows = [counts[f"main.{view}"] for view in views]
assert all(rows), rows
try:
    old.execute("create table main.mine (a integer)")
    raise SystemExit("a read-only connection wrote")
except duckdb.Error:
    pass

before = sync_day(old)
os.replace(following, path)
assert sync_day(old) == before, "an open connection changed under the reader"
beside = duckdb.connect(path, read_only=True)
same_process = "old" if sync_day(beside) == before else "new"
beside.close()
old.close()
new = duckdb.connect(path, read_only=True)
assert sync_day(new) > before, "a new connection sees the old file"
print(
    f"python duckdb {duckdb.__version__}: {len(names)} views read, every column explained, rows {rows}; second publish seen, "
    f"beside an open connection the {same_process} state"
)
