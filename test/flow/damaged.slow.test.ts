import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { openRig, type Rig } from './rig.ts';

const SMALL = { world: 'small', today: '2026-07-14', startDate: '2026-07-10' } as const;
const ONE = { endpoints: ['response_sentiment'] };

const published = (rig: Rig): string => rig.config.warehouse.path;
const working = (rig: Rig): string => workingPath(rig.config.warehouse.path);

const blockOf = (table: string): string =>
  `select min(block_id) as id from pragma_storage_info('core.${table}') where block_id >= 0`;

/** Where the data of a block begins: three headers, then blocks of 256 KiB. */
function placeOf([block]: readonly Record<string, unknown>[]): number {
  return 3 * 4096 + Number(block?.['id']) * 262_144 + 32;
}

it('the published file whose rows are damaged on the disk is written again by the next run', async () => {
  await using rig = await openRig(SMALL);
  await rig.sync(ONE);
  const bytes = readFileSync(published(rig));
  const at = placeOf(await rig.rows(blockOf('response_sentiment')));
  bytes.fill(0xa5, at, at + 64);
  rmSync(published(rig));
  writeFileSync(published(rig), bytes);
  const report = await rig.sync(ONE);
  expect(report).toMatchObject({ exit_code: 0, published: published(rig) });
  expect((await rig.rows('from core.response_sentiment')).length).toBeGreaterThan(0);
});

it('a working file with damaged rows is named, and not the published file, which is whole', async () => {
  await using rig = await openRig(SMALL);
  await rig.sync({ endpoints: ['response_sentiment', 'visibility'] });
  const before = readFileSync(published(rig));
  const bytes = readFileSync(working(rig));
  const at = placeOf(await rig.workingRows(blockOf('visibility')));
  bytes.fill(0xa5, at, at + 64);
  writeFileSync(working(rig), bytes);
  const { exit_code: code, failures } = await rig.sync(ONE);
  expect(code).toBe(7);
  expect(failures[0]?.message).toContain(`${working(rig)}: it is damaged; move it and its .wal away`);
  expect(readFileSync(published(rig)).equals(before)).toBe(true);
  rmSync(working(rig));
  expect(await rig.sync(ONE)).toMatchObject({ exit_code: 0, rows_inserted: 0, rows_deleted: 0 });
  expect((await rig.rows('from core.visibility')).length).toBeGreaterThan(0);
});
