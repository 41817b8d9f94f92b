import { expect, test } from 'vitest';
import { answerOf } from '../support/answers.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

const ODD = [
  'nul\u0000inside',
  'lone \ud83d surrogate',
  '"; drop table core.prompts; --',
  `'`,
  '\\',
  ' ',
  '𝒳'.repeat(5000),
  '\u202eright to left',
  'toString',
  'Café Zürich',
];

test('names of any kind are stored, found again in another Unicode form, and restated', async () => {
  await using file = await WarehouseFile.open();
  const load = async (run: number, count: number, form = 'NFC'): Promise<unknown> => {
    const mentions = ODD.map((name) => ({ competitor: name.normalize(form), count, percentage: 1e308 }));
    const [entry] = await file.load([answerOf('competitor_mentions', mentions)], {
      runId: `run-${String(run)}`,
    });
    const { inserted, unchanged, updated } = entry?.counts ?? {};
    return [entry?.status, inserted, unchanged, updated];
  };
  expect(await load(1, 1)).toEqual(['loaded', ODD.length, 0, 0]);
  expect(await load(2, 1, 'NFD')).toEqual(['loaded', 0, ODD.length, 0]);
  expect(await load(3, 2)).toEqual(['loaded', 0, 0, ODD.length]);
  const stored = (await file.column('select competitor from core.competitor_mentions')).map(String);
  // A lone surrogate is no text in UTF-8; DuckDB gets the replacement character.
  expect(stored.toSorted()).toEqual(ODD.map((name) => name.replace('\ud83d ', '\ufffd ')).toSorted());
  const keys = await file.column('select key from meta.restatements');
  const named = keys.map((key) => (JSON.parse(String(key)) as { competitor: string }).competitor);
  expect(named.toSorted()).toEqual(stored.toSorted());
});
