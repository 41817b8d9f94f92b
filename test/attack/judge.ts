import { addDays, isDay, periodEnd, toDay, type Day } from '../../src/day.ts';
import { coreKeys } from '../support/catalogue.ts';
import type { Effect } from './alteration.ts';
import type { CaseEffects, TableEffects } from './case-effects.ts';
import {
  isUnsettled,
  rowsOf,
  tablesOf,
  type Cells,
  type Content,
  type Pending,
  type Rows,
} from './warehouse-content.ts';

/** A project after a night, and what right answers make of the same world. */
export interface Judged {
  /** Null: the tables that belong to no project. */
  projectId: string | null;
  today: Day;
  endpoints: readonly string[];
  /** What right answers say on each night; the last of them is the truth. */
  versions: readonly Content[];
  before: Content;
  content: Content;
  effects: CaseEffects;
  /** Table and key of each row that the warehouse had on any earlier night. */
  known: ReadonlySet<string>;
}

/** How the run of the night ended. */
export interface Ending {
  exitCode: number;
  pending: Pending;
}

/** One table of a project on a night. */
interface TableNight extends Omit<Judged, 'versions'> {
  table: string;
  found: Rows;
  /** The rows before the night. */
  old: Rows;
  versions: readonly Rows[];
  /** The last of `versions`. */
  truth: Rows;
  /** Table and key of what right answers said on one night to be gone, 0 or NULL: another night is the second word. */
  waits: ReadonlySet<string>;
  ofCase: TableEffects;
  has(...effects: Effect[]): boolean;
}

/** Two endpoints fill columns of its rows. */
const SHARED_TABLE = 'citation_totals';
/** More problems of one table have one cause. */
const MAX_PROBLEMS = 2;

/** What stands in the warehouse and should not, or is gone and should not; and what is missing while nothing says so. */
export function judgeNight(judged: Judged, ending: Ending | null): string[] {
  return tablesAsked(judged).flatMap((table) => {
    const night = tableNight(table, judged);
    const silent = ending === null ? [] : silentRows(night, ending);
    const problems = [...wrongRows(night), ...lostRows(night), ...silent];
    return problems.slice(0, MAX_PROBLEMS).map((problem) => `${table}: ${problem}`);
  });
}

/** In the end everything is the truth, apart from rows that a run may leave as they are. */
export function judgeHealed(
  judged: Judged,
  mayDiffer: (table: string, cells: Cells, key: string) => boolean,
): string[] {
  return tablesAsked(judged).flatMap((table) => {
    const { found, truth, known } = tableNight(table, judged);
    // A prompt that was removed before its list was first read is unknown.
    const isUnknown = (key: string, { removed_at: removed }: Cells): boolean =>
      removed === 'true' && !known.has(`${table} ${key}`);
    const problems: string[] = [];
    for (const [key, right] of truth) {
      const row = found.get(key);
      if (mayDiffer(table, right, key) || isUnknown(key, right)) continue;
      if (row === undefined) problems.push(`${table} still lacks ${key}`);
      else if (!isSame(right, row)) problems.push(`${table} still ${difference(row, right)}`);
    }
    for (const [key, cells] of found)
      if (!truth.has(key) && !mayDiffer(table, cells, key))
        problems.push(`${table} still has ${difference(cells, undefined)}`);
    return problems.slice(0, MAX_PROBLEMS);
  });
}

function tablesAsked({ endpoints, projectId }: Judged): string[] {
  return [...new Set(endpoints.flatMap(tablesOf))].filter(
    (table) => coreKeys.get(table)?.includes('project_id') === (projectId !== null),
  );
}

function tableNight(table: string, judged: Judged): TableNight {
  const { content, projectId, before, effects } = judged;
  const rows = (of: Content): Rows => rowsOf(of, table, projectId);
  const versions = judged.versions.map(rows);
  const ofCase = effects.of(table, projectId);
  return {
    ...judged,
    table,
    found: rows(content),
    old: rows(before),
    versions,
    truth: versions.at(-1) ?? new Map<string, Cells>(),
    waits: new Set(judged.versions.flatMap(({ vanishing }) => [...vanishing])),
    ofCase,
    has: (...wanted) => wanted.some((effect) => ofCase.has(effect)),
  };
}

