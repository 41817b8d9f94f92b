import { it } from 'vitest';
import { openRig } from '/work/main/test/flow/rig.ts';
it('m', async () => {
  await using rig = await openRig({ world: 'small', today: '2026-07-14', startDate: '2026-07-05' });
  for (let i = 0; i < 3; i++) {
    const t = performance.now();
    const r = await rig.sync();
    console.log(
      i,
      r.exit_code,
      r.requests,
      r.retries,
      r.rows_inserted,
      r.rows_updated,
      r.rows_deleted,
      r.published,
      performance.now() - t,
    );
  }
  const paths = new Map();
  for (const q of rig.simulator.requests) paths.set(q.path, (paths.get(q.path) ?? 0) + 1);
  console.log(paths);
});
it('large', async () => {
  await using rig = await openRig({ world: 'large', today: '2026-07-14', startDate: '2026-06-01' });
  for (const d of ['2026-07-14', '2026-07-15', '2026-07-16']) {
    rig.simulator.setToday(d as never);
    const t = performance.now();
    const r = await rig.sync();
    console.log(
      d,
      r.exit_code,
      r.requests,
      r.retries,
      r.rows_inserted,
      r.rows_updated,
      r.rows_deleted,
      r.published,
      performance.now() - t,
      r.failures,
      r.warnings,
    );
  }
});
