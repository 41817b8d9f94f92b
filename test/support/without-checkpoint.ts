import { onTestFinished, vi } from 'vitest';
import { duckdb } from '../../src/warehouse/duckdb.ts';

/** Until the test is over, files are closed without a checkpoint, as on a full disk: their rows stay in the log. */
export function closeWithoutCheckpoint(): void {
  const create = duckdb.DuckDBInstance.create.bind(duckdb.DuckDBInstance);
  const spy = vi.spyOn(duckdb.DuckDBInstance, 'create').mockImplementation(async (...options) => {
    const instance = await create(...options);
    const connection = await instance.connect();
    await connection.run('pragma disable_checkpoint_on_shutdown');
    connection.closeSync();
    return instance;
  });
  onTestFinished(() => spy.mockRestore());
}
