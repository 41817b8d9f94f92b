import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  DamagedPartError,
  landPart,
  listParts,
  MANIFEST_END,
  PART_END,
  partName,
  sliceName,
} from '../../src/scale/landing/part.ts';
import {
  identifyZone,
  openZone,
  readZoneId,
  requireSameZone,
  type Zone,
  waitingZone,
} from '../../src/scale/landing/zone.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { makeFolder } from '../support/folder.ts';
import { answerOf } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';
import { newZone, readLanded, ZONES, stubZone } from './zones.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { virtualEffects } from '../support/virtual-effects.ts';

const answers = ['visibility', 'sentiment'].map((name) => answerOf(name, documentedBodies[name]));
const landed_at = '2026-03-10T02:00:00.000Z';
const facts = { version: '0.0.0', round: '000001', requests: 3, retries: 1, landed_at };
const content = { run: FIRST_RUN, facts, answers };

/** A zone in a folder, with one part. */
async function landed(): Promise<{ zone: Zone; name: string; manifest: object; body: Buffer }> {
  const zone = await newZone('a folder');
  const manifest = await landPart(zone, content);
  const name = partName(manifest);
  return { zone, name, manifest, body: (await zone.read(name + PART_END)) ?? Buffer.alloc(0) };
}

/** What a part is found to be. */
async function read(zone: Zone, name: string): Promise<string> {
  return await readLanded(zone, name).then(
    ({ answers: own }) => `sound, ${String(own.length)} answers`,
    (error: unknown) => (error instanceof DamagedPartError ? error.damage : 'another error'),
  );
}

test.each(ZONES)(
  'a landing zone in %s gives back the answers of a part, by its content, once',
  async (kind) => {
    await using zone = await newZone(kind);
    const manifest = await landPart(zone, content);
    const name = partName(manifest);
    expect(partName(await landPart(zone, content))).toBe(name);
    expect(name).toBe(`2026-03-10/run-1/000001-${manifest.sha256}`);
    expect(await listParts(zone, '2026-03-10/run-1/000001-')).toEqual([name]);
    expect(await listParts(zone, '2026-03-10/run-2/')).toEqual([]);
    expect(manifest).toMatchObject({ rows: 2, requests: 3, retries: 1 });
    expect(manifest.slices).toEqual(answers.map(({ slice }) => sliceName(slice)));
    expect(await readLanded(zone, name)).toMatchObject({ name, run: FIRST_RUN, answers });
  },
);

test('a landing zone refuses a part that is torn, altered or gone, and says so', async () => {
  const { zone, name, body } = await landed();
  const altered = Buffer.from(body);
  altered[20] = (altered[20] ?? 0) ^ 1;
  await zone.write(name + PART_END, body.subarray(0, -9));
  const { length } = body;
  expect(await read(zone, name)).toBe(`it is torn: ${String(length - 9)} of ${String(length)} bytes`);
  await zone.write(name + PART_END, altered);
  expect(await read(zone, name)).toContain('sha256');
  for (let times = 0; times < 2; times += 1) await zone.remove(name + PART_END);
  expect(await read(zone, name)).toBe('it has a manifest, but no part');
  await zone.write(name + PART_END, body);
  expect(await read(zone, name)).toBe('sound, 2 answers');
});

test('a landing zone refuses a manifest of a newer format, and one that cannot be read', async () => {
  const { zone, name, manifest } = await landed();
  const write = (text: string, to = name): Promise<void> => zone.write(to + MANIFEST_END, Buffer.from(text));
  await write(JSON.stringify({ ...manifest, format: 3, version: '9.0.0', unknown: true }));
  expect(await read(zone, name)).toBe(
    'it was written by answerlake 9.0.0 in format 3, and this program reads 2: upgrade the loader',
  );
  await write('{"format":');
  expect(await read(zone, name)).toBe('its manifest cannot be read');
  const other = `${name.slice(0, -1)}x`;
  await write(JSON.stringify(manifest), other);
  expect(await read(zone, other)).toBe('its manifest names another part');
  // An older worker says more.
  await write(JSON.stringify({ ...manifest, format: 1, organization: 'acme', base_url: FIRST_RUN.baseUrl }));
  expect(await readLanded(zone, name)).toMatchObject({ name, run: FIRST_RUN, answers });
});

