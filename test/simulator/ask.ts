import { toDay } from '../../src/day.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';

export const TODAY = toDay('2025-09-30');
export const QUARTER = { startDate: '2025-07-01', endDate: '2025-09-28' };

/** The first project of the simulator's world with its organization key. */
export function who(simulator: Simulator): { apiKey: string; projectId: string } {
  return { apiKey: simulator.world.keys[0]?.key ?? '', projectId: simulator.world.projects[0]?.id ?? '' };
}

export function start(options: SimulatorOptions = {}): Promise<Simulator> {
  return startSimulator({ world: 'small', today: TODAY, ...options });
}

/** The body of a true answer that must be a 200. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the shape a test reads
export function truth<T>(
  simulator: Simulator,
  path: string,
  query: Record<string, string | string[]> = {},
): T {
  const answer = simulator.answer(path, query, who(simulator));
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return JSON.parse(JSON.stringify(answer.body)) as T;
}

/** Asks over HTTP with the organization key and project header. */
export function get(simulator: Simulator, pathAndQuery: string, headers?: Record<string, string>) {
  const { apiKey, projectId } = who(simulator);
  return fetch(`${simulator.url}${pathAndQuery}`, {
    headers: headers ?? { 'x-api-key': apiKey, 'x-project-id': projectId },
    redirect: 'manual',
  });
}
