import { expect, test } from 'vitest';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import type { Scope } from '../../src/slice.ts';
import { QUARTER, start, truth, who } from '../simulator/ask.ts';
import { days, parametersOf } from '../support/answers.ts';
import { fixtures } from '../support/fixtures.ts';
import { rowsOf } from './rows-of.ts';

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
