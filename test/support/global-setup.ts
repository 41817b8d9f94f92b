import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every temporary file of a test run lies in one folder, which goes when the run is over, whatever became of a worker. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'answerlake-tests-'));
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
