import { expect, it } from 'vitest';
import { z } from 'zod';
import { CATALOGUE } from '../support/catalogue.ts';
import { loadConfig } from '../../src/config/file.ts';
import { configSchema, MEASURES, targetList } from '../../src/config/config.ts';
import { toDay } from '../../src/day.ts';
import { secretOf } from '../../src/secret.ts';
import { readTexts } from '../../src/config/yaml.ts';
import { openWorkspace } from './loaded.ts';
import { readViewFiles } from '../../src/publish/published-file.ts';

/** The part of a JSON Schema that is read here. */
interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
}

/** The schema with the meaning of each setting; `used` gets the names of those that have one. */
function withMeanings(shape: Shape, path: string, used: Set<string>): object {
  const key = path.replace(/(?<=^sync\.endpoints\.)\w+/, '*');
  const description = readTexts('settings.yaml')[key];
  if (description !== undefined) used.add(key);
  const { properties, items } = shape;
  const named = Object.entries(properties ?? {}).map(([name, one]) => {
    return [name, withMeanings(one, path === '' ? name : `${path}.${name}`, used)];
  });
  return {
    ...(description === undefined ? {} : { description }),
    ...shape,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(named) }),
    ...(items === undefined ? {} : { items: withMeanings(items, `${path}[]`, used) }),
  };
}

it('config/schema.json says what the program accepts', async () => {
  const schema = configSchema({
    path: '/etc/answerlake.yaml',
    today: toDay('2025-01-01'),
    own: { declarations: [], problems: [] },
    catalogue: CATALOGUE,
    readSecret: (reference) => ({ secret: secretOf(reference, reference) }),
  });
  const used = new Set<string>();
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const text = `${JSON.stringify(withMeanings(shape, '', used), null, 2)}\n`;
  expect(
    Object.keys(readTexts('settings.yaml')).filter((name) => name.includes('.') && !used.has(name)),
  ).toEqual([]);
  await expect(text).toMatchFileSnapshot('../../config/schema.json');
});

it('config/example.yaml shows exactly the defaults', () => {
  const env = { ANSWERLAKE_KEY: 'key-of-the-example' };
  const request = { env, today: toDay('2025-06-30') };
  const shown = loadConfig({ ...request, path: 'config/example.yaml' });
  const path = openWorkspace().write(
    'answerlake.yaml',
    'version: 1\napi: { base_url: https://server.example.com }\naccounts: [{ name: acme, api_key: env:ANSWERLAKE_KEY }]\nsync: { start_date: 2025-01-01 }\n',
  );
  const minimal = loadConfig({ ...request, path });
  const { api, sync, http, notify } = minimal;
  expect(shown).toMatchObject({ api, sync, http, notify });
  expect(shown.warehouse.storageVersion).toBe(minimal.warehouse.storageVersion);
  expect(shown.warehouse.mode).toBe(minimal.warehouse.mode);
  expect(shown.raw.keepDays).toBe(minimal.raw.keepDays);
});

const TARGET = { project: 'p', measure: 'visibility', goal: 45, by: '2027-01-01' };

it.each([
  [
    'a second goal for one figure',
    [TARGET, { ...TARGET, goal: 50 }],
    'the goal for visibility of project p is already taken',
  ],
  ['a measure that there is not', [{ ...TARGET, measure: 'fame' }], 'visibility'],
  ['a day that there is not', [{ ...TARGET, by: '2027-02-30' }], 'not a calendar day'],
  ['a setting that there is not', [{ ...TARGET, until: '2027-01-01' }], 'until'],
])('targets refuse %s', (_, targets, message) => {
  expect(JSON.stringify(targetList().safeParse(targets).error?.issues)).toContain(message);
});

it('targets can be set for exactly the measures of the view', () => {
  const sql = readViewFiles().find(({ name }) => name === 'measure_days')?.sql ?? '';
  const measures = [...sql.matchAll(/select project_id, date, '(\w+)'|^ {4}'(\w+)',$/gm)].map(
    ([, first, second]) => first ?? second,
  );
  expect(new Set(measures)).toEqual(new Set(MEASURES));
});
