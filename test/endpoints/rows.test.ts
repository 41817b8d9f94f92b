import { endpointNamed, catalogue } from '../support/catalogue.ts';
import type { Output } from '../../src/endpoints/table.ts';
import { days, FETCHED_AT, parametersOf } from '../support/answers.ts';
import { fixtures } from '../support/fixtures.ts';
import { expect, test } from 'vitest';
import type { Scope } from '../../src/slice.ts';
import { QUARTER, start, truth, who } from '../simulator/ask.ts';
import { rowsOf } from './rows-of.ts';
import { eventsBody } from '../fixtures/events.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { validationBody } from '../fixtures/validate.ts';
import { at } from '../support/fixture.ts';
import { z } from 'zod';
import { cmsDraft } from '../../src/endpoints/drafts.ts';
import { WarehouseFile } from '../support/warehouse-file.ts';

test.each(catalogue.map(({ name }) => [name, fixtures.get(name)?.shows ?? 'has no fixture']))(
  '%s %s',
  (name) => {
    expect(rowsOf(name)).toEqual(fixtures.get(name)?.rows);
  },
);

const WINDOW = days('2025-07-07', '2025-09-28');

test('each endpoint asks what the API understands, for its longest list, and each filter and grain counts', async () => {
  await using simulator = await start({ world: 'demo' });
  const { models } = truth<{ models: string[] }>(simulator, '/api/v1/competitor-heatmap', QUARTER);
  type Prompts = { prompts: { id: string; llmMonitorId: string }[] };
  const { prompts } = truth<Prompts>(simulator, '/api/v1/prompts');
  const ids: Record<Scope, string> = {
    project: who(simulator).projectId,
    model: models[0] ?? '',
    monitor: prompts[0]?.llmMonitorId ?? '',
    prompt: prompts[0]?.id ?? '',
    prompt_type: 'ORGANIC',
    page: '/pricing',
    parent: '',
  };
  for (const { name, path, cut, limit, scopes } of catalogue) {
    const grains = cut.kind === 'series' ? cut.grains : (['day'] as const);
    const answers = (Object.keys(scopes) as Scope[]).flatMap((scope) =>
      grains.map((grain) => {
        const sent = parametersOf(name, { scope, scopeId: ids[scope], grain, window: WINDOW });
        const longest = limit === null ? [] : [String(limit)];
        expect(sent.map(([, value]) => value)).toEqual(expect.arrayContaining(longest));
        const { status, body } = simulator.answer(path.replace('{id}', ids.prompt), sent, who(simulator));
        expect({ name, sent, status }).toEqual({ name, sent, status: 200 });
        return JSON.stringify(body);
      }),
    );
    expect({ name, answers: new Set(answers).size }).toEqual({ name, answers: answers.length });
  }
});

test('the configured zone is sent where days follow a zone', () => {
  const zoned = catalogue.filter(({ name }) =>
    parametersOf(name, {}, 'Europe/Berlin').some(
      ([sent, zone]) => sent === 'timezone' && zone === 'Europe/Berlin',
    ),
  );
  const names = ['crawler_requests', 'crawler_top_pages', 'visitor_visits'];
  expect(zoned.map(({ name }) => name).toSorted()).toEqual(names);
});

test('only the model list is asked without the key', () => {
  expect(catalogue.filter(({ withKey }) => !withKey).map(({ name }) => name)).toEqual(['models']);
});

const [key] = fixtures.get('validate')?.rows['api_keys'] ?? [];

const VALIDATIONS = ['validate', 'validate_v1'];

test.each(VALIDATIONS)(
  '%s of a project key gives its project, without a list or a permission',
  (endpoint) => {
    const { permission: _permission, ...apiKey } = validationBody.apiKey;
    const body = {
      valid: true,
      keyType: 'project',
      organization: validationBody.organization,
      project: { id: 'project-1', name: 'Acme', slug: 'acme' },
      apiKey,
    };
    expect(rowsOf(endpoint, { bodies: [body] })).toEqual({
      organizations: [{ organization_id: 'organization-1', name: 'Acme Group', slug: 'acme-group' }],
      projects: [{ project_id: 'project-1', organization_id: 'organization-1', name: 'Acme', slug: 'acme' }],
      api_keys: [{ ...key, key_type: 'project', project_id: 'project-1', permission: null }],
    });
  },
);

test.each(VALIDATIONS)(
  '%s of an organization key with a selected project keeps the key free of it',
  (endpoint) => {
    const project = { id: 'project-2', name: 'Zoë & Söhne', slug: 'zoe' };
    const rows = rowsOf(endpoint, { bodies: [{ ...validationBody, project, availableProjects: null }] });
    expect(rows['projects']).toEqual([
      { project_id: 'project-2', organization_id: 'organization-1', name: 'Zoë & Söhne', slug: 'zoe' },
    ]);
    expect(rows['api_keys']).toMatchObject([{ project_id: null }]);
  },
);

const [first] = fixtures.get('prompts')?.rows['prompts'] ?? [];

