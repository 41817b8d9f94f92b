import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SQL_FOLDER } from '../../src/warehouse/sql.ts';
import { action, configure, days, inWorld } from '../views/world.ts';

it('the report leaves out a burst of actions with visibility on a few days of one side', async () => {
  await inWorld(async (world) => {
    await configure(world, '2025-06-20');
    await world.insert(
      'core.visibility',
      days('2025-04-01', 80).map((date) => ({ date, visibility: 1 })),
    );
    await world.insert('core.events', [
      action('no days before', '2025-04-03'),
      action('known', '2025-05-10'),
      action('no days after', '2025-06-17'),
    ]);
    const sql = readFileSync(join(SQL_FOLDER, 'report', 'impact.sql'), 'utf8').replace('{{project}}', 'true');
    expect((await world.rows(sql)).map((row) => row['titles'])).toEqual(['Action known']);
  });
});
