import { expect, it } from 'vitest';
import { keptApartBy } from '../../src/warehouse/meaning.ts';

it('a figure that does not add up over brands is kept apart by the columns of brands', () => {
  expect(keptApartBy({ adds: 'not over brands' })).toContain('brand_id');
  expect(keptApartBy({ adds: 'over brands' })).toEqual([]);
});
