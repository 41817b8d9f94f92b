"""The same requests with dlt: `dlt_sync.py tuned|defaults REQUESTS.json DATABASE.duckdb`.

tuned: eight requests at a time, Arrow tables (no row-by-row normalising), Parquet to the loader, merge by delete-insert.
defaults: a resource for each table, dictionaries, whatever dlt does by itself; eight requests at a time as well.
"""

import concurrent.futures
import json
import os
import sys
from collections import defaultdict
from urllib.parse import parse_qs, urlsplit

import requests

MODE, FILE, DATABASE = sys.argv[1:4]
if MODE == "tuned":
    os.environ["NORMALIZE__WORKERS"] = "2"
    os.environ["LOAD__WORKERS"] = "2"
    os.environ["DATA_WRITER__BUFFER_MAX_ITEMS"] = "100000"

import dlt  # noqa: E402
import pyarrow  # noqa: E402

TABLES = json.load(open(os.path.join(os.path.dirname(__file__), "tables.json")))


def simple(value):
    return json.dumps(value) if isinstance(value, (list, dict)) else value


def plain(item):
    row = {}
    for name, value in item.items():
        if isinstance(value, dict):
            for inner, one in value.items():
                # dlt gives `llmMonitor.id` and `llmMonitorId` the same name.
                if f"{name}{inner.capitalize()}" not in item:
                    row[f"{name}_{inner}"] = simple(one)
        else:
            row[name] = simple(value)
    return row


def flatten(body):
    if isinstance(body, list):
        return [plain(item) for item in body]
    if isinstance(body.get("series"), list):
        return [
            {"date": date, "name": series.get("name") or series.get("domain") or "", "value": value}
            for series in body["series"]
            for date, value in zip(body["dates"], series["data"])
        ]
    if isinstance(body.get("competitors"), list):
        return [
            {"name": one["name"], "model": model, "visibility": value}
            for one in body["competitors"]
            for model, value in body["matrix"].get(one["name"], {}).items()
        ]
    if isinstance(body.get("events"), list):
        return [
            {"date": day["date"], "id": (item.get("action") or item.get("monitor") or {}).get("id", ""), **plain(item)}
            for day in body["events"]
            for item in day["items"]
        ]
    for name in ("timeSeries", "prompts", "models"):
        if isinstance(body.get(name), list):
            return [plain(item) for item in body[name]]
    return [plain(body)]


def fetch(session, origin, job):
    answer = session.get(origin + job["path"], headers=job["headers"], timeout=60)
    # A prompt that is gone answers 404: its row is what the answer says.
    if answer.status_code != 404:
        answer.raise_for_status()
    return job, answer.json()


def rows_of(job, body):
    split = urlsplit(job["path"])
    query = {name: values[0] for name, values in parse_qs(split.query).items()}
    shared = {
        "project": job["headers"].get("x-project-id", ""),
        "scope": query.get("model") or query.get("models") or query.get("llmMonitorId") or "",
        "start": query.get("startDate", ""),
    }
    known = TABLES.get(split.path)
    return (known, [{**shared, **row} for row in flatten(body)]) if known else (None, [])


def gather(origin, jobs):
    gathered = defaultdict(list)
    session = requests.Session()
    session.mount("http://", requests.adapters.HTTPAdapter(pool_connections=8, pool_maxsize=8))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for job, body in pool.map(lambda job: fetch(session, origin, job), jobs):
            known, rows = rows_of(job, body)
            if known:
                gathered[known["table"]].extend(rows)
    return gathered


def main():
    source = json.load(open(FILE))
    gathered = gather(source["origin"], source["requests"])
    keys = {known["table"]: known["key"] for known in TABLES.values()}
    resources = []
    for table, rows in gathered.items():
        data = rows
        if MODE == "tuned":
            columns = sorted({name for row in rows for name in row})
            data = [pyarrow.Table.from_pylist([{name: row.get(name) for name in columns} for row in rows])]
        present = [name for name in keys[table] if rows and name in rows[0]]
        resources.append(
            dlt.resource(
                data,
                name=table,
                primary_key=present or None,
                write_disposition={"disposition": "merge", "strategy": "delete-insert"} if present else "append",
            )
        )
    pipeline = dlt.pipeline("bench", destination=dlt.destinations.duckdb(DATABASE), dataset_name="answers")
    options = {"loader_file_format": "parquet"} if MODE == "tuned" else {}
    pipeline.run(resources, **options)


if __name__ == "__main__":
    main()
