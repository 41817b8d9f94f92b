import { configure, days, openWorld, slice, type World } from '../views/world.ts';
import { readExamples } from '../../src/guide/examples.ts';

export const START = '2026-01-05';
export const SYNC_DAY = '2026-06-01';
const COUNT = 140;

/** Rows of a question of the examples. */
export async function answer(world: World, name: string): Promise<Record<string, unknown>[]> {
  const found = readExamples().find((example) => example.name === name);
  return await world.rows(found?.sql ?? '');
}

/** 140 days from a Monday on, each made by a function of its number. */
export async function plant(
  world: World,
  table: string,
  make: (index: number) => Record<string, unknown>,
): Promise<void> {
  await world.insert(
    table,
    days(START, COUNT).map((date, index) => ({ date, ...make(index) })),
  );
}

/** What 7 days differ by and 14 do not: without any noise nothing would be typical. */
export function wave(index: number): number {
  return index % 14 < 7 ? 0.5 : 0;
}

/** A shop that was synced on 1 June. */
export async function openShop(): Promise<World> {
  const world = await openWorld();
  await configure(world, SYNC_DAY);
  await world.insert('core.projects', [{ name: 'Shop' }]);
  await world.insert('meta.slices', [slice('events', `${START}..2026-05-24`, { sync_day: SYNC_DAY })]);
  return world;
}
