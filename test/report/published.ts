import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toDay } from '../../src/day.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { cli } from '../cli/run.ts';
import { madeOnce } from '../support/made-once.ts';

export const NOW = Date.parse('2026-11-20T06:00:00Z');

/** A published file made by a real sync against the simulator; tests do not write into its folder. */
export async function publishHostileWorld() {
  const directory = await madeOnce('published hostile world', syncWorld);
  return { directory, path: join(directory, 'data', 'answers.duckdb') };
}

async function syncWorld(directory: string): Promise<void> {
  const simulator = await startSimulator({ world: 'hostile', today: toDay('2026-11-20') });
  const config = join(directory, 'answerlake.yaml');
  writeFileSync(
    config,
    `version: 1
api: { base_url: '${simulator.url}', requests_per_minute: 0 }
accounts: [{ name: world, api_key: env:WORLD_KEY }]
sync:
  start_date: 2026-09-20
  scopes: { visibility: [project], sentiment: [project], share_of_voice: [project] }
  windows: [last_28_days]
warehouse: { path: data/answers.duckdb }
`,
  );
  const env = { WORLD_KEY: 'hostile-organization-key' };
  const result = await cli(['sync', '--config', config, '--today', '2026-11-20', '--quiet'], { env });
  await simulator.close();
  if (result.code !== 0) throw new Error(`sync ended with ${result.code}: ${result.stderr}`);
}
