import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { metabaseCards } from '../../scripts/integrations/metabase.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { json, openScriptedServer } from '../support/scripted-server.ts';

const SCRIPT = fileURLToPath(new URL('../../integrations/metabase/import.mjs', import.meta.url));

it('the Metabase import posts one collection and every question, with the key only in the header', async () => {
  await using server = await openScriptedServer(() => json({ id: 7 }));
  const env = { ...process.env, MB_URL: server.origin, MB_API_KEY: 'mb_1', MB_DATABASE_ID: '3' };
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], { env });
  const cards = metabaseCards(readExamples());
  expect(stdout).toBe(`${cards.length} questions in collection 7\n`);
  expect(server.seen.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
    ['/api/collection', 'mb_1'],
    ...cards.map(() => ['/api/card', 'mb_1']),
  ]);
  expect(server.seen.slice(1).map(({ body }): unknown => JSON.parse(body))).toEqual(
    cards.map((card) => ({
      ...card,
      collection_id: 7,
      dataset_query: { ...card.dataset_query, database: 3 },
    })),
  );
});
