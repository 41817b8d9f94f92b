import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import { type LedgerEntry, supersededAnswers } from '../../load/ledger.ts';
import { Loader } from '../../load/loader.ts';
import { archivePartPath } from '../../load/raw-archive.ts';
import { replaceFile } from '../../replace-file.ts';
import type { ArchivedAnswer } from '../../slice.ts';
import { type Connection, transaction } from '../../warehouse/connection.ts';
import type { Part } from '../landing/part.ts';

/**
 * Loads parts of one run that have no slice in common: rows, ledger and the entries of the parts in one transaction. Their
 * answers enter the raw archive first.
 * @param now milliseconds since the epoch
 * @throws AnswerlakeError (storage, locked)
 */
export async function loadParts(
  parts: readonly Part[],
  { connection, rawDir, now }: { connection: Connection; rawDir: string; now: number },
): Promise<LedgerEntry[]> {
  const [first] = parts;
  if (first === undefined) return [];
  for (const part of parts) await archivePart(part, rawDir);
  const { run } = first;
  const answers = parts.flatMap((part) => part.answers);
  const superseded = await supersededAnswers(connection, answers, run);
  const fresh = new Set(answers.filter((_, index) => !superseded.has(index)));
  const load = async (): Promise<LedgerEntry[]> => {
    const loader = new Loader({ connection, run, archive: null });
    return await loader.load([...fresh].map((answer) => ({ kind: 'answered', answer })));
  };
  const enterParts = async (): Promise<void> => {
    for (const part of parts) await enterPart(connection, part, { fresh, now });
  };
  try {
    return await transaction(connection, async () => {
      await enterRun(connection, first);
      const entries = await load();
      await enterParts();
      return entries;
    });
  } catch (error) {
    if (error instanceof AnswerlakeError && error.class !== 'bug') throw error;
    // In transactions of its own, the loader leaves out the slices that break one. To load a part twice changes nothing.
    await enterRun(connection, first);
    const entries = await load();
    await transaction(connection, enterParts);
    return entries;
  }
}

/** Each part is a file of its own in the raw archive, so writing it twice is harmless. */
async function archivePart({ name, run, body }: Part, rawDir: string): Promise<void> {
  const path = archivePartPath(rawDir, run, basename(name));
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

async function enterRun(connection: Connection, { run, manifest }: Part): Promise<void> {
  const { runId, startedAt, syncDay, baseUrl, sequence } = run;
  await connection.run(
    `insert into meta.runs (run_id, started_at, finished_at, sync_day, status, base_url, error_message, version, sequence)
     select $1, cast($2 as timestamp), cast($2 as timestamp), cast($3 as date), 'failed', $4, 'loaded from the landing zone', $5,
       coalesce($6, (select coalesce(max(sequence), 0) + 1 from meta.runs))
     where not exists (from meta.runs where run_id = $1)`,
    [runId, new Date(startedAt).toISOString(), syncDay, baseUrl, manifest.version, sequence],
  );
}

async function enterPart(
  connection: Connection,
  { name, manifest, answers }: Part,
  { fresh, now }: { fresh: ReadonlySet<ArchivedAnswer>; now: number },
): Promise<void> {
  const { sha256, run, rows, bytes, requests, version, landed_at: landedAt } = manifest;
  const superseded = answers.filter((answer) => !fresh.has(answer)).length;
  const facts = [name, sha256, run, answers.length, superseded, rows, bytes, requests, version, landedAt];
  await connection.run(
    `insert into meta.parts (name, sha256, run_id, answers, superseded, rows, bytes, requests, version, landed_at, loaded_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, cast($10 as timestamp), cast($11 as timestamp)`,
    [...facts, new Date(now).toISOString()],
  );
}
