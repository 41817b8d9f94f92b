import { addDays, isDay, periodEnd, toDay, type Day } from '../../src/day.ts';
import { catalogue, coreKeys } from '../../src/endpoints/catalogue.ts';
import type { Effect } from './alteration.ts';
import { dayOfNight } from './attacked-api.ts';
import type { NightReport } from './attacked-warehouse.ts';
import type { CaseEffects, TableEffects } from './case-effects.ts';
import type { CasePlan } from './case-plan.ts';
import {
  isUnsettled,
  rowsOf,
  tablesOf,
  type Cells,
  type Content,
  type Pending,
  type Rows,
} from './warehouse-content.ts';

/** A project on a night, and what clean nights make of the same world. */
export interface Judged {
  /** Null: the tables that belong to no project. */
  projectId: string | null;
  night: number;
  references: readonly NightReport[];
  plan: CasePlan;
  before: Content;
  report: NightReport;
  effects: CaseEffects;
  /** Table and key of each row that the warehouse had on any earlier night. */
  known: ReadonlySet<string>;
  /** The run stopped. */
  isStopped: boolean;
  pending: Pending;
}

/** One table of a project on a night. */
interface TableNight extends Judged {
  table: string;
  found: Rows;
  /** The rows before the night. */
  old: Rows;
  /** The rows after each clean night up to this one. */
  versions: readonly Rows[];
  /** The last of `versions`. */
  truth: Rows;
  ofCase: TableEffects;
  has(...effects: Effect[]): boolean;
}

/** Two endpoints fill columns of its rows. */
const SHARED_TABLE = 'citation_totals';
/** More problems of one table have one cause. */
const MAX_PROBLEMS = 2;

/** What of an altered night contradicts the contract. */
export function judgeNight(judged: Judged): string[] {
  return tablesAsked(judged).flatMap((table) => {
    const night = tableNight(table, judged);
    const problems = [...wrongRows(night), ...lostRows(night), ...silentRows(night)];
    return problems.slice(0, MAX_PROBLEMS).map((problem) => `${table}: ${problem}`);
  });
}

/** After two clean nights everything is the truth again, except figures that a run asks for on one night only. */
export function judgeHealed(judged: Judged, alteredNights: readonly number[]): string[] {
  return tablesAsked(judged).flatMap((table) => {
    const { found, truth, known } = tableNight(table, judged);
    // A prompt that was removed before its list was first read is unknown.
    const isUnknown = (key: string, { removed_at: removed }: Cells): boolean =>
      removed === 'true' && !known.has(`${table} ${key}`);
    const problems: string[] = [];
    for (const [key, right] of truth) {
      const row = found.get(key);
      if (isAskedOnce(table, right, alteredNights) || isUnknown(key, right)) continue;
      if (row === undefined) problems.push(`${table} still lacks ${key}`);
      else if (!isSame(row, right)) problems.push(`${table} still ${difference(row, right)}`);
    }
    for (const [key, cells] of found)
      if (!truth.has(key) && !isAskedOnce(table, cells, alteredNights))
        problems.push(`${table} still has ${difference(cells, undefined)}`);
    return problems.slice(0, MAX_PROBLEMS);
  });
}

function tablesAsked({ plan, projectId }: Judged): string[] {
  return [...new Set(plan.endpoints.flatMap(tablesOf))].filter(
    (table) => coreKeys.get(table)?.includes('project_id') === (projectId !== null),
  );
}

function tableNight(table: string, judged: Judged): TableNight {
  const { report, projectId, night, references, before, plan, effects } = judged;
  const rows = (content: Content): Rows => ownCells(table, plan.endpoints, rowsOf(content, table, projectId));
  const versions = references.slice(0, night + 1).map(({ content }) => rows(content));
  const ofCase = effects.of(table, projectId);
  return {
    ...judged,
    table,
    found: rows(report.content),
    old: rows(before),
    versions,
    truth: versions.at(-1) ?? new Map<string, Cells>(),
    ofCase,
    has: (...wanted) => wanted.some((effect) => ofCase.has(effect)),
  };
}

