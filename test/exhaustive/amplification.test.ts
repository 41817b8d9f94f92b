import { expect, it } from 'vitest';
import { contentHashes } from '../support/content-hash.ts';
import { openRig, type RigOptions } from '../flow/rig.ts';
import { parseFaults } from '../../simulator/faults.ts';
import { recordFigure } from './figures.ts';

const MOST = 1.15;
const SEEDS = [1, 2, 3];
const OPTIONS: RigOptions = { world: 'demo', today: '2026-07-14', startDate: '2026-05-01' };

it('ten percent of errors cost at most fifteen percent of requests', async () => {
  const hashes = await reference();
  let needed = 0;
  let sent = 0;
  const violations: string[] = [];
  for (const seed of SEEDS) {
    await using rig = await openRig({
      ...OPTIONS,
      faults: parseFaults('500:0.04,reset:0.03,503:0.01,cut:0.02', seed),
    });
    const report = await rig.sync();
    needed += report.requests - report.retries;
    sent += report.requests;
    if (report.exit_code !== 0) violations.push(`seed ${String(seed)}: exit ${String(report.exit_code)}`);
    const found = await contentHashes(rig.config.warehouse.path);
    const different = Object.keys(hashes).filter((table) => hashes[table] !== found[table]);
    if (different.length > 0) violations.push(`seed ${String(seed)}: ${different.join(', ')} differ`);
  }
  const ratio = sent / needed;
  if (ratio > MOST) violations.push(`amplification ${String(ratio)}`);
  recordFigure({
    order: 10,
    promise: 'With ten percent of errors, a run sends at most 1.15 times the requests',
    how: 'Whole syncs of three projects against a server that fails one request in ten (500, 503, reset, cut body); the warehouse must be the same as without errors.',
    cases: sent,
    violations: violations.length,
    details: {
      runs: SEEDS.length,
      'requests needed': needed,
      'requests sent': sent,
      amplification: ratio.toFixed(3),
    },
  });
  expect(violations).toEqual([]);
});

async function reference(): Promise<Record<string, string>> {
  await using rig = await openRig(OPTIONS);
  expect(await rig.sync()).toMatchObject({ exit_code: 0 });
  return await contentHashes(rig.config.warehouse.path);
}
