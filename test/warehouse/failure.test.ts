import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { explainFailure, storageProblem } from '../../src/warehouse/failure.ts';

it.each(
  Object.entries({
    'IO Error: Could not set lock on file "/d/a": Conflicting lock is held in node (PID 7)': 'locked',
    'IO Error: Could not write file "/d/a": No space left on device': 'disk full',
    'IO Error: Could not set lock on file "/d/a": No locks available. See also https://duckdb.org/docs/stable/connect/concurrency':
      'no locks',
    'IO Error: Could not set lock on file "/d/a": File locks are not supported for this file system, cannot open the file in read-write mode.':
      'no locks',
    'IO Error: Could not read enough bytes from file "/d/a.tmp/duckdb_temp_storage_S32K-0.tmp": attempted to read 32768 bytes':
      'spill',
    'TransactionContext Error: Failed to commit: Could not write file "/d/a": No space left on device':
      'disk full',
    'IO Error: Cannot open file "/d/a": Permission denied': 'not writable',
    "EROFS: read-only file system, mkdir '/d'": 'read-only',
    'IO Error: Cannot open file "/d/a": Read-only file system': 'read-only',
    'IO Error: The file "/d/a" exists, but it is not a valid DuckDB database file!': 'not a database',
    'IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2': 'corrupt',
    'Serialization Error: Failed to deserialize: field id mismatch': 'corrupt',
    'IO Error: Trying to read a database file with version number 99, but we can only read versions between 64 and 68.':
      'newer format',
    'IO Error: Cannot open file "/d/a": No such file or directory': 'not found',
    'Out of Memory Error: failed to allocate data of size 16.0 MiB': 'out of memory',
    'FATAL Error: database has been invalidated because of a previous fatal error': 'unreadable',
  }),
)('%s is: %s', (message, problem) => {
  const explained = explainFailure(new Error(message), '/d/a');
  expect(explained).toMatchObject({ problem, exitCode: problem === 'locked' ? 6 : 7, path: '/d/a' });
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
