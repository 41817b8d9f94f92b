import { expect, it } from 'vitest';
import { askedScopes, landingPagesOf } from '../../src/config/endpoints.ts';
import { loadConfig, secretsOf } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { endpointNamed } from '../support/catalogue.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { CATALOGS } from '../../src/warehouse/database-files.ts';
import { decodeText } from '../../src/files.ts';
import { isSameName } from '../../src/project-names.ts';
import { KEY, load, MINIMAL, openWorkspace, problemsOf } from './loaded.ts';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '../../src/redact.ts';
import { isPrivate } from '../../src/secret.ts';
import { openFolder } from '../support/folder.ts';

it('loadConfig starts relative paths from the folder of the file', () => {
  const { directory, write } = openWorkspace();
  const path = write('answerlake.yaml', `${MINIMAL}warehouse: { path: lake/a.duckdb }\njobs_dir: ../jobs\n`);
  const config = loadConfig({ path, env: { ACME_API_KEY: KEY }, today: toDay('2025-06-30') });
  expect(config.warehouse.path).toBe(`${directory}/lake/a.duckdb`);
  expect(config.raw.dir).toBe(`${directory}/data/raw`);
  expect(config.jobsDir).not.toContain(`${directory}/`);
});

it('loadConfig names every problem at once, each with its place and what to do', () => {
  const yaml = `version: 2
api:
  base_url: http://server.example.com/api?key=a
  concurency: 4
  attempts: 0
accounts:
  - name: acme
    api_key: env:MISSING_KEY
    projects: [a, 5]
sync:
  start_date: 2025-02-30
  grains: [day, weekly]
  scopes: { visibilty: [project], prompts: [model] }
  endpoints:
    visibility: { limit: 3, parameters: { startdate: from }, max_window_days: 91 }
warehouse:
  storage_version: latest
  mode: '0644'
`;
  expect(problemsOf(yaml, {})).toEqual([
    expect.stringMatching(/^1:1 version: .*expected 1/),
    expect.stringMatching(/^3:3 api\.base_url: has a query/),
    '4:3 api.concurency: unknown setting; did you mean concurrency?',
    expect.stringMatching(/^5:3 api\.attempts: .*>=1 \(attempts for one request/),
    expect.stringMatching(/^8:5 accounts\[0]\.api_key: the environment variable MISSING_KEY is not set/),
    expect.stringMatching(/^9:5 accounts\[0]\.projects: must be all or a list of projects/),
    expect.stringMatching(/^11:3 sync\.start_date: is not a calendar day/),
    expect.stringMatching(/^12:17 sync\.grains\[1]: .*"day"\|"week"\|"month"/),
    '13:13 sync.scopes.visibilty: unknown setting; did you mean visibility?',
    expect.stringMatching(/^13:45 sync\.scopes\.prompts\[0]: .*expected "project"/),
    expect.stringMatching(/^15:19 sync\.endpoints\.visibility\.limit: unknown setting; there is: enabled, /),
    '15:43 sync.endpoints.visibility.parameters.startdate: unknown setting; did you mean startDate?',
    expect.stringMatching(/^15:62 sync\.endpoints\.visibility\.max_window_days: .*<=90/),
    expect.stringMatching(/^17:3 warehouse\.storage_version: .*latest would lock out readers/),
    expect.stringMatching(/^18:3 warehouse\.mode: .*write "0444"/),
  ]);
});

it('loadConfig tells missing sections with an example', () => {
  expect(problemsOf('version: 1\n')).toEqual([
    expect.stringContaining('api: is missing: add it'),
    expect.stringContaining(
      'accounts: is missing: add it (one entry for each API key, for example accounts:',
    ),
    expect.stringContaining('sync: is missing: add it'),
  ]);
  expect(problemsOf('')[0]).toContain('is empty');
});

it.each([
  ['a broken line', 'version: 1\napi: {base_url: x\n', /^3:1 : not valid YAML: .*end with a }/],
  ['a key twice', `${MINIMAL}version: 1\n`, /^9:1 : not valid YAML: Map keys must be unique/],
  ['an unknown tag', `${MINIMAL}jobs_dir: !!python/object x\n`, /not valid YAML/],
  [
    'an alias of nothing',
    MINIMAL.replace('version: 1', 'version: *one'),
    /^1:10 : an alias .* is not defined/,
  ],
  ['two documents', `${MINIMAL}---\nversion: 1\n`, /not valid YAML/],
  ['__proto__ as a setting', `${MINIMAL}__proto__: { jobs_dir: x }\n`, /__proto__: unknown setting/],
])('loadConfig refuses %s', (_, yaml, message) => {
  expect(problemsOf(yaml)).toEqual([expect.stringMatching(message)]);
});