/** Only the columns of endpoints that were asked are compared. */
function ownCells(table: string, endpoints: readonly string[], rows: Rows): Rows {
  if (table !== SHARED_TABLE) return rows;
  const left = new Set(
    catalogue
      .filter(({ name }) => !endpoints.includes(name))
      .flatMap(({ outputs }) => outputs.filter((output) => output.table === table))
      .flatMap(({ columns }) => columns),
  );
  const keep = (cells: Cells): Cells =>
    Object.fromEntries(Object.entries(cells).filter(([name]) => !left.has(name)));
  return new Map([...rows].map(([key, cells]) => [key, keep(cells)]));
}

/** Rows that the API never said, and that no altered answer makes believable. */
function wrongRows(judged: TableNight): string[] {
  const waits = judged.references[judged.night]?.content.vanishing ?? new Set();
  const { found, versions, table, ofCase, has } = judged;
  return [...found].flatMap(([key, cells]) => {
    const right = versions.map((rows) => rows.get(key)).filter((one) => one !== undefined);
    const isOfWindow = cells['window_kind'] !== undefined;
    const isRemovedLawfully = cells['removed_at'] === 'true' && (ofCase.get('absent')?.size ?? 0) > 1;
    const isBelieved =
      right.some((one) => isSame(one, cells)) ||
      // The API says 0 or NULL by now, and the clean warehouse waits for a second night to say so too.
      (waits.has(`${table} ${key}`) && isMixOf(cells, right, ['null', '0'])) ||
      has('figure') ||
      (has('older') && isOfWindow) ||
      (has('absent') && isRunning(cells, judged)) ||
      (has('nulled', 'zeroed') && isMixOf(cells, right, ['null', '0'])) ||
      (table === SHARED_TABLE && isMixOf(cells, right, ['null'])) ||
      (isRemovedLawfully && right.some((one) => isSame({ ...one, removed_at: 'true' }, cells)));
    return isBelieved ? [] : [`a wrong row: ${difference(cells, right.at(-1))}`];
  });
}

/** Known rows that went, or became empty, on the word of one night. */
function lostRows(judged: TableNight): string[] {
  const { old, truth, found, ofCase } = judged;
  const isTwice = [...ofCase].some(([effect, nights]) => TAKING_AWAY.includes(effect) && nights.size > 1);
  if (isTwice) return [];
  return [...old].flatMap(([key, cells]) => {
    const right = truth.get(key);
    if (right === undefined || isRunning(cells, judged)) return [];
    const row = found.get(key);
    const isRemoved = row?.['removed_at'] === 'true' && cells['removed_at'] === 'false';
    if (row === undefined || (isRemoved && right['removed_at'] === 'false'))
      return [`one night removes ${key}`];
    const isEmptied = isNewlyEmpty(cells, row) && !isNewlyEmpty(cells, right);
    return isEmptied ? [`one night empties ${difference(row, cells)}`] : [];
  });
}

const TAKING_AWAY: readonly Effect[] = ['absent', 'nulled', 'zeroed', 'older'];

/** Rows that are not those of tonight, while exit code, gaps and `meta.vanishing` say that all is well. */
function silentRows(judged: TableNight): string[] {
  const { truth, found, report, night, table, known, ofCase, has, isStopped } = judged;
  const isAltered = [...ofCase].some(([effect, nights]) => effect !== 'same' && nights.has(night));
  const isUntouched = [...ofCase.keys()].every((effect) => effect === 'same');
  // A snapshot is of one night: the prompts themselves are pending.
  const isSnapshot = table === 'prompt_snapshots';
  const isExcused = has('older', 'figure', 'nulled', 'zeroed', 'listed');
  return [...truth].flatMap(([key, right]) => {
    const row = found.get(key);
    if (row !== undefined && isSame(row, right)) return [];
    if (report.content.vanishing.has(`${table} ${key}`)) return [];
    const what = row === undefined ? `lacks ${key}` : `has ${difference(row, right)}`;
    if (isUntouched) return isStopped ? [] : [`untouched, and ${what}`];
    const isReported =
      report.exitCode !== 0 ||
      !isAltered ||
      isExcused ||
      isOpen(right, judged) ||
      (has('absent') && (known.has(`${table} ${key}`) || isSnapshot || !isBehindEnd(right, found))) ||
      isAbsentTwice(right, ofCase) ||
      (isRunning(right, judged) && !has('seen'));
    return isReported ? [] : [`exit 0, no gap, nothing pending, and it ${what}`];
  });
}

