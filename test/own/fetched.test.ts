import { expect, test } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { fetchSlice } from '../../src/extract/fetch-slice.ts';
import { declarationSchema } from '../../src/own/declaration.ts';
import { defineOwn } from '../../src/own/define-own.ts';
import { listSlice } from '../../src/slice.ts';

/** What is fetched of a declared list whose server answers the request with each cursor with `bodyOf`. */
async function fetched(words: object, bodyOf: (cursor: string) => unknown) {
  const endpoint = defineOwn(
    declarationSchema('things').parse({ path: '/own/things', rows: 'items', ...words }),
  );
  let sent = 0;
  const get = ({ query = [] }: { query?: readonly (readonly [string, string])[] }) => {
    sent += 1;
    const body = bodyOf(new Map(query).get('cursor') ?? '');
    return Promise.resolve({ status: 200, body, requests: 1, retries: 0, fetchedAt: 0, bytes: 0 });
  };
  const slice = listSlice({ endpoint: 'things', projectId: 'p', scope: 'project', scopeId: 'p' });
  const request = { endpoint, slice, asked: null, limit: null, timezone: 'UTC' };
  const { signal } = new AbortController();
  return await fetchSlice({ get }, { ...request, signal }).then(
    ({ incomplete = null, pages }) => ({ incomplete, pages, sent, error: null }),
    (error: unknown) => ({ incomplete: null, pages: [], sent, error }),
  );
}

/** Reads the list of a server that names, on the page of each cursor, the one after it. */
const read = (next: (cursor: string) => unknown) =>
  fetched({ key: ['id'], pages: 'cursor' }, (id) => ({ items: [{ id }], nextCursor: next(id) }));

test('cursors that lead back to an earlier page end the list as incomplete, after each page once', async () => {
  const circle: Readonly<Record<string, string>> = { '': 'b', b: 'c', c: 'd', d: 'b' };
  expect(await read((cursor) => circle[cursor])).toMatchObject({
    incomplete: 'page 4 names the cursor of an earlier page, so the pages never end',
    pages: { length: 4 },
    sent: 4,
  });
});

test.each([{ after: 2 }, true, ['b'], 'https://a.example/things?page=2'])(
  'a next page that is %j is no cursor, and never the end',
  async (next) => {
    const incomplete = 'page 1 names a next page that cannot be sent as a cursor';
    expect(await read(() => next)).toMatchObject({ incomplete, pages: { length: 1 } });
  },
);

test.each([undefined, null, '', false])('a next page that is %j is the end', async (next) => {
  expect(await read(() => next)).toMatchObject({ incomplete: null, pages: { length: 1 } });
});

test('a list that fails after its first page counts all its requests', async () => {
  const { error, sent } = await read((cursor) => `${cursor}x`);
  expect(error).toBeInstanceOf(AnswerlakeError);
  expect(error).toMatchObject({ class: 'contract', requests: 1000 });
  expect(sent).toBe(1000);
});

const DEEP: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));

test.each(['number', 'offset', 'cursor'])(
  'a key that is nested beyond the stack ends no run: pages by %s',
  async (pages) => {
    const body = { items: [{ deep: DEEP }], total: 1 };
    expect((await fetched({ key: ['deep'], pages }, () => body)).pages).toHaveLength(1);
  },
);

test('what is left out is in no page, and an answer of which it cannot be taken fails alone', async () => {
  const words = { key: ['id'], leave_out: ['note.text'] };
  const itemsOf = (note: unknown) => fetched(words, () => ({ items: [{ id: 'a', note }] }));
  const { pages } = await itemsOf({ text: 'never kept', by: 'x' });
  expect(pages[0]?.body).toEqual({ items: [{ id: 'a', note: { by: 'x' } }] });
  expect((await itemsOf(DEEP)).error).toMatchObject({ class: 'contract', scope: 'slice' });
});
