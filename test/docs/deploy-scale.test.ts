import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { expectKnown, planWith } from './page-commands.ts';

const read = (name: string): string => readFileSync(join('docs/deploy/scale', name), 'utf8');

const service = z.looseObject({
  command: z.array(z.string()).default([]),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
});
const compose = z
  .object({ services: z.record(z.string(), service) })
  .parse(parse(read('docker-compose.yaml'), { merge: true }));
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'answerlake:local');

interface Pod {
  containers: [{ args: string[] }];
}
const parts = parseAllDocuments(read('kubernetes.yaml')).map(
  (document) =>
    document.toJS() as {
      kind: string;
      data?: Record<string, string>;
      spec?: {
        template?: { spec: Pod };
        replicas?: number;
        selector?: { matchLabels?: Record<string, string> };
      };
    },
);
const pods = parts.flatMap(({ spec }) => spec?.template?.spec ?? []);
const configurations = [
  read('answerlake.yaml'),
  parts.find(({ kind }) => kind === 'ConfigMap')?.data?.['answerlake.yaml'] ?? '',
];

it('the examples for a queue start worker, loader and schedule with commands and flags that exist', async () => {
  const lines = [
    ...ours.map(([, { command }]) => command),
    ...pods.map(({ containers: [{ args }] }) => args),
  ];
  const commands = lines.map((line) => line.filter((word) => !/^(--|\/)/.test(word)).join(' '));
  expect(new Set(commands)).toEqual(new Set(['queue init', 'worker', 'loader', 'schedule']));
  for (const line of lines) await expectKnown(line);
});

it('the examples for a queue set only environment variables that the program or its configuration reads', () => {
  const inConfiguration = [...configurations.join('\n').matchAll(/env:(\w+)/g)].map(([, name]) => name);
  const source = ['src/bucket/bucket.ts'].map((path) => readFileSync(path, 'utf8')).join('\n');
  const known = (name: string): boolean =>
    inConfiguration.includes(name) || source.includes(`'${name}'`) || name === 'ANSWERLAKE_CONFIG';
  const set = new Set([
    ...ours.flatMap(([, { environment }]) => Object.keys(environment)),
    ...[...read('kubernetes.yaml').matchAll(/# (DATABASE_URL, .*)$/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    ),
  ]);
  expect([...set].filter((name) => !known(name))).toEqual([]);
  for (const name of ['DATABASE_URL', 'AWS_ACCESS_KEY_ID']) expect(set).toContain(name);
});

it('each Compose service with a health check serves the address that the check asks', () => {
  const { http } = z.object({ http: z.object({ port: z.number() }) }).parse(parse(configurations[0] ?? ''));
  const checked = ours.filter(([, { healthcheck }]) => healthcheck !== undefined);
  expect(checked.map(([name]) => name)).toEqual(['loader', 'worker', 'schedule']);
  for (const [name, { command, healthcheck }] of checked) {
    expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${String(http.port)}/healthz`);
    // `schedule` serves it without being told.
    expect(command.includes('--http'), name).toBe(name !== 'schedule');
  }
});

it('a drained node leaves a pod of each deployment that has several', () => {
  const selected = (kind: string): unknown[] =>
    parts.flatMap((part) =>
      part.kind === kind && part.spec?.replicas !== 1 ? [part.spec?.selector?.matchLabels] : [],
    );
  expect(selected('PodDisruptionBudget')).toEqual(selected('Deployment'));
});

it('the configurations of the examples for a queue are the same, and ones that the program takes', async () => {
  const [first = '', second = ''] = configurations;
  expect(parse(second)).toEqual(parse(first));
  const env = { DATABASE_URL: 'postgres://u@127.0.0.1:1/none' };
  expect(await planWith(first, /\/(data|app|run\/secrets)\//g, env)).toBe(0);
});
