import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ANSWERED_LIST } from '../src/slice-status.ts';
import { SQL_FOLDER } from '../src/warehouse/sql-files.ts';

test('views and program count the same statuses as answered', () => {
  const part = readFileSync(join(SQL_FOLDER, 'view-parts', 'answered_statuses.sql'), 'utf8');
  expect(part.split('\n')).toContain(ANSWERED_LIST);
});
