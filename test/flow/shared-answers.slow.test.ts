import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

const ENDPOINTS = ['citation_ranks', 'citation_rank_totals', 'response_summary'];

/** The requests of the next run, each once and as many as planned. */
async function expectEachOnce(rig: Rig): Promise<void> {
  const { simulator } = rig;
  const { requests } = await rig.plan({ endpoints: ENDPOINTS });
  simulator.resetRequests();
  expect(await rig.sync({ endpoints: ENDPOINTS })).toMatchObject({ exit_code: 0, requests });
  const asked = simulator.requests
    .filter(({ path }) => !path.endsWith('validate'))
    .map(({ path, projectId, query }) => JSON.stringify([path, projectId, query]));
  expect(asked).toEqual([...new Set(asked)]);
}

it('a series and windows of the same days send one request, and each has its rows', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-02-28', startDate: '2026-02-01' });
  await rig.sync({ endpoints: ['models'] });
  // The month is what the series asks for.
  await expectEachOnce(rig);
  rig.simulator.setToday(toDay('2026-03-01'));
  await rig.effects.sleep(86_400_000);
  // The last 28 days are the month before.
  await expectEachOnce(rig);
  for (const table of ['citation_totals', 'response_summary']) {
    const sql = `select window_kind, window_start from core.${table} order by all`;
    expect(await rig.rows(sql), table).toEqual([
      { window_kind: 'last_28_days', window_start: '2026-01-31' },
      { window_kind: 'last_28_days', window_start: '2026-02-01' },
      { window_kind: 'month', window_start: '2026-02-01' },
      { window_kind: 'month', window_start: '2026-03-01' },
    ]);
  }
});
