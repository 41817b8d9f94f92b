import { z } from 'zod';
import { messageOf, usageError, codeOf } from '../errors.ts';
import type { FaultRule } from '../../simulator/faults.ts';
import { dayFlag, valueFlag, wholeFlag, wordFlag } from './flags.ts';
import { defined } from './host.ts';
import { stopCode, untilAborted } from '../effects.ts';

const WORLDS = ['demo', 'hostile', 'small', 'empty', 'large'] as const;

const flagSchema = z.strictObject({
  port: valueFlag('<port>', 'port on 127.0.0.1; 0: any free one (default: 8787)', wholeFlag(0, 65_535)),
  world: valueFlag('<name>', `${WORLDS.join(', ')} (default: demo)`, wordFlag(WORLDS)),
  today: valueFlag('<date>', 'newest day with data (default: today, UTC)', dayFlag),
  quota: valueFlag('<requests>', 'requests in one hour (default: 50000)', wholeFlag(1, 1_000_000_000)),
  faults: valueFlag('<list>', 'faults and their shares, for example 500:0.05,reset:0.02', z.string()),
});

/** `answerlake simulate`: the API on loopback until a signal. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  const { port = 8787, world = 'demo', quota, faults, ...day } = flags;
  const { startSimulator } = await import('../../simulator/simulator.ts');
  const options = {
    ...day,
    ...(quota === undefined ? {} : { quota: { perHour: quota } }),
    ...(faults === undefined ? {} : { faults: await readFaults(faults) }),
  };
  await using simulator = await startSimulator({ port, world, ...options }).catch((error: unknown) => {
    throw explain(error, port);
  });
  const { keys, projects } = simulator.world;
  const organizationKey = keys.find((key) => key.type === 'organization')?.key ?? null;
  const shown = projects.map(({ id, name }) => {
    return { id, name, key: keys.find((key) => key.projectId === id)?.key ?? null };
  });
  if (context.flags.json) {
    const { url, today } = simulator;
    // One line, so that a waiting program can read it while the simulator runs.
    context.print(JSON.stringify({ url, today, organization_key: organizationKey, projects: shown }));
  } else {
    context.print(`Simulator of the API: ${simulator.url} (data up to ${simulator.today})`);
    if (organizationKey !== null)
      context.print(`\nOrganization key, for all projects:\n  ${organizationKey}`);
    context.print('\nProjects:');
    for (const project of shown)
      context.print(`  ${project.name}\n    id  ${project.id}\n    key ${project.key ?? 'none'}`);
    context.note(`\nTry it in another terminal:
  export ANSWERLAKE_KEY=${organizationKey ?? shown[0]?.key ?? ''}
  answerlake init --base-url ${simulator.url} --start-date 2025-01-01
  answerlake sync\n\nStop with Ctrl-C.`);
  }
  await untilAborted(context.signal);
  return stopCode(context.signal);
});

async function readFaults(text: string): Promise<FaultRule> {
  const { parseFaults } = await import('../../simulator/faults.ts');
  try {
    return parseFaults(text);
  } catch (error) {
    throw usageError(`--faults: ${messageOf(error)}.`, error);
  }
}

/** The remedy for a startup error; any other error is unchanged. */
function explain(error: unknown, port: number): unknown {
  const todo = 'Choose another one with --port, or any free one with --port 0.';
  if (codeOf(error) === 'EADDRINUSE') return usageError([`Port ${port} is taken.`, todo], error);
  return error instanceof RangeError ? usageError(`--today: ${error.message}.`, error) : error;
}
