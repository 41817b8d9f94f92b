import { copyFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { openFolder } from '../support/folder.ts';
import { catalogue } from '../support/catalogue.ts';
import type { TableShape } from '../../src/endpoints/table.ts';
import { openDatabase } from '../../src/warehouse/database.ts';

/** Tables that one endpoint of the same name fills alone: there a slice is a group of rows. */
function ownTables(shape: TableShape): string[] {
  return catalogue
    .filter(({ name, outputs: [{ table, shape: own }] }) => own === shape && table === name)
    .map(({ name }) => name);
}
const SERIES = ownTables('series');
const WINDOWS = ownTables('window');

export interface SliceState {
  /** Group of a slice → digest of its rows. */
  groups: Map<string, string>;
  /** Group → sync day of the newest answer that the ledger has for it. */
  answered: Map<string, string>;
}

/** Reads a file that a killed process left, from a copy with its write-ahead log. */
export async function sliceState(workingPath: string): Promise<SliceState> {
  const path = join(openFolder(), basename(workingPath));
  copyFileSync(workingPath, path);
  if (existsSync(`${workingPath}.wal`)) copyFileSync(`${workingPath}.wal`, `${path}.wal`);
  return await read(path);
}

async function read(path: string): Promise<SliceState> {
  await using database = await openDatabase({ path });
  const connection = await database.connect();
  const groups = new Map<string, string>();
  for (const table of [...SERIES, ...WINDOWS]) {
    const part = WINDOWS.includes(table) ? 'window_kind, window_start' : 'grain';
    const key = part.split(', ').map((column) => `cast(${column} as varchar)`);
    const rows = await connection.rowsAs(
      z.object({ key: z.string(), digest: z.string() }),
      `select to_json(['${table}', project_id, scope, scope_id, ${key.join(', ')}])::varchar as key,
         md5(string_agg(to_json(t)::varchar, '\n' order by to_json(t)::varchar)) as digest
       from (select * exclude (_run_id, _changed_at) from core.${table}) t group by 1`,
    );
    for (const row of rows) groups.set(row.key, row.digest);
  }
  const ledger = await connection.rowsAs(
    z.object({ key: z.string(), sync_day: z.string() }),
    `select to_json(case when window_kind is null then [endpoint, project_id, scope, scope_id, grain]
         else [endpoint, project_id, scope, scope_id, window_kind, cast(window_start as varchar)] end)::varchar as key,
       max(sync_day) as sync_day
     from meta.slices where status = 'loaded' group by 1`,
  );
  return { groups, answered: new Map(ledger.map(({ key, sync_day: syncDay }) => [key, syncDay])) };
}

/** What is neither wholly old nor wholly new, or not what the ledger says. */
export function brokenSlices(
  found: SliceState,
  sides: { before: SliceState | null; after: SliceState; day: string },
): string[] {
  const problems: string[] = [];
  const keys = new Set([...found.groups.keys(), ...(sides.before?.groups.keys() ?? [])]);
  for (const key of keys) {
    const isNew = found.answered.get(key) === sides.day;
    const wanted = isNew ? sides.after.groups.get(key) : sides.before?.groups.get(key);
    if (found.groups.get(key) !== wanted) problems.push(`${key} is not wholly ${isNew ? 'new' : 'old'}`);
  }
  for (const [key, day] of found.answered) {
    const wanted = sides.after.groups.get(key);
    if (day === sides.day && wanted !== undefined && found.groups.get(key) !== wanted)
      problems.push(`${key} is in the ledger without its rows`);
  }
  return problems;
}
