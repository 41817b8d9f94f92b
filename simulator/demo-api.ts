import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Day } from '../src/day.ts';
import { PACKAGE_ROOT } from '../src/files.ts';
import type { RestateOptions, Simulator } from './simulator.ts';

/** The newest day with data, and the first one. */
export type DemoDays = Record<'today' | 'firstDay', Day>;
export type DemoWorld = Pick<Simulator, 'url' | 'world'>;

/** What the thread does before it returns the planted effects. */
export interface DemoOrder {
  /** The newest day, and by how much the API's clock is ahead of that of this machine. */
  day?: { today: Day; aheadMs: number };
  restated?: RestateOptions;
}

/** The simulator of the demo world in a thread of its own, so that it answers while a sync works. */
export async function openDemoApi(days: DemoDays) {
  // Built, because a thread does not run TypeScript.
  const thread = new Worker(join(PACKAGE_ROOT, 'dist', 'simulator', 'demo-thread.js'), { workerData: days });
  const answer = async (): Promise<unknown> => (await once(thread, 'message'))[0];
  const { url, world } = (await answer()) as DemoWorld;
  return {
    url,
    world,
    /** Returns once it is done, with the planted effects. See `Simulator`. */
    order: async (order: DemoOrder): Promise<ReturnType<Simulator['planted']>> => {
      thread.postMessage(order, []);
      return (await answer()) as ReturnType<Simulator['planted']>;
    },
    [Symbol.asyncDispose]: async () => void (await thread.terminate()),
  };
}
