import { tables } from '../support/tables.ts';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AnswerlakeError } from '../../src/errors.ts';
import { readJournal } from '../../src/run/journal.ts';
import { DRAFT_ERRORS } from '../../simulator/draft-answer.ts';
import { openWorkingFile, workingPath } from '../../src/warehouse/working-file.ts';
import type { CliOptions } from './run.ts';
import { openSmallWorld, type SmallWorldOptions } from './small-world.ts';
import { rowsOfFile } from '../support/file-reader.ts';
import { fails } from './run.ts';

async function openDraftWorld(options: SmallWorldOptions = {}) {
  const world = await openSmallWorld(options);
  const connection = world.simulator.world.projects[0]?.connectionIds[0] ?? '';
  return {
    ...world,
    connection,
    published: join(world.folder, 'data', 'answers.duckdb'),
    /** Drafts that reached the server. */
    pushes: () => world.simulator.requests.filter(({ method }) => method === 'POST').length,
    push: (content: string, more: readonly string[] = [], options: CliOptions = {}) => {
      const place = ['--connection', connection, '--slug', 'guide'];
      return world.run(['draft', 'push', content, ...place, '--yes', ...more], options);
    },
  };
}

async function draftsIn(path: string): Promise<Record<string, unknown>[]> {
  return await rowsOfFile(path, 'select * from core.cms_drafts order by content_id');
}

it('draft push sends a draft once, records and publishes the answer, and updates it when repeated', async () => {
  const { push, pushes, published, connection } = await openDraftWorld();
  const first = await push('doc-1');
  expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') });
  expect(first.stdout).toMatch(/^Pushed: STAGED, nothing is live\n {2}item +item-1 \(slug guide\)\n/);
  const again = await push('doc-1', ['--slug', 'guide-2', '--json']);
  expect(again.report).toMatchObject({
    ok: true,
    exit_code: 0,
    content_id: 'doc-1',
    external_item_id: 'item-1',
    status: 'STAGED',
    slug: 'guide-2',
    published,
  });
  expect(pushes()).toBe(2);
  expect(await draftsIn(published)).toMatchObject([
    { content_id: 'doc-1', connection_id: connection, slug: 'guide-2', external_item_id: 'item-1' },
  ]);
});

it("draft push sends only the given fields, and shows the server's message about a missing one", async () => {
  const { run, simulator, published, pushes } = await openDraftWorld();
  const push = ['draft', 'push', 'doc-1', '--yes'];
  expect(await run(push)).toMatchObject(
    fails(3, "VALIDATION_ERROR: body must have a non-empty string 'connectionId'"),
  );
  expect(simulator.requests.at(-1)?.body).toEqual({});
  const body = { publishRecordId: 'r-1', externalItemId: 'item-1', status: 'STAGED', slug: 'chosen' };
  simulator.override('/cms/draft', () => ({ status: 200, body }));
  expect(await run(push)).toMatchObject({ code: 0 });
  expect(pushes()).toBe(2);
  expect(await draftsIn(published)).toMatchObject([
    { content_id: 'doc-1', connection_id: null, slug: 'chosen' },
  ]);
});

it('a pushed draft is in the raw archive, so that a replay rebuilds it', async () => {
  const { push, published, run, pushes } = await openDraftWorld();
  await push('doc-1');
  await push('doc-2');
  const before = await draftsIn(published);
  expect(before).toHaveLength(2);
  const replayed = await run(['replay', '--quiet', '--json']);
  expect(replayed.report).toMatchObject({ runs: 2, answers: 2, slices_failed: 0 });
  expect(await draftsIn(published)).toEqual(before);
  expect(pushes()).toBe(2);
});

it.each(Object.entries(DRAFT_ERRORS))(
  'answerlake draft push shows code and message of %s, sends it once and gives exit 3',
  async (content, { status, code: errorCode, message }) => {
    const { push, pushes } = await openDraftWorld();
    const { code, report, stderr } = await push(content, ['--json']);
    expect(code).toBe(3);
    expect(stderr).toContain(`${status} ${errorCode}: ${message}`);
    expect(report).toMatchObject({
      exit_code: 3,
      status,
      server_code: errorCode,
      server_message: message,
      outcome_unknown: status >= 500,
    });
    expect(stderr.includes('Pushing again is safe')).toBe(status >= 500);
    expect(pushes()).toBe(1);
  },
);

it('draft push gives exit 4 for a key that does not work, at validation and at the push', async () => {
  const before = await openDraftWorld();
  const invalid = await before.push('doc-1', [], { env: { SMALL_KEY: 'wrong' } });
  expect(invalid.code).toBe(4);
  expect(before.pushes()).toBe(0);
  const revoked = await openDraftWorld({
    faults: ({ method }) => (method === 'POST' ? { kind: 'status', status: 401 } : undefined),
  });
  expect(await revoked.push('doc-1')).toMatchObject(
    fails(4, /The draft was not pushed: 401.*answerlake check/),
  );
});

