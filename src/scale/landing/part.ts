import { z } from 'zod';
import { daySchema } from '../../day.ts';
import { DEFAULT_LOOKBACK_DAYS, type LoadRun } from '../../load/load-run.ts';
import { sliceValues, type Slice, type ArchivedAnswer } from '../../slice.ts';
import { createHash } from 'node:crypto';
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { archiveTextsOf } from '../../load/raw-archive.ts';
import type { Zone } from './zone.ts';
import { readAnswers } from '../../load/read-archive.ts';

/** The format of parts and manifests; a newer one is refused. */
const LANDING_FORMAT = 1;

/** The manifest of a part. */
export const manifestSchema = z.strictObject({
  format: z.literal(LANDING_FORMAT),
  /** The version of the program that wrote it. */
  version: z.string(),
  run: z.string(),
  run_started_at: z.iso.datetime(),
  sync_day: daySchema,
  base_url: z.string(),
  accept_shrink: z.boolean(),
  warehouse: z.string().nullable().default(null),
  sequence: z.int().nullable().default(null),
  lookback_days: z.int().default(DEFAULT_LOOKBACK_DAYS),
  is_witness: z.boolean().default(true),
  /** The round of the run to which it belongs. */
  round: z.string(),
  organization: z.string(),
  answers: z.int(),
  /** Lines, one for each page. */
  rows: z.int(),
  bytes: z.int(),
  sha256: z.hash('sha256'),
  /** Requests that were sent since the previous part, retries included. */
  requests: z.int(),
  retries: z.int(),
  /** The slices that it answers, by `sliceName`. */
  slices: z.array(z.string()),
  landed_at: z.iso.datetime(),
});
export type Manifest = z.output<typeof manifestSchema>;

export const MANIFEST_END = '.json';
export const PART_END = '.ndjson.gz';

/** `<day>/<run>/<round>-<hash>`: the name of a part and of its manifest, without the extension. */
export function partName({ sync_day: day, run, round, sha256 }: Manifest): string {
  return `${runFolder({ syncDay: day, runId: run })}${round}-${sha256}`;
}

export function runFolder({ syncDay, runId }: Pick<LoadRun, 'syncDay' | 'runId'>): string {
  return `${syncDay}/${runId}/`;
}

export function runOf(manifest: Manifest): LoadRun {
  return {
    runId: manifest.run,
    startedAt: Date.parse(manifest.run_started_at),
    syncDay: manifest.sync_day,
    baseUrl: manifest.base_url,
    acceptShrink: manifest.accept_shrink,
    warehouse: manifest.warehouse,
    sequence: manifest.sequence,
    lookbackDays: manifest.lookback_days,
    isWitness: manifest.is_witness,
  };
}

/** The name of a slice in a manifest, with its days. */
export function sliceName(slice: Slice): string {
  return JSON.stringify(sliceValues(slice));
}

const compress = promisify(gzip);

export interface PartContent {
  run: LoadRun;
  version: string;
  round: string;
  organization: string;
  answers: readonly ArchivedAnswer[];
  requests: number;
  retries: number;
  /** Milliseconds since the epoch. */
  landedAt: number;
}

/** Writes a part and then its manifest, which marks the part as complete. @throws AnswerlakeError (storage) */
export async function landPart(zone: Zone, content: PartContent): Promise<Manifest> {
  const { run, version, round, organization, answers, requests, retries, landedAt } = content;
  const members: Buffer[] = [];
  for (const text of archiveTextsOf(run, answers)) members.push(await compress(text));
  const body = Buffer.concat(members);
  const manifest: Manifest = {
    format: LANDING_FORMAT,
    version,
    run: run.runId,
    run_started_at: new Date(run.startedAt).toISOString(),
    sync_day: run.syncDay,
    base_url: run.baseUrl,
    accept_shrink: run.acceptShrink,
    warehouse: run.warehouse,
    sequence: run.sequence,
    lookback_days: run.lookbackDays,
    is_witness: run.isWitness,
    round,
    organization,
    answers: answers.length,
    rows: answers.reduce((sum, { pages }) => sum + pages.length, 0),
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
    requests,
    retries,
    slices: answers.map(({ slice }) => sliceName(slice)),
    landed_at: new Date(landedAt).toISOString(),
  };
  const name = partName(manifest);
  await zone.write(name + PART_END, body);
  await zone.write(name + MANIFEST_END, Buffer.from(JSON.stringify(manifest)));
  return manifest;
}

/** A part that must not be loaded, and why. */
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

/** Names of the parts that have a manifest, without the extension. @throws AnswerlakeError (storage) */
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
  /** The compressed bytes, as stored in the zone. */
  body: Buffer;
  answers: ArchivedAnswer[];
}

export function roundOf(name: string): string {
  return name.split('/')[2]?.split('-')[0] ?? '';
}

/** The hash of a part, by its name. */
export function contentOf(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1);
}

/** Reads a part and checks it against its manifest. @throws AnswerlakeError (storage) when the zone cannot be read */
export async function readPart(zone: Zone, found: SoundManifest): Promise<SoundPart | Damage> {
  const { name, manifest } = found;
  const damaged = (what: string): Damage => ({ kind: 'damaged', name, what });
  const body = await zone.read(name + PART_END);
  if (body === null) return damaged('it has a manifest, but no part');
  if (body.length !== manifest.bytes) {
    return damaged(`it is torn: ${String(body.length)} of ${String(manifest.bytes)} bytes`);
  }
  if (createHash('sha256').update(body).digest('hex') !== manifest.sha256) {
    return damaged('its content does not match its manifest (sha256)');
  }
  let damages = 0;
  const answers: ArchivedAnswer[] = [];
  const reading = readAnswers(name, () => (damages += 1), [body]);
  for await (const { answer } of reading) answers.push(answer);
  return damages > 0 ? damaged('its lines cannot be read') : { ...found, body, answers };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
