import { expect, it } from 'vitest';
import { comparePartitions, type Partition } from '../../../src/targets/postgres/rows.ts';
import type { TableColumns } from '../../../src/warehouse/tables.ts';

const days: TableColumns = {
  schema: 'core',
  name: 'visibility',
  comment: null,
  columns: [{ name: 'date', type: 'DATE', isNullable: false, comment: null }],
};

const part = (day: string | null, digest: string, rows = 1): Partition => ({
  table_name: 'core.visibility',
  part: day,
  row_count: String(rows),
  digest,
});

it('a table whose parts are the same is not touched', () => {
  expect(comparePartitions([days], [part('2026-01-01', '1')], [part('2026-01-01', '1')])).toEqual([]);
});

it('a part with other rows is deleted and written, one that is gone is deleted, a new one is written', () => {
  const own = [part('2026-01-01', '1'), part('2026-01-02', '2'), part('2026-01-03', '3', 4)];
  const held = [part('2026-01-01', '1'), part('2026-01-02', '9'), part(null, '5')];
  expect(comparePartitions([days], own, held)).toEqual([
    {
      table: days,
      stale: [part('2026-01-02', '9'), part(null, '5')],
      fresh: [part('2026-01-02', '2'), part('2026-01-03', '3', 4)],
    },
  ]);
});
