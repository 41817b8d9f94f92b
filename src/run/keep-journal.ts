import { journalPath, writeRunJournal, type RunJournal } from './run-journal.ts';
import type { Connection } from '../warehouse/connection.ts';
import type { PublishContext } from './publish-run.ts';

const MOST_RUNS = 100;

/** Writes the newest runs and quotas beside the published file; a failure is a warning, for nothing depends on it. */
export async function keepJournal(connection: Connection, { config, log }: PublishContext): Promise<void> {
  const { path } = config.warehouse;
  try {
    writeRunJournal(path, {
      version: 1,
      runs: await connection.rows<RunJournal['runs'][number]>(
        `select * from meta.runs order by started_at desc limit ${MOST_RUNS}`,
      ),
      quotas: await connection.rows<RunJournal['quotas'][number]>(
        'select * from meta.limits where quota_limit is not null',
      ),
    });
  } catch (error) {
    log.warn('journal.not_written', { path: journalPath(path), error });
  }
}
