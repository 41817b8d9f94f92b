import { endpointNamed } from '../support/catalogue.ts';
import type { Row } from '../../src/endpoints/table.ts';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { type AnswerChanges, answerOf, listed } from '../support/answers.ts';
import { fixtures } from '../support/fixtures.ts';

/** Table → rows of an answer without rejects and drift; the body is the fixture's, unless `changes` says otherwise. */
export function rowsOf(endpoint: string, changes: AnswerChanges = {}): Record<string, Row[]> {
  const { body, slice } = fixtures.get(endpoint) ?? {};
  const answer = answerOf(endpoint, body, { ...(slice === undefined ? {} : { slice }), ...changes });
  const { rows, rejects, drift } = readAnswer(endpointNamed(endpoint), answer);
  if (rejects.length + drift.length > 0) throw new Error(JSON.stringify({ rejects, drift }));
  const byTable: Record<string, Row[]> = {};
  for (const { table, values } of listed(rows)) (byTable[table] ??= []).push(values);
  return byTable;
}
