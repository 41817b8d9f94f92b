import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/warehouse/database.ts';
import { openSynced } from './synced.ts';

interface Exported {
  tables: { name: string; rows: number; files: number }[];
}

// The age goes on while the test runs.
const STILL = "columns(name -> name <> 'age_hours')";

it('answerlake export writes every view so that Parquet says what the view says, without key and network', async () => {
  const { folder, published, run } = await openSynced();
  const output = join(folder, 'lake');
  const { code, stdout, stderr } = await run(['export', '--output', output, '--json'], { env: {} });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { tables } = JSON.parse(stdout) as Exported;
  await using database = await openDatabase({ path: published, readOnly: true });
  const connection = await database.connect();
  const views = await connection.rows(
    `select view_name as name from duckdb_views() where schema_name = 'main' and not internal order by 1`,
  );
  expect(tables.map(({ name }) => ({ name }))).toEqual(views);
  for (const { name } of tables) {
    // Each is read once: binding a view of views costs more than its rows here.
    const copy = (as: string, from: string) =>
      connection.run(`create or replace temp table ${as} as select ${STILL} from ${from}`);
    await copy('said', `main.${name}`);
    await copy('written', `read_parquet('${output}/${name}/**/*.parquet')`);
    const [row] = await connection.rows(
      `select (select {rows: count(*), sum: sum(hash(t))} from written t)
            is not distinct from (select {rows: count(*), sum: sum(hash(t))} from said t) as same_rows,
          (select list(column_name || ' ' || column_type) from (describe written))
            = (select list(column_name || ' ' || column_type) from (describe said)) as same_columns`,
    );
    expect({ name, ...row }).toEqual({ name, same_rows: true, same_columns: true });
  }
});
