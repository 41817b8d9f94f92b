import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, orNull } from '../../src/errors.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { findExamples } from '../../src/guide/tools.ts';
import { makeFolder, openFolder } from '../support/folder.ts';
import { BUILT } from '../support/program.ts';
import { CONFIG, writePublished } from './published.ts';

const result = z.object({
  isError: z.boolean().default(false),
  content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]),
});

/** How an assistant opens the conversation: `server/discover`, or the `initialize` of the protocol before. */
const OPENINGS = [{ pin: '2026-07-28' }, 'legacy'] as const;

const published = await writePublished(makeFolder());

/** Starts the built program as an assistant does. */
async function openAssistant(mode: (typeof OPENINGS)[number] = OPENINGS[0], config = published) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const args = [BUILT, 'mcp', '--config', config];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError, content } = result.parse(await client.callTool({ name, arguments: input }));
    return { isError, text: content[0].text };
  };
  return { client, call };
}

it.each(OPENINGS)(
  'answerlake mcp gives views, examples, rows and their time to a client of %j',
  async (mode) => {
    const { client, call } = await openAssistant(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : mode.pin);
    const { tools } = await client.listTools();
    const names = ['metric', 'examples', 'list_views', 'describe_view', 'query'];
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools[4]?.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
    const { isError, text } = await call('query', { sql: 'select project_name from projects' });
    expect(isError).toBe(false);
    expect(text).toMatch(
      /^As of 2025-03-05 02:17 UTC, \d+ days ago\. Figures from 2025-02-27 on may still change; those of 2025-03-05 are partial\.\nStale: .*\n\n1 row\n\{"columns":\["project_name"\],"rows":\[\n\["Fernhill"\]\]\}$/,
    );
    expect((await call('list_views')).text).toMatch(/^daily_kpis: All figures of a project and day\.$/m);
    expect((await call('describe_view', { view: 'targets' })).text).toMatch(
      /^Key: project_id, measure\n[^]*^due_date \(DATE\): /m,
    );
    expect((await call('examples')).text).toMatch(/^12\. [^\n]*\n13\. /m);
    expect((await call('examples', { number: 12 })).text).toMatch(/^12\. [^]*\nCaveat: [^]*\nselect/m);
    expect((await call('metric', { name: 'visibility' })).text).toContain('"days_asked"');
    expect((await call('metric', { name: 'clout' })).isError).toBe(true);
    // A name that is dropped would answer for other days.
    const misnamed = await call('metric', { name: 'visibility', start_date: '2025-02-01' });
    expect(misnamed.isError).toBe(true);
    expect(misnamed.text).toContain('There is no start_date: did you mean from, to?');
  },
);

it('answerlake mcp gives at most 1,000 rows and 50,000 characters, and cuts the texts of one long row', async () => {
  const { call } = await openAssistant();
  const told = async (sql: string): Promise<string> => (await call('query', { sql })).text;
  expect(await told('from range(5000)')).toContain('The first 1,000 of 5,000 rows');
  const many = await told("select repeat('x', 1000) as x from range(900)");
  expect(many).toMatch(/The first 4\d of 900 rows/);
  const long = await told(`select 7 as n, repeat('x', 200000) as x, repeat('"', 100000) as y from range(3)`);
  expect(long).toMatch(
    /\n1 of 3 rows, its texts cut to at most 12,500 characters: select parts of them with substr\n[^]*\[7,"x+…","(?:\\")+…"\]/,
  );
  expect(Math.max(many.length, long.length)).toBeLessThan(50_500);
});

it.runIf(existsSync('/proc/self/fd'))(
  'answerlake mcp stops the query of a call that its client cancelled, and closes the file',
  async () => {
    const client = new Client({ name: 'test', version: '1' });
    const args = [BUILT, 'mcp', '--config', published];
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const folder = `/proc/${String(transport.pid)}/fd`;
    const isOpen = (): boolean =>
      readdirSync(folder).some((name) =>
        orNull(() => readlinkSync(join(folder, name)))?.endsWith('answers.duckdb'),
      );
    const stopped = new AbortController();
    const sql = 'select count(*) from range(100000000000) a, range(1000) b';
    const call = client
      .callTool({ name: 'query', arguments: { sql } }, { signal: stopped.signal })
      .catch(messageOf);
    await vi.waitUntil(isOpen, { timeout: 20_000 });
    stopped.abort('not needed');
    expect(await call).toContain('not needed');
    // Without the cancellation, it runs for 30 s.
    await vi.waitUntil(() => !isOpen(), { timeout: 20_000 });
  },
);

it('answerlake mcp refuses what query refuses, and says why', async () => {
  const { call } = await openAssistant();
  const answer = await call('query', { sql: 'select 1; select 2' });
  expect(answer).toEqual({ isError: true, text: expect.stringContaining('query runs exactly one') });
});

it('answerlake mcp starts before the first sync, and says that nothing was published', async () => {
  const config = join(openFolder(), 'answerlake.yaml');
  writeFileSync(config, CONFIG);
  const { call } = await openAssistant(undefined, config);
  const answer = await call('list_views');
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain('Run answerlake sync');
});

it('answerlake mcp ends with 0 when its stdin ends, also where that was never a pipe', async () => {
  const argv = [BUILT, 'mcp', '--config', published];
  for (const stdin of ['ignore', 'pipe'] as const) {
    const child = spawn(process.execPath, argv, { stdio: [stdin, 'ignore', 'ignore'] });
    child.stdin?.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  }
});

/** Four characters are a token, as the makers of models reckon for English. */
const CHARACTERS_A_TOKEN = 4;

it('the list of tools, the list of views and one search of examples take at most 4,000 tokens', async () => {
  const { client, call } = await openAssistant();
  const lists = JSON.stringify(await client.listTools()).length + (await call('list_views')).text.length;
  const longest = { length: 0, words: '' };
  for (const { question } of readExamples()) {
    const { length } = (await call('examples', { words: question })).text;
    if (length > longest.length) Object.assign(longest, { length, words: question });
  }
  expect((lists + longest.length) / CHARACTERS_A_TOKEN).toBeLessThanOrEqual(4_000);
});

it('a search of examples finds the question that the words mean, and all questions where none is meant', () => {
  const firstOf = (words: string): string => findExamples({ words }).split('\n', 1)[0] ?? '';
  expect(firstOf('why did our visibility move?')).toContain('Why did visibility move');
  expect(firstOf('freshness, gaps')).toMatch(/^(11|12)\. /);
  expect(firstOf('crawled pages of search console')).toMatch(/^36\. /);
  expect(findExamples({ words: 'zebra' })).toMatch(/^No example has these words\. All of them:\n1\. /);
});