it('draft push reports an unclear outcome when the connection breaks, and exits 5 without a second try', async () => {
  const { push, pushes, published } = await openDraftWorld({
    faults: ({ method }) => (method === 'POST' ? { kind: 'reset' } : undefined),
  });
  expect(await push('doc-1')).toMatchObject(
    fails(5, /It is not known whether the draft was pushed: .*updates the same item in the CMS/),
  );
  expect(pushes()).toBe(1);
  expect(existsSync(published)).toBe(false);
});

it('answerlake draft push says that the outcome is unclear when it is stopped while the server works', async () => {
  const stop = new AbortController();
  const { push, published } = await openDraftWorld({
    faults: ({ method }) => {
      if (method !== 'POST') return undefined;
      stop.abort(new AnswerlakeError('Stopped by SIGINT.', { class: 'stopped' }));
      return { kind: 'hang' };
    },
  });
  expect(await push('doc-1', [], { signal: stop.signal })).toMatchObject(
    fails(130, /Stopped by SIGINT\. It is not known whether the draft was pushed\. Pushing again is safe/),
  );
  const { runs } = await readJournal(published);
  expect(runs).toMatchObject([{ job: 'draft push', status: 'stopped', exit_code: 130 }]);
});

it('answerlake draft push keeps an answer of another shape as a reject and gives exit 3', async () => {
  const { push, published, simulator } = await openDraftWorld();
  simulator.override('/cms/draft', (_, answer) => ({ ...answer, body: { id: 'item-9' } }));
  const report = { ok: false, publish_record_id: null, reject: expect.stringContaining('publishRecordId') };
  expect(await push('doc-1', ['--json'])).toMatchObject({ code: 3, report });
  const path = workingPath(published);
  expect(await rowsOfFile(path, 'select endpoint from meta.rejects')).toEqual([{ endpoint: 'cms_draft' }]);
  expect(await rowsOfFile(path, 'select job, status, exit_code from meta.runs')).toEqual([
    { job: 'draft push', status: 'partial', exit_code: 3 },
  ]);
});

it('answerlake draft push sends nothing while a run holds the working file, exit 6', async () => {
  const { published, push, pushes } = await openDraftWorld();
  await using held = (await openWorkingFile({ tables, publishedPath: published, now: 0 })).database;
  expect(held).toBeDefined();
  expect(await push('doc-1')).toMatchObject({ code: 6 });
  expect(pushes()).toBe(0);
});

it('answerlake draft push needs --yes without a terminal, and complete flags, before anything is sent', async () => {
  const { run, connection, simulator, folder } = await openDraftWorld({ isNew: true });
  const argv = ['draft', 'push', 'doc-1', '--connection', connection, '--slug', 's'];
  expect(await run(argv)).toMatchObject(fails(2, 'add --yes'));
  expect(await run(['draft', 'push', 'doc-1', '--connection', 'c1', '--slug', ' ', '--yes'])).toMatchObject(
    fails(2, /--connection: "c1" is not a UUID\n--slug: must not be empty\nAdd --help/),
  );
  expect(await run(['draft', 'push'])).toMatchObject({ code: 2 });
  expect((await run([...argv, '--yes', '--account', 'smal'])).stderr).toContain('did you mean small?');
  expect(simulator.requests).toHaveLength(0);
  expect(readdirSync(folder)).toEqual(['answerlake.yaml']);
});

it('draft push asks for the project if the key reaches several, and sends nothing to another one', async () => {
  const { push, pushes, simulator, config } = await openDraftWorld({ world: 'demo' });
  const open = await push('doc-1');
  expect(open.code).toBe(2);
  for (const { id } of simulator.world.projects) expect(open.stderr).toContain(id);
  expect((await push('doc-1', ['--project', 'elsewhere'])).code).toBe(2);
  expect(pushes()).toBe(0);
  const id = simulator.world.projects[0]?.id ?? '';
  expect((await push('doc-1', ['--project', id])).code).toBe(0);
  expect(simulator.requests.at(-1)).toMatchObject({ method: 'POST', projectId: id });
  expect(readFileSync(config, 'utf8')).not.toContain(id);
});

it('draft push goes to the one project of accounts[].projects, and to no other one', async () => {
  const { push, pushes, simulator, config } = await openDraftWorld({ world: 'demo' });
  const [configured = '', other = ''] = simulator.world.projects.map(({ id }) => id);
  const text = readFileSync(config, 'utf8');
  writeFileSync(config, text.replace('env:SMALL_KEY', `env:SMALL_KEY, projects: ['${configured}']`));
  const refused = await push('doc-1', ['--project', other]);
  expect(refused).toMatchObject(fails(2, 'accounts[].projects'));
  expect(pushes()).toBe(0);
  expect((await push('doc-1')).code).toBe(0);
  expect(simulator.requests.at(-1)).toMatchObject({ method: 'POST', projectId: configured });
});
