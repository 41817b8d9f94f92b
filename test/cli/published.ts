import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publish } from '../../src/publish/publish.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { NEW_WORKING_FILE } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { openFolder } from '../support/folder.ts';
import { madeOnce } from '../support/made-once.ts';
import { cli, type CliOptions } from './run.ts';

const NOW = Date.parse('2025-03-05T03:00:00Z');

export const CONFIG = `version: 1
api: { base_url: 'http://127.0.0.1:9' }
accounts: [{ name: acme, api_key: env:ACME_KEY }]
sync: { start_date: 2025-03-01 }
`;

const ROWS = `
insert into core.projects values ('p1', 'o1', 'Fernhill', 'fernhill', 'r1', '2025-03-05');
insert into meta.settings values ('sync_day', '2025-03-05'), ('start_date', '2025-03-01'),
  ('lookback_days', '7'), ('timezone', 'UTC'), ('base_url', 'http://127.0.0.1:9');
insert into meta.runs (run_id, job, started_at, finished_at, sync_day, status, exit_code, requests, rows_inserted,
  rows_updated, slices_loaded, slices_failed, selection)
  values ('r1', 'nightly', '2025-03-05 02:17:00', '2025-03-05 02:18:00', '2025-03-05', 'ok', 0, 42, 1900, 3, 30, 0,
    '{"projects":null}');
insert into meta.rejects (endpoint, project_id, reason, run_id, rejected_at)
  values ('events', 'p1', 'occurredAt: no instant', 'r1', '2025-03-05 02:17:30');
`;

const COVERED = `
insert into meta.slices (endpoint, project_id, scope, scope_id, grain, window_start, window_end, sync_day,
  status, run_id, fetched_at)
  values ('visibility', 'p1', 'project', 'p1', 'day', '2025-03-01', '2025-03-05', '2025-03-05',
    'loaded', 'r1', '2025-03-05 02:17:10');
insert into meta.asked_days (endpoint, project_id, scope, scope_id, grain, date, asked_on, first_on, state)
  select 'visibility', 'p1', 'project', 'p1', 'day', unnest(generate_series(date '2025-03-01', date '2025-03-05', interval '1 day')), '2025-03-05', '2025-03-05', 'row';
`;

const EXPECTED = `
insert into meta.expected_series values ('visibility', 'p1', 'project', 'p1', 'day', '2025-03-01');
`;

interface Rows {
  covered?: boolean;
  expected?: boolean;
}

/** A folder with a configuration and its published file, which `sql` has changed, and the command line with both. */
export async function openPublished(sql = '', rows: Rows = {}) {
  const folder = openFolder();
  const config = await writePublished(folder, rows);
  const published = join(folder, 'data', 'answers.duckdb');
  if (sql !== '') await changeFile(published, sql);
  return {
    folder,
    config,
    published,
    run: (argv: readonly string[], options?: CliOptions) => cli([...argv, '--config', config], options),
  };
}

/** A configuration and its published file; with gaps when days are expected and not covered. */
export async function writePublished(
  directory: string,
  { covered = true, expected = true }: Rows = {},
): Promise<string> {
  const rows = `${ROWS}${expected ? EXPECTED : ''}${covered ? COVERED : ''}`;
  const made = await madeOnce(`published ${rows}`, (folder) => publishRows(folder, rows));
  const config = join(directory, 'answerlake.yaml');
  writeFileSync(config, CONFIG);
  cpSync(join(made, 'answers.duckdb'), join(directory, 'data', 'answers.duckdb'));
  return config;
}

async function publishRows(folder: string, rows: string): Promise<void> {
  const path = join(folder, 'work.duckdb');
  copyFileSync(NEW_WORKING_FILE, path);
  await using database = await openDatabase({ path });
  const connection = await database.connect();
  await connection.run(rows);
  await publish({ connection, targetPath: join(folder, 'answers.duckdb'), now: NOW });
}