/** Snapshots belong to one night, and no later night asks for them again. */
function isAskedOnce(table: string, { date }: Cells, alteredNights: readonly number[]): boolean {
  if (table !== 'prompt_snapshots') return false;
  return alteredNights.some((night) => date === JSON.stringify(dayOfNight(night)));
}

/** The day of the sync and windows that hold it follow each answer at once. */
function isRunning(cells: Cells, { night }: Judged): boolean {
  const isWeek = cells['grain'] === '"week"';
  const end = lastDayOf(cells);
  return end !== null && end >= addDays(dayOfNight(night), isWeek ? -1 : 0);
}

function lastDayOf(cells: Cells): Day | null {
  const date = dayIn(cells['date'] ?? cells['window_start']);
  if (date === null) return null;
  // A month that was asked before it was over has the day of that night for its end.
  if (cells['window_kind'] !== undefined) return periodEnd(date, 'month');
  return cells['grain'] === '"week"' ? periodEnd(date, 'week') : date;
}

function dayIn(cell: string | undefined): Day | null {
  const text = cell?.slice(1, 11) ?? '';
  return isDay(text) ? toDay(text) : null;
}

/** The day of the sync is as open as the one before it. */
function isOpen(cells: Cells, judged: TableNight): boolean {
  const { plan, pending, projectId, table } = judged;
  const project = projectId ?? '';
  const text = (name: string, otherwise: string): string => {
    const cell = cells[name];
    return cell === undefined ? otherwise : String(JSON.parse(cell));
  };
  return plan.endpoints.some((endpoint) => {
    if (!tablesOf(endpoint).includes(table)) return false;
    const scopeId = text('scope_id', project);
    const own = dayIn(cells['date']);
    const date =
      own !== null && cells['grain'] === '"day"' && isRunning(cells, judged) ? addDays(own, -1) : own;
    const first = date ?? dayIn(cells['window_start']) ?? '';
    const grain = text('grain', 'day');
    return isUnsettled(pending, { endpoint, projectId: project, scopeId, grain, first });
  });
}

/** Two nights after its day said that a row is not there. */
function isAbsentTwice(cells: Cells, ofCase: TableEffects): boolean {
  const day = lastDayOf(cells);
  const witnesses = [...(ofCase.get('absent') ?? [])].filter((one) => day !== null && day < dayOfNight(one));
  return witnesses.length > 1;
}

/** A row of a series that would lie behind its last one. */
function isBehindEnd(cells: Cells, found: Rows): boolean {
  const date = dayIn(cells['date']);
  const series = [...found.values()].filter((other) =>
    ['scope', 'scope_id', 'grain'].every((name) => other[name] === cells[name]),
  );
  return date !== null && series.length > 0 && series.every((other) => (dayIn(other['date']) ?? '') <= date);
}

/** A figure of a closed day or window that was neither NULL nor 0 and is so now. */
function isNewlyEmpty(was: Cells, is: Cells): boolean {
  if (was['grain'] === undefined && was['window_kind'] === undefined) return false;
  const isEmpty = (cell: string | undefined): boolean => cell === 'null' || cell === '0';
  return Object.entries(was).some(
    ([name, cell]) => /^-?\d/.test(cell) && !isEmpty(cell) && isEmpty(is[name]),
  );
}

/** A removed prompt keeps the last known values, whichever night they come from. */
function isSame(a: Cells, b: Cells): boolean {
  if (a['removed_at'] === 'true' && b['removed_at'] === 'true') return true;
  return Object.keys(a).every((name) => a[name] === b[name]);
}

/** Each cell is one of `others`, or that of some version. */
function isMixOf(cells: Cells, versions: readonly Cells[], others: readonly string[]): boolean {
  return Object.entries(cells).every(
    ([name, value]) => others.includes(value) || versions.some((version) => version[name] === value),
  );
}

function difference(found: Cells, wanted: Cells | undefined): string {
  const names = Object.keys(found).filter((name) => wanted === undefined || found[name] !== wanted[name]);
  const place = ['date', 'window_kind', 'window_start', 'scope', 'grain']
    .map((name) => found[name] ?? '')
    .join(' ');
  return `${place} ${names.map((name) => `${name} ${found[name] ?? ''} not ${wanted?.[name] ?? 'anything'}`).join(', ')}`;
}
