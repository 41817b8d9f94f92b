import { catalogue } from '../../src/endpoints/catalogue.ts';
import { strongestBelief, type Belief } from './alteration.ts';
import type { AppliedStrike, Strike } from './altering-proxy.ts';
import { KEY } from './attacked-api.ts';
import type { AttackedWarehouse, NightReport } from './attacked-warehouse.ts';
import { diceOf, type Dice } from './dice.ts';
import { judgeHealed, judgeNight, tablesInDoubt, type Judged } from './judge.ts';
import { listAlterations } from './list-alterations.ts';
import { skewedClock } from './clock-alterations.ts';
import { keyAlterations, projectKeyAlterations } from './key-alterations.ts';
import { valueAlterations } from './value-alterations.ts';
import { keyWideAlterations, slowAlterations, wireAlterations } from './wire-alterations.ts';

/** As often as they are named: broken transport is quickly told, and other proofs try it too. */
const FAMILIES = [
  valueAlterations,
  valueAlterations,
  valueAlterations,
  listAlterations,
  listAlterations,
  wireAlterations,
];
const OF_PROJECTS = catalogue.filter(({ cut, askedPer }) => cut.kind !== 'lookup' && askedPer === 'project');
const OF_RUNS = catalogue.filter(({ askedPer }) => askedPer === 'run');
const VALIDATION = '/api/v2/auth/validate';
/** The clean nights after the altered ones: an answer of half the length is held back in two runs. */
const CLEAN_NIGHTS = 3;
const MOST_REQUESTS = 4;

export interface CaseReport {
  /** Altered nights of one project each. */
  nights: number;
  /** What was altered, by name. */
  applied: string[];
  problems: string[];
}

export interface CaseParts {
  warehouse: AttackedWarehouse;
  references: readonly NightReport[];
  seed: string;
}

/** What is known of one project in the course of a case. */
interface Course {
  projectId: string | null;
  beliefs: Map<string, Belief>;
  alteredNights: Map<string, Set<number>>;
  told: string[];
}

/** One to three altered nights from a good warehouse, each project altered in its own way, and clean nights after them. */
export async function runCase({ warehouse, references, seed }: CaseParts): Promise<CaseReport> {
  const dice = diceOf(seed);
  const endpoints = [
    ...dice.pickSome(OF_PROJECTS, 3 + dice.below(3)),
    ...(dice.chance(0.2) ? OF_RUNS : []),
  ].map(({ name }) => name);
  const courses = [...warehouse.projectIds, null].map((projectId): Course => ({
    projectId,
    beliefs: new Map(),
    alteredNights: new Map(),
    told: [],
  }));
  const report: CaseReport = { nights: 0, applied: [], problems: [] };
  warehouse.restore();
  const alteredNights = dice.pick([1, 1, 2, 3]);
  const judgedOf = ({ projectId, beliefs }: Course, night: number): Judged => ({
    projectId,
    beliefs,
    night,
    references,
    endpoints,
  });
  for (let night = 1; night <= alteredNights; night += 1) {
    const strikes = courses.flatMap((course) => strikesOf(dice, endpoints, course.projectId));
    const ran = await warehouse.run({ number: night, seed: `${seed}/${String(night)}`, endpoints, strikes });
    for (const course of courses) {
      note(course, ran.applied, night);
      if (ran.applied.some(({ projectId }) => projectId === course.projectId)) report.nights += 1;
      const judged = judgedOf(course, night);
      for (const table of tablesInDoubt(judged, ran)) noteNight(course, table, night);
      const problems = judgeNight(ran, judged);
      report.problems.push(...problems.map((problem) => tell({ seed, course, ran, problem, night })));
    }
    report.applied.push(...ran.applied.map(({ name }) => name));
    report.problems.push(...judgeRun(ran, references[night]).map((problem) => `seed ${seed}: ${problem}`));
  }
  let night = alteredNights;
  let clean: NightReport;
  do {
    night += 1;
    const isPublished = dice.chance(0.1);
    clean = await warehouse.run({ number: night, seed, endpoints, strikes: [], isPublished });
  } while (isHeldBack(clean) && night < alteredNights + CLEAN_NIGHTS && night + 1 < references.length);
  if (clean.exitCode !== 0)
    report.problems.push(
      `seed ${seed}: the clean night ends with ${String(clean.exitCode)}: ${clean.failures[0] ?? ''}`,
    );
  const [asked, usual] = [count(clean, endpoints), count(references[night], endpoints)];
  if (asked > usual + 3)
    report.problems.push(
      `seed ${seed}: the clean night has ${String(asked)} requests, usually ${String(usual)}`,
    );
  for (const course of courses) {
    const problems = judgeHealed(clean, { ...judgedOf(course, night), alteredNights: course.alteredNights });
    report.problems.push(...problems.map((problem) => tell({ seed, course, ran: clean, problem, night })));
  }
  return report;
}

