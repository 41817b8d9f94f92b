import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { daySchema } from '../../day.ts';
import type { Catalogue } from '../../endpoints/catalogue.ts';
import { AnswerlakeError, orNull } from '../../errors.ts';
import type { LoadRun } from '../../load/load-run.ts';
import { archiveTextsOf } from '../../load/raw-archive.ts';
import { readAnswers } from '../../load/read-archive.ts';
import { sliceValues, type ArchivedAnswer, type Slice } from '../../slice.ts';
import type { Zone } from './zone.ts';

/** The format of parts and manifests; a newer one is refused. The manifest of the first one said more. */
const LANDING_FORMAT = 2;

export const manifestSchema = z.object({
  format: z.literal([1, LANDING_FORMAT]),
  /** The version of the program that wrote it. */
  version: z.string(),
  run: z.string(),
  sync_day: daySchema,
  /** The round of the run to which it belongs. */
  round: z.string(),
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

export function roundOf(name: string): string {
  return name.split('/')[2]?.split('-')[0] ?? '';
}

/** The hash of a part, by its name. */
export function contentOf(name: string): string {
  return name.slice(name.lastIndexOf('-') + 1);
}

/** The name of a slice in a manifest, with its days. */
export function sliceName(slice: Slice): string {
  return JSON.stringify(sliceValues(slice));
}

const compress = promisify(gzip);

type PartFacts = Pick<Manifest, 'version' | 'round' | 'requests' | 'retries' | 'landed_at'>;

/** Writes a part and then its manifest, which marks the part as complete. @throws AnswerlakeError (storage) */
export async function landPart(
  zone: Zone,
  { run, facts, answers }: { run: LoadRun; facts: PartFacts; answers: readonly ArchivedAnswer[] },
): Promise<Manifest> {
  const members: Buffer[] = [];
  for (const text of archiveTextsOf(run, answers)) members.push(await compress(text));
  const body = Buffer.concat(members);
  const manifest: Manifest = {
    ...facts,
    format: LANDING_FORMAT,
    run: run.runId,
    sync_day: run.syncDay,
    rows: answers.reduce((sum, { pages }) => sum + pages.length, 0),
    bytes: body.length,
    sha256: createHash('sha256').update(body).digest('hex'),
    slices: answers.map(({ slice }) => sliceName(slice)),
  };
  const name = partName(manifest);
  await zone.write(name + PART_END, body);
  await zone.write(name + MANIFEST_END, Buffer.from(JSON.stringify(manifest)));
  return manifest;
}

export async function removePart(zone: Zone, name: string): Promise<void> {
  await zone.remove(name + MANIFEST_END);
  await zone.remove(name + PART_END);
}

/** A part that must not be loaded. */
export class DamagedPartError extends AnswerlakeError {
  readonly part: string;
  readonly damage: string;

  constructor({ place }: Zone, part: string, damage: string) {
    const message = `${place}: part ${part} is not loaded: ${damage}; its slices are requested again`;
    super(message, { class: 'storage', scope: 'slice' });
    this.part = part;
    this.damage = damage;
  }
}

/** Names of the parts that have a manifest, without the extension. @throws AnswerlakeError (storage) */
export async function listParts(zone: Zone, start: string): Promise<string[]> {
  return (await zone.list(start))
    .filter((name) => /^\d{4}-\d\d-\d\d\/[^/]+\/[^/]+\.json$/.test(name))
    .map((name) => name.slice(0, -MANIFEST_END.length));
}

export type FoundPart = Awaited<ReturnType<typeof readManifest>>;

/** @throws DamagedPartError; AnswerlakeError (storage) when the zone cannot be read */
export async function readManifest(zone: Zone, name: string) {
  const damaged = (what: string): DamagedPartError => new DamagedPartError(zone, name, what);
  const text = await zone.read(name + MANIFEST_END);
  if (text === null) throw damaged('its manifest is gone');
  // The schema refuses null.
  const read = orNull((): unknown => JSON.parse(text.toString()));
  const newer = z.object({ format: z.number(), version: z.string() }).safeParse(read).data;
  if (newer !== undefined && newer.format > LANDING_FORMAT) {
    const format = `format ${String(newer.format)}, and this program reads ${String(LANDING_FORMAT)}`;
    throw damaged(`it was written by answerlake ${newer.version} in ${format}: upgrade the loader`);
  }
  const manifest = manifestSchema.safeParse(read).data;
  if (manifest === undefined) throw damaged('its manifest cannot be read');
  if (partName(manifest) !== name) throw damaged('its manifest names another part');
  return { name, manifest };
}

/** `body`: the compressed bytes, as stored in the zone. */
export type LandedPart = Awaited<ReturnType<typeof readPart>>;

/** Reads a part and checks it against its manifest. @throws DamagedPartError; AnswerlakeError (storage) when the zone cannot be read */
export async function readPart(zone: Zone, { name, manifest }: FoundPart, catalogue: Catalogue) {
  const damaged = (what: string): DamagedPartError => new DamagedPartError(zone, name, what);
  const body = await zone.read(name + PART_END);
  if (body === null) throw damaged('it has a manifest, but no part');
  const { bytes, sha256, version } = manifest;
  if (body.length !== bytes) throw damaged(`it is torn: ${String(body.length)} of ${String(bytes)} bytes`);
  if (createHash('sha256').update(body).digest('hex') !== sha256)
    throw damaged('its content does not match its manifest (sha256)');
  let damages = 0;
  let run: LoadRun | null = null;
  const answers: ArchivedAnswer[] = [];
  for await (const read of readAnswers(name, () => (damages += 1), [body])) {
    run = read.run;
    answers.push(read.answer);
  }
  if (damages > 0 || run === null) throw damaged('its lines cannot be read');
  const unknown = answers.find(({ slice }) => !catalogue.has(slice.endpoint))?.slice.endpoint;
  if (unknown === undefined) return { name, manifest, body, run, answers };
  throw damaged(
    `answerlake ${version} wrote answers of ${unknown}, an unknown endpoint: upgrade the loader, or give it endpoints/${unknown}.yaml too, and start it again; the part waits`,
  );
}
