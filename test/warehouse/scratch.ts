import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is gone when the test ends. */
export class Scratch implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'answerlake-'));

  path(name: string): string {
    return join(this.folder, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Another process that holds a DuckDB file open until it is disposed of. */
export async function holdOpen(path: string, options: Record<string, string> = {}): Promise<AsyncDisposable> {
  const script = `
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(${JSON.stringify(path)}, ${JSON.stringify(options)});
    const connection = await instance.connect();
    console.log('holding');
    process.stdin.on('end', () => { connection.closeSync(); instance.closeSync(); process.exit(0); });
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
