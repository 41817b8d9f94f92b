import { expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { start, truth } from './ask.ts';

interface Item {
  type: string;
  action?: { id: string };
}
interface Page {
  events: { items: Item[] }[];
  total: number;
  totalPages: number;
}
const WINDOW = { startDate: '2025-07-03', endDate: '2025-09-30' };

function page(simulator: Simulator, query: Record<string, string> = {}): Page {
  return truth(simulator, '/api/v2/events', { ...WINDOW, ...query });
}
const itemsOf = ({ events }: Page): Item[] => events.flatMap(({ items }) => items);
const groupsOf = (one: Page): Item[] => itemsOf(one).filter(({ type }) => type !== 'action');
const actionsOf = (one: Page): Item[] => itemsOf(one).filter(({ type }) => type === 'action');

it('the simulated event list pages over actions in three pages and repeats the prompt groups on each', async () => {
  await using simulator = await start({ world: 'hostile' });
  const pages = ['1', '2', '3'].map((number) => page(simulator, { page: number }));
  const [first] = pages;
  if (first === undefined) throw new Error('no page');
  expect(first.total).toBeGreaterThan(400);
  expect(first.totalPages).toBe(3);
  expect(groupsOf(first).length).toBeGreaterThan(2);
  for (const one of pages) expect(groupsOf(one)).toEqual(groupsOf(first));
  const ids = pages.flatMap(actionsOf).map(({ action }) => action?.id);
  expect(ids).toHaveLength(first.total);
  expect(new Set(ids).size).toBe(first.total);
  expect(actionsOf(page(simulator, { page: '4' }))).toEqual([]);
});
