import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { toDay } from '../../src/day.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { cli } from '../cli/run.ts';

export const NOW = Date.parse('2026-11-20T06:00:00Z');

export interface Published {
  config: string;
  path: string;
  directory: string;
}

/** A published file made by a real sync against the simulator; gone when the tests of the file are over. */
export async function publishWorld(
  world: 'demo' | 'hostile' | 'empty',
  startDate: string,
): Promise<Published> {
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-report-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const simulator = await startSimulator({ world, today: toDay('2026-11-20') });
  const config = join(directory, 'answerlake.yaml');
  writeFileSync(
    config,
    `version: 1
api: { base_url: '${simulator.url}', requests_per_minute: 0 }
accounts: [{ name: world, api_key: env:WORLD_KEY }]
sync:
  start_date: ${startDate}
  scopes: { visibility: [project], sentiment: [project], share_of_voice: [project] }
  windows: [last_28_days]
warehouse: { path: data/answers.duckdb }
`,
  );
  const env = { WORLD_KEY: `${world}-organization-key` };
  const result = await cli(['sync', '--config', config, '--today', '2026-11-20', '--quiet'], { env });
  await simulator.close();
  if (result.code !== 0) throw new Error(`sync ended with ${result.code}: ${result.stderr}`);
  return { config, directory, path: join(directory, 'data', 'answers.duckdb') };
}