/** Rows that the API never said, and that no altered answer makes believable. */
function wrongRows(judged: TableNight): string[] {
  const { found, versions, table, ofCase, has, waits } = judged;
  return [...found].flatMap(([key, cells]) => {
    const right = versions.map((rows) => rows.get(key)).filter((one) => one !== undefined);
    const isOfWindow = cells['window_kind'] !== undefined;
    const isRemovedLawfully = cells['removed_at'] === 'true' && (ofCase.get('absent')?.size ?? 0) > 1;
    const isBelieved =
      right.some((one) => isSame(one, cells)) ||
      (waits.has(`${table} ${key}`) && isMixOf(cells, right, ['null', '0'])) ||
      has('figure') ||
      // A snapshot is of one night, and so is what a window that nobody asks for again has.
      (has('older') && (isOfWindow || table === 'prompt_snapshots')) ||
      (has('absent') && isRunning(cells, judged)) ||
      (has('nulled', 'zeroed') && isMixOf(cells, right, ['null', '0'])) ||
      (table === SHARED_TABLE && isMixOf(cells, right, ['null'])) ||
      (isRemovedLawfully && right.some((one) => isSame({ ...one, removed_at: 'true' }, cells)));
    return isBelieved ? [] : [`a wrong row: ${difference(cells, right.at(-1))}`];
  });
}

/** Known rows that went, or became empty, on the word of one night. */
function lostRows(judged: TableNight): string[] {
  const { old, truth, found, ofCase, table, waits } = judged;
  const isTwice = [...ofCase].some(([effect, days]) => TAKING_AWAY.includes(effect) && days.size > 1);
  if (isTwice) return [];
  return [...old].flatMap(([key, cells]) => {
    const right = truth.get(key);
    // What was stored while its day or window ran is not known of a closed one.
    const isOfRunning = isRunning(cells, { today: addDays(judged.today, -1) });
    if (right === undefined || isOfRunning || isRunning(cells, judged) || waits.has(`${table} ${key}`))
      return [];
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
function silentRows(judged: TableNight, { exitCode, pending }: Ending): string[] {
  const { truth, found, content, today, table, known, ofCase, has } = judged;
  const isAltered = [...ofCase].some(([effect, days]) => effect !== 'same' && days.has(today));
  const isUntouched = [...ofCase.keys()].every((effect) => effect === 'same');
  // A snapshot is of one night: the prompts themselves are pending.
  const isSnapshot = table === 'prompt_snapshots';
  const isExcused = has('older', 'figure', 'nulled', 'zeroed', 'listed');
  return [...truth].flatMap(([key, right]) => {
    const row = found.get(key);
    if (row !== undefined && isSame(row, right)) return [];
    if (content.vanishing.has(`${table} ${key}`)) return [];
    const what = row === undefined ? `lacks ${key}` : `has ${difference(row, right)}`;
    if (isUntouched) return [`untouched, and ${what}`];
    const isReported =
      exitCode !== 0 ||
      !isAltered ||
      isExcused ||
      isOpen(right, judged, pending) ||
      (has('absent') && (known.has(`${table} ${key}`) || isSnapshot || !isBehindEnd(right, found))) ||
      isAbsentTwice(right, ofCase) ||
      (isRunning(right, judged) && !has('seen'));
    return isReported ? [] : [`exit 0, no gap, nothing pending, and it ${what}`];
  });
}

/** The day of the sync and windows that hold it follow each answer at once. */
export function isRunning(cells: Cells, { today }: Pick<Judged, 'today'>): boolean {
  const isWeek = cells['grain'] === '"week"';
  const end = lastDayOf(cells);
  return end !== null && end >= addDays(today, isWeek ? -1 : 0);
}

function lastDayOf(cells: Cells): Day | null {
  const date = dayIn(cells['date'] ?? cells['window_start']);
  if (date === null) return null;
  // A month that was asked before it was over has the day of that night for its end.
  if (cells['window_kind'] === '"month"') return periodEnd(date, 'month');
  if (cells['window_kind'] !== undefined) return dayIn(cells['window_end']);
  return cells['grain'] === '"week"' ? periodEnd(date, 'week') : date;
}

function dayIn(cell: string | undefined): Day | null {
  const text = cell?.slice(1, 11) ?? '';
  return isDay(text) ? toDay(text) : null;
}

/** The day of the sync is as open as the one before it. */
function isOpen(cells: Cells, judged: TableNight, pending: Pending): boolean {
  const { endpoints, projectId, table } = judged;
  const project = projectId ?? '';
  const text = (name: string, otherwise: string): string => {
    const cell = cells[name];
    return cell === undefined ? otherwise : String(JSON.parse(cell));
  };
  return endpoints.some((endpoint) => {
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
  const witnesses = [...(ofCase.get('absent') ?? [])].filter((one) => day !== null && day < one);
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

/** They tell of another day or window, and follow each answer. */
const FOLLOWING = /^(change|previous_)/;

/** A figure of a closed day or window that was neither NULL nor 0 and is so now. */
function isNewlyEmpty(was: Cells, is: Cells): boolean {
  if (was['grain'] === undefined && was['window_kind'] === undefined) return false;
  const isEmpty = (cell: string | undefined): boolean => cell === 'null' || cell === '0';
  return Object.entries(was).some(
    ([name, cell]) => !FOLLOWING.test(name) && /^-?\d/.test(cell) && !isEmpty(cell) && isEmpty(is[name]),
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
