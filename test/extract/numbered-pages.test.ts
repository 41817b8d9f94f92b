import { describe, expect, it } from 'vitest';
import { prompts } from '../../src/endpoints/prompts.ts';
import { readPages } from '../../src/extract/fetch-slice.ts';
import { items, server, SLICE } from './page-server.ts';
import { refusal } from './rig.ts';

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
      if (requests === 1) return list(['a', 'b'], 2, 2);
      return number === '1' ? list(['a', 'b'], 3, 2) : list(['c'], 3, 2);
    });
    expect(asked).toHaveLength(4);
    expect(bodies).toEqual([list(['a', 'b'], 3, 2), list(['c'], 3, 2)]);
    expect(incomplete).toBeUndefined();
  });

  it.each<[string, number, string, (number: string | undefined, request: number) => unknown]>([
    [
      'has fewer entries than its total',
      2,
      'says that it has 5 entries, and 2 came',
      () => list(['a', 'b'], 5, 1),
    ],
    [
      'has more entries than its total',
      2,
      'says that it has 1 entries, and 2 came',
      () => list(['a', 'b'], 1, 1),
    ],
    [
      'has a total that moves between the pages of every reading',
      8,
      'its total moved from 150 to 149 while its pages were read',
      (number, request) => list(page(items(150), number), 157 - request, 2),
    ],
    [
      'loses entries between two pages',
      6,
      'says that it has 250 entries, and 240 came',
      (number) => list(page(items(250).slice(number === '1' ? 0 : 10), number), 250, 3),
    ],
    [
      'never stands still',
      4,
      'says that it has 2 entries, and 1 came',
      (_number, request) => list([String(request)], 2, 1),
    ],
    ['is the same on each page', 4, 'ignores `page`', () => list(items(100), 250, 3)],
  ])(
    'a list paged by number that %s is incomplete after %i requests',
    async (...[, requests, missing, answer]) => {
      let request = 0;
      const { asked, incomplete } = await read(({ page: number }) => answer(number, (request += 1)));
      expect(asked).toHaveLength(requests);
      expect(incomplete).toContain(missing);
    },
  );

  it('a full page that is the last of totalPages and makes the total full ends a list', async () => {
    const ids = items(200);
    const { asked, incomplete } = await read(({ page: number }) => list(page(ids, number), 200, 2));
    expect(asked.map(({ page: number }) => number)).toEqual(['1', '2']);
    expect(incomplete).toBeUndefined();
  });

  it('pages of the size that the server states end with a shorter one or one without entries', async () => {
    const capped = async (count: number, totalPages: number) => {
      const ids = items(count);
      const { pages, incomplete } = await read(({ page: number }) => ({
        ...(list(ids.slice((Number(number) - 1) * 50).slice(0, 50), count, totalPages) as object),
        size: 50,
      }));
      return [pages.length, incomplete];
    };
    expect(await capped(80, 1)).toEqual([2, undefined]);
    expect(await capped(100, 2)).toEqual([2, undefined]);
    expect(await capped(100, 3)).toEqual([3, undefined]);
  });

  it('a refused page fails its list', async () => {
    const ids = items(100);
    const refused = read(({ page: number }) => {
      if (number === '1') return list(ids, 101, 1);
      throw refusal(404);
    });
    await expect(refused).rejects.toThrow('answered 404');
  });

  it.each<[string, object, string]>([
    ['text', { total: '3' }, '`total`'],
    ['null', { total: null }, '`total`'],
    ['negative', { total: -1 }, '`total`'],
    ['missing', { totalPages: undefined }, '`totalPages`'],
    ['renamed', { total: undefined, totalPages: undefined, total_count: 3 }, '`total` and `totalPages`'],
    ['nested', { total: undefined, totalPages: undefined, meta: { total: 3 } }, '`total` and `totalPages`'],
  ])('paging fields that cannot be read (%s) make a list incomplete', async (_, fields, names) => {
    const ids = items(103);
    const { pages, incomplete } = await read(({ page: number }) => ({
      ...(list(page(ids, number), 103, 2) as object),
      ...fields,
    }));
    expect(pages).toHaveLength(2);
    expect(incomplete).toBe(`${names} cannot be read, so nothing proves that the list is whole`);
  });

  it('a list paged by number with a total beyond its only page is read to its end', async () => {
    const ids = items(250);
    const { pages, asked, incomplete } = await read(({ page: number }) => list(page(ids, number), 250, 1));
    expect(pages).toHaveLength(3);
    expect(asked).toHaveLength(3);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by number that has no end fails after 1,000 pages', async () => {
    const asked: unknown[] = [];
    const endless = read(({ page: number = '' }) => {
      asked.push(number);
      return list([number], 2000, 2000);
    });
    await expect(endless).rejects.toThrow('more than 1000 pages');
    expect(asked).toHaveLength(1000);
  });

  it('a list paged by number is one request where there are no pages at all', async () => {
    expect((await read(() => list([], 0, 0))).asked).toEqual([{ page: '1', size: '100' }]);
  });
});
