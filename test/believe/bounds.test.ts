import { expect, test } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { answerOf } from '../support/answers.ts';

const read = (endpoint: string, body: unknown): unknown =>
  readAnswer(endpointNamed(endpoint), answerOf(endpoint, body));
const refusal = (message: RegExp): unknown =>
  expect.objectContaining({
    class: 'contract',
    scope: 'slice',
    message: expect.stringMatching(message) as unknown,
  });

test('a small heatmap that stands for nine million cells fails its slice before they are built', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `m${String(index)}`);
  const body = { models: names, competitors: names.map((name) => ({ name })), matrix: {} };
  const before = process.memoryUsage().heapUsed;
  expect(() => read('competitor_heatmap', body)).toThrow(
    refusal(
      /competitor_heatmap of project project-1 .*more than 200000 entries.*sync\.endpoints\.competitor_heatmap/,
    ),
  );
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(400_000_000);
});

test('more than a thousand refused items fail their slice, counted, with the reason of the first', () => {
  const items = Array.from({ length: 100_000 }, () => ({}));
  expect(() => read('visibility', items)).toThrow(
    refusal(/more than 1000 of 100000 entries were refused.*the first: \[0\]: date: /),
  );
  expect(read('visibility', items.slice(0, 1000))).toMatchObject({ rejects: { length: 1000 } });
});

test('a server that invents a field for every item is two hundred findings of drift', () => {
  const items = Array.from({ length: 1000 }, (_, index) => ({
    date: '2026-03-02',
    value: 1,
    [`f${String(index)}`]: 1,
  }));
  expect(read('visibility', items)).toMatchObject({ drift: { length: 200 } });
});
