import { tables } from '../support/tables.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { addDays, dayOf, toDay } from '../../src/day.ts';
import { openFolder } from '../support/folder.ts';
import { cli, fails } from './run.ts';
import { openSmallWorld, type SmallWorldOptions } from './small-world.ts';
import { nightsVerdict } from '../../src/cli/check-api.ts';
import { rowsOfFile } from '../support/file-reader.ts';
import { openWorkingFile, workingPath } from '../../src/warehouse/working-file.ts';
import { openPublished } from './published.ts';
import { NoneLeft, type ApiQuestion } from '../../src/check/budget.ts';
import { checkApi } from '../../src/check/check-api.ts';
import { openRig } from '../flow/rig.ts';

interface Report {
  ok: boolean;
  exit_code: number;
  requests: number;
  verdicts: { topic: string; endpoints: string[]; verdict: string; text: string; setting: string | null }[];
  shapes: { endpoint: string; fields: Record<string, string[]> }[];
}

interface Setting extends SmallWorldOptions {
  key?: string;
  flags?: readonly string[];
  prepare?: (simulator: Simulator) => void;
}

async function checked({ key, flags = ['--json'], prepare, ...options }: Setting = {}) {
  const { simulator, run } = await openSmallWorld({ isNew: true, today: dayOf(Date.now()), ...options });
  prepare?.(simulator);
  const result = await run(
    ['check', '--api', ...flags],
    key === undefined ? {} : { env: { SMALL_KEY: key } },
  );
  const report = (result.stdout.startsWith('{') ? JSON.parse(result.stdout) : {}) as Report;
  return { ...result, report, simulator };
}

/** What should be set, a line each: topic, endpoints, and the setting or what was found. */
function open({ verdicts }: Report): string[] {
  return verdicts
    .filter(({ verdict }) => verdict === 'to set' || verdict === 'unusable')
    .map(({ topic, endpoints, setting, text }) => `${topic} | ${endpoints.join()} | ${setting ?? text}`);
}

it('a server as documented has nothing to set, and is asked at most 40 requests', async () => {
  const { code, report, simulator, stderr } = await checked({ world: 'demo' });
  expect(open(report)).toEqual([]);
  expect(code).toBe(0);
  expect(simulator.requests.length).toBe(report.requests);
  expect(report.requests).toBeLessThanOrEqual(40);
  expect(stderr).toContain('Sends at most 40 requests');
});

const SERIES = ['visibility', 'sentiment', 'share_of_voice'];

/** What a server does, what is told to be set, and what leaves nothing to set. */
it.each<[string, Setting, unknown, Setting?]>([
  [
    'does not count endDate',
    { endDateInclusive: false },
    [expect.stringMatching(/^endDate \|.*\| api\.end_date: exclusive$/)],
    { api: ', end_date: exclusive' },
  ],
  [
    'keeps 60 days',
    { keepDays: 60 },
    ['oldest day | visibility | sync.start_date'],
    { startDate: addDays(dayOf(Date.now()), -55) },
  ],
  ['refuses older days', { keepDays: 60, tooOld: 'refused' }, ['oldest day | visibility | sync.start_date']],
  [
    'ignores llmMonitorId',
    { ignoredParameters: ['llmMonitorId'] },
    ignored('filter llmMonitorId', ...SERIES),
    { sync: ', scopes: {}' },
  ],
  ['ignores models', { ignoredParameters: ['models'] }, ignored('filter models', 'visibility')],
  [
    'ignores range',
    { ignoredParameters: ['range'] },
    ignored('grouping', ...SERIES),
    { sync: `, endpoints: { ${SERIES.map((name) => `${name}: { grains: [day] }`).join(', ')} }` },
  ],
  [
    'ignores timezone',
    { ignoredParameters: ['timezone'], sync: ', timezone: Europe/Berlin' },
    [
      expect.stringMatching(/^filter timezone .* sync\.timezone: UTC$/),
      expect.stringMatching(/^filter timezone /),
    ],
    { sync: ', timezone: UTC' },
  ],
  ['ignores the dates', { ignoreDates: ['visibility-time-series'] }, ignored('endDate', 'visibility')],
  [
    'has pages of 5 entries',
    { maxPageSize: 5 },
    ['page size | prompts | sync.endpoints.prompts.limit: 5'],
    { sync: ', endpoints: { prompts: { limit: 5 } }' },
  ],
  ['has a total that lags', { totals: { behind: 2 } }, ['total | prompts | total is smaller than the list']],
  [
    'refuses windows of more than 60 days',
    { maxWindowDays: { 'sentiment-time-series': 60 } },
    ['longest window | sentiment | sync.endpoints.sentiment.max_window_days: 60'],
    { sync: ', endpoints: { sentiment: { max_window_days: 60 } }' },
  ],
  [
    'answers long windows in steps of 7 days',
    { coarseAfterDays: 31 },
    expect.arrayContaining(['longest window | visibility | sync.endpoints.visibility.max_window_days: 28']),
  ],
  [
    'refuses one path, one parameter and long windows',
    { prepare: refuseThree },
    [
      'path | visibility | sync.endpoints.visibility.path',
      'path | sentiment | sync.endpoints.sentiment.parameters',
      'longest window | share_of_voice | sync.endpoints.share_of_voice.max_window_days: 28',
    ],
  ],
  [
    'has a field of another type',
    { prepare: alterPoints((point) => ({ ...point, value: 'high' })) },
    expect.arrayContaining([expect.stringMatching(/^fields \| visibility \|.*cannot be read/)]),
  ],
])('a server that %s: exit 3 names what to set, then exit 0', async (...[, options, told, set]) => {
  const { code, report } = await checked(options);
  expect([code, open(report)]).toEqual([3, told]);
  expect(report.requests).toBeLessThanOrEqual(40);
  if (set === undefined) return;
  const after = await checked({ ...options, ...set });
  expect([after.code, open(after.report)]).toEqual([0, []]);
});