test('prompts stores absent optional fields as NULL', () => {
  const { intent: _1, averageVisibility: _2, difficulty: _3, ...rest } = promptBody;
  const body = { prompts: [rest], total: 1, page: 1, size: 100, totalPages: 1 };
  expect(rowsOf('prompts', { bodies: [body] })['prompts']).toEqual([
    { ...first, intent: null, average_visibility: null, difficulty: null },
  ]);
});

test('a prompt that is not found becomes a removed prompt without text', () => {
  const nothing = Object.fromEntries(Object.keys(first ?? {}).map((column) => [column, null]));
  expect(rowsOf('prompt', { status: 404, bodies: [{ error: 'Not Found' }] })).toEqual({
    prompts: [{ ...nothing, prompt_id: 'prompt-1', removed_at: FETCHED_AT }],
  });
});

test('the events endpoint counts a group that is on every page once, from its earliest prompt', () => {
  const [first] = eventsBody.events;
  const group = first?.items[0];
  const later = { ...group, occurredAt: '2026-03-02T09:00:00.000Z' };
  const page = (items: unknown[]): unknown => ({ ...eventsBody, events: [{ date: '2026-03-02', items }] });
  const rows = rowsOf('events', { bodies: [page([group]), page([later])] });
  expect(new Set(rows['events']?.map((row) => [row['prompt_count'], row['occurred_at']].join()))).toEqual(
    new Set([`2,${at('2026-03-02T08:00:00Z')}`]),
  );
});

test('the events endpoint counts only actions for its pages, including an action whose id cannot be read', () => {
  const { paging } = endpointNamed('events');
  if (paging.kind !== 'number') throw new Error('events come by page number');
  const unreadable = { type: 'action', action: { id: 7 } };
  const items = [...(eventsBody.events[0]?.items ?? []), unreadable];
  const body = { ...eventsBody, totalPages: 3, events: [{ date: '2026-03-02', items }] };
  expect(paging.size).toBe(200);
  const { ids, ...counts } = paging.pages(body);
  expect(counts).toMatchObject({ total: 2, totalPages: 3 });
  expect(ids).toEqual([expect.stringMatching(/^action-1 /), null]);
});

test('share_of_voice drops the period that was only asked for as the previous one', () => {
  const slice = { window: days('2026-03-03', '2026-03-08') };
  const changes = { slice, asked: days('2026-03-02', '2026-03-08') };
  const rows = fixtures.get('share_of_voice')?.rows['share_of_voice'];
  expect(rowsOf('share_of_voice', changes)).toEqual({ share_of_voice: rows?.slice(1) });
});

test('citation_rank_totals gives NULL when the overall rank is absent', () => {
  expect(rowsOf('citation_rank_totals', { bodies: [{ timeSeries: [] }] })).toEqual({
    citation_totals: [{ overall_average_rank: null }],
  });
});

test('domain_citation_totals has the total of the first page, not that of the domains asked for by name', () => {
  const page = (domain: string, totalCitations: number): object => ({
    dates: ['2026-03-02'],
    series: [{ domain, data: [1], total: 1, percentage: 50, averageRank: 1 }],
    totalCitations,
  });
  expect(rowsOf('domain_citation_totals', { bodies: [page('a', 8), page('b', 1)] })).toMatchObject({
    domain_citation_totals: [
      { domain: 'a', percentage: 50 },
      { domain: 'b', percentage: null },
    ],
    citation_totals: [{ total_citations: 8 }],
  });
});

test('series and dated lists are daily figures; daily_kpis leaves out brands and domains', () => {
  const daily = catalogue.filter(({ isDaily }) => isDaily).map(({ cut }) => cut.kind);
  expect(new Set(daily)).toEqual(new Set(['series', 'dated']));
  const apart = catalogue.filter(({ hasDailyKpis }) => !hasDailyKpis).map(({ name }) => name);
  expect(apart).toEqual(['brand_visibility', 'domain_citations']);
});

const OF_EVERY_TABLE = ['_run_id', '_changed_at'];

/** The columns that an endpoint fills of a table. */
function columnsOf(output: Output): readonly string[] {
  return [...output.key, ...(output.shape === 'window' ? ['window_end'] : []), ...output.columns];
}

const outputs = [...catalogue, cmsDraft].flatMap((endpoint) => endpoint.outputs);

test('every column of every table is filled by some endpoint, and no others', async () => {
  await using file = await WarehouseFile.open();
  const rows = await file.connection.rowsAs(
    z.object({ name: z.string(), column: z.string() }),
    `select table_name as name, column_name as "column" from duckdb_columns() where schema_name = 'core'`,
  );
  const columns = new Set(rows.map(({ name, column }) => `${name}.${column}`));
  const filled = new Set(
    outputs.flatMap((output) =>
      [...columnsOf(output), ...OF_EVERY_TABLE].map((column) => `${output.table}.${column}`),
    ),
  );
  expect([...filled].toSorted()).toEqual([...columns].toSorted());
});
