"""Parses the load scripts of warehouses, and runs those of PostgreSQL and ClickHouse on two exports with changed and deleted rows between them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import sqlglot
from chdb.session import Session

folder, program = Path(sys.argv[1]), sys.argv[2]
scripts = {path.stem: path.read_text() for path in Path("dist/starters/warehouses").glob("*.sql")}
published, lake = folder / "data" / "answers.duckdb", folder / "lake"
os.environ["TZ"] = "UTC"
os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
os.environ["PGOPTIONS"] = "-c client_min_messages=warning"
os.environ["EXPORT_FOLDER"] = str(lake)

for engine in ["snowflake", "bigquery", "redshift", "databricks", "clickhouse"]:
    for statement in sqlglot.parse(scripts[engine], dialect=engine):
        text = statement.sql()
        assert not isinstance(statement, sqlglot.exp.Command) or text.startswith("create external schema"), f"{engine}: {text}"


def postgres(*arguments):
    command = ["psql", os.environ["DATABASE_URL"], "-v", "ON_ERROR_STOP=1", "-qAt", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def load_postgres():
    differing = postgres("-f", "dist/starters/warehouses/postgres.sql")
    assert differing == "", f"PostgreSQL differs from the manifest: {differing}"


def load_clickhouse():
    for statement in scripts["clickhouse"].removesuffix(";\n").split(";\n"):
        differing = str(clickhouse.query(statement))
    assert differing == "", f"ClickHouse differs from the manifest: {differing}"


def rows_of_postgres(view, columns):
    names = ", ".join(f'"{name}"' for name in columns)
    postgres("-c", f"\\copy (select {names} from answerlake.{view}) to '{folder}/rows' csv")
    return f"read_csv('{folder}/rows', auto_detect = false, quote = '\"', escape = '\"', columns = {columns}, allow_quoted_nulls = false)"


def rows_of_clickhouse(view, columns):
    names = ", ".join(f"`{name}`" for name in columns)
    rows = clickhouse.query(f"select {names} from answerlake.{view}", "Parquet")
    (folder / "rows").write_bytes(rows.bytes())
    return f"read_parquet('{folder}/rows')"


def export(output):
    command = ["node", program, "export", "--config", folder / "answerlake.yaml", "--output", output, "--changed", "--quiet"]
    subprocess.run(command, check=True)


def compare():
    with duckdb.connect(published, read_only=True, config={"threads": 1}) as file:
        views = [row[0] for row in file.execute("select view_name from duckdb_views() where not internal and schema_name = 'main'").fetchall()]
        for view in views:
            columns = {row[0]: row[1] for row in file.execute(f"describe main.{view}").fetchall()}
            # A copy of a row does not age.
            columns.pop("age_hours", None)
            names = ", ".join(f'"{name}"' for name in columns)
            file.execute(f"create or replace temporary table held as select {names} from main.{view}")
            for engine, (_, rows_of, _) in engines.items():
                casts = ", ".join(f'cast("{name}" as {type})' for name, type in columns.items())
                file.execute(f"create or replace temporary table loaded as select {casts} from {rows_of(view, columns)}")
                for one, other in [("held", "loaded"), ("loaded", "held")]:
                    rows = file.execute(f"from {one} except all from {other}").fetchall()
                    assert not rows, f"{engine}: {view} differs in {len(rows)} rows, for example {rows[0]}"
        return len(views), set(file.execute("from daily_kpis").fetchall())


def partitions(kind):
    lines = [json.loads(line) for line in (lake / "manifest.ndjson").read_text().splitlines()]
    return [str(Path(line["path"]).parent) for line in lines if line["kind"] == kind]


engines = {"PostgreSQL": (load_postgres, rows_of_postgres, lake)}
if "AWS_ENDPOINT_URL" in os.environ:
    clickhouse = Session()
    key = f"access_key_id = '{os.environ['AWS_ACCESS_KEY_ID']}', secret_access_key = '{os.environ['AWS_SECRET_ACCESS_KEY']}'"
    clickhouse.query(f"create named collection answerlake as url = '{os.environ['AWS_ENDPOINT_URL']}/answers/export/', {key}")
    engines["ClickHouse"] = (load_clickhouse, rows_of_clickhouse, "s3://answers/export")

for _, _, output in engines.values():
    export(output)
# What an export that is killed leaves is in the folder and not in the manifest.
leftover = lake / "daily_kpis" / "leftover.parquet"
shutil.copy(next((lake / "daily_kpis").rglob("*.parquet")), leftover)
for load, _, _ in engines.values():
    load()
leftover.unlink()
_, first = compare()

following = folder / "data" / "following.duckdb"
os.chmod(following, 0o644)
with duckdb.connect(following) as file:
    project = file.execute("select max(project_id) from core.projects").fetchone()[0]
    tables = file.execute("select table_name from duckdb_columns() where schema_name = 'core' and column_name = 'project_id'").fetchall()
    for (table,) in tables:
        file.execute(f"delete from core.{table} where project_id = ?", [project])
    file.execute("delete from core.visibility where date = (select min(date) from core.visibility)")
    file.execute("update core.visibility set visibility = 1 where date = (select min(date) + 40 from core.visibility)")
os.replace(following, published)
if "ClickHouse" in engines:
    # What a load that is killed leaves of a file.
    clickhouse.query("delete from answerlake.calendar where iso_day_of_week = 1")
for load, _, output in engines.values():
    export(output)
    load()
views, second = compare()
changed = [partition for partition in partitions("deleted") if partition in partitions("file")]
gone = set(partitions("deleted")) - set(partitions("file"))
assert changed and gone and first - second and second - first
print(
    f"warehouses: five scripts parsed by sqlglot {sqlglot.__version__}; {' and '.join(engines)} equal the file in {views} views after two exports "
    f"({len(changed)} of {len(partitions('file'))} partitions changed, {len(gone)} went)"
)
