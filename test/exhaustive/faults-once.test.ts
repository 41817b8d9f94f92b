import { expect, it } from 'vitest';
import { openRig, SMALL, withSync, type RigOptions } from '../flow/rig.ts';
import { FATAL, FAULTS, identityOf, impatient, only } from './fault-kinds.ts';
import { fewerInCi } from './fewer-in-ci.ts';
import { recordFigure } from './figures.ts';

const HOUR_MS = 3_600_000;
/** Requests of one run that fail once each; far apart, and few enough for the retry budget. */
const SPACING = 5;
/** Runs of each kind; all of them reach every request. */
const RUNS_TRIED = fewerInCi({ all: SPACING, some: 2 });

const OPTIONS: RigOptions = {
  ...SMALL,
  startDate: '2026-07-08',
  change: (config) =>
    withSync({ scopes: { visibility: ['project', 'model', 'monitor'] } })(impatient(config)),
};

/** Every request of a reference run fails once, with each kind of fault: the warehouse is the same as without. Returns the differences. */
async function provedOnce(part: {
  order: number;
  promise: string;
  kinds: readonly string[];
}): Promise<string[]> {
  const { requests, hashes } = await reference();
  let cases = 0;
  let runs = 0;
  const violations: string[] = [];
  for (const [number, kind] of part.kinds.entries()) {
    for (let turn = 0; turn < RUNS_TRIED; turn += 1) {
      const offset = (RUNS_TRIED * number + turn) % SPACING;
      const targets = only(requests, offset, SPACING);
      const problem = await faulted(kind, { targets, hashes });
      runs += 1;
      cases += targets.length;
      if (problem !== null) violations.push(`${kind} at ${targets.join(', ')}: ${problem}`);
    }
  }
  recordFigure({
    order: part.order,
    promise: part.promise,
    how: `Each request of a reference run fails once with each kind of fault, ${String(Math.ceil(requests.length / SPACING))} of them in one run; every core table must be the same as after a run without faults.`,
    cases,
    violations: violations.length,
    details: { 'requests of the reference run': requests.length, runs, kinds: part.kinds.join(', ') },
  });
  return violations;
}

async function reference(): Promise<{ requests: string[]; hashes: Record<string, string> }> {
  await using rig = await openRig(OPTIONS);
  expect(await rig.pull()).toMatchObject({ exit_code: 0, retries: 0 });
  return { requests: rig.simulator.requests.map(identityOf), hashes: await rig.hashes() };
}

async function faulted(
  kind: string,
  { targets, hashes }: { targets: readonly string[]; hashes: Record<string, string> },
): Promise<string | null> {
  const left = new Set(targets);
  await using rig = await openRig({
    ...OPTIONS,
    faults: (request) => (left.delete(identityOf(request)) ? FAULTS[kind] : undefined),
  });
  const run = await rig.pull({ maxWaitMs: 2 * HOUR_MS });
  if (left.size > 0) return `${String(left.size)} requests were never sent`;
  if (run.exit_code !== 0) return `exit ${String(run.exit_code)}: ${run.failures[0]?.message ?? ''}`;
  const found = await rig.hashes();
  const different = Object.keys(hashes).filter((table) => hashes[table] !== found[table]);
  return different.length === 0 ? null : `differs in ${different.join(', ')}`;
}

const TRANSPORT = Object.keys(FAULTS).slice(0, 8);

it('a broken, cut, slow or missing answer that happens once changes nothing', async () => {
  const promise = 'A connection that breaks, stalls or is cut off once changes nothing';
  expect(await provedOnce({ order: 1, promise, kinds: TRANSPORT })).toEqual([]);
});

it('a wrong body, header or status that happens once changes nothing', async () => {
  const promise = 'A wrong body, header or status that occurs once changes nothing';
  const kinds = Object.keys(FAULTS).filter((kind) => !TRANSPORT.includes(kind) && !FATAL.has(kind));
  expect(await provedOnce({ order: 2, promise, kinds })).toEqual([]);
});
