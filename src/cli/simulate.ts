import type { Command } from 'commander';
import { z } from 'zod';
import { messageOf, usageError, codeOf } from '../errors.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import type { FaultRule } from '../../simulator/faults.ts';
import { dayFlag, durationFlag, listFlag, wholeFlag, wordFlag } from './flags.ts';
import type { CommandHost } from './host.ts';
import { stopCode, untilAborted } from '../effects.ts';

const WORLDS = ['demo', 'hostile', 'small', 'empty', 'large'] as const satisfies readonly NonNullable<
  SimulatorOptions['world']
>[];

const flagSchema = z.strictObject({
  port: wholeFlag(0, 65_535).default(8787),
  seed: wholeFlag(0, 4_294_967_295).exactOptional(),
  today: dayFlag.exactOptional(),
  world: wordFlag(WORLDS).default('demo'),
  quota: wholeFlag(1, 1_000_000_000).exactOptional(),
  endDate: wordFlag(['inclusive', 'exclusive']).default('inclusive'),
  faults: z.string().exactOptional(),
  ignore: listFlag.exactOptional(),
  keepDays: wholeFlag(1, 100_000).exactOptional(),
  latency: durationFlag.exactOptional(),
});

/** `answerlake simulate`: the API on loopback until a signal. */
export function define(command: Command, host: CommandHost): void {
  command
    .option('--port <port>', 'port on 127.0.0.1; 0 = any free one (default: 8787)')
    .option('--world <name>', `${WORLDS.join(', ')} (default: demo)`)
    .option('--today <date>', 'newest day with data (default: today, UTC)')
    .option('--seed <number>', 'generate different numbers of the same shape')
    .option('--quota <requests>', 'requests in one hour (default: 50000)')
    .option('--end-date <reading>', 'whether endDate is counted: inclusive or exclusive (default: inclusive)')
    .option('--keep-days <days>', 'days that the server keeps, including today')
    .option('--ignore <parameter...>', 'query parameters that have no effect, for example range')
    .option('--faults <list>', 'faults and their shares, for example 500:0.05,reset:0.02')
    .option('--latency <duration>', 'delay of each answer, for example 50ms')
    .addHelpText(
      'after',
      `
Examples:
  $ answerlake simulate
  $ answerlake simulate --port 0 --world hostile --json
  $ answerlake simulate --quota 500 --faults 503:0.05,reset:0.02`,
    );
  host.handle(command, flagSchema, async (context, flags) => {
    const { startSimulator } = await import('../../simulator/simulator.ts');
    const faults = flags.faults === undefined ? {} : { faults: await readFaults(flags.faults, flags.seed) };
    await using simulator = await startSimulator({
      port: flags.port,
      world: flags.world,
      endDateInclusive: flags.endDate === 'inclusive',
      ...(flags.ignore === undefined ? {} : { ignoredParameters: flags.ignore }),
      ...(flags.keepDays === undefined ? {} : { keepDays: flags.keepDays }),
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
      ...(flags.today === undefined ? {} : { today: flags.today }),
      ...(flags.quota === undefined ? {} : { quota: { perHour: flags.quota } }),
      ...(flags.latency === undefined ? {} : { latencyMs: flags.latency }),
      ...faults,
    }).catch((error: unknown) => {
      throw explain(error, flags.port);
    });
    const { keys, projects } = simulator.world;
    const organizationKey = keys.find((key) => key.type === 'organization')?.key ?? null;
    const shown = projects.map(({ id, name }) => ({
      id,
      name,
      key: keys.find((key) => key.projectId === id)?.key ?? null,
    }));
    if (context.flags.json) {
      const { url, today } = simulator;
      // One line, so that a program that waits for it can read it while the simulator runs.
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
}

async function readFaults(text: string, seed: number | undefined): Promise<FaultRule> {
  const { parseFaults } = await import('../../simulator/faults.ts');
  try {
    return parseFaults(text, seed);
  } catch (error) {
    throw usageError(`--faults: ${messageOf(error)}.`, error);
  }
}

/** What to do about an error of the start; any other error is thrown unchanged. */
function explain(error: unknown, port: number): unknown {
  if (codeOf(error) === 'EADDRINUSE') {
    const message = `Port ${port} is taken. Choose another one with --port, or any free one with --port 0.`;
    return usageError(message, error);
  }
  return error instanceof RangeError ? usageError(`--today: ${error.message}.`, error) : error;
}
