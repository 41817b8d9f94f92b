import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fails } from './run.ts';
import { openSmallWorld, TODAY } from './small-world.ts';

it('a view that cannot be created is a warning of each run, of status and of check; --strict ends with 3', async () => {
  const { folder, run, simulator } = await openSmallWorld({ startDate: '2025-02-08' });
  const views = join(folder, 'views');
  mkdirSync(views);
  writeFileSync(join(views, 'days.sql'), '-- Days\nselect count(*) as days from main.daily_kpis');
  writeFileSync(join(views, 'wrong.sql'), 'select days\nfrom own.day');
  const asked = ['sync', '--today', TODAY, '--endpoint', 'visibility', '--json'];
  const words = /wrong\.sql:2: the view was left out: Catalog Error: Table with name day does not exist!/;
  const warnings = [expect.stringMatching(words)];
  expect(await run(asked)).toMatchObject({ code: 0, report: { warnings } });
  const strict = { published: null, warnings };
  expect(await run([...asked, '--strict'])).toMatchObject({ code: 3, report: strict });
  writeFileSync(join(views, 'wrong.sql'), 'select day\nfrom own.day');
  expect((await run([...asked, '--strict'])).code).toBe(3);
  const runs = "select status || ' ' || exit_code as ended from meta.runs order by sequence";
  expect((await run(['query', runs, '--format', 'csv'])).stdout).toBe('ended\nok 0\npartial 3\npartial 3\n');
  expect((await run(['status', '--json'])).report).toMatchObject({
    views: [{ file: expect.stringContaining('wrong.sql') as string, line: 2 }],
  });
  expect((await run(['status'])).stdout).toContain('Your own views that were left out');
  expect((await run(['check'])).stdout).toMatch(/warning +views: .*wrong\.sql:2/);
  expect((await run(['query', 'select days from own.days', '--format', 'csv'])).stdout).toContain('days\n');
  expect((await run(['describe', 'days'])).stdout).toMatch(/^own\.days: Days\n/);
  rmSync(join(views, 'wrong.sql'));
  simulator.resetRequests();
  expect((await run(['publish', '--json'])).report).toMatchObject({ warnings: [] });
  expect((await run(['status', '--json'])).report).toMatchObject({ views: [] });
  expect(simulator.requests).toEqual([]);
});

it('a view cannot bear a name that is taken, or none', async () => {
  const { folder, run, simulator } = await openSmallWorld();
  mkdirSync(join(folder, 'views'));
  for (const name of ['Answers', 'validate', 'daily_kpis', 'event_prompts', 'own'])
    writeFileSync(join(folder, 'views', `${name}.sql`), 'select 1');
  writeFileSync(join(folder, 'views', 'LOUD.SQL'), 'select 1');
  const { code, stderr } = await run(['sync']);
  expect(code).toBe(2);
  for (const words of [
    /Answers\.sql:1:1 Answers is not a valid name/,
    /LOUD\.SQL:1:1 LOUD is not a valid name/,
    /validate is a built-in endpoint: rename the file/,
    /daily_kpis is a built-in view: rename the file/,
    /event_prompts is a built-in table: rename the file/,
    /own is a word of answerlake: rename the file/,
  ])
    expect(stderr).toMatch(words);
  expect(simulator.requests).toEqual([]);
});

it('a warehouse file cannot be called own.duckdb', async () => {
  const { run } = await openSmallWorld({ more: 'warehouse: { path: data/own.duckdb }\n' });
  expect(await run(['status'])).toMatchObject(fails(2, 'choose another name, for example answers.duckdb'));
});
