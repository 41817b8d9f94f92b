import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Paging, Parameter } from '../../src/endpoints/endpoint.ts';
import { prompts } from '../../src/endpoints/prompts.ts';
import { readPages } from '../../src/extract/pages.ts';
import { listSlice, type AnswerPage } from '../../src/slice.ts';

const SLICE = listSlice({ endpoint: 'brand_visibility', projectId: 'p', scope: 'project', scopeId: 'p' });

const OFFSET: Paging = { kind: 'offset', list: (body) => z.array(z.unknown()).parse(body) };

/** A server that answers each request with what `answer` says, and remembers the requests. */
function server(answer: (query: Record<string, string>) => unknown): {
  getPage: (page: number, paging: readonly Parameter[]) => Promise<AnswerPage>;
  asked: Record<string, string>[];
} {
  const asked: Record<string, string>[] = [];
  return {
    asked,
    getPage: async (page, paging) => {
      const query = Object.fromEntries(paging);
      asked.push(query);
      return await Promise.resolve({ page, status: 200, fetchedAt: 0, body: answer(query) });
    },
  };
}

const items = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `item ${String(from + index)}`);

describe('a list paged by limit and offset', () => {
  it('ends with its first short page', async () => {
    const all = items(2300);
    const { getPage, asked } = server(({ offset }) => all.slice(Number(offset ?? 0)).slice(0, 1000));
    const pages = await readPages(getPage, { paging: OFFSET, limit: 1000, slice: SLICE });
    expect(asked).toEqual([{}, { offset: '1000' }, { offset: '2000' }, { offset: '2300' }]);
    expect(pages.flatMap(({ body }) => body)).toEqual(all);
  });

  it('is one request where the list is short and of no round length', async () => {
    const { getPage, asked } = server(() => items(168));
    await readPages(getPage, { paging: OFFSET, limit: 1000, slice: SLICE });
    expect(asked).toHaveLength(1);
  });

  it('goes on behind a cap of the server below our limit', async () => {
    const all = items(230);
    const { getPage } = server(({ offset }) => all.slice(Number(offset ?? 0)).slice(0, 100));
    const pages = await readPages(getPage, { paging: OFFSET, limit: 1000, slice: SLICE });
    expect(pages.flatMap(({ body }) => body)).toEqual(all);
  });

  it('ends where the server ignores the offset', async () => {
    const { getPage, asked } = server(() => items(1000));
    const pages = await readPages(getPage, { paging: OFFSET, limit: 1000, slice: SLICE });
    expect(pages).toHaveLength(1);
    expect(asked).toHaveLength(2);
  });

  it('counts in the unit of the limit where a page has more items than that', async () => {
    const { getPage, asked } = server(({ offset }) => (offset === undefined ? items(30) : []));
    await readPages(getPage, { paging: OFFSET, limit: 10, slice: SLICE });
    expect(asked).toEqual([{}, { offset: '10' }]);
  });
});

describe('a list paged by number', () => {
  const list = (ids: readonly string[], total: number, totalPages: number): unknown => ({
    prompts: ids.map((id) => ({ id })),
    total,
    page: 1,
    size: 100,
    totalPages,
  });

  it('is read once more when its total changes between pages', async () => {
    let requests = 0;
    const { getPage, asked } = server(({ page }) => {
      requests += 1;
      if (requests === 1) return list(['a'], 2, 2);
      return page === '1' ? list(['a', 'b'], 3, 2) : list(['c'], 3, 2);
    });
    const pages = await readPages(getPage, { paging: prompts.paging, limit: null, slice: SLICE });
    expect(asked).toHaveLength(4);
    expect(pages.map(({ body }) => body)).toEqual([list(['a', 'b'], 3, 2), list(['c'], 3, 2)]);
  });

  it('is believed when it stands still although its own count is off', async () => {
    const { getPage, asked } = server(() => list(['a', 'b'], 5, 1));
    await readPages(getPage, { paging: prompts.paging, limit: null, slice: SLICE });
    expect(asked).toHaveLength(2);
  });

  it('fails when it never stands still', async () => {
    let requests = 0;
    const { getPage } = server(() => {
      requests += 1;
      return list([String(requests)], 2, 1);
    });
    await expect(
      readPages(getPage, { paging: prompts.paging, limit: null, slice: SLICE }),
    ).rejects.toMatchObject({ class: 'contract', scope: 'slice' });
    expect(requests).toBe(4);
  });

  it('is one request where there are no pages at all', async () => {
    const { getPage, asked } = server(() => list([], 0, 0));
    await readPages(getPage, { paging: prompts.paging, limit: null, slice: SLICE });
    expect(asked).toEqual([{ page: '1', size: '100' }]);
  });
});
