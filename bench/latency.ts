import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Bench } from './bench.ts';
import type { Figure } from './figure.ts';

/** With a slow network the network alone should count. */
export async function latencyScenario(latencyMs: number): Promise<Figure[]> {
  await using bench = await Bench.open(6, 365);
  await bench.sync();
  rmSync(join(bench.folder, 'data'), { recursive: true, force: true });
  await bench.server.tell({ latencyMs });
  const { cost, requests } = await bench.sync();
  const least = (requests.length * latencyMs) / 8 / 1000;
  return [
    {
      what: `first sync at ${String(latencyMs)} ms latency (${String(requests.length)} requests) against requests × latency ÷ concurrency`,
      value: `${(cost.seconds / least).toFixed(2)} ×`,
      goal: '≤ 1.05 ×',
    },
  ];
}
