import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OURS = 'ANSWERLAKE_TESTS_FOLDER';

/** Every temporary file of a test run lies in one folder, which goes when the run is over, whatever became of a worker. */
export function setup(): () => void {
  // Once a run, however many projects it has: the address of a socket in a folder of a folder is too long.
  if (process.env[OURS] !== undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'answerlake-tests-'));
  process.env['TMPDIR'] = folder;
  process.env[OURS] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
