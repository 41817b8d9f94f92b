import { catalogue } from '../../src/endpoints/catalogue.ts';
import type { Belief } from './alteration.ts';
import { dayOfNight } from './attacked-api.ts';
import type { NightReport } from './attacked-warehouse.ts';
import { rowsOf, tablesOf, type Cells, type LedgerRow, type Rows } from './warehouse-picture.ts';

/** A project on a night, and what clean nights make of the same world. */
export interface Judged {
  projectId: string | null;
  night: number;
  references: readonly NightReport[];
  /** Endpoints that were asked. */
  endpoints: readonly string[];
  /** The most that may have been believed about each table since the case began. */
  beliefs: ReadonlyMap<string, Belief>;
}

const GOOD: ReadonlySet<string> = new Set(['loaded', 'empty', 'not_enabled']);
/** A refused item is reported, and the run is still done. */
const MAY_END_WITH_0: ReadonlySet<string> = new Set([...GOOD, 'truncated']);

/** Whatever was altered: wrong and lost rows show in the ledger and in the exit code. Gives what is not so. */
export function judgeNight(report: NightReport, judged: Judged): string[] {
  const { exitCode, picture } = report;
  const problems: string[] = [];
  const ledger = picture.ledger.filter(({ project_id }) => project_id === judged.projectId);
  const failed = ledger.find((row) => !MAY_END_WITH_0.has(row.status) || row.error_class !== null);
  if (exitCode === 0 && failed !== undefined)
    problems.push(`exit 0 with ${sliceId(failed)} ${failed.status}`);
  const known = new Set(ledger.map(sliceId));
  const missing = expectedSlices(judged).find((row) => !known.has(sliceId(row)));
  if (exitCode === 0 && missing !== undefined) problems.push(`exit 0 without ${sliceId(missing)}`);
  const unwell = ledger.filter((row) => !isWell(row));
  for (const table of tablesAsked(judged)) {
    if (judged.beliefs.get(table) !== 'believed')
      problems.push(...judgeTable(table, { report, judged, unwell }));
  }
  return problems;
}

/** Tables of endpoints that were not asked to the end, whatever kept the run from it. */
export function tablesInDoubt(judged: Judged, report: NightReport): Set<string> {
  const well = report.picture.ledger.filter((row) => row.project_id === judged.projectId && isWell(row));
  const known = new Set(well.map(sliceId));
  const missed = expectedSlices(judged).filter((row) => !known.has(sliceId(row)));
  return new Set(missed.flatMap(({ endpoint }) => tablesOf(endpoint)));
}

function isWell({ status, error_class, rows_rejected }: LedgerRow): boolean {
  return GOOD.has(status) && error_class === null && rows_rejected === 0;
}

interface NightParts {
  report: NightReport;
  judged: Judged;
  unwell: readonly LedgerRow[];
}

function judgeTable(table: string, { report, judged, unwell }: NightParts): string[] {
  const isNulled = judged.beliefs.get(table) === 'nulled';
  const own = ownCells(table, judged.endpoints);
  const found = own.of(rowsOf(report.picture, table, judged.projectId));
  const told = judged.references
    .slice(0, judged.night + 1)
    .map(({ picture }) => own.of(rowsOf(picture, table, judged.projectId)));
  const problems: string[] = [];
  for (const [key, cells] of found) {
    const versions = told.map((rows) => rows.get(key)).filter((one) => one !== undefined);
    const isTold =
      isNulled || own.isShared ? isMixOf(cells, versions) : versions.some((one) => isSame(one, cells));
    if (!isTold) problems.push(`${table}: a row that nobody told: ${difference(cells, versions.at(-1))}`);
  }
  for (const key of told[0]?.keys() ?? []) {
    if (told.every((rows) => rows.has(key)) && !found.has(key)) problems.push(`${table}: lost ${key}`);
  }
  if (isNulled) return problems;
  const feeding = report.picture.ledger.filter(
    (row) => row.project_id === judged.projectId && tablesOf(row.endpoint).includes(table),
  );
  const doubtful = unwell.filter((row) => feeding.includes(row));
  for (const [key, cells] of told.at(-1) ?? []) {
    // What was not asked at all shows in the exit code.
    if (!feeding.some((row) => covers(row, cells, judged))) continue;
    if (doubtful.some((row) => covers(row, cells, judged))) continue;
    const row = found.get(key);
    if (row === undefined) problems.push(`${table}: a loaded slice lacks ${key}`);
    else if (!isSame(row, cells)) problems.push(`${table}: a loaded slice: ${difference(row, cells)}`);
  }
  return problems;
}

