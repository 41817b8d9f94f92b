import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { QueryPairs } from '../../simulator/parameters.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { fails, prints } from './run.ts';
import { openSmallWorld, TODAY } from './small-world.ts';

const MORNING = Date.parse(`${TODAY}T03:00:00Z`);

interface Tried {
  exit_code: number;
  rows: number;
  requests: number;
  requests_a_night: number | null;
  columns: string;
  findings: { text: string; is_problem: boolean }[];
  fields: { path: string; sample?: string }[];
}

/** A world whose clock stands at its day, and `endpoints try` in it. */
async function openTrial(options: Parameters<typeof openSmallWorld>[0] = {}) {
  const world = await openSmallWorld({ now: () => MORNING, ...options });
  const folder = join(world.folder, 'endpoints');
  mkdirSync(folder);
  return {
    ...world,
    write: (name: string, yaml: string) => writeFileSync(join(folder, `${name}.yaml`), yaml),
    tried: async (...words: string[]): Promise<Tried> => {
      world.simulator.resetRequests();
      const effects = virtualEffects(MORNING);
      return (await world.run(['endpoints', 'try', ...words, '--json'], { effects })).report as Tried;
    },
  };
}

it('each ready-made file is whole against the simulator, in a validation and four requests at most', async () => {
  const { tried } = await openTrial();
  for (const name of readdirSync('config/own').filter((file) => file.endsWith('.yaml'))) {
    const { exit_code: code, findings, rows, requests } = await tried(name.replace('.yaml', ''));
    expect([name, code, findings.filter((one) => one.is_problem)]).toEqual([name, 0, []]);
    expect(rows).toBeGreaterThan(0);
    expect(requests).toBeLessThanOrEqual(5);
  }
});

it('a path alone becomes a file that is whole, in two calls', async () => {
  const { tried, write } = await openTrial();
  write('labels', 'path: /api/v2/topics\n');
  const first = await tried('labels');
  expect([first.exit_code, first.rows > 0, first.requests]).toEqual([3, true, 2]);
  write('labels', first.columns);
  const second = await tried('labels');
  expect([second.exit_code, second.findings, second.requests_a_night]).toEqual([0, [], 1]);
});

it('an end that does not count, dates that are ignored and an order that changes are found out', async () => {
  const answers =
    'path: /api/v2/responses\nask: dated\ndate: createdAt\nrows: responses\nkey: [id]\npages: number\n';
  const { tried, write, simulator } = await openTrial({ endDateInclusive: false });
  write(
    'daily',
    'path: /api/v1/responses/mentions-time-series\nask: series\ncolumns: { integer: [brandMentions] }\n',
  );
  const ends = await tried('daily');
  expect(ends.findings).toEqual([
    {
      text: expect.stringMatching(
        /has rows, but none when requested alone: write end_date: exclusive$/,
      ) as string,
      is_problem: true,
    },
  ]);
  write(
    'daily',
    'path: /api/v1/responses/mentions-time-series\nask: series\nend_date: exclusive\ncolumns: { integer: [brandMentions] }\n',
  );
  expect(await tried('daily')).toMatchObject({ findings: [], requests_a_night: 1 });
  const days = ['2025-02-05', '2025-02-06', '2025-02-07'].map((date) => ({ date, id: 'a' }));
  simulator.override('/api/v2/tags', ({ query }: { query: QueryPairs }) => {
    const asked = new Map(query);
    const [start = '', end = ''] = [asked.get('startDate'), asked.get('endDate')];
    const body = days.filter(({ date }) => start <= date && date <= end);
    return { status: 200, body: body.slice(0, Number(asked.get('size'))) };
  });
  write('limited', 'path: /api/v2/tags\nask: series\nkey: [id]\nlimit: { size: 3 }\n');
  expect(await tried('limited')).toMatchObject({ exit_code: 0, requests_a_night: 8 });
  write('answers', `${answers}instants: [from, until]\nquery: { sortBy: createdAt, sortOrder: asc }\n`);
  expect(await tried('answers')).toMatchObject({ exit_code: 0, findings: [] });
  let isTurned = false;
  simulator.override('/api/v2/responses', (_request: unknown, usual: { body: { responses: unknown[] } }) => {
    isTurned = !isTurned;
    return isTurned ? undefined : { body: { ...usual.body, responses: usual.body.responses.toReversed() } };
  });
  expect((await tried('answers')).findings.map(({ text }) => text)).toEqual([
    expect.stringMatching(/another order: add the sort parameter/),
  ]);
});

