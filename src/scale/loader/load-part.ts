import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import { runOf, type Manifest, type SoundPart } from '../landing/part.ts';
import type { ArchivedAnswer } from '../../slice.ts';
import { type LedgerEntry, supersededAnswers } from '../../load/ledger.ts';
import { Loader } from '../../load/loader.ts';
import { refusedAnswer, type SliceOutcome } from '../../load/prepare-answer.ts';
import { archivePartPath } from '../../load/raw-archive.ts';
import { replaceFile } from '../../replace-file.ts';
import { type Connection, transaction } from '../../warehouse/connection.ts';

export interface LoadPartContext {
  connection: Connection;
  rawDir: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Loads parts of one run that have no slice in common: rows, ledger and the entries of the parts in one transaction. Their
 * answers enter the raw archive first.
 * @throws AnswerlakeError (storage, locked)
 */
export async function loadParts(
  parts: readonly SoundPart[],
  context: LoadPartContext,
): Promise<LedgerEntry[]> {
  const [first] = parts;
  if (first === undefined) return [];
  for (const part of parts) await archivePart(part, context.rawDir);
  const { manifest } = first;
  const { connection } = context;
  const answers = parts.flatMap((part) => part.answers);
  const superseded = await supersededAnswers(connection, answers, manifest);
  const left = new Set(answers.filter((_, index) => superseded.has(index)));
  const fresh = answers.filter((answer) => !left.has(answer));
  const load = (outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> =>
    new Loader({ connection, run: runOf(manifest), archive: null }).load(outcomes);
  const enter = (outcomes: readonly SliceOutcome[]): Promise<LedgerEntry[]> =>
    transaction(connection, async () => {
      await enterRun(connection, manifest);
      const entries = await load(outcomes);
      for (const part of parts) {
        await enterPart(part, part.answers.filter((answer) => left.has(answer)).length, context);
      }
      return entries;
    });
  try {
    return await enter(fresh.map(answered));
  } catch (error) {
    if (error instanceof AnswerlakeError && error.class !== 'bug') throw error;
    const tried = new Error('tried');
    const outcomes: SliceOutcome[] = [];
    // Slices that break a transaction of their own are recorded as failed.
    for (const answer of fresh) {
      const failure: unknown = await transaction(connection, async () => {
        await load([answered(answer)]);
        throw tried;
      }).catch((reason: unknown) => reason);
      outcomes.push(failure === tried ? answered(answer) : refusedAnswer(answer, failure));
    }
    return await enter(outcomes);
  }
}

const answered = (answer: ArchivedAnswer): SliceOutcome => ({ kind: 'answered', answer });

/** Each part is a file of its own in the raw archive, so writing it twice is harmless. */
async function archivePart({ name, manifest, body }: SoundPart, rawDir: string): Promise<void> {
  const path = archivePartPath(rawDir, runOf(manifest), basename(name));
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, body, 0o600);
  } catch (error) {
    throw new AnswerlakeError(
      `${path}: the raw archive cannot be written (${messageOf(error)}); free some disk space or fix the permissions of the folder`,
      { class: 'storage', cause: error },
    );
  }
}

async function enterRun(
  connection: Connection,
  { run, run_started_at: started, ...known }: Manifest,
): Promise<void> {
  await connection.run(
    `insert into meta.runs (run_id, started_at, finished_at, sync_day, status, base_url, error_message, version, sequence)
     select $1, cast($2 as timestamp), cast($2 as timestamp), cast($3 as date), 'failed', $4, 'loaded from the landing zone', $5,
       coalesce($6, (select coalesce(max(sequence), 0) + 1 from meta.runs))
     where not exists (from meta.runs where run_id = $1)`,
    [run, started, known.sync_day, known.base_url, known.version, known.sequence],
  );
}

async function enterPart(
  { name, manifest }: SoundPart,
  superseded: number,
  { connection, now }: LoadPartContext,
): Promise<void> {
  const { sha256, run, answers, rows, bytes, requests, version, landed_at: landedAt } = manifest;
  const facts = [name, sha256, run, answers, superseded, rows, bytes, requests, version, landedAt];
  await connection.run(
    `insert into meta.parts (name, sha256, run_id, answers, superseded, rows, bytes, requests, version, landed_at, loaded_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, cast($10 as timestamp), cast($11 as timestamp)`,
    [...facts, new Date(now).toISOString()],
  );
}
