import { known } from './known.ts';
import { hashText, mix, pick, unit, uuidOf } from './random.ts';
import { ACTION_TYPES, ACTIONS, type ActionType } from './texts.ts';
import type { WorldProject } from './world.ts';

export interface CompletedAction {
  id: string;
  type: ActionType;
  title: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  /** Index of the monitor whose filter finds it. */
  monitor: number;
  /** Log-odds that it adds at its peak. */
  lift: number;
}

const DAY_MS = 86_400_000;
const LIFT_DAYS = 200;

/** The completed actions of a project by day, and their effect on its visibility. */
export interface ActionHistory {
  /** Sorted by `occurredAt`. */
  on(dayNumber: number): readonly CompletedAction[];
  /** Log-odds that the actions of the past 200 days add on this day. */
  lift(dayNumber: number): number;
}

export function createActionHistory(project: WorldProject, seed: number, firstDay: number): ActionHistory {
  const own = mix(seed, hashText(`${project.id}/actions`));
  const days = new Map<number, readonly CompletedAction[]>();
  const lifts = new Map<number, number>();

  function make(dayNumber: number, index: number): CompletedAction {
    const key = mix(mix(own, dayNumber), index);
    const type = pick(ACTION_TYPES, unit(key, 1));
    const topic = pick(project.actionTitles, unit(key, 2));
    const big = unit(key, 3) < 0.2;
    return {
      id: uuidOf(`${project.id}/action/${dayNumber}/${index}`),
      type,
      title: pick(ACTIONS[type].titles, unit(key, 4)).replace('{topic}', topic),
      occurredAt: dayNumber * DAY_MS + Math.floor(unit(key, 5) * DAY_MS),
      monitor: Math.floor(unit(key, 6) * project.monitors.length),
      lift: ACTIONS[type].weight * (big ? 1 : 0.08) * project.actionEffect,
    };
  }

  function on(dayNumber: number): readonly CompletedAction[] {
    if (dayNumber < firstDay) return [];
    return known(days, dayNumber, () => {
      const weekend = (dayNumber + 3) % 7 > 4;
      const mean = project.actionsPerDay * (weekend ? 0.5 : 1.2);
      const length = Math.floor(mean + unit(own, dayNumber));
      const actions = Array.from({ length }, (_, index) => make(dayNumber, index));
      return actions.sort((a, b) => a.occurredAt - b.occurredAt);
    });
  }

  return {
    on,
    lift: (dayNumber) =>
      known(lifts, dayNumber, () => {
        let lift = 0;
        for (let age = 1; age <= LIFT_DAYS; age += 1) {
          const shape = Math.min(1, age / 9) * Math.exp(-age / 70);
          for (const action of on(dayNumber - age)) lift += action.lift * shape;
        }
        return lift;
      }),
  };
}
