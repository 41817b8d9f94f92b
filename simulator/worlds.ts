import { toDay } from '../src/day.ts';
import { hostileWorld } from './hostile-world.ts';
import { demoWorld, emptyWorld, largeWorld, smallWorld } from './plain-worlds.ts';
import type { World, WorldSettings } from './world.ts';

const WORLD_NAMES = ['demo', 'hostile', 'small', 'empty', 'large'] as const;
export type WorldName = (typeof WORLD_NAMES)[number];

export const DEFAULT_SEED = 20_250_101;
export const DEFAULT_FIRST_DAY = toDay('2025-01-01');

/** Builds a fresh world; keys and project ids depend only on its name. */
export function buildWorld(name: WorldName, settings: WorldSettings): World {
  switch (name) {
    case 'demo':
      return demoWorld(settings);
    case 'hostile':
      return hostileWorld(settings);
    case 'small':
      return smallWorld(settings);
    case 'empty':
      return emptyWorld();
    case 'large':
      return largeWorld(settings);
    default:
      return name satisfies never;
  }
}
