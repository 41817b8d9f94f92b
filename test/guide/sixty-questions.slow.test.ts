import { afterAll, expect, it } from 'vitest';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { explainResult } from '../../src/guide/tools.ts';
import { openRig } from '../flow/rig.ts';
import { entriesOf, RIGHT, WARNED } from './sixty-questions.ts';

const rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-05-01' });
await rig.sync();
const file = await openPublishedFile(rig.config.warehouse.path);
afterAll(async () => {
  await file[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

async function warningsOf(sql: string): Promise<string> {
  const { warnings } = await explainResult(file, sql, false);
  // What happened in June is no doubt about the statement.
  return warnings.filter((line) => !line.startsWith('The questions changed')).join('\n');
}

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

it.each(Object.entries(RIGHT))('%s', async (_, { sql, core }) => {
  const rows = await rowsOf(sql);
  expect(rows).not.toEqual([]);
  expect(rows).toEqual(await rowsOf(core));
  expect(await warningsOf(sql)).toBe('');
});

it.each(entriesOf(WARNED))('%s', async (_, { sql, words }) => {
  expect(await rowsOf(sql)).not.toEqual([]);
  expect(await warningsOf(sql)).toContain(words);
});

it('there are sixty questions', () => {
  expect(Object.keys(RIGHT).length + entriesOf(WARNED).length).toBe(60);
});
