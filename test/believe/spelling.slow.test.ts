import { expect, it } from 'vitest';
import { openNights, PROJECT_ONLY, withSync } from './nights.ts';
import { mapFigures } from './series-bodies.ts';

it('NFC and NFD spellings of a competitor are one', async () => {
  await using nights = await openNights({
    ...PROJECT_ONLY,
    change: withSync({ scopes: {}, windows: ['month'] }),
  });
  const request = { endpoints: ['competitor_mentions', 'competitor_heatmap'] };
  const spell = (form: 'NFC' | 'NFD'): void => {
    const name = 'Café Zürich'.normalize(form);
    nights.alter('/responses/competitors', (body) => [
      { ...(body as object[])[0], competitor: name },
      ...(body as object[]).slice(1),
    ]);
    nights.alter('/competitor-heatmap', (body) => {
      const { competitors, matrix, ...rest } = body as {
        competitors: { name: string }[];
        matrix: Record<string, unknown>;
      };
      const old = competitors[1]?.name ?? '';
      const cells = Object.entries(matrix).map(([key, value]) => [key === old ? name : key, value] as const);
      const renamed = competitors.map((one) => (one.name === old ? { ...one, name } : one));
      return { ...rest, competitors: renamed, matrix: Object.fromEntries(cells) };
    });
  };
  spell('NFC');
  await nights.night('2026-07-14', request);
  const names = `select count(distinct competitor) as names from core.competitor_mentions`;
  const before = await nights.rows(names);
  spell('NFD');
  expect(await nights.night('2026-07-14', { ...request, full: true })).toMatchObject({
    exit_code: 0,
    rows_inserted: 0,
    rows_deleted: 0,
  });
  expect(await nights.rows(names)).toEqual(before);
  expect(await nights.vanishing()).toEqual([]);
});

it('numbers of the documents may have decimals: no field is read as an integer that they call a number', async () => {
  await using nights = await openNights({
    ...PROJECT_ONLY,
    change: withSync({ scopes: {}, windows: ['month'] }),
  });
  const half = (figure: number): number => figure + 0.5;
  for (const path of [
    '/citations/domains-over-time',
    '/analytics/crawlers/trend',
    '/analytics/visitors/trend',
  ])
    nights.alter(path, (body) => mapFigures(body, () => true, half));
  nights.alter('/v1/prompts', (body) => {
    const list = body as { prompts: object[] };
    return {
      ...list,
      prompts: list.prompts.map((one) => ({
        ...one,
        volume: 12.5,
        difficulty: 3.25,
        averageVisibility: 1.5,
      })),
    };
  });
  const request = { endpoints: ['prompts', 'domain_citations', 'crawler_requests', 'visitor_visits'] };
  expect(await nights.night('2026-07-14', request)).toMatchObject({ exit_code: 0, rows_rejected: 0 });
});
