import { expect, it } from 'vitest';
import { catalogue } from '../support/catalogue.ts';
import { openRig, SMALL, withSync, type RigOptions } from '../flow/rig.ts';
import { FATAL, FAULTS, identityOf, impatient, KEY_WIDE, only } from './fault-kinds.ts';
import { fewerInCi } from './fewer-in-ci.ts';
import { recordFigure } from './figures.ts';

const HOUR_MS = 3_600_000;
/** Requests of one run that fail once each; far apart, and few enough for the retry budget. */
const SPACING = 5;
/** Runs of each kind; all of them reach every request. */
const RUNS_TRIED = fewerInCi({ all: SPACING, some: 2 });

const ONCE: RigOptions = {
  ...SMALL,
  startDate: '2026-07-08',
  change: (config) =>
    withSync({ scopes: { visibility: ['project', 'model', 'monitor'] } })(impatient(config)),
};
const FOR_EVER: RigOptions = {
  ...ONCE,
  change: (config) => {
    const { api, ...rest } = withSync({ scopes: {}, windows: ['last_28_days'] })(impatient(config));
    return { ...rest, api: { ...api, timeoutMs: 400, attempts: 3 } };
  },
};

/** What a run without faults asks, and what it makes of the answers. */
async function reference(options: RigOptions) {
  await using rig = await openRig(options);
  expect(await rig.pull()).toMatchObject({ exit_code: 0, retries: 0 });
  const { requests } = rig.simulator;
  const asked = new Set(requests.map(({ path }) => path));
  return { asked, requests: requests.map(identityOf), hashes: await rig.hashes() };
}

