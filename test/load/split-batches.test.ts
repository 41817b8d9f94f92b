import { expect, test } from 'vitest';
import { AnswerlakeError, type ErrorClass } from '../../src/errors.ts';
import { Loader } from '../../src/load/loader.ts';
import { answerOf } from '../support/answers.ts';
import { FIRST_RUN, WarehouseFile } from '../support/warehouse-file.ts';

test.each<[ErrorClass, number]>([
  ['bug', 3],
  ['storage', 1],
  ['locked', 1],
])('a batch that fails for %s takes %i transactions', async (kind, transactions) => {
  await using file = await WarehouseFile.open();
  let count = 0;
  const loader = new Loader({
    connection: file.connection,
    run: FIRST_RUN,
    archive: null,
    attempt: async (work) => {
      count += 1;
      if (count === 1) throw new AnswerlakeError('it broke', { class: kind });
      return await work();
    },
  });
  const answers = ['visibility', 'sentiment'].map((name, index) =>
    answerOf(name, [{ date: '2026-03-02', value: index }]),
  );
  const [tried] = await Promise.allSettled([
    loader.load(answers.map((answer) => ({ kind: 'answered', answer }))),
  ]);
  expect([tried.status, count]).toEqual([count === 1 ? 'rejected' : 'fulfilled', transactions]);
  expect(await file.rows('select count(*)::integer as slices from meta.slices')).toEqual([
    { slices: count === 1 ? 0 : 2 },
  ]);
});
