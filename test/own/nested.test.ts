import { expect, test } from 'vitest';
import { fetchSlice } from '../../src/extract/fetch-slice.ts';
import { declarationSchema } from '../../src/own/declaration.ts';
import { defineOwn } from '../../src/own/define-own.ts';
import { listSlice } from '../../src/slice.ts';

const DEEP: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));

/** What is fetched of a declared list whose server answers each request with `body`. */
async function fetched(words: object, body: unknown) {
  const endpoint = defineOwn(
    declarationSchema('things').parse({ path: '/own/things', rows: 'items', ...words }),
  );
  const client = {
    get: () => Promise.resolve({ status: 200, body, requests: 1, retries: 0, fetchedAt: 0, bytes: 0 }),
  };
  const slice = listSlice({ endpoint: 'things', projectId: 'p', scope: 'project', scopeId: 'p' });
  const request = { endpoint, slice, asked: null, limit: null, timezone: 'UTC' };
  return await fetchSlice(client, { ...request, signal: new AbortController().signal });
}

test.each(['number', 'offset', 'cursor'])(
  'a key that is nested beyond the stack ends no run: pages by %s',
  async (pages) => {
    const body = { items: [{ deep: DEEP }], total: 1 };
    expect((await fetched({ key: ['deep'], pages }, body)).pages).toHaveLength(1);
  },
);

test('what is left out is in no page, and an answer of which it cannot be taken fails alone', async () => {
  const words = { key: ['id'], leave_out: ['note.text'] };
  const kept = { items: [{ id: 'a', note: { by: 'x' } }] };
  const { pages } = await fetched(words, { items: [{ id: 'a', note: { text: 'never kept', by: 'x' } }] });
  expect(pages[0]?.body).toEqual(kept);
  await expect(fetched(words, { items: [{ id: 'a', note: DEEP }] })).rejects.toMatchObject({
    class: 'contract',
    scope: 'slice',
  });
});
