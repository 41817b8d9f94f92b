import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

const SERIES = { endpoints: ['visibility', 'response_sentiment', 'events'] };
const SMALL = { world: 'small', today: '2026-05-10', startDate: '2026-05-01' } as const;

function asked(rig: Rig, end: string): string[] {
  return rig.simulator.requests
    .filter(
      ({ path, query }) =>
        path.endsWith(end) && !query.some(([name]) => /^(models|llmMonitorId)$/.test(name)),
    )
    .map(({ query }) => Object.fromEntries(query))
    .map(({ startDate, endDate }) => `${startDate ?? ''}..${endDate ?? ''}`);
}

it('a bounded re-pull asks for those days alone and changes nothing else', async () => {
  await using rig = await openRig(SMALL);
  await rig.sync(SERIES);
  rig.simulator.setToday(toDay('2026-06-20'));
  await rig.sync(SERIES);
  rig.simulator.restate({
    project: rig.simulator.world.projects[0]?.id ?? '',
    days: { start: toDay('2026-05-01'), end: toDay('2026-05-09') },
    by: 0.3,
  });
  rig.simulator.resetRequests();
  const report = await rig.sync({
    endpoints: ['response_sentiment'],
    from: toDay('2026-05-03'),
    to: toDay('2026-05-05'),
  });
  expect(report).toMatchObject({ exit_code: 0, rows_updated: 3, rows_inserted: 0, rows_deleted: 0 });
  expect(asked(rig, '/responses/sentiment-time-series')).toEqual(['2026-05-03..2026-05-06']);
  expect(await rig.rows("select key->>'date' as date from meta.restatements order by 1")).toEqual(
    ['2026-05-03', '2026-05-04', '2026-05-05'].map((date) => ({ date })),
  );
});
