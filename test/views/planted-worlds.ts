import { hashText, mix, unit } from '../../simulator/random.ts';
import { addDays, toDay, type Day } from '../../src/day.ts';
import { action, configure, type World } from './world.ts';

export const DAYS = 400;
export const FIRST_DAY = toDay('2025-01-01');

/** What makes up a simulated year of visibility; each part may be left out. */
export interface YearPlan {
  id: string;
  /** Standard deviation of the noise of a day; half of it stays until the next day. */
  noise: number;
  /** Points between the best and the worst weekday. */
  weekdays: number;
  /** Points gained from the first to the last day. */
  trend: number;
  /** Days (counted from the first) on which the level shifts, and by how much. */
  shifts: readonly { day: number; by: number }[];
  /** Days on which an action was completed. */
  actions: readonly number[];
}

const WEEK = [1, 0.9, 1, 0.8, 0.6, 0.1, 0];

/** Values of a simulated year, the same for the same plan. */
function simulateYear({ id, noise, weekdays, trend, shifts }: YearPlan): number[] {
  const seed = hashText(id);
  let carried = 0;
  return Array.from({ length: DAYS }, (_, day) => {
    carried = 0.5 * carried + noise * Math.sqrt(0.75) * normal(mix(seed, day));
    const shift = shifts.reduce((sum, { day: start, by }) => sum + (day >= start ? by : 0), 0);
    return 40 + weekdays * (WEEK[day % 7] ?? 0) + (trend * day) / DAYS + shift + carried;
  });
}

function normal(key: number): number {
  return Math.sqrt(-2 * Math.log(1 - unit(key, 1))) * Math.cos(2 * Math.PI * unit(key, 2));
}

export function dayAt(day: number): Day {
  return addDays(FIRST_DAY, day);
}

/** One project for each year, synced on the day after the last. */
export async function plantYears(world: World, plans: readonly YearPlan[]): Promise<void> {
  await configure(world, dayAt(DAYS));
  for (const plan of plans) {
    const project = { project_id: plan.id, scope_id: plan.id };
    const values = simulateYear(plan);
    await world.insert(
      'core.visibility',
      values.map((visibility, day) => ({ ...project, date: dayAt(day), visibility })),
    );
    if (plan.actions.length === 0) continue;
    await world.insert(
      'core.events',
      plan.actions.map((day) => action(`${plan.id}-${String(day)}`, dayAt(day), { project_id: plan.id })),
    );
  }
}