const IN_PLACE = /^6:5 accounts\[0].api_key: .*env:/;

it.each([
  ['pk_live_5b4a', IN_PLACE],
  ['pk:live:5b4a', IN_PLACE],
  ['env:9f8e-5b4a', IN_PLACE],
  // YAML itself stumbles over these.
  ...['!', '*', '|', '>', '@', '"'].map((mark) => [`${mark}sk-5b4a`, /./] as const),
] as const)('loadConfig refuses the literal key %s without repeating it', (key, message) => {
  const problems = problemsOf(MINIMAL.replace('env:ACME_API_KEY', key)).join('\n');
  expect(problems).toMatch(message);
  expect(problems).not.toContain('5b4a');
});

const withUrl = (url: string): string => MINIMAL.replace('https://server.example.com', url);
const WITH_HOOK = `${MINIMAL}notify: { webhook: env:HOOK }\n`;

it.each([
  ['the base URL', 'http://10.0.0.5', /unencrypted/],
  ['the base URL', 'ftp://server.example.com', /https:\/\//],
  ['the base URL', 'https://user:hunter2@server.example.com', /user name or password/],
  ['the base URL', 'https://hunter2@server.example.com', /user name or password/],
  ['the base URL', 'https://server.example.com/?a=1', /query/],
  ['the base URL', 'https://server.example.com/#a', /fragment/],
  ['the base URL', 'server.example.com', /is not a URL/],
  ['the base URL', 'http://localhost.evil.example', /unencrypted/],
  ['the base URL', 'https://a.example/api/v1', /ends with \/api\/v1, .*: write https:\/\/a\.example$/],
  ['the base URL', 'https://a.example/p/api/v2/', /with \/api\/v2, .*: write https:\/\/a\.example\/p$/],
  ['the base URL', 'https://a.example/api', /ends with \/api, .*: write https:\/\/a\.example$/],
  ['the webhook', 'hooks.example.com/hunter2', /does not contain a URL/],
  ['the webhook', 'http://hooks.example.com/hunter2', /must contain an https/],
  ['the webhook', 'ftp://127.0.0.1/hunter2', /must contain an https/],
])('loadConfig refuses %s %s, and tells no secret of it', (what, url, message) => {
  const yaml = what === 'the webhook' ? WITH_HOOK : withUrl(url);
  const problems = problemsOf(yaml, { ACME_API_KEY: KEY, HOOK: url });
  expect(problems).toEqual([expect.stringMatching(message)]);
  expect(problems[0]).not.toContain('hunter2');
});

it.each([
  'http://localhost:8080',
  'http://[::1]:99',
  'https://a.example/ai/',
  'https://a.example/api-gateway',
])(
  'loadConfig takes %s as a base URL with its path prefix, without trailing slash, and as a webhook',
  (url) => {
    expect(load(withUrl(url)).api.baseUrl).toBe(url.replace(/\/$/, ''));
    const { notify } = load(WITH_HOOK, { env: { ACME_API_KEY: KEY, HOOK: url } });
    expect(notify.webhook?.reveal()).toBe(url);
  },
);

it('loadConfig takes landing pages as paths, of one project or of all', () => {
  const pages = `  landing_pages: [{ pathname: /pricing }, { pathname: /, project: "8f14e45f" }]\n`;
  const { sync } = load(MINIMAL + pages);
  expect(landingPagesOf(sync, '8f14e45f')).toEqual(['/pricing', '/']);
  expect(landingPagesOf(sync, 'another')).toEqual(['/pricing']);
  const visits = endpointNamed('visitor_visits');
  expect(askedScopes(sync, visits)).toEqual(['project', 'page']);
  expect(askedScopes(load(MINIMAL).sync, visits)).toEqual(['project']);
  const wrong = `  landing_pages: [{ pathname: https://acme.test/pricing }, { pathname: "/pricing?utm_source=x" }]\n`;
  expect(problemsOf(MINIMAL + wrong)).toEqual([
    expect.stringContaining('must be only a path'),
    expect.stringContaining('must be only a path'),
  ]);
});

it('loadConfig refuses a start in the future and takes one on the same day', () => {
  expect(() => load(MINIMAL, { today: '2024-12-31' })).toThrow(/is in the future/);
  expect(load(MINIMAL, { today: '2025-01-01' }).sync.startDate).toBe('2025-01-01');
  const from = (day: string) => MINIMAL.replace('2025-01-01', day);
  expect(load(from('2000-01-01')).sync.startDate).toBe('2000-01-01');
  expect(problemsOf(from('1999-12-31'))).toEqual([expect.stringContaining('is before 2000-01-01')]);
});

it('loadConfig refuses accounts that share a name or a project', () => {
  const yaml = MINIMAL.replace(
    'sync:',
    '    projects: [one]\n  - { name: acme, api_key: env:ACME_API_KEY, projects: [one] }\nsync:',
  );
  expect(problemsOf(yaml)).toEqual([
    expect.stringContaining('accounts[1].name: the name acme is already taken by accounts[0]'),
    expect.stringContaining('accounts[1].projects[0]: project one is already taken by accounts[0]'),
  ]);
});

it('loadConfig refuses an empty key and a file name that hides a schema', () => {
  expect(problemsOf(MINIMAL, { ACME_API_KEY: ' ' })).toEqual([
    expect.stringContaining('ACME_API_KEY is empty'),
  ]);
  for (const name of ['core', 'detail', 'Meta.v2', ...Object.values(CATALOGS)])
    expect(problemsOf(`${MINIMAL}warehouse: { path: data/${name}.duckdb }\n`)).toEqual([
      expect.stringContaining('hides the schema'),
    ]);
  expect(problemsOf(`${MINIMAL}warehouse: { path: why?/answers.duckdb }\n`)).toEqual([
    expect.stringContaining('question mark'),
  ]);
});

it('loadConfig reads a key file that its owner or a group of the process can read, and no other', () => {
  const { write } = openWorkspace();
  const yaml = (path: string) => MINIMAL.replace('env:ACME_API_KEY', `file:${path}`);
  expect(load(yaml(write('good', `${KEY}\n`, 0o600))).accounts[0]?.apiKey.reveal()).toBe(KEY);
  expect(load(yaml(write('mounted', KEY, 0o440))).accounts[0]?.apiKey.reveal()).toBe(KEY);
  expect(problemsOf(yaml(write('open', KEY, 0o644)))[0]).toMatch(/mode 0644\): run chmod 600/);
  expect(problemsOf(yaml(write('shared', KEY, 0o660)))[0]).toMatch(/mode 0660\): run chmod 600/);
  expect(problemsOf(yaml('/nowhere/key'))[0]).toMatch(/cannot be read/);
  expect(problemsOf(yaml(write('two-lines', `${KEY}\n${KEY}`, 0o600)))[0]).toMatch(/line breaks/);
});

