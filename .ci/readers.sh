#!/usr/bin/env bash
# Reads a published demo file with readers from outside: Python, SQLAlchemy, DuckDB's shell, dbt, MetricFlow, JDBC, an older Node client, Evidence;
# and an export with pandas, pyarrow, Polars, Dask, DuckDB, and with the load scripts of warehouses; and a workbook with DuckDB, ExcelJS and read-excel-file.
# Exits non-zero when one fails; says "skipped" and passes where a registry does not answer.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
temp=$(mktemp -d)
trap 'chmod -R u+w "$temp"; rm -rf "$temp"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 DBT_SEND_ANONYMOUS_USAGE_STATS=false DO_NOT_TRACK=1 PYTHONDONTWRITEBYTECODE=1
views=daily_kpis,action_impact,competitor_heatmap_latest
old_views=daily_kpis,brand_visibility_trend,share_of_voice_trend,sync_freshness,competitor_heatmap_latest

node_api=1.4.2-r.1
excel=1.5.5
exceljs=4.4.0
read_excel_file=9.3.17
mcpb=2.1.2
# dbt-core 1.12 wants a parser that is a download and no package: without it, dbt uses its own. SQLAlchemy 2.1 reads columns in a way DuckDB does not answer.
dbt_core='dbt-core~=1.10.0'
dbt_ossie='1.12.6'
sqlalchemy='sqlalchemy<2.1'

answers() { # name, command…: whether a registry can be used
  local name=$1
  shift
  command -v "$1" >/dev/null && timeout 90 "$@" >"$temp/$name.probe" 2>&1 && return 0
  echo "skipped: $name does not answer"
  return 1
}

