import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { explainFailure, storageProblem } from '../../src/warehouse/failure.ts';

it.each([
  ['IO Error: Could not set lock on file "/d/a": Conflicting lock is held in node (PID 7)', 'locked', 6],
  ['IO Error: Could not write file "/d/a": No space left on device', 'disk full', 7],
  [
    'IO Error: Could not set lock on file "/d/a": No locks available. See also https://duckdb.org/docs/stable/connect/concurrency',
    'no locks',
    7,
  ],
  [
    'IO Error: Could not set lock on file "/d/a": File locks are not supported for this file system, cannot open the file in read-write mode.',
    'no locks',
    7,
  ],
  [
    'IO Error: Could not read enough bytes from file "/d/a.tmp/duckdb_temp_storage_S32K-0.tmp": attempted to read 32768 bytes',
    'spill',
    7,
  ],
  [
    'TransactionContext Error: Failed to commit: Could not write file "/d/a": No space left on device',
    'disk full',
    7,
  ],
  ['IO Error: Cannot open file "/d/a": Permission denied', 'not writable', 7],
  ["EROFS: read-only file system, mkdir '/d'", 'not writable', 7],
  ['IO Error: The file "/d/a" exists, but it is not a valid DuckDB database file!', 'not a database', 7],
  ['IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2', 'corrupt', 7],
  ['Serialization Error: Failed to deserialize: field id mismatch', 'corrupt', 7],
  [
    'IO Error: Trying to read a database file with version number 99, but we can only read versions between 64 and 68.',
    'newer format',
    7,
  ],
  ['IO Error: Cannot open file "/d/a": No such file or directory', 'not found', 7],
  ['Out of Memory Error: failed to allocate data of size 16.0 MiB', 'out of memory', 7],
  ['FATAL Error: database has been invalidated because of a previous fatal error', 'unreadable', 7],
])('%s is: %s, exit code %i', (message, problem, exitCode) => {
  const explained = explainFailure(new Error(message), '/d/a');
  expect(explained).toMatchObject({ problem, exitCode, path: '/d/a' });
  expect(String(explained)).toContain('/d/a: ');
});

it.each([
  'Catalog Error: Table with name missing does not exist!',
  'Binder Error: Referenced column "checksum" not found',
  'Conversion Error: Could not convert string',
  'TransactionContext Error: Current transaction is aborted (please ROLLBACK)',
])('%s is about the statement, not the file', (message) => {
  const error = new Error(message);
  expect(storageProblem(error)).toBeUndefined();
  expect(explainFailure(error, '/d/a')).toBe(error);
});

it('a failure that is explained already is not changed', () => {
  const error = new AnswerlakeError('No space left', { class: 'bug' });
  expect(explainFailure(error, '/d/a')).toBe(error);
});
