import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { metabaseCards } from '../../scripts/integrations/metabase.ts';
import { readExamples } from '../../src/guide/examples.ts';

const SCRIPT = fileURLToPath(new URL('../../integrations/metabase/import.mjs', import.meta.url));

it('the Metabase import posts one collection and every question, with the key only in the header', async () => {
  const asked: { path: string | undefined; key: unknown; body: unknown }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      asked.push({ path: request.url, key: request.headers['x-api-key'], body });
      response.end(JSON.stringify({ id: 7 }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, MB_URL: `http://127.0.0.1:${port}`, MB_API_KEY: 'mb_1', MB_DATABASE_ID: '3' };
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT], { env });
  server.close();
  const cards = metabaseCards(readExamples());
  expect(stdout).toBe(`${cards.length} questions in collection 7\n`);
  expect(asked.map(({ path, key }) => [path, key])).toEqual([
    ['/api/collection', 'mb_1'],
    ...cards.map(() => ['/api/card', 'mb_1']),
  ]);
  expect(asked.slice(1).map(({ body }) => body)).toEqual(
    cards.map((card) => ({
      ...card,
      collection_id: 7,
      dataset_query: { ...card.dataset_query, database: 3 },
    })),
  );
});