# A copy of the first published file for one reader, and of the second to be put in its place.
files() {
  mkdir -p "$temp/$1"
  cp "$temp/first.duckdb" "$temp/$1/answers.duckdb"
  cp "$temp/second.duckdb" "$temp/$1/following.duckdb"
  chmod 0444 "$temp/$1"/*.duckdb
}

venv() { # folder, packages…
  local folder=$1
  shift
  python3 -m venv "$folder" && "$folder/bin/python" -m pip install --quiet --timeout 30 "$@"
}

# Copies a starter out, as people do.
starter() { # name, folder
  (cd "$root" && node dist/src/cli/main.js starters "$1" --output "$2" --quiet)
}

python_reader() { # name, script, age (new, old), packages…
  local name=$1 script=$2 age=$3 read=$views
  [ "$age" = new ] || read=$old_views
  shift 3
  files "$name"
  venv "$temp/$name/venv" "$@" &&
    "$temp/$name/venv/bin/python" "test/readers/$script" "$temp/$name/answers.duckdb" "$temp/$name/following.duckdb" "$read" "$age"
}

export_reader() {
  mkdir -p "$temp/export/data"
  cp "$temp/demo/answerlake.yaml" "$temp/export" && cp "$temp/first.duckdb" "$temp/export/data/answers.duckdb" || return 1
  venv "$temp/export/venv" pandas pyarrow polars 'dask[dataframe]' duckdb &&
    "$temp/export/venv/bin/python" test/readers/read_export.py "$temp/export/data/answers.duckdb" "$temp/export/answerlake.yaml" \
      dist/src/cli/main.js
}

warehouse_reader() {
  files warehouses/data
  cp "$temp/demo/answerlake.yaml" "$temp/warehouses"
  venv "$temp/warehouses/venv" sqlglot chdb 'duckdb~=1.5.0' duckdb-cli &&
    .ci/with-postgres .ci/with-s3proxy "$temp/warehouses/venv/bin/python" test/readers/read_warehouses.py "$temp/warehouses" dist/src/cli/main.js
}

shell_reader() {
  files duckdb-cli
  venv "$temp/duckdb-cli/venv" duckdb-cli || return 1
  local shell="$temp/duckdb-cli/venv/bin/duckdb" file="$temp/duckdb-cli/answers.duckdb" view rows before after
  ask() { "$shell" -init /dev/null -readonly -bail -csv -noheader "$file" "$@"; }
  for view in $(ask -c "select schema_name || '.' || view_name from duckdb_views() where not internal"); do
    ask -c "from $view" >/dev/null || { echo "$view cannot be read"; return 1; }
  done
  for view in ${views//,/ }; do
    rows=$(ask -c "select count(*) from (from $view)") && [ "$rows" -gt 0 ] || { echo "$view: ${rows:-no answer}"; return 1; }
  done
  ask <sql/examples/13_month_over_month.sql >"$temp/duckdb-cli/example" || return 1
  [ -s "$temp/duckdb-cli/example" ] || { echo 'the example gave nothing'; return 1; }
  if ask -c 'create table main.mine (a integer)' 2>/dev/null; then echo 'a read-only shell wrote'; return 1; fi
  before=$(ask -c 'select sync_day from sync_settings')
  mv -f "$temp/duckdb-cli/following.duckdb" "$file"
  after=$(ask -c 'select sync_day from sync_settings')
  [[ $after > $before ]] || { echo "a second publish was not seen: $before, then $after"; return 1; }
  echo "duckdb shell $("$shell" --version | cut -d ' ' -f 1): an example and every view read; second publish seen"
}

dbt_build() { # log: builds and prints how many responses the model counts
  "$temp/dbt/venv/bin/dbt" --no-use-colors build --profiles-dir . >"$1" 2>&1 || { cat "$1" >&2; return 1; }
  "$temp/dbt/venv/bin/python" - "$DBT_OUTPUT" <<'PY'
import sys, duckdb
print(duckdb.connect(sys.argv[1], read_only=True).execute(
    "select sum(organic_responses) from main.monthly_share_of_voice").fetchone()[0])
PY
}

dbt_reader() {
  files dbt
  starter dbt "$temp/dbt/project" || return 1
  venv "$temp/dbt/venv" dbt-duckdb "$dbt_core" || return 1
  cd "$temp/dbt/project" || return 1
  export ANSWERLAKE_WAREHOUSE="$temp/dbt/answers.duckdb" DBT_OUTPUT="$temp/dbt/output.duckdb"
  "$temp/dbt/venv/bin/dbt" --quiet parse --profiles-dir . || return 1
  local before after
  before=$(dbt_build "$temp/dbt/first") || return 1
  mv -f "$temp/dbt/following.duckdb" "$temp/dbt/answers.duckdb"
  after=$(dbt_build "$temp/dbt/second") || return 1
  "$temp/dbt/venv/bin/dbt" --quiet source freshness --profiles-dir . || return 1
  [ "$after" -gt "$before" ] || { echo "a second publish was not seen: $before, then $after responses"; return 1; }
  local versions
  versions=$("$temp/dbt/venv/bin/python" -m pip list 2>/dev/null |
    awk '$1 ~ /^(dbt-core|dbt-duckdb|duckdb)$/ { printf "%s%s %s", separator, $1, $2; separator = ", " }')
  echo "$versions: $(grep -o 'Found .*sources' "$temp/dbt/first"), $(grep -o 'PASS=.*' "$temp/dbt/first"); second publish seen"
}

# The semantic files, by the first dbt that reads both: MetricFlow in the project, then Ossie in its place.
semantic_reader() {
  files semantic
  starter dbt "$temp/semantic/project" || return 1
  venv "$temp/semantic/venv" --no-deps "dbt-core==$dbt_ossie" || return 1
  "$temp/semantic/venv/bin/python" - "$temp/semantic/needed" <<'PY' || return 1
import importlib.metadata, sys
needed = [r.split(';')[0].strip() for r in importlib.metadata.requires('dbt-core') if 'extra ==' not in r]
open(sys.argv[1], 'w').write('\n'.join(r for r in needed if not r.startswith('dbt-core-experimental-parser')))
PY
  "$temp/semantic/venv/bin/python" -m pip install --quiet --timeout 30 -r "$temp/semantic/needed" dbt-extractor duckdb &&
    "$temp/semantic/venv/bin/python" -m pip install --quiet --timeout 30 --no-deps dbt-duckdb || return 1
  cd "$temp/semantic/project" || return 1
  export ANSWERLAKE_WAREHOUSE="$temp/semantic/answers.duckdb" DBT_OUTPUT="$temp/semantic/output.duckdb"
  local kind counts=''
  for kind in MetricFlow Ossie; do
    if [ "$kind" = Ossie ]; then
      rm -r models/semantic.yml target && mkdir osi || return 1
      sed 's/"answers\.main\./"output.main./' "$root/dist/starters/ossie/answerlake.json" >osi/answerlake.json
    fi
    "$temp/semantic/venv/bin/dbt" --no-use-colors parse --profiles-dir . >"$temp/semantic/$kind" 2>&1 || { cat "$temp/semantic/$kind"; return 1; }
    ! grep -q 'WARNING' "$temp/semantic/$kind" || { cat "$temp/semantic/$kind"; return 1; }
    counts="$counts, $kind $("$temp/semantic/venv/bin/python" -c 'import json; print(len(json.load(open("target/semantic_manifest.json"))["metrics"]), "metrics")')"
  done
  echo "dbt-core $dbt_ossie: semantic files parsed$counts"
}

# MetricFlow answers from the semantic models, and its figures are compared with those of the program.
metricflow_reader() {
  files metricflow
  starter dbt "$temp/metricflow/project" || return 1
  venv "$temp/metricflow/venv" dbt-metricflow "$dbt_core" 'dbt-duckdb~=1.10.0' || return 1
  cd "$temp/metricflow/project" || return 1
  export ANSWERLAKE_WAREHOUSE="$temp/metricflow/answers.duckdb" DBT_OUTPUT="$temp/metricflow/output.duckdb" DBT_PROFILES_DIR=.
  local bin="$temp/metricflow/venv/bin" daily=visibility,sentiment,share_of_voice_pct,net_sentiment_known_pct,organic_responses
  "$bin/dbt" --no-use-colors run >"$temp/metricflow/log" 2>&1 &&
    "$bin/mf" query --metrics "$daily,organic_brand_mentions,citations,crawler_requests,ai_visits" \
      --group-by metric_time__month,daily_kpis_row__project_name --csv daily.csv >>"$temp/metricflow/log" 2>&1 &&
    "$bin/mf" query --metrics average_citation_rank --group-by metric_time__month,citation_rank_trend_row__project_name \
      --csv ranks.csv >>"$temp/metricflow/log" 2>&1 || { cat "$temp/metricflow/log"; return 1; }
  local versions figures
  figures=$(cd "$root" && node test/readers/compare-metrics.mjs "$temp/metricflow/answers.duckdb" "$temp/metricflow/project"/{daily,ranks}.csv) || return 1
  versions=$("$bin/python" -m pip list 2>/dev/null | awk '$1 ~ /^(metricflow|dbt-core)$/ { printf "%s %s, ", $1, $2 }')
  echo "$versions$figures"
}

jdbc_reader() { # version, age
  local name=jdbc-$1 version=$1 age=$2 read=$views
  [ "$age" = new ] || read=$old_views
  files "$name"
  mvn -q -B -Dstyle.color=never -Dmaven.repo.local="$temp/$name/m2" dependency:copy -Dartifact="org.duckdb:duckdb_jdbc:$version" \
    -DoutputDirectory="$temp/$name" -Dmdep.useBaseVersion=true || return 1
  local jar
  jar=$(ls "$temp/$name"/duckdb_jdbc-*.jar) || return 1
  javac -d "$temp/$name/classes" test/readers/ReadJdbc.java &&
    java -cp "$temp/$name/classes:$jar" ReadJdbc "$temp/$name/answers.duckdb" "$temp/$name/following.duckdb" "$read" "$age"
}

node_reader() {
  files node
  echo '{"private":true}' >"$temp/node/package.json"
  npm install --prefix "$temp/node" --silent --no-audit --no-fund "@duckdb/node-api@$node_api" &&
    node test/readers/read-node.mjs "$temp/node/answers.duckdb" "$temp/node/following.duckdb" "$views" "$temp/node"
}

workbook_python_reader() {
  venv "$temp/workbook-python" "duckdb==$excel" "duckdb-extension-excel==$excel" &&
    "$temp/workbook-python/bin/python" test/readers/read_workbook.py "$temp/first.duckdb" "$temp/book.xlsx"
}

workbook_node_reader() {
  mkdir -p "$temp/workbook-node"
  echo '{"private":true}' >"$temp/workbook-node/package.json"
  npm install --prefix "$temp/workbook-node" --silent --no-audit --no-fund "exceljs@$exceljs" "read-excel-file@$read_excel_file" &&
    node test/readers/read-workbook.mjs "$temp/first.duckdb" "$temp/book.xlsx" "$temp/workbook-node"
}

# The bundle for assistants, by the program of its format.
bundle_reader() {
  mkdir -p "$temp/bundle"
  echo '{"private":true}' >"$temp/bundle/package.json"
  npm install --prefix "$temp/bundle" --silent --no-audit --no-fund "@anthropic-ai/mcpb@$mcpb" &&
    node scripts/mcpb.js "$temp/bundle/answerlake.mcpb" &&
    "$temp/bundle/node_modules/.bin/mcpb" unpack "$temp/bundle/answerlake.mcpb" "$temp/bundle/unpacked" &&
    "$temp/bundle/node_modules/.bin/mcpb" validate "$temp/bundle/unpacked/manifest.json" >"$temp/bundle/log" 2>&1 || { cat "$temp/bundle/log"; return 1; }
  echo "mcpb $mcpb: the manifest is valid"
}

# Evidence says 0 although a query of a source failed, and marks it.
evidence_sources() { # log: prints what tells one state of the days from another
  npm run --silent sources >"$1" 2>&1 && ! grep -q '✖\|\[ ! \]' "$1" || { cat "$1" >&2; return 1; }
  cksum <.evidence/template/static/data/answerlake/kpi_days/kpi_days.parquet
}

evidence_reader() {
  files evidence
  starter evidence "$temp/evidence/project" || return 1
  cd "$temp/evidence/project" || return 1
  timeout 300 npm install --silent --no-audit --no-fund || { echo 'skipped: npm does not give the packages of Evidence'; return 0; }
  export SEND_ANONYMOUS_USAGE_STATS=no EVIDENCE_SOURCE__answerlake__filename=../../../answers.duckdb
  local before after
  before=$(evidence_sources "$temp/evidence/first") || return 1
  npm run --silent build >"$temp/evidence/build" 2>&1 || { tail -n 40 "$temp/evidence/build"; return 1; }
  mv -f "$temp/evidence/following.duckdb" "$temp/evidence/answers.duckdb"
  after=$(evidence_sources "$temp/evidence/second") || return 1
  [ "$before" != "$after" ] || { echo 'a second publish was not seen'; return 1; }
  cd "$root" || return 1
  node test/readers/open-evidence.mjs "$temp/evidence/project/build"
}

has_pip=0 has_maven=0 has_npm=0
answers pip python3 -m pip download --quiet --timeout 15 --retries 1 --no-deps --dest "$temp/probe" duckdb-engine && has_pip=1
answers npm npm view --fetch-retries 0 --fetch-timeout 20000 "@duckdb/node-api@$node_api" version && has_npm=1
if command -v javac >/dev/null; then
  answers mvn mvn -q -B -Dstyle.color=never -Dmaven.repo.local="$temp/probe-m2" dependency:get -Dartifact=org.duckdb:duckdb_jdbc:1.1.3:pom -Dtransitive=false && has_maven=1
else
  echo 'skipped: there is no javac'
fi
if [ $((has_pip + has_maven + has_npm)) -eq 0 ]; then exit 0; fi

[ -f dist/src/cli/main.js ] || npm run --silent build || exit 1
demo() { node dist/src/cli/main.js demo --directory "$temp/demo" --today "$1" --quiet >"$temp/demo.log" 2>&1; }
demo 2026-07-13 && cp "$temp/demo/data/answers.duckdb" "$temp/first.duckdb" &&
  node dist/src/cli/main.js export --config "$temp/demo/answerlake.yaml" --output "$temp/book.xlsx" --quiet >"$temp/demo.log" 2>&1 &&
  demo 2026-07-14 && cp "$temp/demo/data/answers.duckdb" "$temp/second.duckdb" || { cat "$temp/demo.log"; exit 1; }

# Load scripts, dbt and Evidence take longer than all others together, so they take turns by day; so do the two readers with DuckDB 1.1.
day=$((10#$(date +%j)))
turn=$((day % 3))
old=$((day % 2))
pids=() names=()
start() { # name, command…
  names+=("$1")
  shift
  ("$@") >"$temp/${names[-1]}.out" 2>&1 &
  pids+=($!)
}
if [ $has_pip -eq 1 ]; then
  start python-newest python_reader python-newest read_duckdb.py new duckdb
  [ "$old" -ne 0 ] || start python-1.1 python_reader python-1.1 read_duckdb.py old 'duckdb~=1.1.0'
  start sqlalchemy python_reader sqlalchemy read_sqlalchemy.py new duckdb-engine duckdb "$sqlalchemy"
  start duckdb-cli shell_reader
  start export export_reader
  start workbook-python workbook_python_reader
  [ "$turn" -ne 0 ] || start warehouses warehouse_reader
  [ "$turn" -ne 1 ] || start dbt dbt_reader
  [ "$turn" -ne 1 ] || start semantic semantic_reader
  [ "$turn" -ne 2 ] || start metricflow metricflow_reader
fi
if [ $has_maven -eq 1 ]; then
  start jdbc-RELEASE jdbc_reader RELEASE new
  [ "$old" -ne 1 ] || start jdbc-1.1.3 jdbc_reader 1.1.3 old
fi
if [ $has_npm -eq 1 ]; then
  start node node_reader
  start bundle bundle_reader
  start workbook-node workbook_node_reader
  [ "$turn" -ne 2 ] || start evidence evidence_reader
fi

failed=0
for index in "${!pids[@]}"; do
  if wait "${pids[$index]}"; then
    tail -n 1 "$temp/${names[$index]}.out" | tr -d '\033' | sed 's/^\(\[0m\)*//'
  else
    failed=1
    echo "failed: ${names[$index]}"
    tail -n 40 "$temp/${names[$index]}.out"
  fi
done
cd "$root" && exit $failed
