import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { toDay } from '../../src/day.ts';
import type { SimulatorOptions } from '../../simulator/options.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { openFolder } from '../support/folder.ts';
import { madeOnce, prepareWorkingFile } from '../support/made-once.ts';
import { cli, type CliOptions } from './run.ts';

export const TODAY = '2025-02-10';

/** One project of the simulator, a configuration for it, and the command line with both. */
export type SmallWorld = Awaited<ReturnType<typeof startSmallWorld>>;

export interface SmallWorldOptions extends SimulatorOptions {
  /** More settings of `api`, of the account and of `sync`, each after a comma, and more lines of the configuration. */
  api?: string;
  account?: string;
  sync?: string;
  more?: string;
  startDate?: string;
  /** Leaves it to the first run to create the working file. */
  isNew?: boolean;
}

/** A world that is gone when the test is over. */
export async function openSmallWorld(options: SmallWorldOptions = {}) {
  const world = await startSmallWorld(openFolder(), options);
  onTestFinished(() => world.simulator.close());
  return world;
}

/** A world for several tests; the caller closes its simulator. */
export async function startSmallWorld(folder: string, options: SmallWorldOptions = {}) {
  const {
    api = '',
    account = '',
    sync = '',
    more = '',
    startDate = '2025-01-15',
    isNew,
    ...simulated
  } = options;
  const simulator = await startSimulator({ world: 'small', today: toDay(TODAY), ...simulated });
  const config = join(folder, 'answerlake.yaml');
  writeFileSync(
    config,
    `version: 1
api: { base_url: '${simulator.url}', requests_per_minute: 0, attempts: 1${api} }
accounts: [{ name: small, api_key: env:SMALL_KEY${account} }]
sync: { start_date: ${startDate}${sync} }
${more}`,
  );
  if (isNew !== true) prepareWorkingFile(join(folder, 'data', 'answers.duckdb'));
  const env = { SMALL_KEY: simulator.world.keys[0]?.key ?? '' };
  return {
    simulator,
    folder,
    config,
    env,
    run: (argv: readonly string[], options: CliOptions = {}) =>
      cli([...argv, '--config', config], { env, ...options }),
  };
}

/** A folder after one whole sync, made once; its simulator is closed. */
export async function openSynced() {
  const made = await madeOnce('synced small world', async (folder) => {
    const { simulator, run } = await startSmallWorld(folder);
    await run(['sync', '--today', TODAY, '--quiet']);
    await simulator.close();
  });
  const folder = openFolder();
  cpSync(made, folder, { recursive: true });
  const config = join(folder, 'answerlake.yaml');
  return {
    folder,
    published: join(folder, 'data', 'answers.duckdb'),
    run: (argv: readonly string[], options: CliOptions = {}) => cli([...argv, '--config', config], options),
  };
}
