"""Exports a published file whose first project has the id 007, and reads each folder with five libraries and their defaults."""

import os
import subprocess
import sys
from pathlib import Path

import dask.dataframe
import duckdb
import pandas
import polars
import pyarrow.dataset
import pyarrow.parquet

path, config, program = sys.argv[1:]
os.chmod(path, 0o644)
with duckdb.connect(path) as file:
    first = file.execute("select min(project_id) from core.projects").fetchone()[0]
    tables = file.execute(
        "select schema_name, table_name from duckdb_columns() where column_name = 'project_id' and schema_name in ('core', 'meta') "
        "and table_name in (select table_name from duckdb_tables())"
    ).fetchall()
    for schema, table in tables:
        file.execute(f'update {schema}."{table}" set project_id = ? where project_id = ?', ["007", first])
    views = [row[0] for row in file.execute("select view_name from duckdb_views() where not internal and schema_name = 'main'").fetchall()]
    counts = {view: file.execute(f"select count(*) from {view}").fetchone()[0] for view in views}

output = Path(path).parent / "export"
subprocess.run(["node", program, "export", "--config", config, "--output", output, "--quiet"], check=True)

READERS = {
    "pandas": lambda folder: pandas.read_parquet(folder),
    "pyarrow": lambda folder: pyarrow.parquet.read_table(folder).to_pandas(),
    "pyarrow.dataset": lambda folder: pyarrow.dataset.dataset(folder).to_table().to_pandas(),
    "Polars": lambda folder: polars.read_parquet(folder),
    "Dask": lambda folder: dask.dataframe.read_parquet(folder).compute(),
    "DuckDB": lambda folder: duckdb.execute(f"from '{folder}/**/*.parquet'").fetchdf(),
}
for view, count in counts.items():
    for name, read in READERS.items():
        frame = read(str(output / view))
        assert len(frame) == count, f"{name}: {view} has {len(frame)} rows instead of {count}"
        if view == "daily_kpis":
            ids = set(frame["project_id"])
            assert "007" in ids and all(isinstance(one, str) for one in ids), f"{name}: {ids}"
versions = ", ".join(f"{one.__name__} {one.__version__}" for one in (pandas, pyarrow, polars, dask, duckdb))
print(f"export: {len(counts)} views read with their defaults by {versions}; the id 007 is text")