test('a landing zone keeps its id, by which two processes notice that their zones differ', async () => {
  const [zone, another] = [await newZone('a folder'), await newZone('a folder')];
  const own = await identifyZone(zone);
  expect(await identifyZone(zone)).toBe(own);
  expect(() => requireSameZone(zone, own, null)).not.toThrow();
  expect(() => requireSameZone(zone, own, own)).not.toThrow();
  const queue = await identifyZone(another);
  expect(() => requireSameZone(zone, own, queue)).toThrow('is not the landing zone of this queue');
});

const { signal } = new AbortController();
const refused = (message: string | RegExp) => ({ exitCode: 7, message: expect.stringMatching(message) });

test('a landing zone that cannot be used is storage, exit 7, where its folder is a file', async () => {
  const path = join(makeFolder(), 'landing');
  writeFileSync(path, 'a file');
  await expect(identifyZone(openZone(path, { env: {}, signal }))).rejects.toMatchObject(refused(path));
});

test('a landing zone whose disk is unmounted takes and lists no parts: exit 7', async () => {
  const { zone } = await landed();
  renameSync(zone.place, `${zone.place}.away`);
  mkdirSync(zone.place);
  const away = refused('check that the folder exists');
  await expect(landPart(zone, content)).rejects.toMatchObject(away);
  await expect(listParts(zone, '')).rejects.toMatchObject(away);
  expect(readdirSync(zone.place)).toEqual([]);
});

test('a landing zone is storage, exit 7, where the bucket is read-only or gone: not an empty one', async () => {
  const server = await startBucketServer();
  await using zone = openZone('s3://answers/landing', { env: server.env, signal });
  const own = await identifyZone(zone);
  server.isReadOnly = true;
  expect(await readZoneId(zone)).toBe(own);
  const readOnly = refused(/AccessDenied; check .*what it may do/);
  await expect(identifyZone(zone)).rejects.toMatchObject(readOnly);
  await expect(landPart(zone, content)).rejects.toMatchObject(readOnly);
  expect([...server.objects.keys()]).toEqual(['answers/landing/zone.json']);
  server.isReadOnly = false;
  expect(await identifyZone(zone)).toBe(own);
  await expect(landPart(zone, content)).resolves.toBeDefined();
  server.isMissing = true;
  const missing = refused('check the name of the bucket');
  await expect(readZoneId(zone)).rejects.toMatchObject(missing);
  await expect(zone.list('')).rejects.toMatchObject(missing);
});

const away = (): AnswerlakeError => new AnswerlakeError('away', { class: 'storage' });

/** Runs calls on a zone that fails with `errors`; returns what was reported, and when. */
function open(errors: unknown[], signal = new AbortController().signal) {
  const effects = virtualEffects(0);
  const reported: (readonly [problem: string | null, atMs: number])[] = [];
  const fail = async (): Promise<void> => {
    if (errors.length > 0) throw errors.shift();
  };
  const zone = waitingZone(stubZone(fail), {
    effects,
    pauseMs: 5_000,
    signal,
    report: async (problem) => void reported.push([problem, effects.now()]),
  });
  return { zone, reported };
}

test('a call on a zone that is away waits, and reports the problem before each pause, and its end', async () => {
  const errors: unknown[] = [];
  const { zone, reported } = open(errors);
  await zone.write('name', Buffer.from(''));
  expect(reported.splice(0)).toEqual([[null, 0]]);
  errors.push(away(), away());
  expect(await zone.list('')).toEqual([]);
  expect(reported).toEqual([
    ['away', 0],
    ['away', 5_000],
    [null, 10_000],
  ]);
});

test('a call on a zone that is away fails after the signal, and at once with any other error', async () => {
  const stopped = open([away()], AbortSignal.abort());
  await expect(stopped.zone.read('name')).rejects.toThrow('away');
  expect(stopped.reported).toEqual([]);
  for (const error of [new Error('a bug'), new AnswerlakeError('a bug', { class: 'configuration' })]) {
    const other = open([error]);
    await expect(other.zone.remove('name')).rejects.toThrow('a bug');
    expect(other.reported).toEqual([]);
  }
});