export interface Healed extends Judged {
  /** Nights of the case on which an endpoint of the table was altered. */
  alteredNights: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Things are never deleted, so one that was told by mistake stays. */
const KEPT: ReadonlySet<string> = new Set(['monitors', 'brands', 'prompts', 'models', 'citation_totals']);

/** After a clean night nothing of the altered ones is left, but for what is asked on one night only. */
export function judgeHealed(report: NightReport, healed: Healed): string[] {
  const problems: string[] = [];
  const reference = healed.references[healed.night];
  for (const table of tablesAsked(healed)) {
    const own = ownCells(table, healed.endpoints);
    const found = own.of(rowsOf(report.picture, table, healed.projectId));
    const wanted = own.of(rowsOf(reference?.picture, table, healed.projectId));
    for (const [key, cells] of wanted) {
      const row = found.get(key);
      if (isAskedOnce(cells, table, healed) || (row !== undefined && isSame(row, cells))) continue;
      problems.push(
        row === undefined ? `${table} still lacks ${key}` : `${table} still: ${difference(row, cells)}`,
      );
    }
    if (KEPT.has(table) && healed.beliefs.get(table) === 'believed') continue;
    for (const [key, cells] of found) {
      if (!wanted.has(key) && !isAskedOnce(cells, table, healed))
        problems.push(`${table} still has ${key}: ${difference(cells, undefined)}`);
    }
  }
  return problems;
}

/** Rolling windows and snapshots are of one night, and no later night asks for them again. */
function isAskedOnce(cells: Cells, table: string, { alteredNights }: Healed): boolean {
  const nights = [...(alteredNights.get(table) ?? [])];
  if (table === 'prompt_snapshots')
    return nights.some((night) => cells['date'] === quoted(dayOfNight(night)));
  if (cells['window_kind'] !== '"last_7_days"') return false;
  return nights.some((night) => cells['window_end'] === quoted(dayOfNight(night - 1)));
}

function tablesAsked({ endpoints }: Judged): Set<string> {
  return new Set(endpoints.flatMap(tablesOf));
}

/** The slices that a clean run of this night asks for. */
function expectedSlices({ references, night, endpoints, projectId }: Judged): LedgerRow[] {
  const ledger = references[night]?.picture.ledger ?? [];
  return ledger.filter((row) => row.project_id === projectId && endpoints.includes(row.endpoint));
}

/** Two endpoints may fill columns of the same row: only those of endpoints that were asked are looked at. */
function ownCells(
  table: string,
  endpoints: readonly string[],
): { isShared: boolean; of: (rows: Rows) => Rows } {
  const shared = catalogue.flatMap(({ name, outputs }) =>
    outputs
      .filter((output) => output.table === table && output.isShared)
      .map(({ columns }) => ({ name, columns })),
  );
  const left = new Set(
    shared.filter(({ name }) => !endpoints.includes(name)).flatMap(({ columns }) => columns),
  );
  const keep = (cells: Cells): Cells =>
    Object.fromEntries(Object.entries(cells).filter(([name]) => !left.has(name)));
  const of = (rows: Rows): Rows =>
    left.size === 0 ? rows : new Map([...rows].map(([key, cells]) => [key, keep(cells)]));
  return { isShared: shared.length > 0, of };
}

/** Whether a slice of this night fills the row. */
function covers(row: LedgerRow, cells: Cells, { night }: Judged): boolean {
  if (cells['scope'] === undefined) {
    const isSnapshot = 'amount_of_responses' in cells && 'date' in cells;
    return !isSnapshot || cells['date'] === quoted(dayOfNight(night));
  }
  if (cells['scope'] !== quoted(row.scope) || cells['scope_id'] !== quoted(row.scope_id)) return false;
  if (cells['window_start'] === undefined) return true;
  return (
    cells['window_kind'] === quoted(row.window_kind) && cells['window_start'] === quoted(row.window_start)
  );
}

const quoted = (text: string | null): string => JSON.stringify(text ?? '');

/** Of a removed prompt the last known values stay, whichever night told them. */
function isSame(a: Cells, b: Cells): boolean {
  if (a['removed_at'] === 'true' && b['removed_at'] === 'true') return true;
  return Object.keys(a).every((name) => a[name] === b[name]);
}

/** Each cell is NULL or that of some version. */
function isMixOf(cells: Cells, versions: readonly Cells[]): boolean {
  return Object.entries(cells).every(
    ([name, value]) => value === 'null' || versions.some((version) => version[name] === value),
  );
}

function sliceId(row: LedgerRow): string {
  return [row.endpoint, row.scope, row.scope_id, row.window_kind, row.window_start, row.window_end].join(' ');
}

function difference(found: Cells, wanted: Cells | undefined): string {
  const names = Object.keys(found).filter((name) => wanted === undefined || found[name] !== wanted[name]);
  const place = ['date', 'window_kind', 'window_start', 'scope'].map((name) => found[name] ?? '').join(' ');
  return `${place} ${names.map((name) => `${name} ${found[name] ?? ''} not ${wanted?.[name] ?? 'anything'}`).join(', ')}`;
}