it('loadConfig asks for no key where none is needed, and refuses to reveal one then', () => {
  const path = openWorkspace().write('answerlake.yaml', MINIMAL);
  const config = loadConfig({ path, env: {}, today: toDay('2025-06-30'), secrets: 'leave' });
  expect(() => config.accounts[0]?.apiKey.reveal()).toThrow(AnswerlakeError);
});

it('loadConfig refuses a path of an endpoint with {id} where it takes none, and without it where it does', () => {
  const settings = (name: string, path: string) =>
    `${MINIMAL}  endpoints: { ${name}: { path: '${path}' } }\n`;
  expect(problemsOf(settings('events', '/api/{id}'))).toEqual([expect.stringContaining('takes none')]);
  expect(problemsOf(settings('prompt', '/api/draft'))).toEqual([expect.stringContaining('needs {id}')]);
  expect(problemsOf(settings('events', '/api/events'))).toEqual([]);
  for (const path of ['/api//events', '/api/../events', '/api/events?a=1'])
    expect(problemsOf(settings('events', path))).toEqual([expect.stringContaining('must be a path')]);
});

it('loadConfig refuses switched off certificate checks', () => {
  const env = { ACME_API_KEY: KEY, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(() => load(MINIMAL, { env })).toThrow(/NODE_TLS_REJECT_UNAUTHORIZED=0/);
});

it('loadConfig gives an endpoint only the settings that were written', () => {
  const config = load(`${MINIMAL}  endpoints: { competitor_heatmap: { max_window_days: 30, limit: 20 } }\n`);
  expect(config.sync.endpoints).toEqual({ competitor_heatmap: { maxWindowDays: 30, limit: 20 } });
});

it('loadConfig takes a scope, grain or window that is named twice once', () => {
  const { sync } = load(
    `${MINIMAL}  scopes: { visibility: [project, model, project] }\n  grains: [day, day]\n  windows: [month, month]\n` +
      '  endpoints: { visibility: { scopes: [project, project], grains: [week, week] }, competitor_heatmap: { windows: [month, month] } }\n',
  );
  expect(sync).toMatchObject({
    scopes: { visibility: ['project', 'model'] },
    grains: ['day'],
    windows: ['month'],
    endpoints: {
      visibility: { scopes: ['project'], grains: ['week'] },
      competitor_heatmap: { windows: ['month'] },
    },
  });
});

it.for([
  ['its owner alone', 0o600, 1, 1, true],
  ['a group of the process', 0o440, 0, 7, true],
  ['a group of other people', 0o640, 1, 9, false],
  ['an access list of another owner (LoadCredential)', 0o440, 0, 0, true],
  ['an access list that everybody passes', 0o444, 0, 0, false],
  ['a group that may write it', 0o660, 1, 7, false],
] as const)(
  'a key file is private as far as the system lets others read it: %s',
  ([, mode, uid, gid, isTaken]) => {
    expect(isPrivate({ mode, uid, gid }, { user: 1, groups: [7] })).toBe(isTaken);
  },
);

it('a key file that was replaced is read again, which is told with its reason, and both texts are hidden', () => {
  const { directory, write } = openWorkspace();
  const told: { reason: string; problem: string | null }[] = [];
  const yaml = MINIMAL.replace('env:ACME_API_KEY', `file:${write('key', 'old-key-1', 0o600)}`);
  const config = loadConfig({
    path: write('answerlake.yaml', yaml),
    env: {},
    onReadAgain: (facts) => told.push(facts),
  });
  const [key] = secretsOf(config);
  const redact = createRedactor(secretsOf(config));
  const rotate = (text: string, mode = 0o600): void =>
    renameSync(write('next', text, mode), join(directory, 'key'));
  expect([key?.readAgain('old-key-1', 'refused'), told]).toEqual([false, []]);
  rotate('new-key-2');
  expect([key?.readAgain('old-key-1', 'refused'), key?.reveal()]).toEqual([true, 'new-key-2']);
  rotate('open-key-3', 0o644);
  expect([key?.readAgain('new-key-2', 'refused'), key?.reveal()]).toEqual([false, 'new-key-2']);
  const problems = [null, expect.stringContaining('other users can read')];
  expect(told.map(({ reason, problem }) => [reason, problem])).toEqual(
    problems.map((one) => ['refused', one]),
  );
  expect(redact('old-key-1 new-key-2')).toBe('[secret] [secret]');
});

it.each(['me:My@Super#SecretTail', 'me:12/SecretTail', 'me:12?SecretTail', 'me:SecretTail%'])(
  'an address of PostgreSQL that its password %s cuts is refused with "percent-encode", and no part is printed',
  (user) => {
    const env = { ...ENV, LAKE_URL: `postgres://${user}@db.example/answers` };
    const problems = problemsOf(withWarehouse('{ target: postgres, url: env:LAKE_URL }'), env);
    expect(problems).toEqual([expect.stringContaining('percent-encode it (@ as %40')]);
    expect(problems.join()).not.toMatch(/SecretTail|db\.example/);
  },
);

const ADDRESS = 'postgres://me:hunter2@host:5432/lake';

const ENV = { ACME_API_KEY: KEY, LAKE_URL: ADDRESS };
const withWarehouse = (warehouse: string): string => `${MINIMAL}warehouse: ${warehouse}\n`;

it('a lake lies beside the published file unless the configuration says where', () => {
  const { directory, warehouse } = load(withWarehouse('{ target: ducklake }'));
  expect(warehouse.lake).toEqual({
    catalog: `${directory}/data/lake.ducklake`,
    data: `${directory}/data/lake`,
    extensions: `${directory}/data/extensions`,
  });
  expect(load(withWarehouse('{ target: duckdb }')).warehouse.lake).toBeNull();
});

it('the catalog may be in PostgreSQL, whose address is a secret, and the files in a bucket', () => {
  const text = withWarehouse('{ target: ducklake, catalog: env:LAKE_URL, data: s3://bucket/lake }');
  const config = load(text, { env: ENV });
  const { lake } = config.warehouse;
  expect(lake).toMatchObject({ data: 's3://bucket/lake' });
  expect(secretsOf(config).map((secret) => secret.reveal())).toContain(ADDRESS);
  expect(JSON.stringify(lake)).not.toContain('hunter2');
});

it.for([
  ['{ target: duckdb, catalog: a.ducklake }', 'warehouse.catalog: belongs to target: ducklake'],
  ['{ target: ducklake, url: env:LAKE_URL }', 'warehouse.url: belongs to target: postgres'],
  ['{ target: ducklake, data: https://bucket }', 'warehouse.data: must be a path on this machine'],
  [`{ target: ducklake, catalog: '${ADDRESS}' }`, 'warehouse.catalog: contains the text of a secret'],
  ['{ target: ducklake, catalog: env:NONE }', 'NONE is not set'],
  ['{ target: postgres }', 'warehouse.url: is missing: target: postgres needs it'],
] as const)('a lake that is configured as %s is refused', ([warehouse, expected]) => {
  const [problem, ...others] = problemsOf(withWarehouse(warehouse), ENV);
  expect([problem, others]).toEqual([expect.stringContaining(expected), []]);
  expect(problem).not.toContain('hunter2');
});

const TEXT = `version: 1
api: { base_url: 'https://server.example.com/prefix' }
accounts: [{ name: café, api_key: env:ACME_KEY }]
sync: { start_date: 2025-03-01 }
`;

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16, little end first', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['UTF-16, big end first', swapped(Buffer.from(`\uFEFF${TEXT}`, 'utf16le'))],
])('a configuration in %s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT);
  const path = join(openFolder(), 'answerlake.yaml');
  writeFileSync(path, bytes);
  expect(loadConfig({ path, env: { ACME_KEY: 'a-key' } }).accounts[0]?.name).toBe('café');
});

it.each([
  ['Proj\u00E9ct 0', 'Proje\u0301ct 0', true],
  ['\u00C9cole', 'e\u0301cole', true],
  ['Project', 'Projéct', false],
  [null, 'x', false],
])('names are one in each spelling of an accent: %s, %s', (name, typed, isOne) => {
  expect(isSameName(name, typed)).toBe(isOne);
});
