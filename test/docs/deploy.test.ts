import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { expectKnown, planWith } from './page-commands.ts';

const FOLDER = 'docs/deploy';
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const UNITS = readdirSync(join(FOLDER, 'systemd'));

const parts = parseAllDocuments(read('kubernetes/answerlake.yaml')).map(
  (document) =>
    document.toJS() as {
      kind: string;
      data?: Record<string, string>;
      spec?: { jobTemplate: { spec: { template: { spec: { containers: { args: string[] }[] } } } } };
    },
);

it('the Kubernetes and the Compose example call the program with flags that exist, and hold no key', async () => {
  const [, , job] = parts;
  const [container] = job?.spec?.jobTemplate.spec.template.spec.containers ?? [];
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
  ['the ConfigMap', parts.find(({ kind }) => kind === 'ConfigMap')?.data?.['answerlake.yaml'] ?? ''],
])('the configuration %s is one that the program takes', async (_, text) => {
  expect(await planWith(text, /\/data\//g, { ACME_API_KEY: 'canary' })).toBe(0);
});
