import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  DamagedPartError,
  landPart,
  MANIFEST_END,
  PART_END,
  partName,
  sliceName,
  listParts,
} from '../../src/scale/landing/part.ts';
import {
  openZone,
  type Zone,
  identifyZone,
  readZoneId,
  requireSameZone,
} from '../../src/scale/landing/zone.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { makeFolder } from '../support/folder.ts';
import { answerOf } from '../support/answers.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { FIRST_RUN } from '../support/warehouse-file.ts';
import { newZone, readLanded, ZONES } from './zones.ts';

const answers = [
  answerOf('visibility', documentedBodies['visibility']),
  answerOf('sentiment', documentedBodies['sentiment']),
];
const landed_at = '2026-03-10T02:00:00.000Z';
const facts = { version: '0.0.0', round: '000001', requests: 3, retries: 1, landed_at };
const content = { run: FIRST_RUN, facts, answers };

async function land(zone: Zone): Promise<string> {
  return partName(await landPart(zone, content));
}

async function read(zone: Zone, name: string): Promise<string> {
  return await readLanded(zone, name).then(
    ({ answers: own }) => `sound, ${String(own.length)} answers`,
    (error: unknown) => (error instanceof DamagedPartError ? error.what : 'another error'),
  );
}

describe.each(ZONES)('a landing zone in %s', (kind) => {
  test(`a landing zone in ${kind} gives back the answers of a part, by the name of their content`, async () => {
    await using zone = await newZone(kind);
    const manifest = await landPart(zone, content);
    const name = partName(manifest);
    expect(name).toBe(`2026-03-10/run-1/000001-${manifest.sha256}`);
    expect(await listParts(zone, '2026-03-10/run-1/000001-')).toEqual([name]);
    expect(await listParts(zone, '2026-03-10/run-2/')).toEqual([]);
    expect(manifest).toMatchObject({ rows: 2, requests: 3, retries: 1 });
    expect(manifest.slices).toEqual(answers.map(({ slice }) => sliceName(slice)));
    expect(await readLanded(zone, name)).toMatchObject({ name, run: FIRST_RUN, answers });
  });

  test(`a landing zone in ${kind} holds a part once, however often it is landed`, async () => {
    await using zone = await newZone(kind);
    expect(await land(zone)).toBe(await land(zone));
    expect(await listParts(zone, '')).toHaveLength(1);
  });

  test(`a landing zone in ${kind} refuses a part that is torn, altered or gone, and says so`, async () => {
    await using zone = await newZone(kind);
    const name = await land(zone);
    const body = (await zone.read(name + PART_END)) ?? Buffer.alloc(0);
    await zone.write(name + PART_END, body.subarray(0, -9));
    expect(await read(zone, name)).toBe(
      `it is torn: ${String(body.length - 9)} of ${String(body.length)} bytes`,
    );
    const altered = Buffer.from(body);
    altered[20] = (altered[20] ?? 0) ^ 1;
    await zone.write(name + PART_END, altered);
    expect(await read(zone, name)).toContain('sha256');
    for (let times = 0; times < 2; times += 1) await zone.remove(name + PART_END);
    expect(await read(zone, name)).toBe('it has a manifest, but no part');
    await zone.write(name + PART_END, body);
    expect(await read(zone, name)).toBe('sound, 2 answers');
  });

  test(`a landing zone in ${kind} refuses a manifest of a newer format, and one that cannot be read`, async () => {
    await using zone = await newZone(kind);
    const name = await land(zone);
    const manifest = JSON.parse(((await zone.read(name + MANIFEST_END)) ?? '').toString()) as object;
    const newer = { ...manifest, format: 3, version: '9.0.0', unknown: true };
    await zone.write(name + MANIFEST_END, Buffer.from(JSON.stringify(newer)));
    expect(await read(zone, name)).toBe(
      'it was written by answerlake 9.0.0 in format 3, and this program reads 2: upgrade the loader',
    );
    await zone.write(name + MANIFEST_END, Buffer.from('{"format":'));
    expect(await read(zone, name)).toBe('its manifest cannot be read');
    const other = `${name.slice(0, -1)}x`;
    await zone.write(other + MANIFEST_END, Buffer.from(JSON.stringify(manifest)));
    expect(await read(zone, other)).toBe('its manifest names another part');
  });

  test(`a landing zone in ${kind} keeps its id, by which two processes notice that their zones differ`, async () => {
    await using zone = await newZone(kind);
    await using another = await newZone(kind);
    const own = await identifyZone(zone);
    expect(await identifyZone(zone)).toBe(own);
    expect(() => requireSameZone(zone, { own, queue: null })).not.toThrow();
    expect(() => requireSameZone(zone, { own, queue: own })).not.toThrow();
    const queue = await identifyZone(another);
    expect(() => requireSameZone(zone, { own, queue })).toThrow('is not the landing zone of this queue');
  });
});

