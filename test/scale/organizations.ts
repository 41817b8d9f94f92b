import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { toDay } from '../../src/day.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import type { RequestRecord } from '../../simulator/request-record.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { buildWorld, DEFAULT_FIRST_DAY, type WorldName } from '../../simulator/worlds.ts';
import { uuidOf } from '../../simulator/random.ts';
import type { World, WorldProject } from '../../simulator/world.ts';
import { listen } from '../support/scripted-server.ts';

/** The API of several organizations behind one address. */
export interface Organizations extends AsyncDisposable {
  url: string;
  /** Keys of the accounts, in the order of the organizations. */
  keys: string[];
  simulators: Simulator[];
  /** Requests of all organizations. */
  requests(): RequestRecord[];
  resetRequests(): void;
  setToday(today: string): void;
  /** From now on each answer takes so long, of one organization or of all. */
  setLatency(latencyMs: number, organization?: number): void;
}

export interface OrganizationsOptions extends Omit<SimulatorOptions, 'world' | 'today'> {
  today: string;
  world?: WorldName;
}

/** Organizations of one small project each, where no other world is named; the key says whom a request is for. */
export async function startOrganizations(
  count: number,
  options: OrganizationsOptions,
): Promise<Organizations> {
  const { today, world = 'small', ...simulated } = options;
  const simulators: Simulator[] = [];
  const served: SimulatorOptions[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = { ...simulated, today: toDay(today), world: worldOf(index, world) };
    served.push(own);
    simulators.push(await startSimulator(own));
  }
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, simulators));
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${String(port)}`,
    keys: simulators.map((_, index) => keyOf(index)),
    simulators,
    requests: () => simulators.flatMap(({ requests }) => [...requests]),
    resetRequests: () => {
      for (const simulator of simulators) simulator.resetRequests();
    },
    setToday: (day) => {
      for (const simulator of simulators) simulator.setToday(toDay(day));
    },
    setLatency: (latencyMs, organization) => {
      for (const [index, own] of served.entries())
        if (index === (organization ?? index)) own.latencyMs = latencyMs;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      for (const simulator of simulators) await simulator.close();
    },
  };
}

/** How often the request that was sent most often was sent. */
export function mostRepeated(requests: readonly RequestRecord[]): number {
  const counts = new Map<string, number>();
  for (const { apiKey, projectId, path, query } of requests) {
    const name = JSON.stringify([apiKey, projectId, path, query]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}

function keyOf(index: number): string {
  return `organization-${String(index)}-key`;
}

function worldOf(index: number, kind: WorldName): World {
  const world = buildWorld(kind, { seed: 7 + index, firstDay: DEFAULT_FIRST_DAY });
  const name = `organization-${String(index)}`;
  return {
    ...world,
    organization: { id: name, name, slug: name },
    keys: [{ key: keyOf(index), id: `key-of-${String(index)}`, name: 'Key', type: 'organization' }],
    projects: world.projects.map((project, place) => ({
      ...withOwnIds(project, name),
      id: place === 0 ? `${name}-project` : `${name}-project-${String(place + 1)}`,
    })),
  };
}

/** Ids of prompts, monitors and brands belong to one project only. */
function withOwnIds(project: WorldProject, name: string): WorldProject {
  const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;
  const text = JSON.stringify(project).replaceAll(uuid, (id) => uuidOf(`${name}/${id}`));
  return JSON.parse(text) as WorldProject;
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, simulators: readonly Simulator[]): void {
  const key = String(incoming.headers['x-api-key'] ?? keyOf(0));
  const simulator = simulators[Number(/\d+/.exec(key)?.[0] ?? 0)] ?? simulators[0];
  const target = ask(
    `${simulator?.url ?? ''}${incoming.url ?? ''}`,
    { method: incoming.method ?? 'GET', headers: incoming.headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  target.on('error', () => outgoing.destroy());
  incoming.on('error', () => target.destroy());
  outgoing.on('close', () => target.destroy());
  incoming.pipe(target);
}
