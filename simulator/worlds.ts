import { toDay } from '../src/day.ts';
import { hostileWorld } from './hostile-world.ts';
import { demoWorld, emptyWorld, largeWorld, smallWorld } from './plain-worlds.ts';
import type { World, WorldSettings } from './world.ts';

const WORLDS = {
  demo: demoWorld,
  hostile: hostileWorld,
  small: smallWorld,
  empty: emptyWorld,
  large: largeWorld,
};
export type WorldName = keyof typeof WORLDS;

export const DEFAULT_SEED = 20_250_101;
export const DEFAULT_FIRST_DAY = toDay('2025-01-01');

/** Builds a fresh world; keys and project ids depend only on its name. */
export function buildWorld(name: WorldName, settings: WorldSettings): World {
  return WORLDS[name](settings);
}
