import { createHash, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readAnswers } from '../load/read-archive.ts';
import type { ArchivedAnswer } from '../slice.ts';
import {
  LANDING_FORMAT,
  MANIFEST_END,
  manifestSchema,
  PART_END,
  partName,
  type Manifest,
} from './manifest.ts';
import type { Zone } from './zone.ts';

/** A part of the landing zone that must not be loaded, and what can be done about it. */
export interface Damage {
  kind: 'damaged';
  name: string;
  what: string;
}

export interface SoundManifest {
  kind: 'sound';
  name: string;
  manifest: Manifest;
}

/** Names of the parts, without their ends, that have a manifest. @throws AnswerlakeError (storage) */
export async function listParts(zone: Zone, start: string): Promise<string[]> {
  return (await zone.list(start))
    .filter((name) => /^\d{4}-\d\d-\d\d\/[^/]+\/[^/]+\.json$/.test(name))
    .map((name) => name.slice(0, -MANIFEST_END.length));
}

/** @throws AnswerlakeError (storage) when the zone cannot be read */
export async function readManifest(zone: Zone, name: string): Promise<SoundManifest | Damage> {
  const damaged = (what: string): Damage => ({ kind: 'damaged', name, what });
  const text = await zone.read(name + MANIFEST_END);
  if (text === null) return damaged('its manifest is gone');
  const read = parse(text.toString());
  const newer = z.looseObject({ format: z.number(), version: z.string() }).safeParse(read);
  if (newer.success && newer.data.format > LANDING_FORMAT) {
    return damaged(
      `it was written by answerlake ${newer.data.version} in format ${String(newer.data.format)}, and this program reads ${String(LANDING_FORMAT)}: upgrade the loader`,
    );
  }
  const parsed = manifestSchema.safeParse(read);
  if (!parsed.success) return damaged('its manifest cannot be read');
  if (partName(parsed.data) !== name) return damaged('its manifest names another part');
  return { kind: 'sound', name, manifest: parsed.data };
}

export interface SoundPart {
  kind: 'sound';
  name: string;
  manifest: Manifest;
  /** The compressed bytes, as they lie in the zone. */
  body: Buffer;
  answers: ArchivedAnswer[];
}

/** Reads a part and proves that it is what its manifest says. @throws AnswerlakeError (storage) when the zone cannot be read */
export async function readPart(zone: Zone, found: SoundManifest): Promise<SoundPart | Damage> {
  const { name, manifest } = found;
  const damaged = (what: string): Damage => ({ kind: 'damaged', name, what });
  const body = await zone.read(name + PART_END);
  if (body === null) return damaged('there is a manifest, but no part');
  if (body.length !== manifest.bytes) {
    return damaged(`it is torn: ${String(body.length)} of ${String(manifest.bytes)} bytes`);
  }
  if (createHash('sha256').update(body).digest('hex') !== manifest.sha256) {
    return damaged('its content is not what its manifest says (sha256)');
  }
  const { answers, damages } = await unpack(body);
  const rows = answers.reduce((sum, { pages }) => sum + pages.length, 0);
  const isForeign = answers.some(({ runId }) => runId !== manifest.run);
  if (damages > 0 || isForeign || rows !== manifest.rows || answers.length !== manifest.answers) {
    return damaged('its lines are not what its manifest says');
  }
  return { ...found, body, answers };
}

async function unpack(body: Buffer): Promise<{ answers: ArchivedAnswer[]; damages: number }> {
  const path = join(tmpdir(), `answerlake-part-${randomBytes(8).toString('hex')}`);
  let damages = 0;
  const answers: ArchivedAnswer[] = [];
  try {
    await writeFile(path, body, { mode: 0o600 });
    for await (const { answer } of readAnswers(path, () => (damages += 1))) answers.push(answer);
  } finally {
    await rm(path, { force: true });
  }
  return { answers, damages };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
