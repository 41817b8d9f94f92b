import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SQL_FOLDER } from '../../src/warehouse/sql.ts';
import { action, days, openWorld } from '../views/world.ts';

it('the report leaves out bursts of actions that are not judged, and counts them by reason', async () => {
  await using world = await openWorld('2025-06-20');
  await world.daily('core.visibility', days('2024-10-01', 262), (day) => ({
    visibility: 40 + ((day * day * 31 + day * 17) % 101) / 8,
  }));
  await world.insert('core.events', [
    action('no days before', '2024-10-03'),
    action('known', '2025-05-10'),
    action('no days after', '2025-06-17'),
  ]);
  const sql = readFileSync(join(SQL_FOLDER, 'report', 'impact.sql'), 'utf8').replace('{{project}}', 'true');
  expect(await world.rows(sql)).toMatchObject([
    {
      titles: 'Action known',
      judged_count: 1,
      not_judged: '1 too few days with figures, 1 too recent',
    },
  ]);
});
