import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that stays until the test run is over. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'answerlake-'));
}

/** A folder that is gone when the test is over. */
export function openFolder(): string {
  const directory = makeFolder();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A folder that is gone when it is disposed of (`using`). */
export class Scratch implements Disposable {
  readonly folder = makeFolder();

  path(name: string): string {
    return join(this.folder, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
