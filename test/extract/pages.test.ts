import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Paging, Parameter } from '../../src/endpoints/endpoint.ts';
import { prompts } from '../../src/endpoints/prompts.ts';
import { readPages } from '../../src/extract/pages.ts';
import { listSlice, type AnswerPage } from '../../src/slice.ts';

const SLICE = listSlice({ endpoint: 'brand_visibility', projectId: 'p', scope: 'project', scopeId: 'p' });

const OFFSET: Paging = {
  kind: 'offset',
  list: (body) => z.array(z.unknown()).parse(body),
  looksWhole: () => false,
};

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
  const all = items(2300);
  const read = async (answer: (query: Record<string, string>) => unknown, limit = 1000) => {
    const { getPage, asked } = server(answer);
    const { pages, incomplete } = await readPages(getPage, { paging: OFFSET, limit, slice: SLICE });
    return {
      entries: pages.flatMap(({ body }) => body),
      asked: asked.map(({ offset }) => offset),
      incomplete,
    };
  };
  const slice =
    (list: readonly string[], most = 1000) =>
    ({ offset }: Record<string, string>): unknown =>
      list.slice(Number(offset ?? 0)).slice(0, most);

  it('a list paged by limit and offset ends with its first short page; each page begins with the last entry of the one before', async () => {
    const { entries, asked, incomplete } = await read(slice(all));
    expect(asked).toEqual([undefined, '999', '1998']);
    expect([...new Set(entries)]).toEqual(all);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by limit and offset is one request where the list is short and of no round length', async () => {
    expect((await read(() => items(168))).asked).toHaveLength(1);
  });

  it('a list paged by limit and offset is two requests where the list is exactly as long as its limit', async () => {
    const { entries, asked, incomplete } = await read(slice(items(1000)));
    expect(asked).toEqual([undefined, '999']);
    expect(entries).toEqual(items(1000));
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by limit and offset goes on behind a cap of the server below our limit', async () => {
    const { entries, incomplete } = await read(slice(items(230), 100));
    expect([...new Set(entries)]).toEqual(items(230));
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by limit and offset that is full and whose offset the server ignores is incomplete', async () => {
    const { entries, asked, incomplete } = await read(() => items(1000));
    expect(entries).toHaveLength(1000);
    expect(asked).toHaveLength(4);
    expect(incomplete).toContain('ignores `offset`');
  });

  it('a list paged by limit and offset of a round length below its limit is incomplete when the server ignores the offset: it may have been cut', async () => {
    const { entries, asked, incomplete } = await read(() => items(150));
    expect(entries).toHaveLength(150);
    expect(asked).toHaveLength(4);
    expect(incomplete).toContain('ignores `offset`, so nothing came beyond the first 150 entries');
  });

  it('a list paged by limit and offset of a round length below its limit is whole when nothing seems to be cut off', async () => {
    const { getPage, asked } = server(() => items(150));
    const paging = { ...OFFSET, looksWhole: () => true };
    const { incomplete } = await readPages(getPage, { paging, limit: 1000, slice: SLICE });
    expect(asked).toHaveLength(2);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by limit and offset of a round length below its limit is whole when the next page has its last entry alone', async () => {
    const { entries, asked, incomplete } = await read(slice(items(150)));
    expect(entries).toEqual(items(150));
    expect(asked).toEqual([undefined, '149']);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by limit and offset whose last offsets are all taken for one is incomplete', async () => {
    const { asked, incomplete } = await read(({ offset }) =>
      slice(items(400), 100)({ offset: String(Math.min(Number(offset ?? 0), 99)) }),
    );
    expect(asked).toHaveLength(6);
    expect(incomplete).toContain('ignores `offset`, so nothing came beyond the first 199 entries');
  });

  it('a list paged by limit and offset longer than its limit is whole although the server ignores both', async () => {
    const { entries, asked, incomplete } = await read(() => items(1932));
    expect(entries).toHaveLength(1932);
    expect(asked).toEqual([undefined, '999']);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by limit and offset counts in the unit of the limit where a page has more entries than that', async () => {
    const daysOf = (brand: number): string[] =>
      ['1', '2', '3'].map((day) => `brand ${String(brand)} day ${day}`);
    const brands = Array.from({ length: 14 }, (_, brand) => daysOf(brand));
    const { entries, asked, incomplete } = await read(
      ({ offset }) => brands.slice(Number(offset ?? 0), Number(offset ?? 0) + 10).flat(),
      10,
    );
    expect(asked).toEqual([undefined, '9', '18']);
    expect([...new Set(entries)]).toEqual(brands.flat());
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by limit and offset that loses entries between two pages is read again, and then whole', async () => {
    let requests = 0;
    const { entries, asked, incomplete } = await read(({ offset }) => {
      requests += 1;
      return slice(requests === 1 ? all : all.slice(5))({ offset: offset ?? '0' });
    });
    expect(asked).toEqual([undefined, '999', undefined, '999', '1998']);
    expect([...new Set(entries)]).toEqual(all.slice(5));
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by limit and offset that loses an entry between all pages is incomplete after four readings', async () => {
    let requests = 0;
    const { asked, incomplete } = await read(({ offset }) => {
      requests += 1;
      return slice(all.slice(requests))({ offset: offset ?? '0' });
    });
    expect(asked).toHaveLength(8);
    expect(incomplete).toContain('moved');
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
  const read = async (answer: (query: Record<string, string>) => unknown) => {
    const { getPage, asked } = server(answer);
    const paged = await readPages(getPage, { paging: prompts.paging, limit: null, slice: SLICE });
    return { ...paged, bodies: paged.pages.map(({ body }) => body), asked };
  };
  const page = (ids: readonly string[], number: string | undefined): string[] =>
    ids.slice((Number(number) - 1) * 100).slice(0, 100);

  it('a list paged by number is read once more when its total changes between pages', async () => {
    let requests = 0;
    const { bodies, asked, incomplete } = await read(({ page: number }) => {
      requests += 1;
      if (requests === 1) return list(['a'], 2, 2);
      return number === '1' ? list(['a', 'b'], 3, 2) : list(['c'], 3, 2);
    });
    expect(asked).toHaveLength(4);
    expect(bodies).toEqual([list(['a', 'b'], 3, 2), list(['c'], 3, 2)]);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by number with fewer entries than its total is incomplete when it stands still', async () => {
    const { asked, incomplete } = await read(() => list(['a', 'b'], 5, 1));
    expect(asked).toHaveLength(2);
    expect(incomplete).toBe('the list says that it has 5 entries, and 2 came');
  });

  it('a list paged by number with more entries than its total is whole when it stands still', async () => {
    const { asked, incomplete } = await read(() => list(['a', 'b'], 1, 1));
    expect(asked).toHaveLength(2);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by number whose `page` the server ignores is incomplete', async () => {
    const { pages, asked, incomplete } = await read(() => list(items(100), 250, 3));
    expect(pages).toHaveLength(1);
    expect(asked).toHaveLength(4);
    expect(incomplete).toContain('ignores `page`');
  });

  it('a list paged by number with a total beyond its only page is read to its end', async () => {
    const ids = items(250);
    const { pages, asked, incomplete } = await read(({ page: number }) => list(page(ids, number), 250, 1));
    expect(pages).toHaveLength(3);
    expect(asked).toHaveLength(3);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by number that loses entries between two pages is incomplete when its total does not say so', async () => {
    const ids = items(250);
    const { incomplete } = await read(({ page: number }) =>
      list(page(number === '1' ? ids : ids.slice(10), number), 250, 3),
    );
    expect(incomplete).toBe('the list says that it has 250 entries, and 240 came');
  });

  it('a list paged by number that never stands still is incomplete', async () => {
    let requests = 0;
    const { incomplete } = await read(() => {
      requests += 1;
      return list([String(requests)], 2, 1);
    });
    expect(incomplete).toBe('the list says that it has 2 entries, and 1 came');
    expect(requests).toBe(4);
  });

  it('a list paged by number is one request where there are no pages at all', async () => {
    expect((await read(() => list([], 0, 0))).asked).toEqual([{ page: '1', size: '100' }]);
  });
});
