import { parentPort, workerData } from 'node:worker_threads';
import type { DemoDays, DemoOrder, DemoWorld } from './demo-api.ts';
import { startSimulator } from './simulator.ts';

let aheadMs = 0;
const now = (): number => Date.now() + aheadMs;
const simulator = await startSimulator({ world: 'demo', ...(workerData as DemoDays), now });

parentPort?.on('message', ({ day, restated }: DemoOrder) => {
  if (day !== undefined) {
    simulator.setToday(day.today);
    ({ aheadMs } = day);
  }
  if (restated !== undefined) simulator.restate(restated);
  parentPort?.postMessage(simulator.planted(), []);
});
const { url, world } = simulator;
parentPort?.postMessage({ url, world } satisfies DemoWorld, []);