function ignored(topic: string, ...endpoints: string[]): string[] {
  return endpoints.map((name) => `${topic} | ${name} | sync.endpoints.${name}.parameters`);
}

function refuseThree(simulator: Simulator): void {
  simulator.override('/visibility-time-series', () => ({ status: 404, body: { error: 'not found' } }));
  simulator.override('/v1/sentiment-time-series', () => ({ status: 400, body: { error: 'no endDate' } }));
  simulator.override('/share-of-voice/time-series', ({ query }) => {
    const { startDate = '', endDate = '' } = Object.fromEntries(query);
    const isLong = Date.parse(endDate) - Date.parse(startDate) > 40 * 86_400_000;
    // Neither tells anything: the day is before all windows, and more days than were asked for are allowed.
    const error = 'at most 999 days, see the notes of 2001-01-01';
    return isLong ? { status: 400, body: { error } } : undefined;
  });
}

function alterPoints(alter: (point: object) => object): (simulator: Simulator) => void {
  return (simulator) =>
    simulator.override('/visibility-time-series', (_, { body, status }) =>
      status === 200 ? { body: (body as object[]).map(alter) } : undefined,
    );
}

it('what it finds out is in meta.probes, where there is a working file that no other process holds', async () => {
  const ignoredParameters = ['models'];
  const world = await openSmallWorld({ isNew: true, today: dayOf(Date.now()), ignoredParameters });
  const publishedPath = join(world.folder, 'data', 'answers.duckdb');
  const check = async () => await world.run(['check', '--api', '--json']);
  await check();
  expect(existsSync(workingPath(publishedPath))).toBe(false);
  const { database } = await openWorkingFile({ tables, publishedPath, now: Date.now() });
  expect(await check()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('missing from meta.probes'),
  });
  database.close();
  expect(await check()).toMatchObject({ code: 3, stderr: expect.not.stringContaining('meta.probes') });
  const probes = `select endpoint, verdict, run_id from meta.probes where parameter in ('model', 'models')`;
  expect(await rowsOfFile(workingPath(publishedPath), probes)).toEqual(
    expect.arrayContaining([
      { endpoint: 'visibility', verdict: 'ignored', run_id: 'check' },
      { endpoint: 'sentiment', verdict: 'good', run_id: 'check' },
    ]),
  );
});

