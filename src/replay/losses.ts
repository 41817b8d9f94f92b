import { z } from 'zod';
import { storageError } from '../errors.ts';
import type { ArchiveDamage } from '../load/read-archive.ts';
import { archivePath, runOfArchive } from '../load/raw-archive.ts';
import { type Day, daySchema } from '../day.ts';
import { haveSame, readSql } from '../warehouse/sql.ts';
import { SERIES_COLUMNS, SLICE_COLUMNS } from '../slice.ts';
import { counted } from '../quantity.ts';
import type { Connection, PlainRow } from '../warehouse/connection.ts';

/** The findings while the archive is read. */
export interface Losses {
  damages: ArchiveDamage[];
  /** Answers of endpoints that the catalogue no longer has. */
  unknownEndpoints: Map<string, number>;
}

const KEPT = [...SLICE_COLUMNS, 'sync_day', 'run_id', 'fetched_at'] as const;

/** The ledger's slices that have an answer. */
export async function answeredSlices(connection: Connection): Promise<PlainRow[]> {
  return await connection.rows(`select ${KEPT.join(', ')} from meta.slices where status <> 'failed'`);
}

/** What the warehouse had before, and the archive's part of it. */
export interface Rebuilt {
  old: { slices: readonly PlainRow[]; runs: readonly PlainRow[] };
  rawDir: string;
  /** Number of complete answers in the files of each run. */
  read: ReadonlyMap<string, number>;
  /** Files of earlier runs were removed because of their age. */
  oldest: Day;
}

/** One sentence per loss of the rebuilt warehouse. A torn end is no loss if the ledger proves that nothing after it was loaded. */
export async function describeLosses(
  connection: Connection,
  rebuilt: Rebuilt,
  { damages, unknownEndpoints }: Losses,
): Promise<string[]> {
  const { old, rawDir } = rebuilt;
  const pathOf = (run: z.output<typeof runSlices>): string => archivePath(rawDir, run.day, run.run_id);
  const ofLedger = await missingSlices(connection, old.slices, unknownEndpoints.keys());
  const ofRuns = await missingAnswers(connection, rebuilt);
  const named = new Set(ofLedger.map(pathOf));
  const missing = [...ofLedger, ...ofRuns.filter((run) => !named.has(pathOf(run)))];
  const known = new Set(old.runs.map((row) => row['run_id']));
  const torn = damages.filter(({ path, isTail }) => !isTail || !known.has(runOfArchive(path)));
  return [
    ...torn.map(({ path, line, what }) => `${path}:${String(line)}: ${what}`),
    ...missing.map((run) => `${pathOf(run)}: lacks ${counted(run.slices, 'slice')} of the warehouse`),
    ...[...unknownEndpoints].map(
      ([endpoint, answers]) =>
        `${counted(answers, 'answer')} of ${endpoint}, an endpoint that no longer exists`,
    ),
  ];
}

/** Slices of one run, by the day of its file. */
const runSlices = z.object({ run_id: z.string(), day: daySchema, slices: z.number() });

/** Slices that the old ledger has and the rebuilt one lacks, by the file that should contain them. */
async function missingSlices(connection: Connection, old: readonly PlainRow[], skipped: Iterable<string>) {
  await connection.run(
    `create or replace temp table old_slices as select ${KEPT.join(', ')} from meta.slices limit 0`,
  );
  await connection.appendRows({ catalog: 'temp', table: 'old_slices', rows: old });
  const same = haveSame([...SERIES_COLUMNS, 'window_start'], 'n', 'o');
  const lost = await connection.rowsAs(runSlices, readSql('replay/missing-slices', { same }), [[...skipped]]);
  await connection.run('drop table old_slices');
  return lost;
}

/** What each run since `oldest` loaded in addition to the answers of its files: later answers replaced it in the ledger, but not in the tables that keep each day. */
async function missingAnswers(connection: Connection, { read, oldest }: Rebuilt) {
  const runs = await connection.rowsAs(runSlices, readSql('replay/loaded-runs'), [oldest]);
  return runs
    .map((run) => ({ ...run, slices: run.slices - (read.get(run.run_id) ?? 0) }))
    .filter(({ slices }) => slices > 0);
}

/** @throws AnswerlakeError (storage) if something would be lost */
export function refuseLosses(losses: readonly string[]): void {
  if (losses.length === 0) return;
  throw storageError([
    `The raw archive is incomplete, so nothing was replaced:\n  ${losses.join('\n  ')}\n`,
    'Restore these files from a backup, or use --allow-loss to continue without the missing data.',
  ]);
}
