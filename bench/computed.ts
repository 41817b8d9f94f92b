import { Bench } from './bench.ts';
import { seconds, times, type Figure } from './figure.ts';

/** First sync against the drain of its requests, from a server that computes its answers while it is asked for them. */
export async function computedScenario(projects: number, days: number): Promise<Figure[]> {
  await using bench = await Bench.open(projects, days, { remembers: false });
  const { cost, requests } = await bench.firstSync();
  const drain = await bench.drain(requests);
  const name = `${String(projects)} projects, answers computed`;
  return [
    { what: `${name}: first sync`, value: seconds(cost.seconds), goal: '' },
    { what: `${name}: drain of its requests`, value: seconds(drain), goal: '' },
    {
      what: `${name}: (first sync - 0.5 s) against its drain`,
      value: times((cost.seconds - 0.5) / drain),
      goal: '',
    },
  ];
}