it('people see one line a fact, with all endpoints that it holds for, and the project by its name', async () => {
  const { simulator, stdout, stderr } = await checked({ world: 'demo', flags: [] });
  const facts = stdout.split('\n').map((line) => line.replace(/ \([a-z_, ]+\)$/, ''));
  expect(new Set(facts).size).toBe(facts.length);
  expect(stdout).toMatch(/as documented +grouping: .* \(visibility, sentiment, share_of_voice, .*\)\n/);
  const [first, second] = simulator.world.projects;
  expect(stderr).toContain(`Checks project ${first?.name ?? ''}.`);
  const named = await checked({ world: 'demo', flags: ['--project', second?.name.toUpperCase() ?? ''] });
  expect(named.stderr).toContain(`Checks project ${second?.name ?? ''}.`);
});

it('endpoints that are not enabled are not asked', async () => {
  const off = ['prompts', 'llm_sources', 'visibility'];
  const settings = off.map((name) => `${name}: { enabled: false }`).join(', ');
  const { code, report } = await checked({ sync: `, endpoints: { ${settings} }` });
  const told = report.verdicts.filter(({ endpoints }) => endpoints.some((name) => off.includes(name)));
  expect(told.map(({ topic, verdict }) => [topic, verdict])).toEqual([
    ['oldest day', 'cannot tell'],
    ['running totals', 'cannot tell'],
  ]);
  expect(code).toBe(0);
});

it('an empty project leaves nothing to tell, and is no failure', async () => {
  const { code, report } = await checked({ world: 'empty' });
  expect(code).toBe(0);
  const told = report.verdicts.filter(({ topic }) => topic === 'oldest day' || topic === 'total');
  expect(told.map(({ verdict }) => verdict)).toEqual(['cannot tell', 'cannot tell']);
  expect(report.verdicts).toContainEqual(
    expect.objectContaining({ topic: 'endDate', endpoints: ['visitor_visits'], verdict: 'cannot tell' }),
  );
});

it('the JSON has no name, id, text or day of a hostile account', async () => {
  const { report, simulator, stdout } = await checked({ world: 'hostile', keepDays: 60, tooOld: 'refused' });
  const texts = textsOf(simulator.world);
  for (const own of ['', 'null', 'mixed', 'absent']) texts.delete(own);
  const documented = ['self', 'ignored', ...stdout.matchAll(/sync\.endpoints\.\w+/g)].map(String);
  expect(texts.size).toBeGreaterThan(200);
  expect([...textsOf(report)].filter((text) => texts.has(text))).toEqual([]);
  const long = [...texts].filter((text) => text.length > 7 && !documented.includes(text));
  expect(
    long.filter((text) => stdout.includes(text) || stdout.includes(JSON.stringify(text).slice(1, -1))),
  ).toEqual([]);
  expect(stdout).not.toMatch(/\d{4}-\d{2}-\d{2}/);
  expect(report.shapes.length).toBeGreaterThan(8);
});

/** Every text of a value. */
function textsOf(value: unknown): Set<string> {
  if (typeof value === 'string') return new Set([value]);
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap((one) => [...textsOf(one)]));
}

