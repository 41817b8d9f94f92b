import { catalogue } from '../support/catalogue.ts';
import type { AlteredAnswer } from './altered-answers.ts';
import { dayOfNight, NIGHTS } from './attacked-api.ts';
import type { AttackedWarehouse, NightReport } from './attacked-warehouse.ts';
import { CaseEffects } from './case-effects.ts';
import { isAlteredOn, planCase, type CasePlan } from './case-plan.ts';
import { judgeHealed, judgeNight } from './judge.ts';
import { EMPTY, NOTHING_PENDING, pendingOf, type Cells, type Content } from './warehouse-content.ts';

/** Nights without altered answers. */
export type CleanNights = Awaited<ReturnType<typeof runCleanNights>>;

/** Runs every night of the world once. */
export async function runCleanNights(warehouse: AttackedWarehouse) {
  const reports: NightReport[] = [];
  /** The files after the first night. */
  let base = '';
  for (let number = 0; number < NIGHTS; number += 1) {
    reports.push(await warehouse.run({ number, endpoints: null, placements: [] }));
    if (number === 0) base = warehouse.keep();
  }
  return { reports, base };
}

/** Altered nights from nothing or from a good warehouse, and three clean ones after them. */
export async function runCase(warehouse: AttackedWarehouse, clean: CleanNights, seed: number) {
  const plan = planCase(seed, warehouse.projectIds);
  const { endpoints, hour } = plan;
  const references = clean.reports;
  const projectIds = [...warehouse.projectIds, null];
  const effects = new CaseEffects(plan);
  const alteredNights: number[] = [];
  const applied = new Set<string>();
  const problems: string[] = [];
  let before: Content = plan.isEmpty ? EMPTY : (references[0]?.content ?? EMPTY);
  const known = new Set(keysOf(before));
  warehouse.restore(plan.isEmpty ? null : clean.base);
  for (let night = plan.isEmpty ? 0 : 1; night <= plan.end; night += 1) {
    const placements = plan.placements.filter((placement) => isAlteredOn(night, placement));
    const isWeekly = plan.weekly.has(night);
    const isFull = plan.full.has(night);
    const report = await warehouse.run({ number: night, endpoints, placements, isWeekly, isFull, hour });
    const { altered, content, exitCode } = report;
    // The alteration found no answer that it could alter.
    if (altered.length + alteredNights.length === 0) break;
    if (altered.length > 0) alteredNights.push(night);
    for (const { placement } of altered) applied.add(placement.alteration.name);
    const today = dayOfNight(night);
    effects.note(altered, today, projectIds);
    const isAskedAbout = altered.length > 0 && exitCode === 0;
    const pending = isAskedAbout ? await pendingOf(warehouse.workingFile) : NOTHING_PENDING;
    const found = judgeRun(report, { references, night, plan });
    const versions = references.slice(0, night + 1).map((reference) => reference.content);
    for (const projectId of projectIds) {
      const judged = { projectId, today, endpoints, versions, before, content, effects, known };
      found.push(...judgeNight(judged, { exitCode, pending }));
      // Snapshots belong to one night, and no later night asks for them again.
      const isAskedOnce = (table: string, { date }: Cells): boolean =>
        table === 'prompt_snapshots' && alteredNights.some((one) => date === JSON.stringify(dayOfNight(one)));
      if (night === plan.healed) found.push(...judgeHealed(judged, isAskedOnce));
    }
    for (const problem of found)
      problems.push(
        `seed ${String(seed)}, night ${String(night)}, exit ${String(exitCode)}: ${problem.slice(0, 500)} | ${describe(plan, report)}`,
      );
    for (const key of keysOf(content)) known.add(key);
    before = content;
  }
  return { nights: alteredNights.length, applied, problems };
}

/** What holds for a whole run. */
function judgeRun(
  report: NightReport,
  { references, night, plan }: { references: readonly NightReport[]; night: number; plan: CasePlan },
): string[] {
  const { content, exitCode, failures, altered } = report;
  const problems = content.doubledKeys.map((key) => `a key is there twice: ${key}`);
  // The first right answer lacks the wrong rows that several nights agreed on.
  const isSuspicious = night === plan.healed - 1 && exitCode === 3 && failures.length === 0;
  const isBug = [1, 2, 7].includes(exitCode);
  const isHarmless = plan.placements.length === 1 && altered.length > 0 && altered.every(isSame);
  const isClean = night >= plan.healed - 1 || plan.placements.every(({ from }) => from > night);
  if (isBug) problems.push(`exit ${String(exitCode)}: ${failures[0] ?? ''}`);
  else if (exitCode !== 0 && (isHarmless || (isClean && !isSuspicious)))
    problems.push(`nothing is wrong, and yet: ${failures[0] ?? ''}`);
  const requests = requestsOf(plan, report);
  const [usual, most] = [requestsOf(plan, references[night]), requestsOf(plan, references[0])];
  if (requests > MAX_REQUESTS * most) problems.push(`${String(requests)} requests`);
  // What a run of everything finds empty is asked about once more.
  if (night === plan.end && !plan.full.has(plan.healed) && requests > usual + 3)
    problems.push(`the last night has ${String(requests)} requests, usually ${String(usual)}`);
  if (night !== plan.healed) return problems;
  const left = [...content.vanishing].filter((key) => references[night]?.content.vanishing.has(key) !== true);
  if (left.length > 0) problems.push(`still vanishing: ${left.slice(0, 3).join(', ')}`);
  return problems;
}

/** Times the requests of a first sync. */
const MAX_REQUESTS = 4;

function isSame({ placement, path }: AlteredAnswer): boolean {
  const effects = catalogue.filter((one) => one.path === path).map((one) => placement.alteration.effect(one));
  return effects.every((effect) => effect === 'same' || effect === null);
}

/** Requests at the paths of the endpoints of a case. */
function requestsOf({ endpoints }: CasePlan, report: NightReport | undefined): number {
  const own = new Set(catalogue.filter(({ name }) => endpoints.includes(name)).map(({ path }) => path));
  return report?.paths.filter((path) => own.has(path)).length ?? 0;
}

function keysOf({ tables }: Content): string[] {
  return [...tables].flatMap(([table, rows]) => [...rows.keys()].map((key) => `${table} ${key}`));
}

function describe({ placements, endpoints }: CasePlan, { failures }: NightReport): string {
  const names = placements.map(({ alteration }) => alteration.name).join(' + ');
  return `${names}; asked ${endpoints.join(', ')}; failures: ${(failures[0] ?? '').slice(0, 300)}`;
}
