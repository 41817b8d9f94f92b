import { expect, test } from 'vitest';
import { runChecks } from '../../src/publish/checks.ts';
import { openMemoryDatabase } from '../../src/warehouse/database.ts';

/** Finds nothing, and needs more memory for it than checks have at first. */
const LARGE = `select 'large' as place, 'x' as offender from range(6000000) r(i) group by hash(i) having count(*) > 1`;

test('a check that does not fit into memory begins again, and nothing that is done is repeated', async () => {
  await using database = await openMemoryDatabase();
  const connection = await database.connect();
  using other = await connection.another();
  await connection.run(`set temp_directory = ''`);
  await connection.limitMemory('128MiB');
  const large = { name: 'large', queries: [LARGE] };
  let times = 0;
  const first = (): Promise<void> => {
    times += 1;
    return Promise.resolve();
  };
  const alone = runChecks([connection], { first, checks: [large], memory: '128MiB' });
  await expect(alone).rejects.toThrow('memory');
  await connection.limitMemory('1GiB');
  times = 0;
  await runChecks([connection, other], { first, checks: [large], memory: '128MiB' });
  expect(times).toBe(1);
});
