import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { expectKnown, planWith } from './page-commands.ts';

const FOLDER = 'docs/deploy';
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const VOLUMES = ['data', 'config', 'tmp'].map((name) => ({ name }));
const UNITS = readdirSync(join(FOLDER, 'systemd'));

const parts = parseAllDocuments(read('kubernetes/answerlake.yaml')).map(
  (document) => document.toJS() as { kind: string; data?: Record<string, string> },
);

it('the Kubernetes example forbids overlap and root, writes to its volumes alone, its key is in a Secret', async () => {
  expect(parts.map(({ kind }) => kind)).toEqual(['ConfigMap', 'PersistentVolumeClaim', 'CronJob']);
  const args: string[] = [];
  expect(parts[2]).toMatchObject({
    spec: {
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      jobTemplate: {
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              automountServiceAccountToken: false,
              securityContext: { runAsNonRoot: true, runAsUser: 1000 },
              containers: [
                {
                  args: expect.toSatisfy((words: string[]) => args.push(...words) > 0),
                  env: [{ name: 'ACME_API_KEY', valueFrom: { secretKeyRef: expect.anything() } }],
                  securityContext: {
                    readOnlyRootFilesystem: true,
                    allowPrivilegeEscalation: false,
                    capabilities: { drop: ['ALL'] },
                  },
                  volumeMounts: VOLUMES,
                },
              ],
              volumes: VOLUMES,
            },
          },
        },
      },
    },
  });
  await expectKnown(args);
});

it('the Compose example is no root, read-only, on loopback, and holds no key', async () => {
  const compose = parse(read('docker-compose.yaml')) as {
    services: { answerlake: Record<string, unknown> & { command: string[]; ports: string[] } };
  };
  const { answerlake } = compose.services;
  expect(answerlake).toMatchObject({ user: '1000:1000', read_only: true, cap_drop: ['ALL'] });
  expect(answerlake.ports).toEqual(['127.0.0.1:9464:9464']);
  expect(answerlake['environment']).toMatchObject({ ACME_API_KEY: expect.stringMatching(/^\$\{/) });
  await expectKnown(answerlake.command);
});

describe('the Dockerfile', () => {
  const stages = read('Dockerfile').split(/^FROM /m);
  const last = stages.at(-1) ?? '';

  it('the Dockerfile runs as a number that is not root, with one volume and a health check', () => {
    expect(last).toMatch(/^USER 1000:1000$/m);
    expect(last.match(/^VOLUME .*$/gm)).toEqual(['VOLUME ["/data"]']);
    expect(last).toContain('HEALTHCHECK');
    expect(last.indexOf('USER ')).toBeLessThan(last.indexOf('ENTRYPOINT'));
  });

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
