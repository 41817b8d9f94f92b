import { expect, test } from 'vitest';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import { TableRows } from '../../src/endpoints/table-rows.ts';
import { answerOf, listed } from '../support/answers.ts';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { promptBody } from '../fixtures/prompt.ts';

const MONITORS = { keyColumns: 1, lastKnown: ['name'] };

test('rows of a side table are one a thing: the last one, with the last known name', () => {
  const rows = new TableRows('monitors', ['monitor_id', 'name'], MONITORS);
  for (const [id, name] of [
    ['m', 'Old'],
    ['n', null],
    ['m', 'New'],
    ['m', null],
    ['n', 'First'],
  ] as const)
    rows.add([id, name]);
  expect(rows.all()).toEqual([
    { monitor_id: 'm', name: 'New' },
    { monitor_id: 'n', name: 'First' },
  ]);
});

test('rows of a side table are told apart by their whole key, and null replaces a value that is not a name', () => {
  const rows = new TableRows('prompt_snapshots', ['date', 'prompt_id', 'volume'], {
    keyColumns: 2,
    lastKnown: [],
  });
  for (const [date, id, volume] of [
    ['1', 'p', 1],
    ['1', 'q', 2],
    ['2', 'p', 3],
    ['1', 'p', null],
  ] as const)
    rows.add([date, id, volume]);
  expect(rows.all().map((row) => Object.values(row).join(' '))).toEqual(['1 p ', '1 q 2', '2 p 3']);
});

test('a prompt that comes twice has two rows of its own, and one of each side table', () => {
  const body = { prompts: [promptBody, promptBody], total: 2, page: 1, size: 100, totalPages: 1 };
  const { rows } = readAnswer(endpointNamed('prompts'), answerOf('prompts', body));
  expect(listed(rows).map(({ table }) => table)).toEqual([
    'prompts',
    'prompts',
    'prompt_snapshots',
    'monitors',
  ]);
});
