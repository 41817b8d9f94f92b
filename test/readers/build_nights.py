"""Builds the incremental model of dbt after each of some nights, and compares it with the view and with a full build after the last one."""

import multiprocessing
import os
import shutil
import sys
from glob import glob

import duckdb
from dbt.cli.main import dbtRunner

nights, warehouse, output = sorted(glob(os.path.join(sys.argv[1], "*.duckdb"))), *sys.argv[2:4]
VIEW = "select * exclude (is_final) from answerlake.main.brand_mention_share"
MODEL = "select * from main.brand_shares"


def run_dbt(flags):
    result = dbtRunner().invoke(["--quiet", "run", "--profiles-dir", ".", "--select", "brand_shares", *flags])
    if not result.success:
        sys.exit(f"dbt failed: {result.exception or [one.message for one in result.result]}")


# dbt keeps the files open until its process ends; a fork has it loaded already.
def build(*flags):
    dbt = multiprocessing.get_context("fork").Process(target=run_dbt, args=(flags,))
    dbt.start()
    dbt.join()
    if dbt.exitcode != 0:
        sys.exit(1)


def rows(sql):
    with duckdb.connect(output, read_only=True) as mine:
        mine.execute(f"attach '{warehouse}' as answerlake (read_only)")
        return sorted(mine.execute(sql).fetchall(), key=repr)


read = 0
for night, file in enumerate(nights):
    shutil.copyfile(file, warehouse + ".next")
    os.replace(warehouse + ".next", warehouse)
    before = [] if night == 0 else rows(MODEL)
    build()
    held = rows(MODEL)
    if held != rows(VIEW):
        sys.exit(f"the incremental model differs from the view after night {night}")
    read += len(set(held) - set(before))
deleted = rows("select count(*) from answerlake.main.deleted_rows where view_name = 'brand_mention_share'")[0][0]
build("--full-refresh")
if rows(MODEL) != held:
    sys.exit("the incremental model differs from a full build")
if deleted == 0 or read >= len(held) * len(nights):
    sys.exit(f"the nights prove nothing: {deleted} deleted rows, {read} rows read")
print(f"{len(nights)} random nights: the incremental model equals a full build, {len(held)} rows, {deleted} deleted, {read} changed")
