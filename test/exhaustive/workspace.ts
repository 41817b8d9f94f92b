import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../support/folder.ts';
import { startProgram, type Program } from '../support/program.ts';

/** A folder with a configuration that the built program runs in. */
export class Workspace {
  readonly folder: string;
  readonly published: string;
  readonly data: string;

  constructor(settings: { baseUrl: string; startDate: string; extra?: string }) {
    this.folder = makeFolder();
    this.data = join(this.folder, 'data');
    this.published = join(this.data, 'answers.duckdb');
    const text = `version: 1
api: { base_url: '${settings.baseUrl}', requests_per_minute: 0, timeout_ms: 700, max_body_bytes: 4194304, concurrency: 8 }
accounts: [{ name: acme, api_key: env:KEY_OF_ACME, projects: all }]
${settings.extra ?? `sync: { start_date: ${settings.startDate}, scopes: { visibility: [project, model, monitor] }, windows: [last_28_days] }`}
`;
    writeFileSync(join(this.folder, 'answerlake.yaml'), text);
  }

  /** Starts the program; the key comes by environment only. */
  start(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    return startProgram(argv, { cwd: this.folder, env: { KEY_OF_ACME: 'small-organization-key', ...env } });
  }

  sync(today: string, env: Readonly<Record<string, string>> = {}): Program {
    return this.start(['sync', '--today', today, '--json'], env);
  }

  /** Takes over the data of another workspace. */
  copyData(from: Workspace): void {
    rmSync(this.data, { recursive: true, force: true });
    cpSync(from.data, this.data, { recursive: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
