import { dayAt, plantYears, type YearPlan } from './planted-worlds.ts';
import { inWorld, type World } from './world.ts';

/** Rates of a proof on simulated years. */
export interface ProofFigures {
  /** Share of shifts of twice the typical change, each the day after an action, that `action_impact` flags. */
  flaggedShifts: number;
  /** Share of the same shifts that have a turning point within 10 days. */
  turningShifts: number;
  /** Share of idle actions that `action_impact` flags. */
  flaggedIdle: number;
  /** Turning points a year where nothing happened. */
  idleTurningPoints: number;
}

const SHIFT_DAYS = [120, 280];
const IDLE_DAYS = Array.from({ length: 17 }, (_, index) => 30 + index * 20);
const FLAGGED = 'select avg(cast(visibility_exceeds_typical as integer)) as n from action_impact';

/** Years of every mix of noise, weekday cycle and slow trend in which nothing happens. */
export function idleYears(count: number): YearPlan[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `year-${String(index).padStart(3, '0')}`,
    noise: 1 + (index % 3),
    weekdays: (index % 4) * 3,
    trend: ((index % 5) - 2) * 4,
    shifts: [],
    actions: IDLE_DAYS,
  }));
}

/** The idle years first; then the same years with shifts of twice what was typical of them. */
export async function prove(plans: readonly YearPlan[]): Promise<ProofFigures> {
  const typical = new Map<string, number>();
  let flaggedIdle = 0;
  let idleTurningPoints = 0;
  await inWorld(async (world) => {
    await plantYears(world, plans);
    const rows = await world.rows(
      'select project_id, typical_change_14_days as typical from typical_changes',
    );
    for (const row of rows) typical.set(String(row['project_id']), Number(row['typical']));
    flaggedIdle = await figure(world, FLAGGED);
    idleTurningPoints = (await figure(world, 'select count(*) as n from turning_points')) / plans.length;
  });
  const shifted = plans.map((plan, index) => ({
    ...plan,
    shifts: SHIFT_DAYS.map((day, place) => ({
      day,
      by: 2 * (typical.get(plan.id) ?? 0) * ((index + place) % 2 === 0 ? 1 : -1),
    })),
    actions: SHIFT_DAYS.map((day) => day - 1),
  }));
  let flaggedShifts = 0;
  let turningShifts = 0;
  await inWorld(async (world) => {
    await plantYears(world, shifted);
    flaggedShifts = await figure(world, FLAGGED);
    const days = SHIFT_DAYS.map((day) => `date '${dayAt(day)}'`).join(', ');
    turningShifts =
      (await figure(
        world,
        `select count(distinct (t.project_id, s.day)) as n
         from turning_points t join (select unnest([${days}]) as day) s on abs(t.date - s.day) <= 10`,
      )) /
      (plans.length * SHIFT_DAYS.length);
  });
  return { flaggedShifts, turningShifts, flaggedIdle, idleTurningPoints };
}

async function figure(world: World, sql: string): Promise<number> {
  return Number((await world.rows(sql))[0]?.['n']);
}
