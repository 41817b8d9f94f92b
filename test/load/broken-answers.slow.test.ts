import { describe, expect, test } from 'vitest';
import { catalogue, endpointNamed } from '../../src/endpoints/catalogue.ts';
import type { LedgerEntry } from '../../src/load/ledger.ts';
import type { PreparedOutcome } from '../../src/load/prepare-answer.ts';
import type { ArchivedAnswer } from '../../src/slice.ts';
import { readAnswer } from '../../src/believe/read-answer.ts';
import { answerOf, type SliceChanges } from '../support/answers.ts';
import { breakagesOf, fewBreakagesOf } from '../support/broken-bodies.ts';
import { documentedBodies } from '../support/fixtures.ts';
import { isThorough } from '../support/runs.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

/** Rows and refused items of an answer; null when the whole answer is refused. */
function received(answer: ArchivedAnswer): number | null {
  try {
    const { rows, rejects } = readAnswer(endpointNamed(answer.slice.endpoint), answer);
    return rows.length + rejects.length;
  } catch {
    return null;
  }
}

const SUM = 'rows_inserted + rows_updated + rows_unchanged + rows_deduplicated + rows_rejected';

/** Loads each answer as if it came alone: answers of one run that are equal for two projects are refused. */
async function loadApart(
  file: WarehouseFile,
  answers: readonly ArchivedAnswer[],
  runId: string,
): Promise<LedgerEntry[]> {
  const prepared: PreparedOutcome[] = [];
  for (const answer of answers) {
    const loader = await file.loader({ runId });
    prepared.push(...loader.prepare({ kind: 'answered', answer }), ...loader.release());
  }
  return await (await file.loader({ runId })).commit(prepared);
}

describe.each(catalogue.map((endpoint) => [endpoint.name, endpoint.cut.kind] as const))(
  '%s',
  (name, kind) => {
    test(`${name} accounts for every row of every broken answer, and loads each of them`, async () => {
      await using file = await WarehouseFile.open();
      const body: unknown = documentedBodies[name];
      const breakages = isThorough ? [...breakagesOf(body)] : fewBreakagesOf(body);
      const answers = breakages.map(({ body }, index) => {
        // A slice each: a project, or for prompts looked up an id.
        const own: SliceChanges = kind === 'lookup' ? { scope: 'prompt' } : {};
        return answerOf(name, body, { slice: { ...own, projectId: `p${index}`, scopeId: `p${index}` } });
      });
      const sound = answers.map((answer) => ({
        ...answer,
        pages: answerOf(name, documentedBodies[name]).pages,
      }));
      await loadApart(file, sound, 'run-1');
      const entries = await loadApart(file, answers, 'run-2');
      expect(entries).toHaveLength(answers.length);
      expect(entries.filter(({ failure }) => failure !== null && failure.errorClass !== 'contract')).toEqual(
        [],
      );
      const ledger = await file.rows(
        `select project_id as project, status, rows_received as received, ${SUM} as accounted from meta.slices`,
      );
      const byProject = new Map(ledger.map((row) => [row['project'], row]));
      for (const [index, answer] of answers.entries()) {
        const expected = received(answer);
        const { place, what } = breakages[index] ?? { place: '', what: '' };
        expect(byProject.get(`p${index}`), `${place} ${what}`).toMatchObject(
          expected === null
            ? { status: 'failed', accounted: 0 }
            : { received: expected, accounted: expected },
        );
      }
    });
  },
);
