import { expect, it } from 'vitest';
import { addDays } from '../../src/day.ts';
import { openRig, type Rig } from './rig.ts';

async function nextNight(rig: Rig): Promise<void> {
  rig.simulator.setToday(addDays(rig.simulator.today, 1));
  await rig.effects.sleep(86_400_000);
}

it('the same refused row of the look-back stands once, whatever night it came', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-10' });
  rig.simulator.override('visibility-time-series', (_, answer) => ({
    ...answer,
    body: (answer.body as { date: string }[]).map((point) =>
      point.date === '2026-07-12' ? { ...point, value: 'high' } : point,
    ),
  }));
  const first = await rig.pull({ endpoints: ['visibility'] });
  await nextNight(rig);
  const second = await rig.pull({ endpoints: ['visibility'] });
  expect(second.totals.rows_rejected).toBe(first.totals.rows_rejected);
  const rejects = await rig.workingRows('select run_id, count(*) as rows from meta.rejects group by 1');
  expect(rejects).toEqual([{ run_id: second.runId, rows: first.totals.rows_rejected }]);
});
