import { expect, it } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { makeFolder } from '../support/folder.ts';
import { writePublished } from './published.ts';
import { cli, fails } from './run.ts';

const config = await writePublished(makeFolder());

const run = (...argv: string[]) => cli([...argv, '--config', config]);

it('answerlake describe --project says what each view holds of a project, by its name', async () => {
  const listed = (await run('describe', '--project', 'Fernhill', '--json')).report as {
    project: { name: string };
    views: { name: string; rows: number; first: string | null; last: string | null }[];
  };
  expect(listed.project.name).toBe('Fernhill');
  const days = listed.views.find(({ name }) => name === 'daily_kpis');
  const counted = await run(
    'query',
    `select count(*) as rows, min(date) as first, max(date) as last from daily_kpis where project_name = 'Fernhill'`,
    '--format',
    'json',
    '--quiet',
  );
  expect([{ rows: days?.rows, first: days?.first, last: days?.last }]).toEqual(counted.report);
  expect(listed.views.map(({ name }) => name)).not.toContain('calendar');
  expect((await run('describe', 'daily_kpis', '--project', 'Fernhill')).stdout).toMatch(
    /\nFernhill: [\d,]+ rows?, \d{4}-\d\d-\d\d to /,
  );
  expect((await run('describe', '--project', 'Nobody')).code).toBe(2);
});

it('answerlake describe --project counts the rows of a view of detail, which main may lack', async () => {
  const { stdout } = await run('describe', 'detail.project_days', '--project', 'Fernhill');
  expect(stdout).toMatch(/^detail\.project_days: [^\n]*\nFernhill: [1-9][\d,]* rows, \d{4}-\d\d-\d\d to /);
});

it('answerlake describe names the view that was probably meant', async () => {
  expect(await run('describe', 'dayli_kpis')).toMatchObject(
    fails(2, 'There is no view dayli_kpis: did you mean daily_kpis?'),
  );
});

it('answerlake examples lists the questions, runs one with its SQL, and refuses unknown numbers', async () => {
  expect((await run('examples')).stdout).toMatch(
    /^Stale: the newest answer is from 2025-03-05 02:17 UTC, \d+ days ago.*\n 1 {2}After which completed actions/,
  );
  const effects = { ...realEffects, now: () => Date.parse('2025-03-05T12:17:00Z') };
  const fresh = await cli(['examples', '12', '--config', config], { effects });
  expect(fresh.stdout).toMatch(/^Figures as of 2025-03-05 02:17 UTC, 9 hours ago\.\n/);
  const alone = await cli(['examples', '--config', '/nowhere/answerlake.yaml']);
  expect(alone.stdout).toMatch(/^ 1 {2}After which completed actions/);
  expect((await run('examples', '12', '--json')).report).toMatchObject({
    ok: true,
    exit_code: 0,
    number: 12,
    is_stale: true,
    rows: [{ project_name: 'Fernhill' }],
  });
  expect(await run('examples', '0')).toMatchObject(fails(2, 'choose a number from 1 to'));
});
