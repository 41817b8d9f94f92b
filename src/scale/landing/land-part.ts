import { createHash } from 'node:crypto';
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { LoadRun } from '../../load/load-run.ts';
import { archiveTextsOf } from '../../load/raw-archive.ts';
import type { ArchivedAnswer } from '../../slice.ts';
import { LANDING_FORMAT, MANIFEST_END, PART_END, partName, sliceName, type Manifest } from './manifest.ts';
import type { Zone } from './zone.ts';

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

/** Writes a part and then its manifest, which says that the part is whole. @throws AnswerlakeError (storage) */
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
