import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import type { Parameter } from '../../src/endpoints/endpoint.ts';
import type { Scope } from '../../src/slice.ts';
import { parametersOf } from '../support/answers.ts';
import { fixtures } from '../support/fixtures.ts';
import { rowsOf } from './rows-of.ts';

const DATES: readonly Parameter[] = [
  ['startDate', '2026-03-02'],
  ['endDate', '2026-03-08'],
];

describe.each(catalogue.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (name, endpoint) => {
  const fixture = fixtures.get(name);
  if (fixture === undefined) throw new Error(`test/fixtures/${name.replaceAll('_', '-')}.ts is missing`);
  const { shows, rows, parameters } = fixture;
  const { dates, grains, own, scopes } = parameters;

  test.each([shows])(`${name} %s`, () => {
    expect(rowsOf(name)).toEqual(rows);
  });

  test.each(
    Object.entries(scopes).flatMap(([scope, parameter]) =>
      grains.map((grain) => ({ scope: scope as Scope, parameter: parameter ?? null, grain })),
    ),
  )(
    `${name} sends exactly its parameters for scope $scope and grain $grain`,
    ({ scope, parameter, grain }) => {
      const isSeries = endpoint.cut.kind === 'series';
      const sent = parametersOf(name, { scope, scopeId: 'wert', ...(isSeries ? { grain } : {}) });
      expect(sent).toEqual([
        ...(dates ? DATES : []),
        ...own(grain),
        ...(parameter === null ? [] : [[parameter, 'wert']]),
      ]);
    },
  );

  test(`${name} declares these scopes and grains and no others`, () => {
    expect(endpoint.scopes).toEqual(scopes);
    expect(endpoint.cut.kind === 'series' ? endpoint.cut.grains : ['day']).toEqual(grains);
  });
});

test('the configured zone is sent where days follow a zone', () => {
  expect(parametersOf('visitor_visits', {}, 'Europe/Berlin')).toContainEqual(['timezone', 'Europe/Berlin']);
});

test('only the model list is asked without the key', () => {
  expect(catalogue.filter(({ withKey }) => !withKey).map(({ name }) => name)).toEqual(['models']);
});
