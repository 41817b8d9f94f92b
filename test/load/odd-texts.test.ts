import { expect, test } from 'vitest';
import { z } from 'zod';
import { answerOf } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';
import { nameRow } from '../../src/warehouse/connection.ts';

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
  const mentions = (count: number, form: 'NFC' | 'NFD' = 'NFC'): unknown =>
    ODD.map((name) => ({ competitor: name.normalize(form), count, percentage: 1e308 }));
  const entries = [
    ...(await file.load([answerOf('competitor_mentions', mentions(1))])),
    ...(await file.load([answerOf('competitor_mentions', mentions(1, 'NFD'))], { runId: 'run-2' })),
    ...(await file.load([answerOf('competitor_mentions', mentions(2))], { runId: 'run-3' })),
  ];
  expect(
    entries.map(({ status, counts }) => [status, counts.inserted, counts.unchanged, counts.updated]),
  ).toEqual([
    ['loaded', ODD.length, 0, 0],
    ['loaded', 0, ODD.length, 0],
    ['loaded', 0, 0, ODD.length],
  ]);
  const stored = await file.connection.rowsAs(
    nameRow,
    'select competitor as name from core.competitor_mentions',
  );
  // A lone surrogate is no text in UTF-8; DuckDB gets the replacement character.
  expect(new Set(stored.map(({ name }) => name))).toEqual(
    new Set(ODD.map((name) => name.replace('\ud83d ', '\ufffd '))),
  );
  const keys = await file.connection.rowsAs(
    z.object({ key: z.string() }),
    'select key from meta.restatements',
  );
  expect(new Set(keys.map(({ key }) => (JSON.parse(key) as { competitor: string }).competitor))).toEqual(
    new Set(stored.map(({ name }) => name)),
  );
});

const WHOLE = ['amountOfResponses', 'total', 'totalPages', 'page', 'size'];

test.each(['prompts', 'domain_citations', 'crawler_requests', 'visitor_visits'])(
  'numbers of %s that the documents do not call whole may have decimals',
  async (endpoint) => {
    await using file = await WarehouseFile.open();
    const body = JSON.parse(JSON.stringify(documentedBodies[endpoint]), (name, value: unknown) =>
      typeof value === 'number' && !WHOLE.includes(name) ? value + 0.5 : value,
    ) as unknown;
    expect(await file.load([answerOf(endpoint, body)])).toMatchObject([{ status: 'loaded', rejects: [] }]);
  },
);
