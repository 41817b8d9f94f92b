import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { whyPublish } from '../../src/publish/compare.ts';
import { publish } from '../../src/publish/publish.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { contentHashes } from '../support/content-hash.ts';
import { doDeed, TABLES, WHATS } from './random-nights.ts';
import { NOW, withPublished } from './warehouse-files.ts';

const DAY_MS = 86_400_000;

interface Target {
  connection: Connection;
  target: string;
  now: number;
}

/** Publishes where that is needed; the facts of the published file, and those of the working file. */
async function publishNight({ connection, target, now }: Target): Promise<[unknown, unknown]> {
  const why = await whyPublish(connection, { path: target, storageVersion: 'v1.0.0' });
  if (why !== undefined) await publish({ connection, targetPath: target, now });
  const whole = target.replace('answers', 'whole');
  await publish({ connection, targetPath: whole, now });
  return [await contentHashes(target), await contentHashes(whole)];
}

const deed = fc.record({
  table: fc.constantFrom(...TABLES),
  what: fc.constantFrom(...WHATS),
  seed: fc.nat(1000),
});
// Two inserts of one seed into one table would write a key twice, which no run does.
const deeds = fc.uniqueArray(deed, {
  minLength: 1,
  maxLength: 12,
  selector: ({ table, seed }) => `${table} ${seed}`,
});

it(
  'files published night after night hold the facts of the working file, whatever happens to any table',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deeds, { minLength: 2, maxLength: 4 }), async (nights) => {
        await withPublished('', async ({ connection, target }) => {
          for (const [night, done] of nights.entries()) {
            for (const one of done) await doDeed(connection, one, night + 1);
            const at = { connection, target, now: NOW + night * DAY_MS };
            const [published, working] = await publishNight(at);
            expect(published).toEqual(working);
          }
        });
      }),
      { numRuns: Number(process.env['ANSWERLAKE_FUZZ_NIGHTS'] ?? 6) },
    );
  },
);
