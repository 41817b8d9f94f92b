import { addDays, periodEnd, type Day } from '../../src/day.ts';
import { hasAlarm, isUnsettled, type Content, type Pending } from './warehouse-content.ts';
import type { Fact, Facts } from './world-truth.ts';

/** What a server has said on all nights so far. */
export interface Said {
  /** Key → every version of its values. */
  versions: Map<string, Set<string>>;
  /** Sync days on which answers were altered. */
  alteredOn: Set<Day>;
}

/** A visit of the program to a server, and what stands in the warehouse after it. */
export interface JudgedVisit {
  today: Day;
  exitCode: number;
  /** What the server would say of each day tonight, unaltered. */
  honest: Facts;
  /** What is so, whatever the server keeps or refuses. */
  truth: Facts;
  said: Said;
  /** Keys of prompts that the list no longer has; other answers may name them. */
  deleted: ReadonlySet<string>;
  before: Facts;
  stored: Facts;
  content: Content;
  pending: Pending;
  /** No later visit follows: nothing but a known alarm may be missing. */
  isLast: boolean;
  /** An alarm may be left, and what it is about may be missing. */
  mayLack: boolean;
  /** The visit asks for a few endpoints only. */
  endpoints: readonly string[] | null;
}

/** States of a gap that `gaps` lists and does not count. */
const SETTLED = ['known', 'refused', 'not_available'];

export function remember(said: Said, ...all: readonly Facts[]): void {
  for (const facts of all)
    for (const { key, values } of facts.values())
      said.versions.set(key, (said.versions.get(key) ?? new Set()).add(values));
}

/** What stands in the warehouse and should not, or does not and should. */
export function judgeVisit(visit: JudgedVisit): string[] {
  return [
    ...visit.content.doubledKeys.map((key) => `a key is there twice: ${key}`),
    ...wrongFacts(visit),
    ...lostFacts(visit),
    ...lackingFacts(visit),
  ];
}

/** After the last visit nothing is open. */
export function judgeSettled({ pending, mayLack }: JudgedVisit): string[] {
  const gaps = pending.gaps.filter(({ status }) => !SETTLED.includes(status));
  const [gap] = gaps;
  const alarms = pending.alarms.filter(({ is_known: isKnown }) => !mayLack || !isKnown);
  return [
    ...(gap === undefined ? [] : [`${String(gaps.length)} gaps are left: ${JSON.stringify(gap)}`]),
    ...alarms.slice(0, 1).map((alarm) => `an alarm is left: ${JSON.stringify(alarm)}`),
  ];
}

/** Whatever the exit code: what the server never said. */
function wrongFacts(visit: JudgedVisit): string[] {
  const { stored, before, said, today } = visit;
  return [...stored.values()].flatMap((fact) => {
    const right = said.versions.get(fact.key);
    if (right?.has(fact.values) === true) return [];
    if (isRemoved(fact) && (right !== undefined || visit.deleted.has(fact.key))) return [];
    // What was unknown may be nothing on one word; as long as it is not right, something must say so.
    const known = before.get(fact.key);
    const isFirstWord = known === undefined || known.values === fact.values;
    if (said.alteredOn.size > 0 && isFirstWord && isNothing(fact)) return [];
    // The day of an altered answer follows it at once; the rolling window of that night is asked once.
    if (said.alteredOn.size > 0 && (isOpen(fact, today) || isOfAlteredNight(fact, said))) return [];
    return [`a wrong row: ${fact.key} is ${fact.values}, not ${[...(right ?? ['there'])].join(' or ')}`];
  });
}

/** Whatever the exit code: what stood in the warehouse, is true, and is gone. */
function lostFacts({ before, stored, truth, said, today }: JudgedVisit): string[] {
  return [...before.values()].flatMap((fact) => {
    // A month that still runs follows each answer at once.
    const isRunning =
      fact.key.includes('"month"') && fact.date !== null && periodEnd(fact.date, 'month') >= today;
    if (said.alteredOn.has(today) && isRunning) return [];
    const now = stored.get(fact.key);
    const isTrue = fact.table !== 'events' || truth.has(fact.key);
    if (now === undefined) return isTrue ? [`a lost row: ${fact.key}`] : [];
    const isListed = truth.get(fact.key)?.values === fact.values;
    return isRemoved(now) && !isRemoved(fact) && isListed ? [`removed, and in the list: ${fact.key}`] : [];
  });
}

/** What the server says and the warehouse lacks, while nothing says so. */
function lackingFacts(visit: JudgedVisit): string[] {
  const { honest, stored, today, exitCode, isLast, endpoints, said } = visit;
  if (exitCode !== 0 && !isLast) return [];
  return [...honest.values()].flatMap((fact) => {
    if (isOpen(fact, today) || isUnreadable(fact)) return [];
    if (endpoints !== null && !endpoints.includes(fact.endpoint)) return [];
    const found = stored.get(fact.key);
    // Closed windows are asked inside the look-back only, and follow a server that forgets.
    const isAnyVersion = isWindow(fact) && said.versions.get(fact.key)?.has(found?.values ?? '') === true;
    if (found?.values === fact.values || isAnyVersion) return [];
    if (isOfAlteredNight(fact, said) || isPending(fact, visit)) return [];
    const what = found === undefined ? 'is missing' : `is ${found.values}, not ${fact.values}`;
    return [`exit ${String(exitCode)}, nothing says so, and ${fact.key} ${what}`];
  });
}

function isPending({ key, date, ...of }: Fact, { pending, content, isLast, mayLack }: JudgedVisit): boolean {
  if (isLast) return mayLack && hasAlarm(pending, of);
  const period = { ...of, grain: 'day', first: date ?? '' };
  return isUnsettled(pending, period) || content.vanishing.has(key);
}

const isRemoved = ({ table, values }: Fact): boolean => table === 'prompts' && values.includes('true');
const isWindow = ({ key }: Fact): boolean => /"(month|last_7_days)"/.test(key);

/** Of today, or of a window that is not over: partial, and another tomorrow. */
function isOpen(fact: Fact, today: Day): boolean {
  const { date, values } = fact;
  if (date === null) return false;
  const end = isWindow(fact) ? (/\d{4}-\d{2}-\d{2}/.exec(values)?.[0] ?? date) : date;
  return end >= today;
}

/** The rolling windows of a night are asked on that night, and once more if they were empty. */
function isOfAlteredNight({ key, date }: Fact, { alteredOn }: Said): boolean {
  return date !== null && key.includes('"last_7_days"') && alteredOn.has(addDays(date, 7));
}

/** Every figure is 0 or missing. */
function isNothing({ values }: Fact): boolean {
  const cells = JSON.parse(values) as unknown[];
  return cells.every((cell) => typeof cell === 'string' || cell === 0 || cell === null);
}

/** A count that is null cannot be read. */
function isUnreadable({ table, values }: Fact): boolean {
  return ['share_of_voice', 'visibility', 'sentiment'].includes(table) && values.includes('null');
}
