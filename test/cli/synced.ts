import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '../support/folder.ts';
import { madeOnce } from '../support/made-once.ts';
import { cli, type CliOptions } from './run.ts';
import { startSmallWorld, TODAY } from './small-world.ts';

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
