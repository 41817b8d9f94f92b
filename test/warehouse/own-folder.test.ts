import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findDeadFolders, openOwnFolder, removeDeadFolders } from '../../src/warehouse/own-folder.ts';
import { Scratch } from '../support/folder.ts';
import { whileHeld } from './held-file.ts';

it('a folder of one process is private, and is gone with its lock when it is disposed of', async () => {
  using scratch = new Scratch();
  {
    using folder = await openOwnFolder(scratch.path('.new-'));
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder.path, 'rows'), 'x');
    // This process lives, and so do its folders.
    expect(await findDeadFolders(scratch.path('.new-'))).toEqual([]);
  }
  expect(readdirSync(scratch.folder)).toEqual([]);
});

it('a lock proves that a process lives, whatever its id is; without one its folder is removed', async () => {
  using scratch = new Scratch();
  const start = scratch.path('.new-');
  const path = `${start}0123456789ab`;
  await whileHeld(`${path}.lock`, {}, async () => {
    writeFileSync(path, 'rows');
    await removeDeadFolders(start);
    expect(existsSync(path)).toBe(true);
  });
  expect(await findDeadFolders(start)).toEqual([path]);
  await removeDeadFolders(start);
  expect(readdirSync(scratch.folder)).toEqual([]);
});

it('what looks like a folder of one process and has no lock is left alone', async () => {
  using scratch = new Scratch();
  writeFileSync(scratch.path('.new-0123456789ab'), 'of a file system without locks');
  writeFileSync(scratch.path('.new-report.lock'), 'of a person');
  await removeDeadFolders(scratch.path('.new-'));
  expect(readdirSync(scratch.folder)).toHaveLength(2);
});
