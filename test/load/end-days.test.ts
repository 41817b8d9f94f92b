import { expect, test } from 'vitest';
import { askedPaths } from '../../src/endpoints/asked-path.ts';
import { EndDays } from '../../src/load/end-days.ts';

test('what a path has shown of the end day counts before its folder, and its folder before all others', () => {
  const ends = new EndDays([
    ['visibility', true],
    ['sentiment', true],
    ['share_of_voice', true],
    ['response_sentiment', false],
    ['citation_ranks', false],
    ['events', true],
  ]);
  const left = ends.leavingOut();
  // The same path, and paths of the folders /responses and /citations.
  expect(left).toEqual(
    expect.arrayContaining([
      'response_sentiment',
      'response_summary',
      'competitor_mentions',
      'sentiment_distribution',
      'citation_ranks',
      'citation_rank_totals',
      'llm_sources',
      'domain_citations',
    ]),
  );
  for (const name of ['visibility', 'competitor_heatmap', 'share_of_voice_comparison', 'crawler_top_pages'])
    expect(left, name).not.toContain(name);
  ends.learn('domain_citations', true);
  // One says so and one the other: no majority.
  expect(ends.isLeftOut('llm_sources')).toBe(false);
  expect(ends.isLeftOut('citation_rank_totals')).toBe(true);
});

test('without a sibling in its folder an endpoint follows most other paths', () => {
  const ends = new EndDays([
    ['visibility', false],
    ['sentiment', false],
    ['events', true],
  ]);
  expect(ends.isLeftOut('crawler_top_pages')).toBe(true);
  expect(ends.isLeftOut('events')).toBe(false);
});

test('what is learned of a path holds for the endpoints that the configuration asks there, and for no other', () => {
  const pathOf = askedPaths({
    domain_citation_totals: { path: '/api/v2/citations/domains-over-time' },
    llm_sources: { path: '/api/v2/citations/domains-over-time' },
  });
  const ends = new EndDays([['domain_citations', false]], pathOf);
  expect(ends.shown('domain_citations')).toBe(false);
  expect(ends.shown('domain_citation_totals')).toBeNull();
  expect(ends.alike('domain_citations')).toEqual(['domain_citations']);
  ends.learn('llm_sources', true);
  expect(ends.shown('domain_citation_totals')).toBe(true);
  expect(ends.alike('llm_sources')).toEqual(['domain_citation_totals', 'llm_sources']);
});
