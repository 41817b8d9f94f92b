// Reads a published file with an older @duckdb/node-api and sees a second one take its place.
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { createRequire } from 'node:module';

const [path, following, viewList, folder] = process.argv.slice(2);
const { DuckDBInstance, version } = createRequire(`${folder}/package.json`)('@duckdb/node-api');

async function rows(instance, sql) {
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(sql);
  connection.closeSync();
  return reader.getRowsJson();
}
const open = () => DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
const syncDay = async (instance) =>
  (await rows(instance, 'select cast(sync_day as varchar) from sync_settings'))[0][0];

const old = await open();
const views = await rows(
  old,
  "select schema_name || '.' || view_name from duckdb_views() where not internal",
);
for (const view of viewList.split(','))
  assert.ok(
    views.some(([name]) => name === `main.${view}`),
    view,
  );
const silent = 'select column_name from duckdb_columns() where not internal and comment is null';
assert.deepEqual(await rows(old, silent), []);
const counts = [];
for (const [view] of views) {
  const { length } = await rows(old, `select * from ${view}`);
  if (viewList.split(',').some((name) => view === `main.${name}`)) counts.push(length);
}
assert.ok(counts.every((count) => count > 0));
await assert.rejects(rows(old, 'create table main.mine (a integer)'));
const before = await syncDay(old);
renameSync(following, path);
assert.equal(await syncDay(old), before);
const fresh = await open();
const beside = (await syncDay(fresh)) === before ? 'old' : 'new';
fresh.closeSync();
old.closeSync();
const last = await open();
assert.ok((await syncDay(last)) > before);
last.closeSync();
console.log(
  `node-api on DuckDB ${version()}: ${views.length} views read, every column explained, rows [${counts.join(', ')}]; second publish seen, beside an open instance the ${beside} state`,
);
