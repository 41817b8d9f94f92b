import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { ConfigurationError } from '../../src/config/yaml.ts';
import { openFolder } from '../support/folder.ts';

export const KEY = 'pk_live_9f8e7d6c5b4a';
export const MINIMAL = `version: 1
api:
  base_url: https://server.example.com
accounts:
  - name: acme
    api_key: env:ACME_API_KEY
sync:
  start_date: 2025-01-01
`;

/** The defaults. */
export const PLAIN = loadConfig({
  path: 'answerlake.yaml',
  text: MINIMAL,
  env: { ACME_API_KEY: KEY },
  today: toDay('2025-06-30'),
});

export function load(yaml: string, options: { env?: Record<string, string>; today?: string } = {}) {
  const path = openWorkspace().write('answerlake.yaml', yaml);
  return loadConfig({
    path,
    env: options.env ?? { ACME_API_KEY: KEY },
    today: toDay(options.today ?? '2025-06-30'),
  });
}

export function problemsOf(yaml: string, env?: Record<string, string>) {
  try {
    load(yaml, env === undefined ? {} : { env });
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
    }
    throw error;
  }
  return [];
}

/** A folder that is gone when the test is over; `write` returns the path. */
export function openWorkspace(): {
  directory: string;
  write: (name: string, text: string, mode?: number) => string;
} {
  const directory = openFolder();
  return {
    directory,
    write: (name, text, mode = 0o644) => {
      const path = join(directory, name);
      writeFileSync(path, text);
      chmodSync(path, mode);
      return path;
    },
  };
}
