import type { Day } from '../day.ts';
import { cmsDraft, type DraftBody } from '../endpoints/drafts.ts';
import type { ApiAnswer } from '../extract/call.ts';
import type { LedgerEntry } from '../load/ledger.ts';
import type { LoadRun } from '../load/load-run.ts';
import { Loader } from '../load/loader.ts';
import { RawArchive } from '../load/raw-archive.ts';
import type { Connection } from '../warehouse/connection.ts';
import { listSlice } from '../slice.ts';

export interface DraftRecord {
  connection: Connection;
  /** Folder of the raw archive. */
  rawDir: string;
  run: LoadRun & { syncDay: Day };
  account: string;
  projectId: string;
  request: DraftBody['request'];
  answer: ApiAnswer;
}

/**
 * Keeps a pushed draft in the raw archive and in `core.cms_drafts`; an answer of another shape than documented is a
 * reject of the entry that comes back.
 * @throws AnswerlakeError storage, locked
 */
export async function recordDraft(record: DraftRecord): Promise<LedgerEntry> {
  const { connection, rawDir, run, account, projectId, request, answer } = record;
  const archive = new RawArchive({ run, dir: rawDir });
  const loader = new Loader({ connection, run, archive, projects: [projectId] });
  const body: DraftBody = { request, response: answer.body };
  const [entry] = await loader.load([
    {
      kind: 'answered',
      answer: {
        runId: run.runId,
        runStartedAt: run.startedAt,
        syncDay: run.syncDay,
        baseUrl: run.baseUrl,
        acceptShrink: run.acceptShrink,
        account,
        slice: listSlice({
          endpoint: cmsDraft.name,
          projectId,
          scope: 'project',
          scopeId: request.contentId,
        }),
        asked: null,
        limit: null,
        requests: answer.requests,
        pages: [{ page: 1, status: 200, fetchedAt: answer.fetchedAt, body }],
      },
    },
  ]);
  if (entry === undefined) throw new RangeError('one answer makes one entry');
  return entry;
}