/** Every request of a reference run fails once, with each kind of fault: the warehouse is the same as without. Returns the differences. */
async function provedOnce(part: {
  order: number;
  promise: string;
  kinds: readonly string[];
}): Promise<string[]> {
  const { requests, hashes } = await reference(ONCE);
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

async function faulted(
  kind: string,
  { targets, hashes }: { targets: readonly string[]; hashes: Record<string, string> },
): Promise<string | null> {
  const left = new Set(targets);
  await using rig = await openRig({
    ...ONCE,
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

/** Endpoints that are broken together: more kinds of them at once are a dead server, which is another test. */
const GROUPS = 3;
/** Groups that each kind breaks; the kinds take turns. */
const GROUPS_TRIED = fewerInCi({ all: GROUPS, some: 1 });
/** One in so many is fixed afterwards: the owed slices do not depend on the kind. */
const MENDED = 4;

const lists = catalogue.filter(({ cut }) => cut.kind !== 'lookup');
/** Prompts that only events name are looked up one by one: without events their rows are missing too. */
const lookedUp = catalogue
  .filter(({ cut }) => cut.kind === 'lookup')
  .flatMap(({ outputs }) => outputs.map(({ table }) => table));

function tablesOf(path: string): string[] {
  const outputs = lists.filter((endpoint) => endpoint.path === path).flatMap((endpoint) => endpoint.outputs);
  return [...new Set(outputs.map(({ table }) => table))];
}

/** Path → tables that it alone fills, and tables that it fills with others. */
const TABLES = Object.fromEntries(
  lists
    .filter(({ askedPer }) => askedPer !== 'key_and_project')
    .map(({ path, cut }) => {
      const others = lists.filter((other) => other.path !== path).flatMap((other) => tablesOf(other.path));
      const own = tablesOf(path).filter((table) => !others.includes(table));
      const shared = tablesOf(path).filter((table) => others.includes(table));
      return [path, { own, shared: cut.kind === 'dated' ? [...shared, ...lookedUp] : shared }];
    }),
);

it('an endpoint that stays broken is the only gap, and the first good run fills it', async () => {
  const { asked, hashes } = await reference(FOR_EVER);
  expect(asked).toEqual(new Set([...Object.keys(TABLES), '/api/v2/auth/validate']));
  const violations: string[] = [];
  let cases = 0;
  let runs = 0;
  // A limit of the minute stops its path or the key, by how many paths are refused before another answers.
  const kinds = Object.keys(FAULTS).filter((kind) => kind !== 'status 429 of the minute');
  for (const [number, kind] of kinds.entries()) {
    for (let turn = 0; turn < GROUPS_TRIED; turn += 1) {
      const group = (number + turn) % GROUPS;
      const paths = only(Object.keys(TABLES), group, GROUPS);
      const isMended = (number + turn) % MENDED === 0;
      const problems = await broken(kind, { paths, hashes, isMended });
      cases += paths.length;
      runs += isMended ? 2 : 1;
      violations.push(...problems.map((problem) => `${kind} at ${paths.join(', ')}: ${problem}`));
    }
  }
  recordFigure({
    order: 3,
    promise: 'An endpoint that stays broken affects no other',
    how: 'Each endpoint answers with each kind of fault for good, a third of the endpoints in one run. The run must end with 3 (5 if the fault concerns the whole key), the tables of the other endpoints must be the same as without faults, and the broken endpoints must have no rows. In one case out of four the fault then ends, and the next run must give the same warehouse as if it had never happened.',
    cases,
    violations: violations.length,
    details: { endpoints: Object.keys(TABLES).length, kinds: kinds.length, runs },
  });
  expect(violations).toEqual([]);
});

async function broken(
  kind: string,
  {
    paths,
    hashes,
    isMended,
  }: { paths: readonly string[]; hashes: Record<string, string>; isMended: boolean },
): Promise<string[]> {
  await using rig = await openRig({
    ...FOR_EVER,
    faults: ({ path }) => (paths.includes(path) ? FAULTS[kind] : undefined),
  });
  const problems: string[] = [];
  const report = await rig.pull();
  const expected = KEY_WIDE.has(kind) ? 5 : 3;
  if (report.exit_code !== expected)
    problems.push(`exit ${String(report.exit_code)}, not ${String(expected)}`);
  const found = await rig.hashes();
  const own = new Set(paths.flatMap((path) => TABLES[path]?.own ?? []));
  const shared = new Set(paths.flatMap((path) => TABLES[path]?.shared ?? []));
  for (const [table, hash] of Object.entries(hashes)) {
    const rows = found[table] ?? '';
    const isEmpty = rows.startsWith('0 rows');
    if (own.has(table) && !shared.has(table) && !isEmpty) problems.push(`${table} has ${rows}`);
    const isFree = own.has(table) || shared.has(table) || (KEY_WIDE.has(kind) && isEmpty);
    if (!isFree && !KEY_WIDE.has(kind) && rows !== hash) problems.push(`${table} is not whole: ${rows}`);
  }
  if (!isMended) return problems;
  rig.simulator.setFaults(undefined);
  await rig.effects.sleep(3_600_000);
  const free = await rig.pull();
  if (free.exit_code !== 0) problems.push(`the free run ends with ${String(free.exit_code)}`);
  const healed = await rig.hashes();
  const different = Object.keys(hashes).filter((table) => hashes[table] !== healed[table]);
  if (different.length > 0) problems.push(`after the free run ${different.join(', ')} differ`);
  return problems;
}

it('a key validation that stays broken stores nothing', async () => {
  const violations: string[] = [];
  for (const [kind, fault] of Object.entries(FAULTS)) {
    await using rig = await openRig({
      ...FOR_EVER,
      faults: ({ path }) => (path === '/api/v2/auth/validate' ? fault : undefined),
    });
    const report = await rig.pull();
    if (report.exit_code !== 5 && report.exit_code !== 4)
      violations.push(`${kind}: exit ${String(report.exit_code)}`);
    const asked = new Set(rig.simulator.requests.map(({ path }) => path));
    if (asked.size !== 1) violations.push(`${kind}: went on without a valid key`);
    const [stored] = await rig.workingRows('select count(*) as rows from core.projects');
    if (stored?.['rows'] !== 0) violations.push(`${kind}: stored a project`);
  }
  recordFigure({
    order: 4,
    promise: 'Without a validated key, nothing is requested and nothing is stored',
    how: 'The key validation answers with each kind of fault for good.',
    cases: Object.keys(FAULTS).length,
    violations: violations.length,
    details: {},
  });
  expect(violations).toEqual([]);
});
