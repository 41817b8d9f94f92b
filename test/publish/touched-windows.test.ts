import { expect, it } from 'vitest';
import { toDay, type Day } from '../../src/day.ts';
import { checksOfChanges, workOfChecks } from '../../src/publish/checks.ts';
import type { Changes } from '../../src/publish/compare.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { changesOf } from './publish-changes.ts';
import { withPublished } from './rig.ts';

const entry = (window: string | null, run: string): string =>
  `insert into meta.slices by name select 'visibility' as endpoint, 'p' as project_id, 'project' as scope, 'p' as scope_id, 'day' as grain,
   ${window === null ? 'null' : `date '${window}'`} as window_start, ${window === null ? 'null' : `date '${window}' + 7`} as window_end,
   'loaded' as status, '${run}' as run_id, timestamp '2025-06-05 03:00:00' as fetched_at`;

const LAST_WEEK = entry('2025-05-20', 'run-1');

/** Only the checks of keys: the others look at views, which a working file has not. */
async function checkKeys(connection: Connection, changes: Changes): Promise<void> {
  const checks = checksOfChanges(changes).filter(({ name }) => name.startsWith('unique_'));
  for (const work of workOfChecks(checks)) await work(connection);
}

it('a change of the ledger gives the first days of its windows, apart from days of figures and events', async () => {
  await withPublished(LAST_WEEK, async (rig) => {
    await rig.addDay('2025-06-02');
    await rig.connection.run(entry('2025-05-28', 'run-2'));
    await rig.connection.run(
      `insert into core.events by name select 'p' as project_id, 'action:1' as event_id, date '2024-12-24' as date, 'action' as type,
       timestamp '2024-12-24' as occurred_at, 'run-2' as _run_id, timestamp '2025-06-05' as _changed_at`,
    );
    expect(await changesOf(rig)).toMatchObject({
      days: ['2024-12-24', '2025-06-02'],
      windows: ['2025-05-28'],
    });
  });
});

it('a doubled entry of the ledger is found where a change touches its window, or where it has no window', async () => {
  await withPublished(LAST_WEEK, async (rig) => {
    const { connection } = rig;
    await connection.run(entry('2025-05-28', 'run-2'));
    const changes = await changesOf(rig);
    await checkKeys(connection, changes);
    await connection.run(LAST_WEEK);
    // Proven once a week.
    await checkKeys(connection, changes);
    await connection.run(entry('2025-05-28', 'run-3'));
    await expect(checkKeys(connection, changes)).rejects.toThrow(
      'check unique_meta_keys failed: meta.slices: visibility | p | project | p | day | 2025-05-28',
    );
    await expect(checkKeys(connection, { ...changes, windows: [toDay('2025-05-20')] })).rejects.toThrow(
      '2025-05-20',
    );
    await connection.run(
      `delete from meta.slices where run_id <> 'run-2'; ${entry(null, 'run-4')}; ${entry(null, 'run-5')}`,
    );
    await expect(checkKeys(connection, changes)).rejects.toThrow('visibility | p | project | p | day');
  });
});

it('a key of core that is doubled is found where a change touches its day or its window', async () => {
  await withPublished('', async ({ connection, addDay }) => {
    await addDay('2025-06-01');
    await connection.run(
      `insert into core.response_summary by name select 'p' as project_id, 'month' as window_kind, date '2025-05-01' as window_start,
         date '2025-05-31' as window_end, 'project' as scope, 'p' as scope_id, 'run-1' as _run_id, timestamp '2025-06-05' as _changed_at from range(2)`,
    );
    const [day, window] = [toDay('2025-06-01'), toDay('2025-05-01')];
    const touching = (name: string, days: Day[], windows: Day[]): Promise<void> => {
      const tables = [{ schema: 'core', name }];
      return checkKeys(connection, { compared: tables, tables, rows: 1, rowsInAll: 1, days, windows });
    };
    await touching('visibility', [window], [day]);
    await touching('response_summary', [day], [day]);
    await expect(touching('visibility', [day], [])).rejects.toThrow('unique_keys failed: core.visibility');
    await expect(touching('response_summary', [], [window])).rejects.toThrow('core.response_summary');
  });
});
