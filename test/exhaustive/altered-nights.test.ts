import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { openAttackedApi } from '../attack/attacked-api.ts';
import { openAttackedWarehouse, type AttackedWarehouse } from '../attack/attacked-warehouse.ts';
import { CaseEffects } from '../attack/case-effects.ts';
import { planCase, type CasePlan } from '../attack/case-plan.ts';
import { judgeNight } from '../attack/judge.ts';
import { runCase, runCleanNights, type CleanNights } from '../attack/night-case.ts';
import type { Cells } from '../attack/warehouse-content.ts';
import { recordFigure } from './figures.ts';

/** Nights with altered answers, from which seed on: each seed is a case of a few nights. */
const NIGHTS = Number(process.env['ANSWERLAKE_NIGHTS'] ?? 500);
const FIRST_SEED = Number(process.env['ANSWERLAKE_SEED'] ?? 0);
const MAX_PROBLEMS = 20;
/** Cases at the same time: while DuckDB works for one of them, another judges. */
const LANES = 2;

let simulators: readonly Simulator[];
const warehouses: AttackedWarehouse[] = [];
let clean: CleanNights;

beforeAll(async () => {
  simulators = await openAttackedApi();
  for (let lane = 0; lane < LANES; lane += 1) warehouses.push(await openAttackedWarehouse(simulators));
  const [warehouse] = warehouses;
  if (warehouse === undefined) throw new RangeError('no lane');
  clean = await runCleanNights(warehouse);
}, 900_000);

afterAll(async () => {
  for (const warehouse of warehouses) await warehouse[Symbol.asyncDispose]();
  for (const simulator of simulators) await simulator.close();
});

it('clean nights end with exit 0', () => {
  expect(clean.reports.map(({ exitCode }) => exitCode)).toEqual(clean.reports.map(() => 0));
});

it('a lost row, a wrong row and a row that is late without a reason are noticed', () => {
  const plan: CasePlan = { ...planCase(0, ['any']), endpoints: ['visibility'], placements: [], end: 3 };
  const projectId = simulators[0]?.world.projects[0]?.id ?? null;
  const problemsOf = (change: (rows: Map<string, Cells>) => void): string[] => {
    const [before, report] = clean.reports;
    if (before === undefined || report === undefined) throw new RangeError('no nights');
    const rows = new Map(report.content.tables.get('visibility'));
    change(rows);
    const content = {
      ...report.content,
      changed: new Set<string>(),
      tables: new Map([['visibility', rows]]),
    };
    return judgeNight({
      projectId,
      night: 1,
      references: clean.reports,
      plan,
      before: before.content,
      report: { ...report, content },
      effects: new CaseEffects(plan),
      known: new Set(),
      isStopped: false,
      openNow: new Set(),
    });
  };
  const ofProject = (rows: Map<string, Cells>, date: string): [string, Cells] => {
    const found = [...rows].find(([key]) => key.includes(projectId ?? '') && key.includes(date));
    if (found === undefined) throw new RangeError(`no row of ${date}`);
    return found;
  };
  expect(problemsOf(() => undefined)).toEqual([]);
  expect(problemsOf((rows) => rows.delete(ofProject(rows, '2026-06-20')[0]))).toContainEqual(
    expect.stringContaining('one night removes'),
  );
  expect(problemsOf((rows) => rows.delete(ofProject(rows, '2026-07-03')[0]))).toContainEqual(
    expect.stringContaining('untouched, and lacks'),
  );
  const changed = problemsOf((rows) => {
    const [key, cells] = ofProject(rows, '2026-06-20');
    rows.set(key, { ...cells, visibility: '1.5' });
  });
  expect(changed).toContainEqual(expect.stringContaining('a wrong row'));
});

it('an altered answer never makes a wrong or lost row with exit 0', async () => {
  const problems: string[] = [];
  const applied = new Set<string>();
  let nights = 0;
  let seed = FIRST_SEED;
  const runLane = async (warehouse: AttackedWarehouse): Promise<void> => {
    while (nights < NIGHTS && problems.length < MAX_PROBLEMS) {
      const done = runCase({ warehouse, clean, seed });
      seed += 1;
      const report = await done;
      nights += report.nights;
      problems.push(...report.problems);
      for (const name of report.applied) applied.add(name);
    }
  };
  await Promise.all(warehouses.map(runLane));
  const cases = seed - FIRST_SEED;
  console.log(`seeds ${FIRST_SEED} to ${seed - 1}: ${nights} nights`);
  recordFigure({
    order: 11,
    promise: 'An altered answer never makes a wrong or lost row with exit 0',
    how: 'A server between the program and the simulator alters answers by a seed, alone and in pairs, on one to five nights: figures, missing days and items, ignored parameters, paging, refusals, clocks. After each altered night no row may be wrong or lost, and a row that is not stored must show in the exit code, in the gaps or in `meta.vanishing`. After two clean nights every table must be the truth again.',
    cases: nights,
    violations: problems.length,
    details: { alterations: applied.size, cases },
  });
  expect(problems).toEqual([]);
}, 1_800_000);
