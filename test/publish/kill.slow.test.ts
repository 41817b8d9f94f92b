import { tables } from '../support/tables.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { PublishStep } from '../../src/publish/publish.ts';
import { openWorkingFile } from '../../src/warehouse/working-file.ts';
import { madeOnce } from '../support/made-once.ts';
import { Scratch } from '../support/folder.ts';
import { NOW, publishAtEnd, withPublished } from './warehouse-files.ts';
import { rowsOfFile } from '../support/file-reader.ts';

const STEPS: readonly PublishStep[] = ['begun', 'filled', 'checked', 'closed', 'recorded', 'placed'];

const dist = (path: string): string =>
  JSON.stringify(pathToFileURL(join(process.cwd(), 'dist/src', path)).href);

/** Publishes in a process of its own, which is killed when it reaches `step`. */
async function killAt(step: PublishStep, target: string): Promise<string | null> {
  const script = `
    const { openWorkingFile } = await import(${dist('warehouse/working-file.js')});
    const { publish } = await import(${dist('publish/publish.js')});
    const targetPath = ${JSON.stringify(target)};
    const { database } = await openWorkingFile({ tables: ${JSON.stringify(tables)}, publishedPath: targetPath, now: ${NOW} });
    const connection = await database.connect();
    const onStep = (step) => { if (step === ${JSON.stringify(step)}) process.kill(process.pid, 'SIGKILL'); };
    await publish({ connection, targetPath, now: ${NOW}, onStep });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

/** A published file, and a working file with one day more. */
async function prepared(): Promise<string> {
  return await madeOnce('published, and a day more', async (folder) => {
    await withPublished('', async ({ addDay, connection, scratch }) => {
      await addDay('2025-06-02');
      await connection.run('checkpoint');
      cpSync(scratch.folder, folder, { recursive: true });
    });
  });
}

it.each(STEPS)(
  'a publish that is killed at the step %s leaves the old or the new file, and the next one needs no help',
  async (step) => {
    using scratch = new Scratch();
    cpSync(await prepared(), scratch.folder, { recursive: true, preserveTimestamps: true });
    const target = scratch.path('answers.duckdb');
    const old = readFileSync(target);
    expect(await killAt(step, target)).toBe('SIGKILL');
    expect(readdirSync(scratch.folder).filter((name) => name.startsWith('answers'))).toEqual([
      'answers.duckdb',
    ]);
    expect(readFileSync(target).equals(old)).toBe(step !== 'placed');

    const { database } = await openWorkingFile({ tables, publishedPath: target, now: NOW });
    await using open = database;
    const report = await publishAtEnd(await open.connect(), target);
    expect(report?.warnings ?? []).toEqual([]);
    expect(report === null).toBe(step === 'placed');
    const days = 'select count(distinct date) as n from core.visibility';
    expect(await rowsOfFile(target, days)).toEqual([{ n: 2 }]);
    expect(readdirSync(scratch.folder).filter((name) => name.includes('publish'))).toEqual([]);
  },
);
