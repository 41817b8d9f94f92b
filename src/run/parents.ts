import { z } from 'zod';
import type { Mention } from '../plan/owed.ts';
import { quoteIdentifier, quoteStored, readSql } from '../warehouse/sql.ts';
import type { OpenRun, Planning } from './run-context.ts';

/** Days after which the list of a parent is requested again. */
const AGAIN_DAYS = 7;

const parentRow = z.object({ projectId: z.string(), id: z.string(), waiting: z.number() });

/** A parent whose list to request, how many parents wait, and how many nights they all take. */
type Parent = Mention & { nights: number; waiting: number };

/** Reads which parents' lists this run requests: first those never requested, then those requested longest ago. */
export async function readParents(
  { connection, config, run }: OpenRun,
  { plans, question }: Planning,
  projectIds: readonly string[],
): Promise<Parent[]> {
  const mentions: Parent[] = [];
  for (const plan of plans) {
    const { cut, name } = plan.endpoint;
    const parents = cut.kind === 'list' ? (cut.parents ?? null) : null;
    if (parents === null) continue;
    const table = parents.of === 'prompts' ? parents.of : `own.${parents.of}`;
    const [, column = ''] = config.catalogue.keys.get(table) ?? [];
    const sql = readSql('plan/parents', { table: quoteStored(table), column: quoteIdentifier(column) });
    const runs = [...question.chain, run.runId];
    const values = [projectIds, name, run.syncDay, AGAIN_DAYS, parents.atMost, runs];
    const rows = await connection.rowsAs(parentRow, sql, values);
    mentions.push(...rows.map((row) => ({ plan, nights: Math.ceil(row.waiting / parents.atMost), ...row })));
  }
  return mentions;
}
