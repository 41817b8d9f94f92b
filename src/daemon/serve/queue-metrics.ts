import { Gauge, Registry } from 'prom-client';
import type { QueueState } from '../../queue/queue-state.ts';

const PROCESSES = ['worker', 'loader', 'standby'] as const;
const STATES = ['under way', 'waiting', 'parked', 'tried again'] as const;

/** The figures of the queue for `/metrics`, beside those of the schedule. @param state null when PostgreSQL is away */
export async function queueMetrics(state: QueueState | null): Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Gauge<Label> => new Gauge({ name: `answerlake_${name}`, help, labelNames, registers: [registry] });
  gauge('queue_reachable', '1 when PostgreSQL serves the queue.', []).set(state === null ? 0 : 1);
  if (state === null) return await registry.metrics();
  const processes = gauge('queue_processes', 'Workers, loaders and standby loaders that are alive.', [
    'kind',
  ]);
  for (const kind of PROCESSES) {
    processes.set({ kind }, state.processes.filter((one) => one.kind === kind && one.is_alive).length);
  }
  const organizations = gauge('queue_organizations', 'Organizations by what the queue does with them.', [
    'state',
  ]);
  for (const one of STATES) {
    organizations.set({ state: one }, state.organizations.filter(({ state: own }) => own === one).length);
  }
  gauge('queue_runs', 'Runs that wait or are under way.', []).set(state.runs.length);
  gauge('queue_dead_letters', 'Organizations that were given up.', []).set(state.deadLetters.length);
  gauge('queue_paused', '1 while people keep the queue from handing out.', []).set(state.isPaused ? 1 : 0);
  if (state.partsWaiting !== null) {
    gauge('landing_parts_waiting', 'Landed parts that are not loaded yet.', []).set(state.partsWaiting);
  }
  return await registry.metrics();
}
