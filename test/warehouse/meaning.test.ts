import { expect, it } from 'vitest';
import { keptApartBy, sourceOf } from '../../src/warehouse/meaning.ts';

it('a figure that does not add up over brands is kept apart by the columns of brands', () => {
  expect(keptApartBy({ adds: 'not over brands' })).toContain('brand_id');
  expect(keptApartBy({ adds: 'over brands' })).toEqual([]);
});

it('a source is the version and path of its endpoint, or the path where it has no version', () => {
  expect(sourceOf({ path: '/api/v2/content/gap' })).toBe('GET v2 content/gap');
  expect(sourceOf({ path: '/own/notes' })).toBe('GET /own/notes');
});
