import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readAnswers } from '../../load/read-archive.ts';
import type { ArchivedAnswer } from '../../slice.ts';
import {
  LANDING_FORMAT,
  MANIFEST_END,
  manifestSchema,
  PART_END,
  partName,
  type Manifest,
} from './manifest.ts';
import type { Zone } from './zone.ts';

const PIECE_BYTES = 64 * 1024;

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
  const { answers, damages } = await unpack(name, body);
  const rows = answers.reduce((sum, { pages }) => sum + pages.length, 0);
  const isForeign = answers.some(({ runId }) => runId !== manifest.run);
  if (damages > 0 || isForeign || rows !== manifest.rows || answers.length !== manifest.answers) {
    return damaged('its lines are not what its manifest says');
  }
  return { ...found, body, answers };
}

async function unpack(name: string, body: Buffer): Promise<{ answers: ArchivedAnswer[]; damages: number }> {
  let damages = 0;
  const answers: ArchivedAnswer[] = [];
  const reading = readAnswers(name, () => (damages += 1), piecesOf(body));
  for await (const { answer } of reading) answers.push(answer);
  return { answers, damages };
}

/** Pieces of a file's usual size: what is unpacked of one is in memory at once. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PIECE_BYTES) {
    yield body.subarray(start, start + PIECE_BYTES);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