it('pages that are read by the wrong word, and a list that states more than it gives, are no whole list', async () => {
  const { tried, write, simulator } = await openTrial();
  const rows = Array.from({ length: 70 }, (_, index) => ({ id: `r${String(index)}` }));
  simulator.override('/api/v2/topics', ({ query }: { query: QueryPairs }) => {
    const skip = Number(new Map(query).get('skip') ?? 0);
    return { status: 200, body: { topics: rows.slice(skip, skip + 20), total: rows.length } };
  });
  write('labels', 'path: /api/v2/topics\n');
  const { columns } = await tried('labels');
  write('labels', columns);
  expect((await tried('labels')).findings.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^a sync would be incomplete: page 2 is the same as the page before it, so the server ignores `page`: write/,
    ),
  ]);
  write(
    'labels',
    columns.replace(/^pages: .*$/m, 'pages: { by: offset, names: { offset: skip, limit: take } }'),
  );
  expect(await tried('labels')).toMatchObject({ exit_code: 0, findings: [], requests: 4 });
});

it('what a sync would not store is wrong in the words of the sync, which name the file as the place to change it', async () => {
  const { tried, write, run, simulator } = await openTrial();
  simulator.override('/api/v2/topics', ({ query }: { query: QueryPairs }) => {
    const day = new Map(query).get('endDate') ?? '';
    const body = ['00', '12'].map((hour) => ({ date: `${day}T${hour}:00:00Z`, brand: hour, n: 1 }));
    return { status: 200, body };
  });
  write('halves', 'path: /api/v2/topics\nask: series\nkey: [brand]\nmax_window_days: 1\n');
  const said = /finer than asked: by day, got several instants of .* Check .*\(endpoints\/halves\.yaml\)/s;
  expect(await tried('halves')).toMatchObject({
    exit_code: 3,
    findings: [{ text: expect.stringMatching(said) as string, is_problem: true }],
  });
  const effects = virtualEffects(MORNING);
  expect(await run(['sync', '--endpoint', 'halves', '--json'], { effects })).toMatchObject(
    prints(3, /halves.*\(endpoints\/halves\.yaml\)/s),
  );
});

it('a path that is refused, and a file that is wrong, say why; values are not shown where they are not wanted', async () => {
  const { tried, write, run } = await openTrial();
  write('nothing', 'path: /api/v2/nothing\nkey: [id]\n');
  expect(await tried('nothing')).toMatchObject({
    exit_code: 3,
    findings: [{ text: expect.stringContaining('answered 404') as string, is_problem: true }],
  });
  write('wrong', 'path: /api/v2/topics\nkye: [id]\nask: list\n');
  expect(await run(['endpoints', 'try', 'wrong'])).toMatchObject(
    fails(2, /wrong\.yaml:2:1 kye: unknown setting; did you mean key/),
  );
  const hidden = await tried('topics', '--no-samples');
  expect(hidden.fields.map(({ path, sample }) => [path, sample])).toEqual([
    ['id', undefined],
    ['name', undefined],
    ['promptCount', undefined],
  ]);
});

it('--no-samples leaves out the samples of entries too, and names in the JSON are those of columns', async () => {
  const { run } = await openTrial();
  const printed = async (...flags: string[]): Promise<string> =>
    (await run(['endpoints', 'try', 'responses', '--json', ...flags])).stdout;
  expect(await printed()).toMatch(/"entries": \[[^\]]*"sample"/);
  const bare = await printed('--no-samples');
  expect(bare).not.toContain('"sample"');
  expect(bare).not.toMatch(/"\w*[a-z][A-Z]\w*":/);
});

it('a replay of an endpoint before its first night says what to run', async () => {
  const { write, run } = await openTrial();
  write('labels', 'path: /api/v2/topics\nkey: [id]\n');
  expect(await run(['replay', '--endpoint', 'labels'])).toMatchObject(
    fails(2, 'has no answer of labels; run answerlake sync'),
  );
});

it('add copies a ready-made file with its views, and overwrites nothing', async () => {
  const { folder, run } = await openTrial();
  const options = { effects: virtualEffects(MORNING) };
  const added = await run(['endpoints', 'add', 'responses'], options);
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('responses.yaml')]);
  expect(readdirSync(join(folder, 'views')).toSorted()).toEqual(readdirSync('config/own/views').toSorted());
  const path = join(folder, 'endpoints', 'responses.yaml');
  const changed = `${readFileSync(path, 'utf8')}keep_days: 30\n`;
  writeFileSync(path, changed);
  const again = await run(['endpoints', 'add', 'responses'], options);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('- keep_days: 30')]);
  expect(readFileSync(path, 'utf8')).toBe(changed);
  expect((await run(['endpoints', 'add', 'tags'], options)).code).toBe(0);
  expect(existsSync(join(folder, 'endpoints', 'tags.yaml'))).toBe(true);
  const unknown = await run(['endpoints', 'add', 'tag'], options);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean tags?')]);
});
