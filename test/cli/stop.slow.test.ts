import { expect, it } from 'vitest';
import { startProgram } from '../support/program.ts';
import { openSmallWorld } from './small-world.ts';

const POINTS = 199_000;

it.for([
  ['valid', { date: '2025-02-01T00:00:00Z', value: 1 }],
  ['refused', { date: 'never', value: 'none' }],
] as const)(
  'a sync in the middle of huge answers of %s points ends within 5 s of SIGTERM',
  async ([, point]) => {
    const asked: string[] = [];
    const huge = Array.from({ length: POINTS }, (_, index) => ({ ...point, note: index }));
    const world = await openSmallWorld();
    for (const path of ['/visibility-time-series', '/sentiment-time-series'])
      world.simulator.override(path, () => {
        asked.push(path);
        return { status: 200, body: huge };
      });
    const { child, ended } = startProgram(['sync', '--quiet', '--config', world.config], {
      cwd: world.folder,
      env: world.env,
    });
    const started = performance.now();
    while (asked.length < 6 && performance.now() - started < 60_000)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const stoppedAt = performance.now();
    child.kill('SIGTERM');
    const { code, signal, atMs } = await ended;
    expect({ code, signal }).toEqual({ code: 143, signal: null });
    expect(atMs - stoppedAt).toBeLessThan(5000);
  },
);
