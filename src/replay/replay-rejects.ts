import { z } from 'zod';
import { endpointNamed, hasEndpoint } from '../endpoints/catalogue.ts';
import { Merger } from '../load/merge.ts';
import { prepareItems, prepareAnswer } from '../load/prepare-answer.ts';
import {
  sliceRow,
  flatSlice,
  SERIES_COLUMNS,
  SLICE_COLUMNS,
  type Slice,
  sliceKey,
  sliceValues,
  sliceWindow,
} from '../slice.ts';
import {
  type ArchiveDamage,
  inOrder,
  listArchivedRuns,
  readAnswers,
  type ReadAnswer,
} from '../load/read-archive.ts';
import { type Connection, transaction } from '../warehouse/connection.ts';
import { openWorkingFile } from '../warehouse/working-file.ts';
import { publishChanged } from '../targets/publish-changed.ts';
import type { SyncContext } from '../run/sync-request.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OutputRow } from '../endpoints/table.ts';
import { AnswerlakeError } from '../errors.ts';

export interface RejectsReport {
  /** Refused rows that were open before. */
  open: number;
  /** Rows that load now. */
  loaded: number;
  /** Rows that a newer answer covers. */
  superseded: number;
  /** Rows that are still refused. */
  still_refused: number;
  /** Rows whose run is no longer in the archive. */
  not_archived: number;
  published: string | null;
}

const openReject = sliceRow.extend({ path: z.string(), run_id: z.string() });
type OpenReject = z.output<typeof openReject>;

/**
 * Tries refused rows again from their archived answers: a newer program may load them. A row that a newer answer covers
 * stays as that answer left it.
 * @throws AnswerlakeError locked, storage
 */
export async function replayRejects(context: SyncContext): Promise<RejectsReport> {
  const { config, effects } = context;
  const working = await openWorkingFile({ publishedPath: config.warehouse.path, now: effects.now() });
  await using database = working.database;
  const connection = await database.connect();
  const open = await connection.rowsAs(
    openReject,
    `select ${SLICE_COLUMNS.join(', ')}, path, run_id from meta.rejects where replayed_at is null`,
  );
  const report: RejectsReport = {
    open: open.length,
    loaded: 0,
    superseded: 0,
    still_refused: 0,
    not_archived: 0,
    published: null,
  };
  if (open.length === 0) return report;
  const unmet = new Set(open);
  const series = new Set(open.map(seriesOf));
  const runs = inOrder(await listArchivedRuns(config.raw.dir), await knownSequences(connection));
  const first = runs.findIndex(({ run }) => open.some((reject) => reject.run_id === run?.runId));
  const later = new LaterAnswers();
  // From the newest run back to the oldest with a refused row: what later answers say is known before.
  for (const { run, path } of first === -1 ? [] : runs.slice(first).toReversed()) {
    context.signal.throwIfAborted();
    const rejects = open.filter((reject) => reject.run_id === run?.runId);
    const warn = (damage: ArchiveDamage): void => context.log.warn('archive.damaged', { ...damage });
    const reads: ReadAnswer[] = [];
    for await (const read of readAnswers(path, warn)) {
      const { slice } = read.answer;
      if (!hasEndpoint(slice.endpoint) || !series.has(seriesOf(flatSlice(slice)))) continue;
      reads.push(read);
      const tables = endpointNamed(slice.endpoint).outputs.map(({ table }) => table);
      // A duplicate that lost to another row of its answer has its table as path; no newer program changes that.
      const met = rejects.filter((reject) => isOf(reject, slice));
      for (const reject of met) unmet.delete(reject);
      const own = met.filter(({ path: place }) => !tables.includes(place));
      report.still_refused += met.length - own.length;
      if (own.length > 0) await retry(context, connection, { read, rejects: own, later, report });
    }
    for (const read of reads) later.add(read);
  }
  report.not_archived = unmet.size;
  const published = await publishChanged(connection, context);
  return { ...report, published: published?.path ?? null };
}

async function knownSequences(connection: Connection): Promise<Map<string, number>> {
  const rows = await connection.rowsAs(
    z.object({ run_id: z.string(), sequence: z.number() }),
    'select run_id, sequence from meta.runs where sequence is not null',
  );
  return new Map(rows.map(({ run_id: id, sequence }) => [id, sequence]));
}

