import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { expectKnown, planWith } from './page-commands.ts';

const FOLDER = 'docs/deploy';
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const UNITS = readdirSync(join(FOLDER, 'systemd'));

interface Pods {
  spec: { containers: [{ args: string[] }] };
}

/** A part of a Kubernetes example. */
interface Part {
  kind: string;
  data?: Record<string, string>;
  spec?: {
    jobTemplate?: { spec: { template: Pods } };
    template?: Pods;
    replicas?: number;
    selector?: { matchLabels?: Record<string, string> };
  };
}

const partsOf = (name: string): Part[] =>
  parseAllDocuments(read(name)).map((document) => document.toJS() as Part);
const configurationIn = (parts: readonly Part[]): string =>
  parts.find(({ kind }) => kind === 'ConfigMap')?.data?.['answerlake.yaml'] ?? '';
const parts = partsOf('kubernetes/answerlake.yaml');

it('the Kubernetes and the Compose example call the program with flags that exist, and hold no key', async () => {
  const [, , job] = parts;
  const [container] = job?.spec?.jobTemplate?.spec.template.spec.containers ?? [];
  await expectKnown(container?.args ?? []);
  expect(JSON.stringify(container)).toContain('secretKeyRef');
  const compose = parse(read('docker-compose.yaml')) as {
    services: { answerlake: { command: string[]; environment: Record<string, string> } };
  };
  const { command, environment } = compose.services.answerlake;
  expect(environment).toMatchObject({ ACME_API_KEY: expect.stringMatching(/^\$\{/) });
  await expectKnown(command);
});

describe('the Dockerfile', () => {
  const stages = read('Dockerfile').split(/^FROM /m);
  const last = stages.at(-1) ?? '';

  it('the Dockerfile never runs `prepare` where there is no compiler', () => {
    const installs = read('Dockerfile').match(/^RUN npm (?:ci|install).*$/gm) ?? [];
    expect(installs).toEqual(['RUN npm ci --ignore-scripts', 'RUN npm ci --omit=dev --ignore-scripts']);
    expect(last).not.toContain('npm ');
  });

  it('the Dockerfile builds from every folder that the compiler reads', () => {
    const { include } = JSON.parse(readFileSync('tsconfig.build.json', 'utf8')) as { include: string[] };
    for (const folder of include) expect(read('Dockerfile')).toContain(`COPY ${folder} ./${folder}\n`);
  });

  it('the Dockerfile copies what exists, what the context lets in, and what the program reads', () => {
    const ignore = read('Dockerfile.dockerignore');
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    expect(copied.filter((name) => !existsSync(name) || !ignore.includes(`!${name}\n`))).toEqual([]);
    for (const name of ['sql', 'jobs', 'config', 'package.json']) expect(last).toContain(`COPY ${name}`);
  });
});

it.each(UNITS)('the systemd unit %s says what the program has', async (name) => {
  const command = /^ExecStart=\/usr\/bin\/env answerlake (.*)$/m.exec(read(`systemd/${name}`))?.[1];
  await expectKnown(command?.split(' ') ?? ['sync']);
  const isService = name.endsWith('.service');
  expect(/^User=answerlake$/m.test(read(`systemd/${name}`))).toBe(isService);
  expect(/^NoNewPrivileges=yes$/m.test(read(`systemd/${name}`))).toBe(isService);
});

it.runIf(existsSync('/usr/bin/systemd-analyze'))('the systemd units pass systemd-analyze verify', () => {
  const paths = UNITS.map((name) => join(FOLDER, 'systemd', name));
  expect(() => execFileSync('systemd-analyze', ['verify', ...paths], { stdio: 'pipe' })).not.toThrow();
});

it.each([
  ['deploy/answerlake.yaml', read('answerlake.yaml')],
  ['the ConfigMap', configurationIn(parts)],
])('the configuration %s is one that the program takes', async (_, text) => {
  expect(await planWith(text, /\/data\//g, { ACME_API_KEY: 'canary' })).toBe(0);
});

const service = z.looseObject({
  command: z.array(z.string()).default([]),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
});
const compose = z
  .object({ services: z.record(z.string(), service) })
  .parse(parse(read('scale/docker-compose.yaml'), { merge: true }));
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'answerlake:local');

const scaleParts = partsOf('scale/kubernetes.yaml');
const pods = scaleParts.flatMap(({ spec }) => spec?.template?.spec ?? []);
const configurations = [read('scale/answerlake.yaml'), configurationIn(scaleParts)];

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
  const source = ['bucket', 'credentials']
    .map((name) => readFileSync(`src/bucket/${name}.ts`, 'utf8'))
    .join('\n');
  const known = (name: string): boolean =>
    inConfiguration.includes(name) || source.split(/\W+/).includes(name) || name === 'ANSWERLAKE_CONFIG';
  const set = new Set([
    ...ours.flatMap(([, { environment }]) => Object.keys(environment)),
    ...[...read('scale/kubernetes.yaml').matchAll(/# (DATABASE_URL, .*)$/gm)].flatMap(([, list = '']) =>
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
    scaleParts.flatMap((part) =>
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
