import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { readJournal } from '../../src/run/journal.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { whileHeld } from '../warehouse/held-file.ts';
import { openRig, SMALL, type Rig } from './rig.ts';

const FEW_DAYS = { ...SMALL, startDate: '2026-07-10' } as const;
const ONE = { endpoints: ['response_sentiment'] };
const TWO = { endpoints: ['response_sentiment', 'visibility'] };
const UNCHANGED = { exit_code: 0, rows_inserted: 0, rows_updated: 0, rows_deleted: 0 };

const published = ({ config }: Rig): string => config.warehouse.path;
const working = (rig: Rig): string => workingPath(published(rig));

/** How a run ended: by its report, or by what it threw. */
async function outcome(rig: Rig): Promise<[code: number, message: string]> {
  try {
    const { exit_code: code, failures } = await rig.sync(ONE);
    return [code, failures[0]?.message ?? ''];
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
    return [error.exitCode, error.message];
  }
}

function fingerprint(path: string): string {
  const { ino, size, mtimeMs } = statSync(path);
  return [ino, size, mtimeMs].join(' ');
}

/** Damages the rows of a table in a file, which is replaced. */
async function damageRows(path: string, table: string, rows: Rig['rows']): Promise<void> {
  const sql = `select min(block_id) as id from pragma_storage_info('core.${table}') where block_id >= 0`;
  const [block] = await rows(sql);
  // Three headers, then blocks of 256 KiB.
  const at = 3 * 4096 + Number(block?.['id']) * 262_144 + 32;
  const bytes = readFileSync(path).fill(0xa5, at, at + 64);
  rmSync(path);
  writeFileSync(path, bytes);
}

it('the published file whose rows are damaged on the disk is written again by the next run', async () => {
  await using rig = await openRig(FEW_DAYS);
  await rig.sync(ONE);
  await damageRows(published(rig), 'response_sentiment', rig.rows);
  expect(await rig.sync(ONE)).toMatchObject({ exit_code: 0, published: published(rig) });
  expect((await rig.rows('from core.response_sentiment')).length).toBeGreaterThan(0);
});

it('a working file with damaged rows is named, and not the published file, which is whole', async () => {
  await using rig = await openRig(FEW_DAYS);
  await rig.sync(TWO);
  const before = readFileSync(published(rig));
  await damageRows(working(rig), 'visibility', rig.workingRows);
  const [code, message] = await outcome(rig);
  expect([code, readFileSync(published(rig)).equals(before)]).toEqual([7, true]);
  expect(message).toContain(`${working(rig)}: it is damaged; move it and its .wal away`);
  rmSync(working(rig));
  expect(await rig.sync(ONE)).toMatchObject(UNCHANGED);
  expect((await rig.rows('from core.visibility')).length).toBeGreaterThan(0);
});

it('a working file held by another process ends a run with 6 before anything is asked, a bad folder with 7', async () => {
  await using rig = await openRig(FEW_DAYS);
  await whileHeld(working(rig), {}, async () => {
    expect(await outcome(rig)).toEqual([6, expect.stringContaining(working(rig))]);
  });
  const folder = dirname(published(rig));
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  expect(await outcome(rig)).toEqual([7, expect.stringContaining(folder)]);
  expect(rig.simulator.requests).toHaveLength(0);
});

it.skipIf(!canMount())('a run on a full disk ends with 7 on record; the next makes up for it', async () => {
  await using rig = await openRig(FEW_DAYS);
  const folder = dirname(published(rig));
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder]);
  try {
    await rig.sync(ONE);
    const before = fingerprint(published(rig));
    rig.simulator.restate({ project: rig.projectIds[0] ?? '', days: rig.simulator.today, by: 0.5 });
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize - 3 * 1024 * 1024));
    const full = /disk is full|free disk space|No space left/i;
    expect(await outcome(rig)).toEqual([7, expect.stringMatching(full)]);
    expect(fingerprint(published(rig))).toBe(before);
    expect(readdirSync(folder).join()).not.toContain('.publish-');
    expect((await readJournal(published(rig))).runs[0]).toMatchObject({ status: 'failed', exit_code: 7 });
    rmSync(join(folder, 'filler'));
    expect((await outcome(rig))[0]).toBe(0);
    const codes = await rig.rows('select exit_code as code from meta.runs order by 1');
    expect(codes.map(({ code }) => code)).toEqual([0, 0, 7]);
    expect(fingerprint(published(rig))).not.toBe(before);
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
});

/** Only root in a machine of its own may mount. */
function canMount(): boolean {
  const folder = `/tmp/answerlake-mount-${String(process.pid)}`;
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
