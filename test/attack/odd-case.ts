import type { WindowKind } from '../../src/slice.ts';
import { addDays } from '../../src/day.ts';
import { catalogue } from '../support/catalogue.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { ODD_DAYS, unrestricted, type OddWorld } from '../../simulator/odd-worlds.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { openRig, type Rig } from '../flow/rig.ts';
import { everything, serveNight, type Placement } from './altered-answers.ts';
import { notBegun } from './attacked-warehouse.ts';
import { CaseEffects } from './case-effects.ts';
import { ALTERATIONS } from './case-plan.ts';
import { diceOf } from './dice.ts';
import { isRunning, judgeHealed, judgeNight, type Judged } from './judge.ts';
import type { OddCase, Visit } from './odd-cases.ts';
import { contentOf, EMPTY, hasAlarm, NOTHING_PENDING, pendingOf, tablesOf } from './warehouse-content.ts';
import type { Content, Pending } from './warehouse-content.ts';
import { comparedOf, deletedPrompts, factsOf, factsOfOldModels } from './world-truth.ts';
import { viewProblemsOf } from '../views/whole-views.ts';

const KEY = 'pair-organization-key';
const HOUR_MS = 3_600_000;
const LOOKBACK_DAYS = 6;
/** Requests of a night on which nothing is odd any more; what is known to be wrong is asked about once more. */
const SETTLED_REQUESTS = 88;
const HOURLY = { endpoints: ['events'], lookbackDays: 2 };
/** Nights from the beginning of an oddity, or from its end, that may end with 3. */
const UNSETTLED_NIGHTS = 3;

/** Visits to an odd world, each of them judged. */
export async function runOddCase(odd: OddCase, seed: number) {
  const dice = diceOf(odd.name, seed);
  const made = odd.make(dice.below);
  const placements =
    odd.faults === undefined ? [] : [{ ...faultOf(odd, dice.pick(odd.faults)), seed: String(seed) }];
  // The server hides nothing of its world.
  const isWhole = (odd.change === undefined || odd.isSameTruth === true) && made.isRestricted !== true;
  await using rig = await openWorld(odd, made);
  const { simulator } = rig;
  simulator.override(
    everything,
    odd.change?.(() => simulator.today),
  );
  const lastWhole = odd.visits.findLast(({ isHourly }) => isHourly !== true);
  const { missingDays, behindDays } = made.options ?? {};
  const behind = odd.behindDays ?? behindDays ?? 0;
  await using truthful = await startSimulator({
    world: unrestricted(made.world),
    firstDay: ODD_DAYS.first,
    today: ODD_DAYS.sync,
    ...(missingDays === undefined ? {} : { missingDays }),
  });
  const working = workingPath(rig.config.warehouse.path);
  const effects = new CaseEffects({ isEmpty: false, endpoints: ALL });
  const projectIds = simulator.world.projects.map(({ id }) => id);
  const versions: Content[] = [];
  const problems: string[] = [];
  const log: string[] = [];
  const requests: number[] = [];
  const known = new Set<string>();
  const { windows = WINDOWS } = odd;
  let before = EMPTY;
  let pending = NOTHING_PENDING;
  for (const visit of odd.visits) {
    const today = addDays(ODD_DAYS.sync, visit.night);
    truthful.setToday(today);
    simulator.setToday(today);
    const isAltered = visit.isAltered === true;
    const night = { placements, tonight: simulator, before: simulator, now: rig.effects.now };
    const altered = isAltered ? serveNight(simulator, night) : [];
    const run = await visitWorld(rig, visit);
    if (isAltered) simulator.override(everything, undefined);
    // An hourly job is no witness.
    if (visit.isHourly !== true) effects.note(altered, today, projectIds);
    const asked = { apiKey: KEY, start: ODD_DAYS.start, today, lastDay: addDays(today, -behind), windows };
    const told = { ...asked, simulator: odd.isSameTruth === true ? truthful : simulator };
    const honest = factsOf(told);
    versions.push(deletedPrompts(simulator.world, today), factsOfOldModels(told), honest);
    if (!isWhole) versions.push(factsOf({ ...asked, simulator: truthful }));
    const content = comparedOf(await contentOf(working, null));
    pending = await pendingOf(working);
    const found = content.doubledKeys.map((key) => `a key is there twice: ${key}`);
    const endpoints = visit.isHourly === true ? HOURLY.endpoints : ALL;
    for (const projectId of projectIds) {
      const judged = { projectId, today, endpoints, versions, before, content, effects, known };
      found.push(...judgeNight(judged, null));
      if (visit !== odd.visits.at(-1) && visit !== lastWhole) continue;
      const mayDiffer = mayDifferAtLast(odd, { honest, content, pending, projectId, today });
      found.push(...judgeHealed({ ...judged, versions: [honest] }, mayDiffer));
    }
    const [loudFrom, loudTo] = odd.loud ?? [Infinity, 0];
    const isLoud = visit.night >= loudFrom && visit.night <= loudTo;
    if (isLoud ? run.exit_code !== 3 : run.exit_code !== 0 && !(run.exit_code === 3 && mayBeOpen(odd, visit)))
      found.push(`exit ${String(run.exit_code)}: ${run.failures[0]?.message ?? run.warnings[0] ?? 'silent'}`);
    problems.push(...found.map((problem) => `night ${nameOf(visit)}: ${problem.slice(0, 400)}`));
    log.push(`${nameOf(visit)}${isAltered ? '!' : ''}=${String(run.exit_code)}/${String(run.requests)}`);
    if (visit.isHourly !== true) requests.push(run.requests);
    before = content;
  }
  problems.push(...openAtLast(odd, pending), ...(await viewProblemsOf(working)));
  const most = (odd.most ?? SETTLED_REQUESTS) + pending.alarms.length;
  for (const count of requests.slice(-2))
    if (count > most) problems.push(`at the end ${String(count)} requests, more than ${String(most)}`);
  return {
    visits: odd.visits.length,
    problems: problems
      .slice(0, MAX_PROBLEMS)
      .map((problem) => `${odd.name}, seed ${String(seed)}, ${problem}`),
    /** Night, exit code and requests of each visit. */
    log: log.join(' '),
  };
}

