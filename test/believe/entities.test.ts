import { expect, test } from 'vitest';
import { mergeEntities } from '../../src/believe/read-answer.ts';
import { endpointNamed } from '../../src/endpoints/catalogue.ts';
import type { OutputRow, Row } from '../../src/endpoints/table.ts';

const merged = (rows: readonly OutputRow[], endpoint = 'prompts'): readonly OutputRow[] =>
  mergeEntities(endpointNamed(endpoint), rows);
const rowOf = (table: string, values: Row): OutputRow => ({ table, values });
const monitor = (id: string, name: string | null): OutputRow => rowOf('monitors', { monitor_id: id, name });
const snapshot = (date: string, id: string, volume: number | null): OutputRow =>
  rowOf('prompt_snapshots', { date, prompt_id: id, volume });

test('rows of side tables are one a thing, behind the others: the last one, with the last known name', () => {
  const prompt = rowOf('prompts', { prompt_id: 'p' });
  const rows = [
    monitor('m', 'Old'),
    prompt,
    monitor('n', null),
    monitor('m', 'New'),
    prompt,
    monitor('m', null),
    monitor('n', 'First'),
  ];
  expect(merged(rows)).toEqual([prompt, prompt, monitor('m', 'New'), monitor('n', 'First')]);
});

test('rows of side tables are told apart by their whole key, and null replaces a value that is not a name', () => {
  const [a, b, c] = [snapshot('1', 'p', 1), snapshot('1', 'q', 2), snapshot('2', 'p', 3)];
  expect(merged([a, b, c, snapshot('1', 'p', null)])).toEqual([snapshot('1', 'p', null), b, c]);
});

test('rows stay as they are when the endpoint has no side table that keeps missing rows', () => {
  const rows = [rowOf('visibility', { date: '1' }), rowOf('visibility', { date: '1' })];
  expect(merged(rows, 'visibility')).toBe(rows);
  const prompts = [rowOf('event_prompts', { event_id: 'e', prompt_id: 'p' })];
  expect(merged([...prompts, ...prompts], 'events')).toEqual([...prompts, ...prompts]);
  const removed = [
    rowOf('prompts', { prompt_id: 'p', removed_at: null }),
    rowOf('prompts', { prompt_id: 'p', removed_at: 1 }),
  ];
  expect(merged(removed, 'prompt')).toEqual(removed);
});
