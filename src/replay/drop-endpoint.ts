import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { usageError } from '../errors.ts';
import { replaceFile } from '../files.ts';
import { archiveFiles, lineSchema } from '../load/raw-archive.ts';
import { counted } from '../quantity.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { publishAnew } from '../targets/publish-changed.ts';
import { nameRow, transaction } from '../warehouse/connection.ts';
import { quoteIdentifier, quoteLiteral } from '../warehouse/sql.ts';
import { openWarehouse } from '../warehouse/working-file.ts';

/** Tables of `meta` with rows of an endpoint. */
const OF_ENDPOINT = [
  'asked_days',
  'slices',
  'rejects',
  'drift',
  'alarms',
  'expected_series',
  'probes',
  'taught_lengths',
  'tables',
];

export interface Drop {
  name: string;
  /** Removes its lines of the raw archive too. */
  fromArchive: boolean;
  /** A person has seen how much goes. */
  isAgreed: boolean;
}

/**
 * Removes the tables of an endpoint of one's own whose file is gone, and what `meta` says of it.
 * @throws AnswerlakeError configuration (its file is there; nothing is stored; not agreed, with what would go), locked, storage
 */
export async function dropEndpoint(context: SyncContext, { name, fromArchive, isAgreed }: Drop) {
  const { config, effects } = context;
  if (config.catalogue.has(name))
    throw usageError([
      `endpoints drop ${name}: it is declared, so the next sync would make it again.`,
      'Remove its file first',
    ]);
  await using working = await openWarehouse(config, { now: effects.now() });
  const connection = await working.database.connect();
  const sql =
    "select table_name as name from meta.tables where schema_name = 'own' and endpoint = $1 order by 1";
  const tables = (await connection.rowsAs(nameRow, sql, [name])).map((row) => row.name);
  const rows: Record<string, number> = {};
  for (const table of tables)
    rows[`own.${table}`] =
      (await connection.value(z.number(), `select count(*) from own.${quoteIdentifier(table)}`)) ?? 0;
  const lines = fromArchive ? await linesOf(config.raw.dir, name, false) : 0;
  if (tables.length === 0 && lines === 0) throw usageError(`endpoints drop ${name}: nothing of it is stored`);
  const what = [
    ...Object.entries(rows).map(([table, count]) => `${table} (${counted(count, 'row')})`),
    ...(fromArchive ? [`${counted(lines, 'line')} of the raw archive`] : []),
  ].join(', ');
  if (!isAgreed)
    throw usageError([`endpoints drop ${name} removes ${what}; nothing was removed.`, 'Add --yes to do it']);
  const names = tables.map((table) => quoteLiteral(`own.${table}`)).join(', ');
  await transaction(connection, async () => {
    for (const table of tables) await connection.run(`drop table own.${quoteIdentifier(table)}`);
    for (const table of OF_ENDPOINT)
      await connection.run(`delete from meta.${table} where endpoint = $1`, [name]);
    if (names !== '')
      for (const table of ['vanishing', 'restatements'])
        await connection.run(`delete from meta.${table} where table_name in (${names})`);
    await connection.run('delete from meta.settings where name = $1', [`first_asked ${name}`]);
  });
  if (fromArchive) await linesOf(config.raw.dir, name, true);
  const made = await publishAnew(connection, context);
  return { endpoint: name, tables: rows, archive_lines: lines, published: made.path, removed: what };
}

/** Counts the lines of an endpoint in the raw archive, and takes them out. A file that cannot be read stays as it is. */
async function linesOf(dir: string, name: string, isRemoved: boolean): Promise<number> {
  if (!existsSync(dir)) return 0;
  let found = 0;
  for (const { path } of await archiveFiles(dir)) {
    const lines = linesIn(path);
    const kept = lines.filter((line) => !isOf(line, name));
    found += lines.length - kept.length;
    if (isRemoved && kept.length < lines.length) replaceFile(path, gzipSync(kept.join('\n')), 0o600);
  }
  return found;
}

function linesIn(path: string): string[] {
  try {
    return gunzipSync(readFileSync(path)).toString().split('\n');
  } catch {
    return [];
  }
}

const ofEndpoint = lineSchema.pick({ endpoint: true });

function isOf(line: string, name: string): boolean {
  if (!line.includes(JSON.stringify(name))) return false;
  const read = ofEndpoint.safeParse(JSON.parse(line));
  return read.success && read.data.endpoint === name;
}
