import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { readJournal } from '../../src/run/journal.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { contentHashes } from '../support/content-hash.ts';
import { whileHeld } from '../warehouse/held-file.ts';
import { openRig, type Rig } from './rig.ts';
import { changeFile } from '../support/file-reader.ts';

const SMALL = { world: 'small', today: '2026-07-14', startDate: '2026-07-10' } as const;
const MEBIBYTE = 1024 * 1024;
const ONE = { endpoints: ['response_sentiment'] };

const published = (rig: Rig): string => rig.config.warehouse.path;
const working = (rig: Rig): string => workingPath(rig.config.warehouse.path);

/** How a run ended: by its report, or by what it threw. */
async function outcome(
  run: Promise<{ exit_code: number; failures: { message: string }[] }>,
): Promise<{ code: number; message: string }> {
  try {
    const report = await run;
    return { code: report.exit_code, message: report.failures[0]?.message ?? '' };
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
    return { code: error.exitCode, message: error.message };
  }
}

function fingerprint(path: string): string {
  const { ino, size, mtimeMs } = statSync(path);
  return `${String(ino)} ${String(size)} ${String(mtimeMs)}`;
}

it('the working file held by another process ends the run with 6 before anything is asked', async () => {
  await using rig = await openRig(SMALL);
  await rig.sync(ONE);
  const before = fingerprint(published(rig));
  rig.simulator.resetRequests();
  await whileHeld(working(rig), {}, async () => {
    const { code, message } = await outcome(rig.sync(ONE));
    expect(code).toBe(6);
    expect(message).toContain(working(rig));
  });
  expect(rig.simulator.requests).toHaveLength(0);
  expect(fingerprint(published(rig))).toBe(before);
  expect(await outcome(rig.sync(ONE))).toMatchObject({ code: 0 });
});

it('a working file that is damaged is set aside and built again from the published file', async () => {
  await using rig = await openRig(SMALL);
  await rig.sync(ONE);
  const hashes = await contentHashes(published(rig));
  const bytes = readFileSync(working(rig));
  writeFileSync(working(rig), bytes.fill(0xa5, 4096, Math.min(bytes.length, 4096 * 60)));
  const report = await rig.sync(ONE);
  expect(report).toMatchObject({ exit_code: 0, rows_inserted: 0, rows_updated: 0, rows_deleted: 0 });
  expect(report.warnings).toContainEqual(expect.stringMatching(/work\.duckdb.*: damaged, moved to /));
  expect(await contentHashes(published(rig))).toEqual(hashes);
  const aside = readdirSync(dirname(working(rig))).filter((name) => name.includes('.corrupt-'));
  expect(aside.length).toBeGreaterThan(0);
});

it('the published path with a database of another program ends with 7 before the first run, untouched', async () => {
  await using rig = await openRig(SMALL);
  mkdirSync(dirname(published(rig)), { recursive: true });
  await changeFile(published(rig), 'create table theirs as select 42 as answer');
  const before = readFileSync(published(rig));
  const { code, message } = await outcome(rig.sync(ONE));
  expect(code).toBe(7);
  expect(message).toContain(published(rig));
  expect(readFileSync(published(rig)).equals(before)).toBe(true);
});

it('a folder that cannot be written ends with 7: the data folder is a file', async () => {
  await using rig = await openRig(SMALL);
  rmSync(dirname(published(rig)), { recursive: true, force: true });
  writeFileSync(dirname(published(rig)), 'in the way');
  const { code, message } = await outcome(rig.sync(ONE));
  expect(code).toBe(7);
  expect(message).toContain(dirname(published(rig)));
  expect(rig.simulator.requests).toHaveLength(0);
});

it.skipIf(!canMount())(
  'a run on a full disk ends with 7 and is told as failed, and the next one makes up for it',
  async () => {
    await using rig = await openRig(SMALL);
    const folder = dirname(published(rig));
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder]);
    try {
      await rig.sync(ONE);
      const before = fingerprint(published(rig));
      rig.simulator.restate({
        project: rig.simulator.world.projects[0]?.id ?? '',
        days: rig.simulator.today,
        by: 0.5,
      });
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize - 3 * MEBIBYTE));
      const { code, message } = await outcome(rig.sync(ONE));
      expect(code).toBe(7);
      expect(message).toMatch(/disk is full|free disk space|No space left/i);
      expect(fingerprint(published(rig))).toBe(before);
      expect(readdirSync(folder).filter((name) => name.includes('.publish-'))).toEqual([]);
      expect((await readJournal(published(rig))).runs[0]).toMatchObject({ status: 'failed', exit_code: 7 });
      rmSync(join(folder, 'filler'));
      expect(await outcome(rig.sync(ONE))).toMatchObject({ code: 0 });
      expect(await rig.rows('select status, exit_code from meta.runs order by exit_code')).toEqual([
        { status: 'ok', exit_code: 0 },
        { status: 'ok', exit_code: 0 },
        { status: 'failed', exit_code: 7 },
      ]);
      expect(fingerprint(published(rig))).not.toBe(before);
    } finally {
      execFileSync('umount', ['-l', folder]);
    }
  },
);

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