function strikesOf(dice: Dice, endpoints: readonly string[], projectId: string | null): Strike[] {
  if (projectId === null && dice.chance(0.15)) return [strikeOfKey(dice)];
  if (projectId !== null && dice.chance(0.02)) {
    const alteration = dice.pick(projectKeyAlterations);
    return [{ alteration, path: VALIDATION, projectId, share: 1, times: Number.POSITIVE_INFINITY }];
  }
  const kinds = projectId === null ? OF_RUNS : OF_PROJECTS;
  const own = kinds.filter(({ name }) => endpoints.includes(name));
  if (own.length === 0) return [];
  return Array.from({ length: 1 + dice.below(3) }, () => {
    const family = dice.chance(0.004)
      ? slowAlterations
      : dice.chance(0.006)
        ? keyWideAlterations
        : dice.pick(FAMILIES);
    return {
      alteration: dice.pick(family),
      path: dice.pick(own).path,
      projectId,
      share: dice.pick([1, 1, 0.5]),
      times: dice.chance(0.15) ? 1 : Number.POSITIVE_INFINITY,
    };
  });
}

/** The answer that says which projects there are. */
function strikeOfKey(dice: Dice): Strike {
  const refused = FAMILIES.flat().filter(({ belief }) => belief === 'refused');
  const alteration = dice.pick(dice.chance(0.6) ? keyAlterations : refused);
  return { alteration, path: VALIDATION, projectId: null, share: 1, times: Number.POSITIVE_INFINITY };
}

/** Everything that asks the path may have believed it. */
function note(course: Course, applied: readonly AppliedStrike[], night: number): void {
  for (const { path, belief, name, projectId } of applied) {
    if (projectId !== course.projectId) continue;
    course.told.push(`${String(night)}: ${name} at ${path}`);
    const tables = catalogue.filter((one) => one.path === path).flatMap(({ outputs }) => outputs);
    for (const { table } of tables) {
      course.beliefs.set(table, strongestBelief([belief, course.beliefs.get(table) ?? 'refused']));
      noteNight(course, table, night);
    }
  }
}

function noteNight({ alteredNights }: Course, table: string, night: number): void {
  alteredNights.set(table, (alteredNights.get(table) ?? new Set()).add(night));
}

/** What holds for the whole run, whatever was altered. */
function judgeRun(ran: NightReport, reference: NightReport | undefined): string[] {
  const problems = ran.picture.offences.map((offence) => `a check refuses ${offence}`);
  const isClockWrong = ran.applied.some(({ path, name }) => path === VALIDATION && name === skewedClock.name);
  if ([1, 2, 7].includes(ran.exitCode) && !(ran.exitCode === 2 && isClockWrong))
    problems.push(`exit ${String(ran.exitCode)}: ${ran.failures[0] ?? ''}`);
  if (ran.picture.texts.includes(KEY)) problems.push('the key is in the warehouse');
  problems.push(...ran.leaks.map((place) => `the key is in ${place}`));
  const [asked, usual] = [sum(ran.requests), sum(reference?.requests ?? new Map())];
  if (asked > MOST_REQUESTS * usual)
    problems.push(`${String(asked)} requests, a full night has ${String(usual)}`);
  return problems;
}

function isHeldBack({ picture }: NightReport): boolean {
  return picture.ledger.some(({ status }) => status === 'suspicious');
}

function count(report: NightReport | undefined, endpoints: readonly string[]): number {
  const paths = catalogue.filter(({ name }) => endpoints.includes(name)).map(({ path }) => path);
  return sum(new Map([...(report?.requests ?? [])].filter(([path]) => paths.includes(path))));
}

function sum(requests: ReadonlyMap<string, number>): number {
  return [...requests.values()].reduce((total, number) => total + number, 0);
}

interface Told {
  seed: string;
  course: Course;
  ran: NightReport;
  problem: string;
  night: number;
}

function tell({ seed, course, ran, problem, night }: Told): string {
  const story = [...new Set(course.told)].join(' + ');
  return `seed ${seed}, night ${String(night)}, exit ${String(ran.exitCode)}, ${course.projectId ?? 'no project'}: ${problem.slice(0, 400)} after ${story}`;
}
