import { AnswerlakeError } from '../errors.ts';
import type { Connection } from './connection.ts';

const inTransaction = new WeakSet<Connection>();

/** Whether `work` of a transaction is under way. */
export function isInTransaction(connection: Connection): boolean {
  return inTransaction.has(connection);
}

/**
 * Runs `work` in one transaction: all of it is stored, or nothing. Within `work`, another transaction is part of this one.
 * @throws what `work` throws, after ROLLBACK; AnswerlakeError (bug) when a statement failed and `work` went on
 */
export async function transaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  if (inTransaction.has(connection)) return await work();
  await connection.run('begin transaction');
  inTransaction.add(connection);
  const failuresBefore = connection.failures;
  try {
    const result = await work();
    // DuckDB answers OK to a COMMIT after a failed statement and saves nothing.
    if (connection.failures > failuresBefore) {
      throw new AnswerlakeError('a statement failed inside a transaction and the work went on', {
        class: 'bug',
      });
    }
    await connection.run('commit');
    return result;
  } catch (error) {
    await rollback(connection);
    throw error;
  } finally {
    inTransaction.delete(connection);
  }
}

async function rollback(connection: Connection): Promise<void> {
  connection.forgetWaiting();
  try {
    await connection.run('rollback');
  } catch {
    // A failed COMMIT or a lost file has ended the transaction already; the first error says why.
  }
}
