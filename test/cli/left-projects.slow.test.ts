import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addDays, toDay } from '../../src/day.ts';
import { pairWorld } from '../../simulator/odd-worlds.ts';
import { openSmallWorld } from './small-world.ts';

const FIRST = toDay('2026-09-03');
const VALIDATE = '/api/v2/auth/validate';

/** Two projects of one name, with the slugs north and south; the keys list `listed` of them. */
async function openTwins() {
  const world = pairWorld((two) => two.map((project) => ({ ...project, name: 'Shop' })));
  const { simulator, config, run } = await openSmallWorld({
    world,
    today: FIRST,
    startDate: '2026-08-30',
    sync: ', scopes: {}, windows: [month]',
  });
  const night = async (number: number, ...argv: string[]) => {
    const today = addDays(FIRST, number);
    simulator.setToday(today);
    simulator.resetRequests();
    return await run(['sync', '--today', today, ...argv]);
  };
  const listAs = (organization: object, slugs: readonly string[]): void =>
    simulator.override(VALIDATE, (_request: unknown, { body }: { body: unknown }) => {
      const said = body as { availableProjects?: { slug: string }[]; organization: object };
      const left = said.availableProjects?.filter(({ slug }) => slugs.includes(slug));
      const own = { ...said, organization: { ...said.organization, ...organization } };
      return { body: { ...own, ...(left === undefined ? {} : { availableProjects: left }) } };
    });
  return {
    run,
    night,
    list: (...slugs: string[]): void => listAs({}, slugs),
    listAs,
    except: (...words: string[]): void => {
      const plain = readFileSync(config, 'utf8').replace(/, except: \[.*?\]/, '');
      writeFileSync(config, plain.replace('env:SMALL_KEY', `env:SMALL_KEY, except: [${words.join(', ')}]`));
    },
    rows: async (sql: string) => (await run(['query', sql, '--format', 'json'])).report,
    asked: (slug: string): string[] => {
      const id = simulator.world.projects.find((project) => project.slug === slug)?.id;
      return simulator.requests.filter(({ projectId }) => projectId === id).map(({ path }) => path);
    },
  };
}

it('a client who leaves is lost for three nights, then known, and keeps its rows; accounts[].except says it for good', async () => {
  const { run, night, list, except, rows } = await openTwins();
  expect(await night(0)).toMatchObject({ code: 0 });
  const kept = await rows('select count(*) as n from core.visibility');
  list('north');
  for (const number of [1, 2, 3]) {
    const { code, stderr, stdout } = await night(number);
    expect([code, `${stdout}${stderr}`]).toEqual([
      3,
      expect.stringMatching(/no configured key lists it now/),
    ]);
  }
  expect((await night(4)).code).toBe(0);
  const status = await run(['status']);
  expect(status.stdout).toMatch(/Shop \(south\).*lost/);
  expect(await rows('select reason, days, known_since::varchar as known_since from meta.alarms')).toEqual([
    { reason: 'lost', days: 4, known_since: '2026-09-07' },
  ]);
  expect(await rows("select count(*) as n from core.visibility where date < '2026-09-04'")).toEqual(kept);
  except('south');
  const silent = await night(5);
  expect([silent.code, silent.stderr]).toEqual([0, expect.not.stringContaining('except')]);
  expect(await rows('select * from meta.alarms')).toEqual([]);
});

const MISTAKE =
  /account small: its key belongs to an organization that .* and no key lists Shop \(north\) any more/;

it('a key of another organization, put in by mistake, is a warning of check, plan and the first sync', async () => {
  const { run, night, listAs } = await openTwins();
  listAs({}, ['north']);
  expect(await night(0)).toMatchObject({ code: 0 });
  listAs({ id: 'other', name: 'Other' }, ['south']);
  expect((await run(['check'])).stdout).toMatch(MISTAKE);
  const dry = await run(['sync', '--dry-run', '--json']);
  expect(dry.stdout).toMatch(MISTAKE);
  const synced = await night(1);
  expect([synced.code, `${synced.stdout}${synced.stderr}`]).toEqual([3, expect.stringMatching(MISTAKE)]);
  listAs({}, ['north']);
  expect((await run(['check'])).stdout).not.toMatch(MISTAKE);
});

it.each([
  ['a new client of another organization', { id: 'other' }, ['north', 'south']],
  ['another key of the same organization', {}, ['south']],
])('%s is no mistake', async (_, organization, slugs) => {
  const { run, night, listAs } = await openTwins();
  listAs({}, ['north']);
  await night(0);
  listAs(organization, slugs);
  expect((await run(['check'])).stdout).not.toContain('by mistake');
});

it('what accounts[].except names is not asked for, whatever its twin is called, and a word that names nothing is a warning', async () => {
  const { run, night, except, asked } = await openTwins();
  expect(await night(0)).toMatchObject({ code: 0 });
  const plan = await run(['plan', '--offline', '--today', FIRST]);
  expect(plan.stdout).toMatch(/Shop \(north\)[\s\S]*Shop \(south\)/);
  except('south/visibility', 'nobody', 'north/visibilty');
  const { code, stdout, stderr } = await night(1);
  expect(code).toBe(0);
  for (const word of ['nobody', 'north/visibilty'])
    for (const said of [`${stdout}${stderr}`, (await run(['check'])).stdout])
      expect(said).toContain(`accounts[].except: ${word} matches no project`);
  expect(asked('south')).not.toContain('/api/v1/visibility-time-series');
  expect(asked('north')).toContain('/api/v1/visibility-time-series');
  except('south');
  await night(2);
  expect([asked('south'), asked('north').length > 0]).toEqual([[], true]);
  expect((await run(['gaps'])).stdout).not.toContain('south');
});
