import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { cli } from '../cli/run.ts';
import { openFolder } from '../support/folder.ts';

const read = (name: string): string => readFileSync(join('docs/deploy/scale', name), 'utf8');

const service = z.looseObject({
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.looseObject({})).default({}),
});
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(read('docker-compose.yaml'), { merge: true }));
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'answerlake:local');

const named = z.looseObject({ name: z.string() });
const pod = z.object({
  containers: z.tuple([
    z.looseObject({
      args: z.array(z.string()),
      envFrom: z.array(z.object({ secretRef: named })),
      volumeMounts: z.array(
        z.looseObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }),
      ),
    }),
  ]),
  volumes: z.array(
    named.extend({
      configMap: named.optional(),
      persistentVolumeClaim: z.object({ claimName: z.string() }).optional(),
      projected: z.unknown().optional(),
    }),
  ),
});
const part = z.looseObject({
  kind: z.string(),
  metadata: named,
  data: z.record(z.string(), z.string()).optional(),
  spec: z.looseObject({ template: z.looseObject({ spec: pod }).optional() }).optional(),
});
const parts = parseAllDocuments(read('kubernetes.yaml')).map((document) => part.parse(document.toJS()));
const pods = parts.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template.spec]));
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
  for (const [index, line] of lines.entries()) {
    const words = (commands[index] ?? '').split(' ');
    const { code, stdout } = await cli([...words, '--help']);
    expect([line, code, stdout]).toEqual([
      line,
      0,
      expect.stringContaining(`answerlake ${words.join(' ')} [options]`),
    ]);
    for (const flag of line.filter((word) => word.startsWith('--'))) expect(stdout).toContain(flag);
  }
});

it('the examples for a queue set only environment variables that the program or its configuration reads', () => {
  const inConfiguration = [...configurations.join('\n').matchAll(/env:(\w+)/g)].map(([, name]) => name);
  const source = ['src/bucket/bucket-access.ts'].map((path) => readFileSync(path, 'utf8')).join('\n');
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

it('examples for a queue declare the volumes, claims and secrets that they name; one process writes', () => {
  for (const [name, { volumes, depends_on: needs }] of Object.entries(compose.services)) {
    for (const volume of volumes.filter((text) => !text.startsWith('./')))
      expect([name, Object.keys(compose.volumes)]).toEqual([
        name,
        expect.arrayContaining([volume.split(':')[0]]),
      ]);
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(needs)));
    expect(compose.services[name]?.['image']).toMatch(/:(?!latest$)/);
  }
  const data = ours.map(([name, { volumes }]) => [name, volumes.filter((text) => text.includes(':/data'))]);
  expect(Object.fromEntries(data)).toEqual({
    init: [],
    loader: ['answerlake:/data'],
    worker: [],
    schedule: ['answerlake:/data:ro'],
  });
  const names = (kind: string): string[] =>
    parts.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
  for (const {
    containers: [container],
    volumes,
  } of pods) {
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
    const [key] = volumes.flatMap(({ projected }) => projected ?? []);
    expect(key).toEqual({
      defaultMode: 0o440,
      sources: [{ secret: { name: 'answerlake-acme', items: [{ key: 'api_key', path: 'acme' }] } }],
    });
    expect(container.volumeMounts).toContainEqual({
      name: 'keys',
      mountPath: '/run/secrets',
      readOnly: true,
    });
    expect(container.envFrom).toEqual([{ secretRef: { name: 'answerlake' } }]);
    const maps = volumes.flatMap(({ configMap }) => (configMap === undefined ? [] : [configMap.name]));
    const claims = volumes.flatMap(({ persistentVolumeClaim: claim }) =>
      claim === undefined ? [] : [claim.claimName],
    );
    expect(names('ConfigMap')).toEqual(expect.arrayContaining(maps));
    expect(names('PersistentVolumeClaim')).toEqual(expect.arrayContaining(claims));
    const mount = container.volumeMounts.find(({ mountPath }) => mountPath === '/data');
    const writer = { queue: 'none', worker: 'none', loader: 'writes', schedule: 'reads' }[
      container.args[0] ?? ''
    ];
    expect([
      container.args[0],
      mount === undefined ? 'none' : mount.readOnly === true ? 'reads' : 'writes',
    ]).toEqual([container.args[0], writer]);
  }
  expect(read('kubernetes.yaml')).toContain('kubectl create secret generic answerlake ');
});

it('the configurations of the examples for a queue are the same, and ones that the program takes', async () => {
  const [first = '', second = ''] = configurations;
  expect(parse(second)).toEqual(parse(first));
  const folder = openFolder();
  cpSync('jobs', join(folder, 'jobs'), { recursive: true });
  const config = join(folder, 'answerlake.yaml');
  writeFileSync(join(folder, 'acme'), 'canary', { mode: 0o440 });
  writeFileSync(config, first.replaceAll(/\/(data|app|run\/secrets)\//g, `${folder}/`));
  const env = { DATABASE_URL: 'postgres://u@127.0.0.1:1/none' };
  expect((await cli(['plan', '--offline', '--json', '--config', config], { env })).code).toBe(0);
});
