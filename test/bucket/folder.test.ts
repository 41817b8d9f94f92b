import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFolder as openStore } from '../../src/bucket/folder.ts';
import { openFolder } from '../support/folder.ts';

test('files of a folder are written for their owner, listed, read and removed, with emptied folders', async () => {
  const place = openFolder();
  await using store = openStore(place, { isPrivate: true, explain: (error) => error });
  for (const name of ['b/2/y', 'b/1/x', 'a']) await store.write(name, Buffer.from(name));
  const modes = ['b/1', 'b/1/x'].map((name) => statSync(join(place, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  writeFileSync(join(place, 'b/.writing-half'), '');
  expect(await store.list('b/')).toEqual(['b/1/x', 'b/2/y']);
  expect(await store.list('b/2')).toEqual(['b/2/y']);
  expect(await store.list('c/d')).toEqual([]);
  expect(await store.folders()).toEqual(['b']);
  expect((await store.read('b/1/x'))?.toString()).toBe('b/1/x');
  expect(await store.read('b/1/y')).toBeNull();
  for (const name of ['b/1/x', 'b/1/x', 'a']) await store.remove(name);
  expect([existsSync(join(place, 'b/1')), existsSync(join(place, 'b'))]).toEqual([false, true]);
});

test('a failure with a file is explained by whoever opened the folder', async () => {
  const place = openFolder();
  writeFileSync(join(place, 'file'), '');
  await using store = openStore(join(place, 'file'), {
    isPrivate: false,
    explain: (error, name) => new Error(`of ${name}`, { cause: error }),
  });
  await expect(store.write('a/x', Buffer.from(''))).rejects.toThrow('of a/x');
});
