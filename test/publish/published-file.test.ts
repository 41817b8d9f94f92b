import { expect, it } from 'vitest';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { withPublished } from './rig.ts';

const VALUES = [
  [`'a"b'`, 'a"b', '"a\\"b"'],
  ['null', null, 'null'],
  ['true', 'true', 'true'],
  ['9007199254740993', '9007199254740993', '9007199254740993'],
  ['1.50::decimal(4, 2)', '1.50', '1.50'],
  ['0.5::double', '0.5', '0.5'],
  [`'nan'::double`, 'NaN', '"NaN"'],
  [`date '2025-06-01'`, '2025-06-01', '"2025-06-01"'],
  [`['x', null]`, "['x', NULL]", '["x",null]'],
  [`{'a': 1, 'b': 'c'}`, "{'a': 1, 'b': 'c'}", '{"a":1,"b":"c"}'],
  [`map {'k': 2}`, "{'k': 2}", '{"k":2}'],
  ['union_value(n := 3)', '3', '3'],
] as const;

it('a query of the published file gives each value as text and as JSON, and as many rows as are wanted', async () => {
  await withPublished('', async ({ target }) => {
    await using file = await openPublishedFile(target);
    const { rows } = await file.query(`select ${VALUES.map(([sql]) => sql).join(', ')}`);
    expect(rows).toEqual([VALUES.map(([, text, json]) => ({ text, json }))]);
    // More than one part of the result.
    expect((await file.query('from range(5000)', 3000)).rows).toHaveLength(3000);
    await expect(file.query('select nothing')).rejects.toMatchObject({
      class: 'configuration',
      message: expect.stringContaining('The query failed'),
    });
    await expect(file.query(' ;')).rejects.toThrow('The SQL is empty');
    await expect(file.query('select 1; select 2')).rejects.toThrow('holds 2 statements');
    const missing = openPublishedFile(`${target}.gone`);
    await expect(missing).rejects.toThrow('There is no published file');
  });
});

it.each([0, 100])('a query that is stopped after %i ms ends with the reason', async (afterMs) => {
  await withPublished('', async ({ target }) => {
    const abort = new AbortController();
    await using file = await openPublishedFile(target, { signal: abort.signal });
    if (afterMs === 0) abort.abort(new Error('stopped'));
    else setTimeout(() => abort.abort(new Error('stopped')), afterMs);
    const endless = 'select max(a.range + b.range) from range(1e7::bigint) a, range(1e7::bigint) b';
    await expect(file.query(endless)).rejects.toThrow('stopped');
  });
});
