import { expect, it } from 'vitest';
import {
  commentOf,
  keptApartBy,
  type Meaning,
  meaningSchema,
  sourceOf,
} from '../../src/warehouse/meaning.ts';

it.each<[Meaning, comment: string]>([
  [{ meaning: 'Project id.' }, 'Project id.'],
  [
    { meaning: 'Citations.', adds: 'over days', source: ['GET v1 prompts'] },
    'Citations. Adds up over days. Source: GET v1 prompts.',
  ],
  [{ meaning: 'Share, {unit}.', unit: 'percent', adds: 'never' }, 'Share, percent. Do not sum or average.'],
  [{ meaning: 'Different domains.', adds: 'never', averages: true }, 'Different domains. Do not sum.'],
  [
    { meaning: 'Rank.', adds: 'never', weigh: 'ranked_count' },
    'Rank. Do not sum or average: weigh it by ranked_count.',
  ],
  [
    { meaning: 'Own mentions.', adds: 'not over brands', repeated: true, instead: 'take your own row' },
    'Own mentions. Repeated on every row: do not add over brands: take your own row.',
  ],
  [
    { meaning: 'Share.', adds: 'not over windows', averages: false },
    'Share. Do not add over windows, and do not average.',
  ],
  [{ meaning: 'Difficulty.', averages: false }, 'Difficulty. Do not average.'],
  [
    { meaning: 'Filter of the request.', divides: 'scopes' },
    'Filter of the request. Filter on one; never add or average different scopes.',
  ],
])('the comment of a column is printed from what it means: %o', (meaning, comment) => {
  expect(commentOf(meaningSchema.parse(meaning))).toBe(comment);
});

it('a figure that does not add up over brands is kept apart by the columns of brands', () => {
  expect(keptApartBy({ adds: 'not over brands' })).toContain('brand_id');
  expect(keptApartBy({ adds: 'over brands' })).toEqual([]);
});

it('the source of a figure is the request that it came with', () => {
  expect(sourceOf({ path: '/api/v1/citations/rank-analysis' })).toBe('GET v1 citations/rank-analysis');
  expect(sourceOf({ path: '/api/v2/content/{id}/cms/draft', method: 'POST' })).toBe(
    'POST v2 content/{id}/cms/draft',
  );
});
