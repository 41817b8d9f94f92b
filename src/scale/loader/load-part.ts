import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { hasEndpoint } from '../../endpoints/catalogue.ts';
import { AnswerlakeError, messageOf } from '../../errors.ts';
import { runOf, type Manifest, type Damage, type SoundPart } from '../landing/part.ts';
import { SameAnswers } from '../../believe/same-answers.ts';
import { type LedgerEntry, supersededAnswers } from '../../load/ledger.ts';
import { Loader } from '../../load/loader.ts';
import { type PreparedAnswer, refusedAnswer, type SliceOutcome } from '../../load/prepare-answer.ts';
import { archivePartPath } from '../../load/raw-archive.ts';
import { replaceFile } from '../../replace-file.ts';
import { type Connection, transaction } from '../../warehouse/connection.ts';

export interface LoadPartContext {
  connection: Connection;
  rawDir: string;
  /** The answers of the run so far. */
  same: SameAnswers<PreparedAnswer>;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Loads a part: rows, ledger and the entry of the part in one transaction. Its answers enter the raw archive first.
 * @throws AnswerlakeError (storage, locked)
 */
export async function loadPart(part: SoundPart, context: LoadPartContext): Promise<LedgerEntry[] | Damage> {
  const { name, manifest, answers } = part;
  const unknown = answers.find(({ slice }) => !hasEndpoint(slice.endpoint))?.slice.endpoint;
  if (unknown !== undefined) {
    const what = `answerlake ${manifest.version} wrote answers of ${unknown}, an endpoint that this program does not know: upgrade the loader`;
    return { kind: 'damaged', name, what };
  }
  await archivePart(part, context.rawDir);
  const superseded = await supersededAnswers(context.connection, answers, manifest);
  const outcomes = answers
    .filter((_, index) => !superseded.has(index))
    .map((answer): SliceOutcome => ({ kind: 'answered', answer }));
  const enter = (loaded: readonly SliceOutcome[]): Promise<LedgerEntry[]> =>
    transaction(context.connection, async () => {
      await enterRun(context.connection, manifest);
      const loader = await openLoader(part, context);
      const entries = await loader.load(loaded);
      await enterPart({ name, manifest, superseded: superseded.size }, context);
      return entries;
    });
  try {
    return await enter(outcomes);
  } catch (error) {
    if (error instanceof AnswerlakeError && error.class !== 'bug') throw error;
    return await enter(await withoutUnloadable(outcomes, part, context));
  }
}

async function openLoader(
  { manifest, answers }: SoundPart,
  { connection, same }: LoadPartContext,
): Promise<Loader> {
  const projects = [...new Set(answers.flatMap(({ slice: { projectId } }) => projectId ?? []))];
  return new Loader({ connection, run: runOf(manifest), archive: null, same, projects });
}

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

/** Tries each slice in a transaction of its own; slices that break it are recorded as failed. */
async function withoutUnloadable(
  outcomes: readonly SliceOutcome[],
  part: SoundPart,
  context: LoadPartContext,
): Promise<SliceOutcome[]> {
  const tried = new Error('tried');
  const loadable: SliceOutcome[] = [];
  for (const outcome of outcomes) {
    try {
      await transaction(context.connection, async () => {
        const loader = await openLoader(part, { ...context, same: new SameAnswers() });
        await loader.load([outcome]);
        throw tried;
      });
    } catch (error) {
      const isSound = error === tried || outcome.kind === 'failed';
      loadable.push(isSound ? outcome : refusedAnswer(outcome.answer, error));
    }
  }
  return loadable;
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
  { name, manifest, superseded }: { name: string; manifest: Manifest; superseded: number },
  { connection, now }: LoadPartContext,
): Promise<void> {
  const { sha256, run, answers, rows, bytes, requests, version, landed_at: landedAt } = manifest;
  await connection.run(
    `insert into meta.parts (name, sha256, run_id, answers, superseded, rows, bytes, requests, version, landed_at, loaded_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, cast($10 as timestamp), cast($11 as timestamp)`,
    [
      name,
      sha256,
      run,
      answers,
      superseded,
      rows,
      bytes,
      requests,
      version,
      landedAt,
      new Date(now).toISOString(),
    ],
  );
}
