import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareWithPublished } from '../../src/publish/compare.ts';
import { publish, type PublishReport } from '../../src/publish/publish.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { contentOf } from './file-content.ts';
import { doDeed, TABLES, WHATS } from './random-nights.ts';
import { NOW, withPublished } from './rig.ts';

const DAY_MS = 86_400_000;

interface Target {
  connection: Connection;
  target: string;
  now: number;
}

/** Publishes what changed, then the same working file whole into another file; readers must not see which is which. */
async function publishBothWays({ connection, target, now }: Target): Promise<PublishReport | undefined> {
  const need = await compareWithPublished({ connection, targetPath: target, storageVersion: 'v1.0.0' });
  if (need === undefined) return undefined;
  // Of a few weeks, a night often changes more than the third above which the whole file is written.
  const report = await publish({
    connection,
    targetPath: target,
    now,
    changes: need.changes === null ? null : { ...need.changes, rowsInAll: Number.MAX_SAFE_INTEGER },
  });
  const whole = target.replace('answers', 'whole');
  await publish({ connection, targetPath: whole, now });
  expect(await contentOf(target)).toEqual(await contentOf(whole));
  return report;
}

const deed = fc.record({
  table: fc.constantFrom(...TABLES),
  what: fc.constantFrom(...WHATS),
  seed: fc.nat(1000),
});

/** Rows that stay, so that a night changes less than a third of them. */
const MANY = `insert into core.visibility select v.* replace ('many' as project_id, 'model' as scope, 'm' || i as scope_id, date '2025-01-01' as date)
  from core.visibility v, range(300) r(i)`;

it(
  'files published night after night hold what a whole publish holds, whatever happens to any table',
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(deed, { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 4 }),
        async (nights) => {
          await withPublished(MANY, async ({ connection, target }) => {
            for (const [night, deeds] of nights.entries()) {
              for (const one of deeds) await doDeed(connection, one, night + 1);
              const report = await publishBothWays({ connection, target, now: NOW + night * DAY_MS });
              expect(report?.warning ?? null).toBeNull();
            }
          });
        },
      ),
      { numRuns: Number(process.env['ANSWERLAKE_FUZZ_NIGHTS'] ?? 6) },
    );
  },
);
