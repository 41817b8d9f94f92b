import { expect, it } from 'vitest';
import { contentHashes } from '../support/content-hash.ts';
import { openRig, type RigOptions } from '../flow/rig.ts';
import { FAULTS, impatient, KEY_WIDE, only } from './fault-kinds.ts';
import { recordFigure } from './figures.ts';

const OPTIONS: RigOptions = {
  world: 'small',
  today: '2026-07-14',
  startDate: '2026-07-08',
  change: (config) => {
    const { api, ...rest } = impatient(config);
    const sync = { ...rest.sync, scopes: {}, windows: ['last_28_days'] as const };
    return { ...rest, api: { ...api, timeoutMs: 400, attempts: 3 }, sync };
  },
};

/** Endpoints that are broken together: more kinds of them at once are a dead server, which is another test. */
const GROUPS = 4;
/** One in so many is mended afterwards: what is owed does not depend on the kind. */
const MENDED = 4;

/** Path → tables that it alone fills, and tables that it fills with others. */
const TABLES: Readonly<Record<string, { own: readonly string[]; shared?: readonly string[] }>> = {
  '/api/v1/validate': { own: [], shared: ['api_keys', 'organizations', 'projects'] },
  '/api/v1/models': { own: ['models'] },
  '/api/v1/prompts': { own: ['prompts', 'prompt_snapshots'], shared: ['monitors'] },
  '/api/v2/events': { own: ['events', 'event_prompts'], shared: ['monitors', 'prompts'] },
  '/api/v1/visibility-time-series': { own: ['visibility'] },
  '/api/v1/sentiment-time-series': { own: ['sentiment'] },
  '/api/v1/share-of-voice/time-series': { own: ['share_of_voice'] },
  '/api/v1/analytics/brands/visibility-over-time': { own: ['brand_visibility', 'brands'] },
  '/api/v1/citations/domains-over-time': {
    own: ['domain_citations', 'domain_citation_totals'],
    shared: ['citation_totals'],
  },
  '/api/v1/citations/rank-analysis': { own: ['citation_ranks'], shared: ['citation_totals'] },
  '/api/v1/responses/sentiment-time-series': { own: ['response_sentiment'] },
  '/api/v1/analytics/crawlers/trend': { own: ['crawler_requests'] },
  '/api/v1/analytics/visitors/trend': { own: ['visitor_visits'] },
  '/api/v1/competitor-heatmap': { own: ['competitor_heatmap'] },
  '/api/v1/citations/llm-sources': { own: ['llm_sources'] },
  '/api/v1/share-of-voice/comparison': { own: ['share_of_voice_comparison'] },
  '/api/v1/analytics/crawlers/top-pages': { own: ['crawler_top_pages'] },
  '/api/v1/responses/sentiment-distribution': { own: ['sentiment_distribution'] },
  '/api/v1/responses/competitors': { own: ['competitor_mentions'] },
  '/api/v1/responses/summary': { own: ['response_summary'] },
};

it('an endpoint that stays broken is missing alone, and the first good run mends it', async () => {
  const hashes = await reference();
  const violations: string[] = [];
  let cases = 0;
  let runs = 0;
  for (const [number, kind] of Object.keys(FAULTS).entries()) {
    for (let group = 0; group < GROUPS; group += 1) {
      const paths = only(Object.keys(TABLES), group, GROUPS);
      const isMended = (number + group) % MENDED === 0;
      const problems = await broken(kind, { paths, hashes, isMended });
      cases += paths.length;
      runs += isMended ? 2 : 1;
      violations.push(...problems.map((problem) => `${kind} at ${paths.join(', ')}: ${problem}`));
    }
  }
  recordFigure({
    order: 3,
    promise: 'An endpoint that stays broken is missing alone',
    how: 'Each endpoint gives each kind of fault for ever, five endpoints in one run: exit 3 (5 where the fault speaks of the whole key), every table of the others as without faults, no row of the broken ones. In one case of four the fault then ends, and one run must bring the same warehouse as if it had never been.',
    cases,
    violations: violations.length,
    details: { endpoints: Object.keys(TABLES).length, kinds: Object.keys(FAULTS).length, runs },
  });
  expect(violations).toEqual([]);
});

async function reference(): Promise<Record<string, string>> {
  await using rig = await openRig(OPTIONS);
  expect(await rig.sync()).toMatchObject({ exit_code: 0 });
  expect(new Set(rig.simulator.requests.map(({ path }) => path))).toEqual(
    new Set([...Object.keys(TABLES), '/api/v2/auth/validate']),
  );
  return await contentHashes(rig.config.warehouse.path);
}

async function broken(
  kind: string,
  {
    paths,
    hashes,
    isMended,
  }: { paths: readonly string[]; hashes: Record<string, string>; isMended: boolean },
): Promise<string[]> {
  await using rig = await openRig({
    ...OPTIONS,
    faults: ({ path }) => (paths.includes(path) ? FAULTS[kind] : undefined),
  });
  const problems: string[] = [];
  const report = await rig.sync();
  const expected = KEY_WIDE.has(kind) ? 5 : 3;
  if (report.exit_code !== expected)
    problems.push(`exit ${String(report.exit_code)}, not ${String(expected)}`);
  const found = await contentHashes(rig.config.warehouse.path);
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
  const free = await rig.sync();
  if (free.exit_code !== 0) problems.push(`the free run ends with ${String(free.exit_code)}`);
  const healed = await contentHashes(rig.config.warehouse.path);
  const different = Object.keys(hashes).filter((table) => hashes[table] !== healed[table]);
  if (different.length > 0) problems.push(`after the free run ${different.join(', ')} differ`);
  return problems;
}

it('a key validation that stays broken stores nothing', async () => {
  const violations: string[] = [];
  for (const [kind, fault] of Object.entries(FAULTS)) {
    await using rig = await openRig({
      ...OPTIONS,
      faults: ({ path }) => (path === '/api/v2/auth/validate' ? fault : undefined),
    });
    const report = await rig.sync();
    if (report.exit_code !== 5 && report.exit_code !== 3)
      violations.push(`${kind}: exit ${String(report.exit_code)}`);
    const asked = new Set(rig.simulator.requests.map(({ path }) => path));
    if (asked.size !== 1) violations.push(`${kind}: went on without a valid key`);
    const [stored] = await rig.workingRows('select count(*) as rows from core.projects');
    if (stored?.['rows'] !== 0) violations.push(`${kind}: stored a project`);
  }
  recordFigure({
    order: 4,
    promise: 'Without a validated key nothing is asked and nothing is stored',
    how: 'The key validation gives each kind of fault for ever.',
    cases: Object.keys(FAULTS).length,
    violations: violations.length,
    details: {},
  });
  expect(violations).toEqual([]);
});
