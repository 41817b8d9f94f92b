import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { addDays, toDay } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

const PATH = '/api/v2/citations/domains-over-time';
const CITATIONS = { endpoints: ['domain_citations', 'citation_ranks', 'domain_citation_totals'] };
const SUMMER = {
  world: 'small',
  today: '2026-07-14',
  startDate: '2026-06-20',
  change: (config: Config): Config => ({
    ...config,
    sync: { ...config.sync, scopes: {}, windows: ['month'] },
  }),
} as const;
const LEARNED = `select endpoint, end_inclusive as counted from meta.limits
  where end_inclusive is not null and endpoint like 'domain%' order by 1`;
const TOTALS =
  'select window_start, window_end, total_citations from core.citation_totals order by window_start';

/** Another path that answers one citation a day, and leaves out the end day. */
function answerAtPath(rig: Rig): void {
  rig.simulator.override(PATH, ({ query }: { query: readonly (readonly [string, string])[] }) => {
    const asked = new Map(query);
    const dates: string[] = [];
    for (
      let date = toDay(asked.get('startDate') ?? '');
      date < (asked.get('endDate') ?? '');
      date = addDays(date, 1)
    )
      dates.push(`${date}T00:00:00.000Z`);
    const days = dates.length;
    const data = dates.map(() => 1);
    const series = [{ domain: 'a.com', data, total: days, percentage: 100, averageRank: 1 }];
    return { status: 200, body: { dates, series, totalCitations: days } };
  });
}

it('what the configured path of a series shows of its end day is not taken for the windows that are asked elsewhere', async () => {
  await using rig = await openRig(SUMMER);
  await using plain = await openRig(SUMMER);
  answerAtPath(rig);
  Object.assign(rig.config.sync, { endpoints: { domain_citations: { path: PATH } } });
  for (const night of [0, 1]) {
    for (const one of [rig, plain]) {
      one.simulator.setToday(addDays(toDay(SUMMER.today), night));
      one.simulator.resetRequests();
      expect((await one.pull(CITATIONS)).exitCode).toBe(0);
    }
  }
  expect(await rig.workingRows(LEARNED)).toEqual([{ endpoint: 'domain_citations', counted: false }]);
  expect(await rig.workingRows(TOTALS)).toEqual(await plain.workingRows(TOTALS));
  const requests = ({ simulator }: Rig): string[] =>
    simulator.requests
      .filter(({ path }) => path === '/api/v1/citations/domains-over-time')
      .map(({ query }) => new Map(query).get('endDate') ?? '');
  expect([...new Set(requests(rig))]).toEqual(['2026-07-15']);
});

it('an endpoint that is asked at another path than in the run before has what was learned forgotten', async () => {
  await using rig = await openRig(SUMMER);
  answerAtPath(rig);
  Object.assign(rig.config.sync, { endpoints: { domain_citations: { path: PATH } } });
  await rig.pull(CITATIONS);
  expect(await rig.workingRows(LEARNED)).toEqual([{ endpoint: 'domain_citations', counted: false }]);
  Object.assign(rig.config.sync, { endpoints: {} });
  rig.simulator.setToday(addDays(toDay(SUMMER.today), 1));
  await rig.pull(CITATIONS);
  expect(await rig.workingRows(LEARNED)).toEqual([
    { endpoint: 'domain_citation_totals', counted: true },
    { endpoint: 'domain_citations', counted: true },
  ]);
  const asked = rig.simulator.requests
    .filter(({ path }) => path.endsWith('domains-over-time'))
    .flatMap(({ query }) => query.filter(([name]) => name === 'endDate'))
    .map(([, day]) => day);
  expect(asked.filter((day) => day > '2026-07-15')).toEqual([]);
});
