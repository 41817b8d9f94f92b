import { expect, test } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { fetchSlice } from '../../src/extract/fetch-slice.ts';
import { declarationSchema } from '../../src/own/declaration.ts';
import { defineOwn } from '../../src/own/define-own.ts';
import { listSlice } from '../../src/slice.ts';

const endpoint = defineOwn(
  declarationSchema('things').parse({ path: '/own/things', rows: 'items', key: ['id'], pages: 'cursor' }),
);
const slice = listSlice({ endpoint: 'things', projectId: 'p', scope: 'project', scopeId: 'p' });

/** Reads the list of a server that names, on the page of each cursor, the one after it. */
async function read(next: (cursor: string) => unknown) {
  let sent = 0;
  const get = ({ query = [] }: { query?: readonly (readonly [string, string])[] }) => {
    const cursor = new Map(query).get('cursor') ?? '';
    sent += 1;
    const body = { items: [{ id: cursor }], nextCursor: next(cursor) };
    return Promise.resolve({ status: 200, body, requests: 1, retries: 0, fetchedAt: 0, bytes: 0 });
  };
  const request = { endpoint, slice, asked: null, limit: null, timezone: 'UTC' };
  const fetched = fetchSlice({ get }, { ...request, signal: new AbortController().signal });
  return await fetched.then(
    ({ incomplete = null, pages }) => ({ incomplete, pages: pages.length, sent, requests: sent }),
    (error: unknown) => ({ error, sent, requests: error instanceof AnswerlakeError ? error.requests : null }),
  );
}

test('cursors that lead back to an earlier page end the list as incomplete, after each page once', async () => {
  const circle = new Map([
    ['', 'b'],
    ['b', 'c'],
    ['c', 'd'],
    ['d', 'b'],
  ]);
  expect(await read((cursor) => circle.get(cursor))).toMatchObject({
    incomplete: 'page 4 names the cursor of an earlier page, so the pages never end',
    pages: 4,
    sent: 4,
  });
});

test.each([{ after: 2 }, true, ['b'], 'https://a.example/things?page=2'])(
  'a next page that is %j is no cursor, and never the end',
  async (next) => {
    expect(await read(() => next)).toMatchObject({
      incomplete: 'page 1 names a next page that cannot be sent as a cursor',
      pages: 1,
    });
  },
);

test.each([undefined, null, '', false])('a next page that is %j is the end', async (next) => {
  expect(await read(() => next)).toMatchObject({ incomplete: null, pages: 1 });
});

test('a list that fails after its first page counts all its requests', async () => {
  expect(await read((cursor) => `${cursor}x`)).toMatchObject({
    error: { class: 'contract' },
    sent: 1000,
    requests: 1000,
  });
});