function seriesOf(flat: Pick<OpenReject, (typeof SERIES_COLUMNS)[number]>): string {
  return JSON.stringify(SERIES_COLUMNS.map((column) => flat[column]));
}

function isOf(reject: OpenReject, slice: Slice): boolean {
  const flat = flatSlice(slice);
  return SLICE_COLUMNS.every((column) => reject[column] === flat[column]);
}

interface Retry {
  read: ReadAnswer;
  rejects: readonly OpenReject[];
  later: LaterAnswers;
  report: RejectsReport;
}

async function retry(
  context: SyncContext,
  connection: Connection,
  { read, rejects, later, report }: Retry,
): Promise<void> {
  const { answer, run } = read;
  const endpoint = endpointNamed(answer.slice.endpoint);
  const prepared = prepareItems(endpoint, answer, {
    paths: new Set(rejects.map(({ path }) => path)),
    isWanted: (row) => !later.overtake(answer.slice, row),
  });
  const refused = new Set(prepared.validated.rejects.map(({ path }) => path));
  await transaction(connection, async () => {
    if (prepared.rowCount > 0) await new Merger(connection).merge({ ...run, acceptShrink: true }, [prepared]);
    const taken = rejects.flatMap(({ path }) => (refused.has(path) ? [] : [path]));
    const same = SLICE_COLUMNS.map((column, index) => `${column} is not distinct from $${String(index + 4)}`);
    await connection.run(
      `update meta.rejects set replayed_at = cast($1 as timestamp)
       where run_id = $2 and path in (select unnest($3::varchar[])) and replayed_at is null and ${same.join(' and ')}`,
      [new Date(context.effects.now()).toISOString(), run.runId, taken, ...sliceValues(answer.slice)],
    );
  });
  const fine = rejects.length - refused.size;
  report.still_refused += refused.size;
  if (prepared.rowCount > 0) report.loaded += fine;
  else report.superseded += fine;
}

/** Whether an answer has the row of that key and date, or shows that it is gone. */
type Overtakes = (key: string, date: unknown) => boolean;

/** What the answers of later runs say of rows that were refused: read from the archive, because the ledger keeps only the newest entry of a slice. */
class LaterAnswers {
  readonly #answers = new Map<string, Overtakes[]>();

  /** Takes an answer of a series that has refused rows. An answer that cannot be read is ignored. */
  add({ answer, run }: ReadAnswer): void {
    const endpoint = endpointNamed(answer.slice.endpoint);
    try {
      const keys = new Set<string>();
      const collect = (row: OutputRow): boolean => {
        keys.add(rowKey(endpoint, row));
        return false;
      };
      prepareItems(endpoint, answer, { paths: null, isWanted: collect });
      const { reach, mayDelete, validated } = prepareAnswer(endpoint, answer, run);
      const doubtfulDays: ReadonlySet<string | null> = validated.doubtfulDays;
      const window = answer.slice.kind === 'window' ? null : sliceWindow(answer.slice);
      // The days that it speaks of as a whole; null: all that its slice can have.
      const days = window && (reach ?? window);
      const isWhole = keys.size > 0 && mayDelete;
      const overtakes: Overtakes = (rowOf, date) => {
        if (keys.has(rowOf)) return true;
        if (!isWhole || days === null || typeof date !== 'string') return isWhole;
        return date >= days.start && date <= days.end && !doubtfulDays.has(date);
      };
      const key = sliceKey(answer.slice);
      this.#answers.set(key, [...(this.#answers.get(key) ?? []), overtakes]);
    } catch (error) {
      if (!(error instanceof AnswerlakeError)) throw error;
    }
  }

  /** Whether an answer of a later run has the row, or shows that it is gone. */
  overtake(slice: Slice, row: OutputRow): boolean {
    const key = rowKey(endpointNamed(slice.endpoint), row);
    return (this.#answers.get(sliceKey(slice)) ?? []).some((overtakes) => overtakes(key, row.values['date']));
  }
}

/** The text that a row of a slice is known by. */
function rowKey({ outputs }: Endpoint, { table, values }: OutputRow): string {
  const key = outputs.find((output) => output.table === table)?.key ?? [];
  return JSON.stringify([table, ...key.map((column) => values[column])]);
}
