import { expect, it } from 'vitest';
import { expectHealed, openNights, PROJECT_ONLY } from './nights.ts';
import { mapFigures, SERIES } from './series-bodies.ts';

const NIGHTS = ['2026-07-15', '2026-07-16', '2026-07-17'] as const;

/** Points, and columns next to a list of days: the altered nights try the others. */
const SHAPES = SERIES.filter(({ endpoint }) => ['visibility', 'crawler_requests'].includes(endpoint));

it.each(SHAPES)(
  'figures of $endpoint that become text leave their days owed until the server is repaired',
  async ({ endpoint, path, table }) => {
    await using nights = await openNights(PROJECT_ONLY);
    const request = { endpoints: [endpoint] };
    expect(await nights.night('2026-07-14', request)).toMatchObject({ exit_code: 0 });
    nights.alter(path, (body) => mapFigures(body, () => true, String));
    for (const day of NIGHTS) {
      const report = await nights.night(day, request);
      expect(report).toMatchObject({ exit_code: 3, rows_deleted: 0, rows_updated: 0 });
      expect(report.failures).toEqual([expect.objectContaining({ class: 'contract', endpoint })]);
    }
    // The first night's answer for its own day was partial.
    expect(await nights.gaps()).toMatchObject(
      ['2026-07-14', '2026-07-15', '2026-07-16'].map((date) => ({ endpoint, date })),
    );
    const slices = `select status, error_class from meta.slices where sync_day = date '2026-07-17'`;
    expect(await nights.rows(`${slices} and endpoint = '${endpoint}'`)).toEqual([
      { status: 'failed', error_class: 'contract' },
    ]);
    // Long after the look-back the days are still owed.
    expect(await nights.night('2026-07-30', request)).toMatchObject({ exit_code: 3 });
    await expectHealed(nights, { days: ['2026-07-31', '2026-08-01'], tables: [table], request });
  },
);

it('one unreadable prompt is a warning: its run is done and the prompt stays as it was', async () => {
  await using nights = await openNights(PROJECT_ONLY);
  const request = { endpoints: ['prompts'] };
  await nights.night('2026-07-14', request);
  const [prompt] = await nights.rows('select prompt_id from core.prompts order by created_at, prompt_id');
  const stored = `select * from core.prompts where prompt_id = '${String(prompt?.['prompt_id'])}'`;
  const before = await nights.rows(stored);
  nights.alter('/v1/prompts', (body) => {
    const list = body as { prompts: { id: string }[] };
    const prompts = list.prompts.map((one) =>
      one.id === prompt?.['prompt_id'] ? { ...one, isActive: 'perhaps' } : one,
    );
    return { ...list, prompts };
  });
  expect(await nights.night('2026-07-15', request)).toMatchObject({ exit_code: 0, rows_rejected: 1 });
  expect(await nights.rows(stored)).toEqual(before);
  expect(await nights.vanishing()).toEqual([]);
});