/** More problems of one case have the same cause. */
const MAX_PROBLEMS = 12;

/** States of a gap that `gaps` lists and does not count. */
const SETTLED = ['known', 'refused', 'not_available'];

/** After the last visit nothing is open but a known alarm. */
function openAtLast({ hasAlarm: mayLack, loud }: OddCase, pending: Pending): string[] {
  if (loud?.[1] === Infinity) return [];
  const gaps = pending.gaps.filter(({ status }) => !SETTLED.includes(status));
  const alarms = pending.alarms.filter(({ is_known: isKnown }) => mayLack !== true || !isKnown);
  return [...gaps, ...alarms].slice(0, 1).map((left) => `left: ${JSON.stringify(left)}`);
}

interface Last extends Pick<Judged, 'today' | 'content'> {
  honest: Content;
  pending: Pending;
  projectId: string;
}

/** Rows that need not be those of the server after the last visit. */
function mayDifferAtLast(odd: OddCase, last: Last): Parameters<typeof judgeHealed>[1] {
  const { honest, content, pending, projectId } = last;
  return (table, cells, key) => {
    // The server has forgotten it.
    if (honest.tables.get(table)?.has(key) !== true) return true;
    // Closed windows are asked inside the look-back only, and follow a server that forgets.
    const isKnownWindow = cells['window_kind'] !== undefined && content.tables.get(table)?.has(key) === true;
    // A count that is null cannot be read.
    const isUnreadable = COUNTS.has(table) && Object.values(cells).includes('null');
    const scopeId = String(JSON.parse(cells['scope_id'] ?? JSON.stringify(projectId)));
    const isAlarm = (endpoint: string): boolean => hasAlarm(pending, { endpoint, projectId, scopeId });
    const hasKnownAlarm =
      odd.hasAlarm === true && ALL.some((name) => tablesOf(name).includes(table) && isAlarm(name));
    return isRunning(cells, last) || isKnownWindow || isUnreadable || hasKnownAlarm;
  };
}

const COUNTS = new Set(['share_of_voice', 'visibility', 'sentiment']);
const ALL = catalogue.map(({ name }) => name);
const WINDOWS: readonly WindowKind[] = ['month', 'last_7_days'];

function faultOf({ faultyPaths = /$/ }: OddCase, fault: string): Omit<Placement, 'seed'> {
  const alteration = ALTERATIONS.find((one) => one.name === fault);
  if (alteration === undefined) throw new RangeError(`no alteration ${fault}`);
  const paths = new Set(catalogue.map(({ path }) => path).filter((path) => faultyPaths.test(path)));
  return { alteration, paths, projectId: null, from: 0, nights: 0 };
}

const nameOf = ({ night, hour, isHourly }: Visit): string =>
  isHourly === true ? `${String(night)}.${String(hour ?? 3)}h` : String(night);

async function openWorld(
  { config, windows = WINDOWS }: OddCase,
  { world, options }: Pick<OddWorld, 'world' | 'options'>,
): Promise<Rig> {
  return await openRig({
    ...options,
    world,
    key: KEY,
    firstDay: ODD_DAYS.first,
    today: ODD_DAYS.sync,
    startDate: ODD_DAYS.start,
    change: (plain) => {
      const { sync, api } = plain;
      const usual = {
        ...plain,
        api: { ...api, attempts: 2 },
        sync: { ...sync, lookbackDays: LOOKBACK_DAYS, windows: [...windows] },
      };
      return config?.(usual) ?? usual;
    },
  });
}

/** One run at its hour. */
async function visitWorld(
  rig: Rig,
  { night, hour = 3, isHourly }: Visit,
): Promise<ReturnType<typeof notBegun>> {
  const at = Date.parse(addDays(ODD_DAYS.sync, night)) + hour * HOUR_MS;
  await rig.effects.sleep(Math.max(0, at - rig.effects.now()));
  return await rig.pull(isHourly === true ? HOURLY : {}).catch(notBegun);
}

/** The nights that follow the beginning of the oddity, or its end; an hourly job may say what it saw. */
function mayBeOpen({ visits, from = 0, faults }: OddCase, visit: Visit): boolean {
  if (visit.isHourly === true) return visit.isAltered === true;
  const altered = visits.find((one) => one.isAltered === true);
  const begins = [faults === undefined ? from : altered?.night, from].filter((night) => night !== undefined);
  const begin = Math.max(...begins.filter((night) => night <= visit.night));
  if (begin < 0) return false;
  const nights = visits.filter((one) => one.isHourly !== true && one.night >= begin);
  return nights.indexOf(visit) >= 0 && nights.indexOf(visit) < UNSETTLED_NIGHTS;
}
