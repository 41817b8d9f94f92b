import { expect, it } from 'vitest';
import { idleYears, prove } from './typical-change-proof.ts';

it('on 120 simulated years, shifts are found and what happens by itself is not taken for news', async () => {
  const figures = await prove(idleYears(120));
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(figures.flaggedShifts).toBeGreaterThanOrEqual(0.9);
  expect(figures.turningShifts).toBeGreaterThanOrEqual(0.9);
  expect(figures.flaggedIdle).toBeLessThanOrEqual(0.1);
  expect(figures.idleTurningPoints).toBeLessThanOrEqual(1);
}, 300_000);
