import { expect, test } from 'vitest';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { catalogue, endpointNamed } from '../../src/endpoints/catalogue.ts';
import { answerOf, days } from '../support/answers.ts';
import { fixtures } from '../support/fixtures.ts';
import { rowsOf } from './rows-of.ts';

test('share_of_voice drops the period that was only asked for as the previous one', () => {
  const changes = {
    slice: { window: days('2026-03-03', '2026-03-08') },
    asked: days('2026-03-02', '2026-03-08'),
  };
  const rows = fixtures.get('share_of_voice')?.rows['share_of_voice'];
  expect(rowsOf('share_of_voice', changes)).toEqual({ share_of_voice: rows?.slice(1) });
});

test('citation_rank_totals gives NULL when the overall rank is absent', () => {
  expect(rowsOf('citation_rank_totals', { bodies: [{ timeSeries: [] }] })).toEqual({
    citation_totals: [{ overall_average_rank: null }],
  });
});

const SHARE = { date: '2026-03-02', totalResponses: 0, brandMentions: 0, shareOfVoice: null };
const RANKS = {
  date: '2026-03-02',
  totalCitations: 9,
  citationsWithRank: 4,
  averageRank: 2,
  bestRank: 1,
  worstRank: 3,
};

test.each<[string, number, object]>([
  ['share_of_voice', 1, SHARE],
  ['share_of_voice', 0, { ...SHARE, totalResponses: 1 }],
  ['citation_ranks', 1, RANKS],
  ['citation_ranks', 0, { ...RANKS, averageRank: null }],
  ['citation_ranks', 0, { ...RANKS, bestRank: null }],
  ['citation_ranks', 0, { ...RANKS, worstRank: null }],
])('%s takes %i points like %j', (...[name, taken, point]) => {
  const body = name === 'citation_ranks' ? { timeSeries: [point], overallAverageRank: 1 } : [point];
  const { rows, rejects } = readAnswer(endpointNamed(name), answerOf(name, body));
  expect([rows.length, rejects.length]).toEqual([taken, 1 - taken]);
});

test('domain_citation_totals has the total of the first page, not that of the domains asked for by name', () => {
  const page = (domain: string, totalCitations: number): object => ({
    dates: ['2026-03-02'],
    series: [{ domain, data: [1], total: 1, percentage: 50, averageRank: 1 }],
    totalCitations,
  });
  expect(rowsOf('domain_citation_totals', { bodies: [page('a', 8), page('b', 1)] })).toMatchObject({
    domain_citation_totals: [
      { domain: 'a', percentage: 50 },
      { domain: 'b', percentage: null },
    ],
    citation_totals: [{ total_citations: 8 }],
  });
});

test('series and dated lists are daily figures; daily_kpis leaves out brands and domains', () => {
  const daily = catalogue.filter(({ isDaily }) => isDaily).map(({ cut }) => cut.kind);
  expect(new Set(daily)).toEqual(new Set(['series', 'dated']));
  const apart = catalogue.filter(({ hasDailyKpis }) => !hasDailyKpis).map(({ name }) => name);
  expect(apart).toEqual(['brand_visibility', 'domain_citations']);
});
