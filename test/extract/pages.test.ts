import { describe, expect, it } from 'vitest';
import type { Paging } from '../../src/endpoints/endpoint.ts';
import { readPages } from '../../src/extract/fetch-slice.ts';
import { items, server, SLICE } from './page-server.ts';

const OFFSET: Paging = { kind: 'offset' };

describe('a list paged by offset', () => {
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

  it('a list paged by offset ends with its first short page; pages overlap by one entry', async () => {
    const { entries, asked, incomplete } = await read(slice(all));
    expect(asked).toEqual([undefined, '999', '1998']);
    expect([...new Set(entries)]).toEqual(all);
    expect(incomplete).toBeUndefined();
  });

  it.each<[string, (query: Record<string, string>) => unknown, number, number]>([
    ['that is short', () => items(150), 150, 1],
    ['that is empty', () => [], 0, 1],
    ['exactly as long as its limit', slice(items(1000)), 1000, 2],
    ['longer than its limit, of which the server ignores both', () => items(1932), 1932, 2],
  ])('a list paged by offset %s is whole', async (...[, answer, count, requests]) => {
    const { entries, asked, incomplete } = await read(answer);
    expect([...new Set(entries)]).toEqual(items(count));
    expect(asked).toHaveLength(requests);
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by offset that has no end fails after 1,000 pages', async () => {
    let asked = 0;
    const endless = read(({ offset }) => {
      asked += 1;
      return items(2, Number(offset ?? 0));
    }, 2);
    await expect(endless).rejects.toThrow('more than 1000 pages');
    expect(asked).toBe(1000);
  });

  it('a full list paged by offset is incomplete when the server ignores it', async () => {
    const { asked, incomplete } = await read(() => items(1000));
    expect(asked).toHaveLength(4);
    expect(incomplete).toContain('ignores `offset`, so nothing came beyond the first 1000 entries');
  });

  it('a list paged by offset counts in the unit of the limit where a page has more entries than that', async () => {
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

  it('a list paged by offset that loses entries between two pages is read again, and then whole', async () => {
    let requests = 0;
    const { entries, asked, incomplete } = await read(({ offset }) => {
      requests += 1;
      return slice(requests === 1 ? all : all.slice(5))({ offset: offset ?? '0' });
    });
    expect(asked).toEqual([undefined, '999', undefined, '999', '1998']);
    expect([...new Set(entries)]).toEqual(all.slice(5));
    expect(incomplete).toBeUndefined();
  });

  it('a list paged by offset that loses an entry between all pages is incomplete after four readings', async () => {
    let requests = 0;
    const { asked, incomplete } = await read(({ offset }) => {
      requests += 1;
      return slice(all.slice(requests))({ offset: offset ?? '0' });
    });
    expect(asked).toHaveLength(8);
    expect(incomplete).toContain('moved');
  });
});
