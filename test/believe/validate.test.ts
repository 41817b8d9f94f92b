import { expect, test } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { readAnswer, type ValidatedAnswer } from '../../src/believe/read-answer.ts';
import { answerOf, days, type AnswerChanges } from '../support/answers.ts';

function read(endpoint: string, body: unknown, changes: AnswerChanges = {}): ValidatedAnswer {
  return readAnswer(endpointNamed(endpoint), answerOf(endpoint, body, changes));
}

const datesOf = ({ rows }: ValidatedAnswer): unknown[] => rows.map(({ values }) => values['date']);

test('a reject says where, why and what, and its neighbours load', () => {
  const good = { date: '2026-03-02', value: 1 };
  const answer = read('visibility', [good, { date: 'soon', value: '7' }, { ...good, date: '2026-03-03' }]);
  expect(datesOf(answer)).toEqual(['2026-03-02', '2026-03-03']);
  expect(answer.rejects).toHaveLength(1);
  expect(answer.rejects[0]).toMatchObject({ path: '[1]', row: '{"date":"soon","value":"7"}' });
  expect(answer.rejects[0]?.reason).toMatch(/date: not a date; value: .*expected number, received string/);
});

test('a reject is a whole series whose data is not as long as its dates', () => {
  const series = [
    { domain: 'a.example', data: [1], total: 1, percentage: 50 },
    { domain: 'b.example', data: [1, 2], total: 3, percentage: 50 },
  ];
  const body = { dates: ['2026-03-02', '2026-03-03'], series, totalCitations: 4 };
  const answer = read('domain_citations', body);
  expect(answer.rows.map(({ values }) => values['domain'])).toEqual(['b.example', 'b.example']);
  expect(answer.rejects).toMatchObject([{ path: 'series[0]', reason: '1 data points for 2 dates' }]);
});

test('a reject names its page when there are several', () => {
  const page = (prompts: unknown[]): unknown => ({ prompts, total: 1, page: 1, size: 100, totalPages: 2 });
  const answer = read('prompts', null, { bodies: [page([]), page([{ id: 'p' }])] });
  expect(answer.rejects.map(({ path }) => path)).toEqual(['page 2: prompts[0]']);
});

test('a reject is a count that is infinite or not a whole number', () => {
  const point = (value: number): unknown => ({
    date: '2026-03-02',
    positive: value,
    negative: 0,
    neutral: 0,
    unknown: 0,
  });
  const answer = read('response_sentiment', [point(0.5), point(Infinity), point(2 ** 60)]);
  expect([answer.rows, answer.rejects.length]).toEqual([[], 3]);
});

test.each([
  ['visibility', { data: [] }, /visibility of project project-1 .*does not have the documented shape/],
  ['prompts', [], /documented shape/],
  ['events', { events: null, total: 0, totalPages: 0 }, /events: .*expected array/],
  ['validate', { valid: false, message: 'no' }, /valid/],
  ['response_summary', [], /documented shape/],
])('an answer is refused as a whole when the envelope of %s does not fit', (endpoint, body, message) => {
  expect(() => read(endpoint, body)).toThrow(
    expect.objectContaining({ class: 'contract', scope: 'slice', message: expect.stringMatching(message) }),
  );
});

test('an answer is refused as a whole when a row is dated outside the days asked for', () => {
  const rows = [
    { date: '2026-03-02', value: 1 },
    { date: '2026-03-09', value: 1 },
  ];
  expect(() => read('visibility', rows)).toThrow(
    /window ignored: asked for 2026-03-02\.\.2026-03-08, got a row of 2026-03-09; .*sync\.endpoints\.visibility\.parameters/,
  );
  expect(() => read('visibility', [{ date: '2026-03-01', value: 1 }])).toThrow(/window ignored/);
});

test('an answer is refused as a whole when an event is dated outside the days asked for', () => {
  const items = [
    {
      type: 'action',
      occurredAt: '2026-01-01T00:00:00Z',
      action: { id: 'a', type: 'CUSTOM', status: 'done', title: '' },
    },
  ];
  const body = { events: [{ date: '2026-01-01', items }], total: 1, totalPages: 1 };
  expect(() => read('events', body)).toThrow(/window ignored/);
});

test('the window lets a weekly bucket carry a start before it, and leaves that bucket to the window before', () => {
  const body = [
    { date: '2026-03-01', value: 1 },
    { date: '2026-03-08', value: 2 },
  ];
  const weeks = { slice: { grain: 'week', window: days('2026-03-02', '2026-03-15') } } as const;
  expect(datesOf(read('visibility', body, weeks))).toEqual(['2026-03-08']);
  expect(() => read('visibility', [{ date: '2026-02-23', value: 1 }], weeks)).toThrow(/window ignored/);
});

test('the window leaves out the lead period and the extra day after the end', () => {
  const body = ['2026-03-01', '2026-03-02', '2026-03-08', '2026-03-09'].map((date) => ({
    date,
    totalResponses: 1,
    brandMentions: 0,
    shareOfVoice: 0,
  }));
  const answer = read('share_of_voice', body, { asked: days('2026-03-01', '2026-03-09') });
  expect(datesOf(answer)).toEqual(['2026-03-02', '2026-03-08']);
});

test('the window files a date-time with an offset under its UTC day', () => {
  expect(datesOf(read('visibility', [{ date: '2026-03-03T01:00:00+02:00', value: 1 }]))).toEqual([
    '2026-03-02',
  ]);
});

test('an answer is empty only without rows and without rejects', () => {
  expect(read('visibility', [])).toMatchObject({ isEmpty: true });
  expect(read('visibility', [{}])).toMatchObject({ isEmpty: false });
});

test.each([
  ['crawler_requests', { dates: [], series: [] }, { dates: ['2026-03-02'], series: [] }],
  ['visitor_visits', { dates: [], series: [] }, { dates: ['2026-03-02'], series: [] }],
  ['crawler_top_pages', [], [{ request_path: '/', requests: 0, unique_crawlers: 0, crawlers: [] }]],
])('an answer is not enabled when %s has nothing at all', (endpoint, nothing, something) => {
  expect(read(endpoint, nothing)).toMatchObject({ isNotEnabled: true, isEmpty: true });
  expect(read(endpoint, something)).toMatchObject({ isNotEnabled: false });
});

test('an answer is truncated when its list is as long as the limit', () => {
  const source = { llm: 'm', totalCitations: 1, uniqueDomains: 1, uniquePrompts: 1 };
  const sources = (count: number): unknown =>
    Array.from({ length: count }, (_, n) => ({ ...source, llm: `m${n}` }));
  expect(read('llm_sources', sources(99))).toMatchObject({ isTruncated: false });
  expect(read('llm_sources', sources(100))).toMatchObject({ isTruncated: true });
  expect(read('llm_sources', sources(100), { limit: null })).toMatchObject({ isTruncated: false });
});

test('a monitor keeps the name that one of its prompts gives', () => {
  const prompt = (id: string, name: string | null): unknown => ({
    id,
    prompt: 'p',
    amountOfResponses: 0,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    llmMonitor: { id: 'm', name },
  });
  const body = {
    prompts: [prompt('a', 'Old'), prompt('b', 'New'), prompt('c', null)],
    total: 3,
    totalPages: 1,
  };
  const monitors = read('prompts', body).rows.filter(({ table }) => table === 'monitors');
  expect(monitors.map(({ values }) => values)).toEqual([{ monitor_id: 'm', name: 'New' }]);
});
