import type { WindowKind } from '../../src/slice.ts';
import { addDays } from '../../src/day.ts';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { ODD_DAYS, pairWorld, unrestricted, type OddWorld } from '../../simulator/odd-worlds.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { openRig, type Rig } from '../flow/rig.ts';
import { everything, serveNight, type Placement } from './altered-answers.ts';
import { notBegun } from './attacked-warehouse.ts';
import { ALTERATIONS } from './case-plan.ts';
import { diceOf } from './dice.ts';
import { judgeSettled, judgeVisit, remember, type JudgedVisit, type Said } from './judge-world.ts';
import type { OddCase, Visit } from './odd-cases.ts';
import { contentOf, pendingOf } from './warehouse-content.ts';
import { deletedPrompts, factsOf, factsOfOldModels, storedFacts, type Facts } from './world-truth.ts';

const KEY = 'pair-organization-key';
const HOUR_MS = 3_600_000;
const LOOKBACK_DAYS = 6;
const HOURLY = { endpoints: ['events'], lookbackDays: 2 };
/** Nights from the beginning of an oddity, or from its end, that may end with 3. */
const UNSETTLED_NIGHTS = 3;

export interface OddReport {
  visits: number;
  problems: string[];
  /** Night, exit code and requests of each visit. */
  log: string;
}

/** Visits to an odd world, each of them judged, and its requests against those of its twin. */
export async function runOddCase(odd: OddCase, seed: number): Promise<OddReport> {
  const dice = diceOf(odd.name, seed);
  const made = odd.make(dice.below);
  const placements =
    odd.faults === undefined ? [] : [{ ...faultOf(odd, dice.pick(odd.faults)), seed: String(seed) }];
  // The server hides nothing of its world.
  const isWhole = odd.change === undefined && made.isRestricted !== true;
  await using rig = await openWorld(odd, made);
  const { simulator } = rig;
  simulator.override(everything, odd.change);
  const { missingDays } = made.options ?? {};
  await using truthful = await startSimulator({
    world: unrestricted(made.world),
    firstDay: ODD_DAYS.first,
    today: ODD_DAYS.sync,
    ...(missingDays === undefined ? {} : { missingDays }),
  });
  const working = workingPath(rig.config.warehouse.path);
  const said: Said = { versions: new Map(), alteredOn: new Set() };
  const problems: string[] = [];
  const log: string[] = [];
  const requests = new Map<number, number>();
  let before: Facts = new Map();
  let judged: JudgedVisit | undefined;
  for (const visit of odd.visits) {
    const today = addDays(ODD_DAYS.sync, visit.night);
    const isLast = visit === odd.visits.at(-1);
    truthful.setToday(today);
    simulator.setToday(today);
    const isAltered = visit.isAltered === true;
    const night = { placements, tonight: simulator, before: simulator, now: rig.effects.now };
    if (isAltered) serveNight(simulator, night);
    const run = await visitWorld(rig, visit);
    if (isAltered) {
      simulator.override(everything, undefined);
      said.alteredOn.add(today);
    }
    const { windows = WINDOWS } = odd;
    const asked = { apiKey: KEY, start: ODD_DAYS.start, today, windows };
    const honest = factsOf({ ...asked, simulator });
    const truth = isWhole ? honest : factsOf({ ...asked, simulator: truthful });
    remember(said, honest, truth);
    remember(said, factsOfOldModels({ ...asked, simulator }));
    const content = await contentOf(working, null);
    judged = {
      today,
      exitCode: run.exit_code,
      honest,
      truth,
      said,
      deleted: deletedPrompts(simulator.world, today),
      before,
      stored: storedFacts(content),
      content,
      pending: await pendingOf(working),
      isLast,
      mayLack: odd.hasAlarm === true,
      endpoints: visit.isHourly === true ? HOURLY.endpoints : null,
    };
    const found = judgeVisit(judged);
    if (run.exit_code !== 0 && !(run.exit_code === 3 && mayBeOpen(odd, visit)))
      found.push(`exit ${String(run.exit_code)}: ${run.failures[0]?.message ?? run.warnings[0] ?? 'silent'}`);
    problems.push(...found.map((problem) => `night ${nameOf(visit)}: ${problem.slice(0, 400)}`));
    log.push(`${nameOf(visit)}${isAltered ? '!' : ''}=${String(run.exit_code)}/${String(run.requests)}`);
    if (visit.isHourly !== true) requests.set(visit.night, run.requests);
    before = judged.stored;
  }
  if (judged !== undefined) problems.push(...judgeSettled(judged));
  problems.push(
    ...(await requestProblems(odd, made, { requests, alarms: judged?.pending.alarms.length ?? 0 })),
  );
  return {
    visits: odd.visits.length,
    problems: problems
      .slice(0, MAX_PROBLEMS)
      .map((problem) => `${odd.name}, seed ${String(seed)}, ${problem}`),
    log: log.join(' '),
  };
}

/** More problems of one case have the same cause. */
const MAX_PROBLEMS = 12;

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
      const changed = config?.(plain) ?? plain;
      const { sync, api } = changed;
      return {
        ...changed,
        api: { ...api, attempts: 2 },
        sync: { ...sync, lookbackDays: LOOKBACK_DAYS, windows: [...windows] },
      };
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

const twins = new Map<string, Promise<ReadonlyMap<number, number>>>();

/** The last two nights ask no more than those of a world without the oddity, but once for what is known to be wrong. */
async function requestProblems(
  odd: OddCase,
  { twin }: OddWorld,
  { requests, alarms }: { requests: ReadonlyMap<number, number>; alarms: number },
): Promise<string[]> {
  const visits = (odd.twinVisits ?? odd.visits).filter(({ isHourly }) => isHourly !== true);
  const name = JSON.stringify([
    twin ?? null,
    odd.config === undefined && odd.windows === undefined ? '' : odd.name,
    visits.map(({ night }) => night),
  ]);
  const usual = twins.get(name) ?? requestsOf(odd, { world: twin ?? pairWorld() }, visits);
  twins.set(name, usual);
  const ordinary = await usual;
  return [...requests].slice(-2).flatMap(([night, count]) => {
    const most = (ordinary.get(night) ?? 0) + alarms + (odd.more ?? 0);
    return count > most
      ? [`night ${String(night)}: ${String(count)} requests, ordinarily ${String(most)}`]
      : [];
  });
}

async function requestsOf(
  odd: OddCase,
  world: OddWorld,
  visits: readonly Visit[],
): Promise<ReadonlyMap<number, number>> {
  await using rig = await openWorld(odd, world);
  const requests = new Map<number, number>();
  for (const { night } of visits) {
    rig.simulator.setToday(addDays(ODD_DAYS.sync, night));
    requests.set(night, (await visitWorld(rig, { night })).requests);
  }
  return requests;
}
