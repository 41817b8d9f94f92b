import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { checkStorage } from '../../src/cli/check-storage.ts';
import { loadConfig } from '../../src/config/file.ts';
import { ConfigurationError } from '../../src/config/yaml.ts';
import { shellWord } from '../../src/errors.ts';
import { explainFailure, explainSystemError, foreignOwner } from '../../src/warehouse/failure.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { openFolder } from '../support/folder.ts';
import { CONFIG, openPublished } from './published.ts';
import { cli, fails } from './run.ts';
import { openSmallWorld } from './small-world.ts';

/** Every message is one of these texts. */
const SOURCES = ['src', 'sql', 'config'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|yaml)$/.test(name))
    .map((name) => join(folder, name)),
);

it('no message proposes a command that reaches further than the file or folder that it names', () => {
  for (const file of SOURCES)
    expect(readFileSync(file, 'utf8'), file).not.toMatch(
      /ch(?:own|mod|grp) (?:\S+ )?-R|rm -r|chmod [0-7]*7\b/,
    );
});

it('each command and flag that a message names exists', async () => {
  const named = new Map<string, Set<string>>();
  for (const file of SOURCES) {
    const texts = readFileSync(file, 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
    const found = texts.matchAll(/(?<![\w/`])answerlake ((?:queue |draft )?[a-z]+)((?: --[a-z-]+)*)/g);
    for (const [, command = '', flags = ''] of found)
      named.set(command, new Set([...(named.get(command) ?? []), ...(flags.match(/--[a-z-]+/g) ?? [])]));
  }
  const { stdout: all } = await cli(['--help']);
  const commands = [...named].filter(([command]) =>
    new RegExp(`^ {2}${command.split(' ')[0] ?? ''} `, 'm').test(all),
  );
  expect(commands.length).toBeGreaterThan(12);
  for (const [command, flags] of commands) {
    const { code, stdout } = await cli([...command.split(' '), '--help']);
    expect([command, code]).toEqual([command, 0]);
    for (const flag of flags) expect(stdout, command).toContain(flag);
  }
});

/** The shell command of a message, run as a person pastes it. */
function paste(message: string): void {
  const [, command = ''] = /run (ch(?:mod|own) .+?)(?:, or .*|\n.*)?$/s.exec(message) ?? [];
  expect(command, message).not.toBe('');
  execFileSync('sh', ['-c', command]);
}

function problemsOf(path: string, env = {}): string[] {
  try {
    loadConfig({ path, env });
    return [];
  } catch (error) {
    return error instanceof ConfigurationError
      ? error.problems.map(({ message }) => message)
      : [String(error)];
  }
}

it('the jobs folder that is missing is written by the init that the message names', async () => {
  const { folder, run } = await openPublished();
  const schedule = async (): Promise<unknown> =>
    await run(['schedule', '--systemd'], { env: { ACME_KEY: 'a-key' } });
  expect(await schedule()).toMatchObject(fails(2, 'Write it with answerlake init'));
  expect(await run(['init'])).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, 'jobs')).length).toBeGreaterThan(2);
  expect(await schedule()).toMatchObject({ code: 0 });
});

it('chmod 600 of a key file whose path has a blank and a quote works as it is printed', () => {
  const folder = join(openFolder(), "Kate's keys");
  mkdirSync(folder);
  const path = join(folder, 'answerlake.yaml');
  writeFileSync(path, CONFIG.replace('env:ACME_KEY', 'file:the key'));
  writeFileSync(join(folder, 'the key'), 'a-key', { mode: 0o644 });
  chmodSync(join(folder, 'the key'), 0o644);
  paste(problemsOf(path).join('\n'));
  expect(problemsOf(path)).toEqual([]);
});

it.each([
  ['base_url', 'nothing', 'api.base_url'],
  ['base_url', 'http://api.test', 'api.base_url'],
  ['base_url', 'https://api.test/api/v1', 'api.base_url'],
  ['start_date', '2025-02-30', 'sync.start_date'],
  ['api_key', 'hunter2', 'accounts[0].api_key'],
  ['path', '"~/answers.duckdb"', 'warehouse.path'],
  ['path', 'core.duckdb', 'warehouse.path'],
  ['mode', '"0777"', 'warehouse.mode'],
  ['storage_version', 'latest', 'warehouse.storage_version'],
  ['timezone', 'Nowhere', 'sync.timezone'],
  ['max_age', 'soon', 'freshness.max_age'],
  ['landing', 's3:bucket', 'landing'],
  ['webhook', 'env:NOT_SET', 'notify.webhook'],
])('what the message about %s: %s proposes to write is accepted (%s)', (setting, value) => {
  const good: Record<string, string> = {
    base_url: 'https://api.test',
    api_key: 'env:ACME_KEY',
    start_date: '2025-03-01',
    path: 'data/answers.duckdb',
    mode: '"0444"',
    storage_version: 'v1.0.0',
    timezone: 'UTC',
    max_age: '36h',
    landing: 'data/landing',
  };
  const path = join(openFolder(), 'answerlake.yaml');
  const write = (written: Record<string, string>): string[] => {
    const of = (name: string): string => `${name}: ${written[name] ?? ''}`;
    const more = written['webhook'] === undefined ? '' : `notify: { ${of('webhook')} }\n`;
    writeFileSync(
      path,
      `version: 1\napi: { ${of('base_url')} }\naccounts: [{ name: acme, ${of('api_key')} }]\nsync: { ${of('start_date')}, ${of('timezone')} }\nwarehouse: { ${of('path')}, ${of('mode')}, ${of('storage_version')} }\nfreshness: { ${of('max_age')} }\n${of('landing')}\n${more}`,
    );
    return problemsOf(path, { ACME_KEY: 'a-key', ANSWERLAKE_KEY: 'a-key', ...env });
  };
  const env: Record<string, string> = {};
  const [problem = '', ...others] = write({ ...good, [setting]: value });
  expect(others).toEqual([]);
  const [, variable] = /for example export (\w+)=…/.exec(problem) ?? [];
  if (variable !== undefined) env[variable] = 'https://hooks.test/x';
  const [, word = value] =
    /for example ("?[\w:/.-]+"?)/.exec(problem) ?? /write (?:it like )?("?[\w:/.-]+"?)/.exec(problem) ?? [];
  const proposed: Record<string, string> = {
    path: '/srv/lake/answers.duckdb',
    timezone: 'UTC',
    api_key: 'env:ACME_KEY',
  };
  const next = variable === undefined ? (proposed[setting] ?? word) : value;
  expect(problem).toMatch(/write|choose another name|set it to/);
  expect(write({ ...good, [setting]: next.replace('bucket/prefix', 'a-bucket/prefix') })).toEqual([]);
});

const UID = (process.getuid?.() ?? 0) + 4242;

it('nothing above the folder of a file is ever handed over, and no folder that holds anything else', () => {
  vi.spyOn(process, 'getuid').mockReturnValue(UID);
  const folder = openFolder();
  const data = join(folder, 'data');
  expect(foreignOwner('/answers.duckdb')).toMatch(/: choose a folder that holds nothing else$/);
  const made = `: as root, run install -d -o ${String(UID)} ${shellWord(data)}`;
  expect(foreignOwner(join(data, 'answers.duckdb')).endsWith(made)).toBe(true);
  mkdirSync(data);
  vi.restoreAllMocks();
  expect(foreignOwner(join(data, 'answers.duckdb'))).toBe('');
  vi.spyOn(process, 'getuid').mockReturnValue(UID);
  const handed = (folderOf: string): string => `: as root, run chown ${String(UID)} ${shellWord(folderOf)}`;
  expect(foreignOwner(join(data, 'answers.duckdb')).endsWith(handed(data))).toBe(true);
  mkdirSync(join(data, 'raw'));
  writeFileSync(join(data, '.answers.journal.json'), '{}');
  expect(foreignOwner(join(data, 'answers.duckdb')).endsWith(handed(data))).toBe(true);
  writeFileSync(join(data, 'letters.txt'), '');
  expect(foreignOwner(join(data, 'answers.duckdb'))).not.toContain('chown');
  const answers = foreignOwner(join(data, 'raw', '2025-03-01', 'x.ndjson.gz'));
  expect(answers.endsWith(handed(join(data, 'raw')))).toBe(true);
  vi.restoreAllMocks();
});

it.each([
  ['fsync failed!', 'Failed to append: fsync failed!'],
  ['a failed fsync of DuckDB', 'FATAL Error: fsync failed!'],
])('%s is a failure of the disk, not a bug', (_, message) => {
  expect(explainFailure(new Error(message), '/data/x')).toMatchObject({ exitCode: 7, problem: 'unreadable' });
});

it('an fsync of an open file that fails with EIO gives exit 7, although the system names no path', () => {
  const error = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' });
  expect(explainSystemError(error)).toMatchObject({ exitCode: 7 });
});

it('check names the command that lets readers into the folder, and it does', async () => {
  const { folder, config } = await openPublished();
  const data = join(folder, 'data');
  chmodSync(data, 0o700);
  const found = async () => {
    const results = await checkStorage(loadConfig({ path: config, env: { ACME_KEY: 'k' } }));
    return results.find(({ name }) => name === 'warehouse folder');
  };
  paste((await found())?.message ?? '');
  expect(statSync(data).mode & 0o777).toBe(0o701);
  expect(await found()).toMatchObject({ status: 'ok' });
});

it.each([
  ['status'],
  ['gaps'],
  ['query', 'select 1'],
  ['describe'],
  ['examples', '1'],
  ['report', '--output', 'PLACE/page.html'],
  ['export', '--output', 'PLACE/export'],
  ['plan', '--offline'],
  ['publish'],
  ['sync'],
])('a file of 0.1 is refused by answerlake %s with its way out', async (...argv) => {
  const { folder, run } = await openSmallWorld();
  const path = join(folder, 'data', 'answers.duckdb');
  for (const file of [path, workingPath(path)]) {
    rmSync(file, { force: true });
    await changeFile(
      file,
      `create schema meta; create table meta.migrations (version integer, name varchar, applied_at timestamp);
       insert into meta.migrations values (10, 'parts', '2026-01-01')`,
    );
  }
  const words = argv.map((word) => word.replace('PLACE', folder));
  const remedy = expect.stringMatching(/move the working and the published file away/i) as unknown;
  const report = { code: 'storage', remedy };
  expect(await run([...words, '--json'])).toMatchObject({ code: 7, report });
});

it.each([
  ['an empty database', ''],
  ['a database of something else', 'create table letters (a integer)'],
])('%s in place of the published file is refused, not called a bug', async (_, sql) => {
  const { published, run } = await openPublished();
  rmSync(published);
  await changeFile(published, sql || 'checkpoint');
  for (const argv of [['query', 'select 1'], ['status']])
    expect(await run(argv)).toMatchObject(fails(7, 'move it away or configure another path'));
});

it('a plan that needs the server says so, and the command that it names makes it', async () => {
  const { run } = await openSmallWorld();
  expect((await run(['plan', '--offline'])).stdout).toMatch(/run answerlake plan .*without --offline/);
  expect((await run(['plan'])).stdout).not.toContain('nothing can be planned');
});

it('without a configuration, init is named, and it writes one', async () => {
  const config = join(openFolder(), 'answerlake.yaml');
  const run = (...argv: string[]) => cli([...argv, '--json', '--config', config]);
  expect((await run('status')).stdout).toContain('Write one with answerlake init');
  const { stdout } = await run('init');
  const [flag = '', address = ''] = /add (--base-url \S+)"/i.exec(stdout)?.[1]?.split(' ') ?? [];
  expect((await run('init', flag, address)).code).toBe(0);
  expect((await run('status')).stdout).toContain('There is no published file');
});
