import { Bench } from './bench.ts';
import { times, type Figure } from './figure.ts';

/** With a slow network the network alone should count. */
export async function latencyScenario(latencyMs: number): Promise<Figure[]> {
  await using bench = await Bench.open(6, 365);
  await bench.sync();
  bench.removeData();
  await bench.server.tell({ latencyMs });
  const { cost, requests } = await bench.sync();
  const least = (requests.length * latencyMs) / 8 / 1000;
  return [
    {
      what: `first sync at ${String(latencyMs)} ms latency (${String(requests.length)} requests) against requests × latency ÷ concurrency`,
      value: times(cost.seconds / least),
      goal: '≤ 1.05 ×',
    },
  ];
}
