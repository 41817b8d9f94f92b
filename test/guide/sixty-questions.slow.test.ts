import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { explainResult } from '../../src/guide/tools.ts';
import { openRig } from '../flow/rig.ts';
import { QUESTIONS } from './sixty-questions.ts';

const rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-05-01' });
await rig.sync();
const file = await openPublishedFile(rig.config.warehouse.path);
afterAll(async () => {
  await file[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Rows with numbers to nine digits: the last ones depend on the order of a sum. */
async function rowsOf(sql: string): Promise<(string | number | null)[][]> {
  const { rows } = await file.query(sql);
  return rows.map((row) =>
    row.map(({ text }) => {
      const number = Number(text);
      return text === null || text === '' || !Number.isFinite(number) ? text : Number(number.toPrecision(9));
    }),
  );
}

it('there are sixty questions', () => {
  expect(new Set(QUESTIONS.map(({ asked }) => asked)).size).toBe(60);
});

it.each(QUESTIONS)('$asked', async ({ sql, right }) => {
  const rows = await rowsOf(sql);
  const { warnings } = await explainResult(file, sql, false);
  const said = warnings.join('\n');
  const isRight =
    'warning' in right
      ? said.includes(right.warning)
      : said === '' && isDeepStrictEqual(rows, await rowsOf(right.rows));
  expect(rows).not.toEqual([]);
  expect({ isRight, rows, said }).toMatchObject({ isRight: true });
});