it('people see the oldest day and the new field, whose name the JSON leaves out', async () => {
  const prepare = alterPoints((point) => ({ ...point, acmeLove: 1 }));
  const setting: Setting = { keepDays: 60, tooOld: 'refused', prepare };
  const { stdout } = await checked({ ...setting, flags: [] });
  expect(stdout).toMatch(/oldest day: .*\(visibility: about \d{4}-\d{2}-\d{2}\); set sync\.start_date/);
  expect(stdout).toMatch(/nothing to set +fields: .*\(visibility: .*acmeLove \(new field\)/);
  const json = await checked(setting);
  expect(json.stdout).not.toContain('acmeLove');
  expect(json.report.shapes.find(({ endpoint }) => endpoint === 'visibility')?.fields).toMatchObject({
    '$[].date': ['string'],
    '$[].*': ['number'],
  });
});

it('a key that lists no projects is checked with the first configured one, as a sync uses it', async () => {
  const { simulator } = await openSmallWorld();
  const id = simulator.world.projects[0]?.id ?? '';
  const prepare = (other: Simulator): void =>
    other.override('/api/v2/auth/validate', (_, { body }) => ({
      body: { ...(body as object), availableProjects: null },
    }));
  const { code, stderr } = await checked({ account: `, projects: ['${id}']`, prepare, flags: [] });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Checks project ${id}.`)]);
  expect(await checked({ prepare, flags: [] })).toMatchObject(
    fails(4, 'the key reaches none of the configured projects'),
  );
});

it('a check of more than a tenth of the hourly quota wants --yes', async () => {
  const quota = { perHour: 399 };
  const refused = await checked({ quota });
  expect(refused).toMatchObject(fails(2, 'add --yes'));
  expect(refused.simulator.requests).toHaveLength(1);
  expect((await checked({ quota, flags: ['--json', '--yes'] })).code).toBe(0);
});

it.each<[number, string, Setting & { says: string }]>([
  [4, 'auth', { says: 'the key from env:SMALL_KEY is not valid', key: 'wrong' }],
  [5, 'transient', { says: 'answered 503', faults: () => ({ kind: 'status', status: 503 }) }],
  [5, 'quota', { says: 'quota is used up', quota: { perHour: 500, otherUse: 490 } }],
  [2, 'configuration', { says: 'nowhere', flags: ['--json', '--project', 'nowhere'] }],
  [
    2,
    'configuration',
    { says: '--project [secret]', flags: ['--json', '--project', 'small-organization-key'] },
  ],
])(
  'the JSON of exit %i (%s) does not name the account; stderr does',
  async (code, kind, { says, ...setting }) => {
    const result = await checked(setting);
    expect(result.code).toBe(code);
    expect(result.report).toEqual({
      ok: false,
      exit_code: code,
      next: null,
      error: 'The check was not finished.',
      code: kind,
      remedy: 'See the reason on stderr.',
      scope: expect.any(String),
    });
    expect(result.stdout).not.toContain('small');
    expect(result.stderr).toContain(says);
  },
);

it('--yes and --project without --api are a usage error', async () => {
  expect(await cli(['check', '--yes'])).toMatchObject(fails(2, '--api'));
});

/** Three nights of a list of two prompts, whose totals grow by `grown` answers a week, and 10 answers a day. */
async function verdictOf({ grown, removed = false }: { grown: number; removed?: boolean }) {
  const nights = ['2025-02-18', '2025-02-25', '2025-03-04'].flatMap((date, week) =>
    ['a', 'b'].map((prompt, place) => {
      const answers = 100 + (week * grown) / 2;
      return removed && week === 2 && place === 1
        ? ''
        : `('p1', date '${date}', '${prompt}', ${String(answers)}, 40.0, timestamp '${date} 02:00:00', 'r1', '2025-03-05')`;
    }),
  );
  const { published } = await openPublished(
    `insert into core.brands (project_id, brand_id, name, relation, _run_id, _changed_at) values ('p1', 'own', 'Own', 'SELF', 'r1', '2025-03-05');
     insert into core.brand_visibility (project_id, grain, date, scope, scope_id, brand_id, average_visibility, mention_count, total_responses, _run_id, _changed_at)
       select 'p1', 'day', unnest(generate_series(date '2025-02-18', date '2025-03-03', interval '1 day'))::date, 'project', 'p1', 'own', 40.0, 4, 10, 'r1', '2025-03-05';
     insert into core.prompt_snapshots (project_id, date, prompt_id, amount_of_responses, average_visibility, seen_at, _run_id, _changed_at)
       values ${nights.filter((night) => night !== '').join(', ')}`,
  );
  const { verdict, text } = await nightsVerdict(published, 'p1');
  return [verdict, text];
}

it('check --api compares two stored nights of the prompt list with the daily figures', async () => {
  expect(await verdictOf({ grown: 70 })).toEqual([
    'as documented',
    'the prompt list holds running totals of all answers',
  ]);
  expect((await verdictOf({ grown: 7 }))[0]).toBe('nothing to set');
});

it('check --api cannot tell from nights that are missing, or between which prompts were removed', async () => {
  expect((await nightsVerdict(join(openFolder(), 'none.duckdb'), 'p1')).verdict).toBe('cannot tell');
  expect((await verdictOf({ grown: 7, removed: true }))[0]).toBe('cannot tell');
});

it('a check whose requests are used up says where it stopped, and nothing of what follows', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2025-07-01' });
  const ask = async (question: ApiQuestion): Promise<never> => {
    throw new NoneLeft(question);
  };
  const today = toDay('2026-07-14');
  const { verdicts } = await checkApi({ config: rig.config, questioner: { ask }, today, projectId: 'p' });
  expect(verdicts).toMatchObject([{ topic: 'requests', endpoints: ['prompts'], verdict: 'cannot tell' }]);
});
