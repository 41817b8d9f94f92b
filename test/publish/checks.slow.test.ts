import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withPublished, withWorkingFile } from './warehouse-files.ts';
import { rowsOfFile } from '../support/file-reader.ts';

it('the checks find a key that a table holds twice, name it, and leave the published file unchanged', async () => {
  await withPublished('', async ({ target, publish, addDay }) => {
    const before = readFileSync(target);
    await addDay('2025-06-01', 99);
    await expect(publish()).rejects.toMatchObject({
      exitCode: 7,
      problem: 'check failed',
      message: expect.stringContaining(
        'check unique_keys failed: core.visibility: p | day | 2025-06-01 | project | p',
      ) as string,
    });
    expect(readFileSync(target).equals(before)).toBe(true);
  });
});

it('the checks name at most 5 offenders', async () => {
  await withWorkingFile(async ({ publish, addDay }) => {
    for (let day = 10; day < 20; day += 1) {
      await addDay(`2025-06-${day}`);
      await addDay(`2025-06-${day}`);
    }
    const error = await publish().catch((reason: unknown) => reason);
    expect(String(error).match(/core\.visibility/g)).toHaveLength(5);
  });
});

it('the checks of a whole file are six', async () => {
  await withWorkingFile(async ({ publish }) => {
    expect((await publish()).checks).toEqual([
      'unique_keys',
      'unique_meta_keys',
      'one_row_per_day',
      'one_row_per_series_day',
      'views_for_everyone',
      'comments',
    ]);
  });
});

it('the checks find an uncommented column and a table in main', async () => {
  await withWorkingFile(async ({ connection, publish }) => {
    await connection.run('alter table core.visibility add column extra varchar');
    await expect(publish()).rejects.toThrow('check comments failed: core.visibility: extra has no comment');
    await connection.run('alter table core.visibility drop column extra');
    await connection.run('create table main.stray (n hugeint)');
    await expect(publish()).rejects.toThrow(/check views_for_everyone failed: .*n HUGEINT.*is a table/);
  });
});

it('the checks find a day that a view holds twice', async () => {
  await withWorkingFile(async ({ target, connection, publish }) => {
    await connection.run(
      `insert into core.visibility select * replace ('other' as scope_id) from core.visibility`,
    );
    await expect(publish()).rejects.toThrow(
      'check one_row_per_day failed: detail.daily_kpis: p | 2025-06-01',
    );
    await expect(rowsOfFile(target, 'select 1')).rejects.toMatchObject({ problem: 'not found' });
  });
});
