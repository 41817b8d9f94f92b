"""Reads every sheet of a workbook with DuckDB's read_xlsx and its defaults, and compares it with the published file."""

import sys
from pathlib import Path

import duckdb
import duckdb_extension_excel

path, workbook = sys.argv[1:]
extension = next(Path(duckdb_extension_excel.__file__).parent.rglob("excel.duckdb_extension"))
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
connection.execute(f"load '{extension}'")
connection.execute(f"attach '{path}' as answers (read_only)")
views = [row[0] for row in connection.execute("select view_name from duckdb_views() where not internal and database_name = 'answers' and schema_name = 'main'").fetchall()]
rows = 0
for view in views:
    sheet = f"read_xlsx('{workbook}', sheet = '{view}')"
    held = f"answers.main.{view}"
    counts = [connection.execute(f"select count(*) from {source}").fetchone()[0] for source in (sheet, held)]
    assert counts[0] == counts[1], f"{view}: {counts[0]} rows instead of {counts[1]}"
    rows += counts[0]
columns = "project_name, date, visibility, cast(citations_count as bigint), event_titles, is_final"
both = [f"select {columns} from {source}" for source in (f"read_xlsx('{workbook}', sheet = 'daily_kpis')", "answers.main.daily_kpis")]
for one, other in (both, both[::-1]):
    assert connection.execute(f"{one} except all {other}").fetchall() == [], "daily_kpis differs"
print(f"read_xlsx of DuckDB {duckdb.__version__}: {len(views)} sheets, {rows} rows, types and figures of daily_kpis")