test('a part of an older worker, whose manifest says more, is read as it was landed', async () => {
  await using zone = await newZone('a folder');
  const name = await land(zone);
  const manifest = JSON.parse(((await zone.read(name + MANIFEST_END)) ?? '').toString()) as object;
  const older = { ...manifest, format: 1, organization: 'acme', answers: 2, base_url: FIRST_RUN.baseUrl };
  await zone.write(name + MANIFEST_END, Buffer.from(JSON.stringify(older)));
  expect(await readLanded(zone, name)).toMatchObject({ name, run: FIRST_RUN, answers });
});

describe('a landing zone that cannot be used', () => {
  const { signal } = new AbortController();

  test('a landing zone that cannot be used is storage, exit 7, where its folder is a file', async () => {
    const path = join(makeFolder(), 'landing');
    writeFileSync(path, 'a file');
    await using zone = openZone(path, { env: {}, signal });
    await expect(identifyZone(zone)).rejects.toMatchObject({
      exitCode: 7,
      message: expect.stringContaining(path),
    });
  });

  test('a landing zone whose disk is unmounted takes and lists no parts: exit 7', async () => {
    await using zone = await newZone('a folder');
    await landPart(zone, content);
    renameSync(zone.place, `${zone.place}.away`);
    mkdirSync(zone.place);
    const refused = { exitCode: 7, message: expect.stringContaining('check that the folder exists') };
    await expect(landPart(zone, content)).rejects.toMatchObject(refused);
    await expect(listParts(zone, '')).rejects.toMatchObject(refused);
    expect(readdirSync(zone.place)).toEqual([]);
  });

  test('a landing zone that cannot be used is storage, exit 7, where the bucket has become read-only', async () => {
    const server = await startBucketServer();
    await using zone = openZone('s3://answers/landing', { env: server.env, signal });
    const own = await identifyZone(zone);
    server.isReadOnly = true;
    expect(await readZoneId(zone)).toBe(own);
    const refused = {
      exitCode: 7,
      message: expect.stringMatching(/AccessDenied; check .* what the key may do/),
    };
    await expect(identifyZone(zone)).rejects.toMatchObject(refused);
    await expect(landPart(zone, content)).rejects.toMatchObject(refused);
    expect([...server.objects.keys()]).toEqual(['answers/landing/zone.json']);
  });

  test('a landing zone that cannot be used is storage, exit 7, where there is no bucket of that name', async () => {
    const server = await startBucketServer();
    server.isMissing = true;
    await using zone = openZone('s3://answers/landing', { env: server.env, signal });
    const refused = { exitCode: 7, message: expect.stringContaining('check the name of the bucket') };
    // Not taken for an empty one.
    await expect(readZoneId(zone)).rejects.toMatchObject(refused);
    await expect(zone.list('')).rejects.toMatchObject(refused);
  });

  test('a landing zone that cannot be used is configuration, exit 2, without a key for the bucket', () => {
    expect(() => openZone('s3://answers/landing', { env: {}, signal })).toThrow('AWS_ACCESS_KEY_ID');
  });
});
