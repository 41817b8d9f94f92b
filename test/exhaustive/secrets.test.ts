import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pLimit from 'p-limit';
import { expect, it } from 'vitest';
import { toDay } from '../../src/day.ts';
import type { Fault } from '../../simulator/faults.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { Workspace } from './workspace.ts';
import { FAULTS } from './fault-kinds.ts';
import { recordFigure } from './figures.ts';
import { nameRow } from '../../src/warehouse/connection.ts';

const CANARY = 'pw_live/Canary+Key=7f3a9c&d41d8cd98f00b204';
const TODAY = '2026-07-14';
/** Runs wait for deadlines and retries in real time, so some go side by side. */
const LANES = 3;
/** After so many milliseconds every second run is killed, so that its temporary files stay. */
const KILLED_AFTER_MS = 1600;

const FORMS: Readonly<Record<string, string>> = {
  plain: CANARY,
  'URL-encoded': encodeURIComponent(CANARY),
  'base64, first offset': base64(0),
  'base64, second offset': base64(1),
  'base64, third offset': base64(2),
  hex: Buffer.from(CANARY).toString('hex'),
};

/** The characters of base64 that depend on the canary alone. */
function base64(offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(CANARY)]).toString('base64');
  return text.slice(offset === 0 ? 0 : 4, Math.floor(((CANARY.length + offset) * 8) / 6));
}

function leaks(place: string, text: string): string[] {
  const lower = text.toLowerCase();
  return Object.entries(FORMS)
    .filter(([, form]) => lower.includes(form.toLowerCase()))
    .map(([name]) => `${name} in ${place}`);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** Every text of every table, because columns are compressed in the file. */
async function textsOf(path: string): Promise<string> {
  await using database = await openDatabase({ path });
  const connection = await database.connect();
  const tables = await connection.rowsAs(
    nameRow,
    "select schema_name || '.' || table_name as name from duckdb_tables() where not internal",
  );
  const texts: string[] = [];
  for (const { name } of tables) texts.push(JSON.stringify(await connection.rows(`select * from ${name}`)));
  return texts.join('\n');
}

async function inspect(workspace: Workspace): Promise<{ found: string[]; places: number }> {
  const found: string[] = [];
  const files = filesOf(workspace.folder);
  for (const file of files) {
    const bytes = readFileSync(file);
    found.push(...leaks(file, bytes.toString('latin1')));
    if (file.endsWith('.gz'))
      found.push(...leaks(file, gunzipSync(bytes, { finishFlush: 2 }).toString('utf8')));
  }
  for (const path of [workspace.published, workingPath(workspace.published)]) {
    if (files.includes(path)) found.push(...leaks(`tables of ${path}`, await textsOf(path)));
  }
  return { found, places: files.length };
}

/** A server that echoes the key, in errors and in what it reports. */
async function openEcho(fault: Fault | undefined): Promise<Simulator> {
  const simulator = await startSimulator({
    world: 'small',
    today: toDay(TODAY),
    keys: [{ key: CANARY, id: 'canary', name: 'Canary', type: 'organization' }],
    faults: (_, ordinal) => (ordinal % 4 === 3 ? fault : undefined),
  });
  simulator.override('/responses/summary', () => ({
    status: 400,
    body: { error: 'Bad Request', message: `no rights for key ${CANARY}`, details: { key: CANARY } },
  }));
  simulator.override('/api/v1/models', (_: unknown, usual: { body: unknown }) => {
    const body = usual.body as { models: object[]; total: number };
    const description = `asked with ${CANARY}, ${encodeURIComponent(CANARY)}`;
    return { body: { ...body, models: body.models.map((model) => ({ ...model, description })) } };
  });
  simulator.override('/api/v1/prompts', (_: unknown, usual: { body: unknown }) => {
    const body = usual.body as { prompts: object[] };
    return { body: { ...body, prompts: body.prompts.map((one) => ({ ...one, prompt: `says ${CANARY}` })) } };
  });
  return simulator;
}

interface Searched {
  violations: string[];
  places: number;
  /** All values of the published file. */
  stored: string;
}

/** Two runs under one kind of fault: the first is killed, the second goes on to its end. */
async function search(kind: string, fault: Fault | undefined): Promise<Searched> {
  await using simulator = await openEcho(fault);
  using workspace = new Workspace({
    baseUrl: simulator.url,
    startDate: '2026-07-10',
    extra: 'sync: { start_date: 2026-07-10, scopes: {}, windows: [last_7_days] }',
  });
  const searched: Searched = { violations: [], places: 0, stored: '' };
  for (const isKilled of [true, false]) {
    simulator.resetRequests();
    const argv = ['sync', '--today', TODAY, '--json', '--log-level', 'debug', '--max-wait', '0s'];
    const { child, ended } = workspace.start(argv, { KEY_OF_ACME: CANARY, TMPDIR: workspace.folder });
    const commandLine = readFileSync(`/proc/${String(child.pid)}/cmdline`, 'utf8');
    const timer = setTimeout(() => isKilled && child.kill('SIGKILL'), KILLED_AFTER_MS);
    const { stdout, stderr, signal } = await ended;
    clearTimeout(timer);
    const looked = await inspect(workspace);
    const found = [
      ...leaks('standard output', stdout),
      ...leaks('standard error', stderr),
      ...leaks('process arguments', commandLine),
      ...looked.found,
    ];
    searched.places += looked.places + 3;
    const what = `${kind}, ${signal === null ? 'ended' : 'killed'}`;
    if (!isKilled && !stdout.includes('run_id'))
      searched.violations.push(`${what}: no result: ${stderr.slice(-300)}`);
    searched.violations.push(...found.map((one) => `${what}: ${one}`));
  }
  if (existsSync(workspace.published)) searched.stored = await textsOf(workspace.published);
  return searched;
}

it('the key is nowhere but in its header', async () => {
  const location = `http://127.0.0.1:9/${encodeURIComponent(CANARY)}?key=${CANARY}`;
  const kinds: Record<string, Fault | undefined> = {
    ...FAULTS,
    redirect: { kind: 'redirect', location },
    none: undefined,
  };
  const limit = pLimit(LANES);
  const searched = await Promise.all(
    Object.entries(kinds).map(([kind, fault]) => limit(() => search(kind, fault))),
  );
  const violations = searched.flatMap((one) => one.violations);
  const places = searched.reduce((sum, one) => sum + one.places, 0);
  recordFigure({
    order: 7,
    promise: 'The key appears nowhere but in its header',
    how: `The built program runs with a canary as its key, at the most detailed log level, against a server that echoes the key in errors, redirects and data, with each kind of fault; once it is killed and once it runs to the end. Standard output and error, process arguments, every file (including temporary files and the unpacked raw archive) and every value of both databases are searched for the key as ${Object.keys(FORMS).join('; ')}.`,
    cases: places,
    violations: violations.length,
    details: {
      runs: 2 * searched.length,
      'kinds of fault': Object.keys(FAULTS).length,
      'files and streams searched': places,
    },
  });
  expect(violations).toEqual([]);
  // What the server echoed did arrive, without the key.
  expect(searched.at(-1)?.stored).toContain('"says [');
  expect(searched.at(-1)?.stored).toContain('asked with [');
});
