import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nightsVerdict } from '../../src/cli/check-api.ts';
import { changeFile } from '../support/file-reader.ts';
import { openFolder } from '../support/folder.ts';
import { writePublished } from './published.ts';

/** Three nights of a list of two prompts, whose totals grow by `grown` answers a week, and 10 answers a day. */
async function verdictOf({ grown, removed = false }: { grown: number; removed?: boolean }) {
  const folder = openFolder();
  await writePublished(folder);
  const path = join(folder, 'data', 'answers.duckdb');
  const nights = ['2025-02-18', '2025-02-25', '2025-03-04'].flatMap((date, week) =>
    ['a', 'b'].map((prompt, place) => {
      const answers = 100 + (week * grown) / 2;
      return removed && week === 2 && place === 1
        ? ''
        : `('p1', date '${date}', '${prompt}', ${String(answers)}, 40.0, timestamp '${date} 02:00:00', 'r1', '2025-03-05')`;
    }),
  );
  await changeFile(
    path,
    `insert into core.brands (project_id, brand_id, name, relation, _run_id, _changed_at) values ('p1', 'own', 'Own', 'SELF', 'r1', '2025-03-05');
     insert into core.brand_visibility (project_id, grain, date, scope, scope_id, brand_id, average_visibility, mention_count, total_responses, _run_id, _changed_at)
       select 'p1', 'day', unnest(generate_series(date '2025-02-18', date '2025-03-03', interval '1 day'))::date, 'project', 'p1', 'own', 40.0, 4, 10, 'r1', '2025-03-05';
     insert into core.prompt_snapshots (project_id, date, prompt_id, amount_of_responses, average_visibility, seen_at, _run_id, _changed_at)
       values ${nights.filter((night) => night !== '').join(', ')}`,
  );
  const { verdict, text } = await nightsVerdict(path, 'p1');
  return [verdict, text];
}

it('check --api compares two stored nights of the prompt list with the daily figures', async () => {
  expect(await verdictOf({ grown: 70 })).toEqual([
    'as documented',
    'the prompt list holds running totals of all answers',
  ]);
  expect((await verdictOf({ grown: 7 }))[0]).toBe('nothing to set');
});

it('check --api cannot tell from nights that are missing, or between which prompts were removed', async () => {
  expect((await nightsVerdict(join(openFolder(), 'none.duckdb'), 'p1')).verdict).toBe('cannot tell');
  expect((await verdictOf({ grown: 7, removed: true }))[0]).toBe('cannot tell');
});
