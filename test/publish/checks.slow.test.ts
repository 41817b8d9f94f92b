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
        'keys are not unique: core.visibility: p | day | 2025-06-01 | project | p',
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

it('the checks find a project with rows under two ids of its own, which views would hold twice', async () => {
  await withWorkingFile(async ({ target, connection, publish }) => {
    await connection.run(
      `insert into core.visibility select * replace ('other' as scope_id) from core.visibility`,
    );
    await expect(publish()).rejects.toThrow(
      'keys are not unique: core.visibility: p | day | 2025-06-01 | project | p',
    );
    await expect(rowsOfFile(target, 'select 1')).rejects.toMatchObject({ problem: 'not found' });
  });
});
