import { expect, it } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { start, truth } from './ask.ts';

interface Item {
  type: string;
  occurredAt: string;
  action?: { id: string; type: string; status: string; title: string };
  monitor?: { id: string; name: string | null };
  prompts?: { id: string; occurredAt: string }[];
}
interface Page {
  events: { date: string; items: Item[] }[];
  total: number;
  page: number;
  size: number;
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

it('the simulated event list sorts days and the items of a day, in exactly two shapes', async () => {
  await using simulator = await start({ world: 'hostile' });
  const { events } = page(simulator);
  const dates = events.map(({ date }) => date);
  expect(dates).toEqual([...new Set(dates)].sort());
  for (const { date, items } of events) {
    expect(items.map(({ occurredAt }) => occurredAt)).toEqual(
      items.map(({ occurredAt }) => occurredAt).sort(),
    );
    for (const item of items) {
      expect(item.occurredAt.slice(0, 10)).toBe(date);
      const fields = [item, item.action ?? {}].map((one) => Object.keys(one).sort());
      const shapes = [
        [
          ['action', 'occurredAt', 'type'],
          ['id', 'status', 'title', 'type'],
        ],
        [['monitor', 'occurredAt', 'prompts', 'type'], []],
      ];
      expect(fields).toEqual(shapes[item.type === 'action' ? 0 : 1]);
      expect(item.prompts?.[0]?.occurredAt ?? item.occurredAt).toBe(item.occurredAt);
    }
  }
});
