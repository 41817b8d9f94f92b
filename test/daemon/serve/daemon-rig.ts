import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SimulatorOptions } from '../../../simulator/options.ts';
import { startSimulator, type Simulator } from '../../../simulator/simulator.ts';
import { openFolder } from '../../support/folder.ts';
import { prepareWorkingFile } from '../../support/made-once.ts';
import { rowsOfFile } from '../../support/file-reader.ts';

export const ORGANIZATION_KEY = 'canary-organization-key-7f3a91';
export const WEBHOOK_PATH = '/services/canary-webhook-51c0de';

export interface Place {
  folder: string;
  simulator: Simulator;
  env: Record<string, string>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

export interface PlaceOptions {
  simulator?: SimulatorOptions;
  /** More lines of the configuration. */
  settings?: string;
  /** File name → text. */
  jobs?: Record<string, string>;
  webhook?: string;
}

/** A folder with configuration and jobs, and a simulator. */
export async function openPlace(options: PlaceOptions = {}): Promise<Place> {
  const simulator = await startSimulator({
    world: 'small',
    ...options.simulator,
    keys: [{ key: ORGANIZATION_KEY, id: 'k1', name: 'canary', type: 'organization' }],
  });
  onTestFinished(() => simulator.close());
  const folder = openFolder();
  const startDate = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  const notify = options.webhook === undefined ? '' : 'notify: { webhook: env:HOOK }\n';
  writeFileSync(
    join(folder, 'answerlake.yaml'),
    `version: 1\napi: { base_url: '${simulator.url}', requests_per_minute: 0 }\naccounts: [{ name: acme, api_key: env:KEY }]\nsync: { start_date: ${startDate} }\n${notify}${options.settings ?? ''}`,
  );
  mkdirSync(join(folder, 'jobs'));
  for (const [name, text] of Object.entries(options.jobs ?? {})) {
    writeFileSync(join(folder, 'jobs', name), text);
  }
  const path = join(folder, 'data', 'answers.duckdb');
  await prepareWorkingFile(path);
  return {
    folder,
    simulator,
    env: { KEY: ORGANIZATION_KEY, ...(options.webhook === undefined ? {} : { HOOK: options.webhook }) },
    rows: async (sql) => await rowsOfFile(path, sql),
  };
}
