import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { once } from 'node:events';
import { z } from 'zod';
import { untilAborted } from '../effects.ts';
import { AnswerlakeError } from '../errors.ts';
import { readExamples } from '../guide/examples.ts';
import { describeView, readAsOf, readViews } from '../guide/views.ts';
import { readVersion } from '../package.ts';
import { openPublishedFile, type PublishedFile } from '../publish/published-file.ts';
import { amount } from '../text.ts';
import { noFlags } from './flags.ts';
import type { CommandHost } from './host.ts';
import type { Cell } from '../warehouse/query-result.ts';
import { formatJson } from './terminal/result-format.ts';

const MAX_ROWS = 1_000;
const MAX_CHARACTERS = 50_000;
const TIMEOUT_MS = 30_000;

const INSTRUCTIONS =
  'Figures about how AI assistants answer questions about brands, in DuckDB SQL over the views of the schema main. ' +
  'Call describe_view before you query a view: its comments give the meaning of each figure and say which ones must not be added up. ' +
  'Say as of when the figures are, and which of them may still change. The data is read-only.';

const HELP = `  $ answerlake mcp --config /srv/answers/answerlake.yaml
An assistant starts it and speaks to it on stdin and stdout: docs/mcp.md.`;

/** `answerlake mcp`: the published file for assistants that speak the Model Context Protocol; sends no request to the API. */
export function define(command: Command, host: CommandHost): void {
  host.handle({ command, flags: noFlags, help: HELP }, async (context) => {
    const { path } = context.loadConfig({ secrets: 'leave' }).warehouse;
    // A pipe ends with both; a file or /dev/null never closes.
    const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
    // The first message of the client says which protocol it speaks; both get the same tools.
    const server = serveStdio(() => openServer(path, context.signal));
    await Promise.race([ended, untilAborted(context.signal)]);
    await server.close();
    return 0;
  });
}

function openServer(path: string, stop: AbortSignal): McpServer {
  const server = new McpServer(
    { name: 'answerlake', version: readVersion() },
    { instructions: INSTRUCTIONS },
  );
  const annotations = { readOnlyHint: true, openWorldHint: false };
  /** Each call opens the file, so that it sees the one published last. */
  const reading =
    <Input>(read: (file: PublishedFile, input: Input) => Promise<string>) =>
    async (input: Input): Promise<CallToolResult> => {
      const tooLong = AbortSignal.timeout(TIMEOUT_MS);
      try {
        await using file = await openPublishedFile(path, { signal: AbortSignal.any([stop, tooLong]) });
        const text = await read(file, input);
        const asOf = await readAsOf(file);
        return { content: [{ type: 'text', text: `${asOf}\n\n${text}` }] };
      } catch (error) {
        if (tooLong.aborted)
          return refusal(
            `The query took longer than ${String(TIMEOUT_MS / 1000)} s and was stopped. Ask for fewer days or projects.`,
          );
        if (error instanceof AnswerlakeError) return refusal(error.message);
        throw error;
      }
    };
  server.registerTool('list_views', { description: 'Lists the views with their meaning.', annotations }, () =>
    reading(async (file) =>
      (await readViews(file)).map((view) => `${view.name}: ${view.comment}`).join('\n'),
    )(null),
  );
  server.registerTool(
    'describe_view',
    {
      description: 'Says what a view holds: its columns with their types, units and meaning.',
      inputSchema: z.object({ view: z.string().describe('Name of a view, as list_views names it') }),
      annotations,
    },
    reading(async (file, { view }) => {
      const { name, comment, columns } = await describeView(file, view);
      return [
        `${name}: ${comment}`,
        ...columns.map((one) => `${one.name} (${one.type}): ${one.comment}`),
      ].join('\n');
    }),
  );
  server.registerTool(
    'examples',
    {
      description: 'Lists questions that analysts ask, with a caveat and the SQL that answers each.',
      annotations,
    },
    () =>
      reading(async () =>
        Promise.resolve(
          readExamples()
            .map(
              ({ number, question, caveat, sql }) =>
                `${String(number)}. ${question}\nCaveat: ${caveat}\n${sql}`,
            )
            .join('\n\n'),
        ),
      )(null),
  );
  server.registerTool(
    'query',
    {
      description: `Runs one read-only SQL statement (DuckDB). Returns at most ${amount(MAX_ROWS)} rows and ${amount(MAX_CHARACTERS)} characters as JSON.`,
      inputSchema: z.object({ sql: z.string().describe('One statement; a second one is refused') }),
      annotations,
    },
    reading(async (file, { sql }) => {
      const { columns, rows, count } = await file.query(sql, MAX_ROWS);
      let shown = rows;
      let text = formatJson({ columns, rows: shown });
      while (text.length > MAX_CHARACTERS && shown.length > 1) {
        const share = Math.min(0.9, MAX_CHARACTERS / text.length);
        shown = shown.slice(0, Math.max(1, Math.floor(shown.length * share)));
        text = formatJson({ columns, rows: shown });
      }
      if (text.length > MAX_CHARACTERS) {
        const most = Math.floor(MAX_CHARACTERS / (columns.length + 1));
        return `1 of ${amount(count)} ${count === 1 ? 'row' : 'rows'}, its texts cut to at most ${amount(most)} characters: select parts of them with substr\n${formatJson({ columns, rows: shown.map((row) => row.map((cell) => cutCell(cell, most))) })}`;
      }
      const of =
        shown.length === count ? amount(count) : `The first ${amount(shown.length)} of ${amount(count)}`;
      return `${of} ${count === 1 ? 'row' : 'rows'}\n${text}`;
    }),
  );
  return server;
}

/** A cell whose JSON has `most` characters at most; what was a list or a structure becomes text. */
function cutCell(cell: Cell, most: number): Cell {
  if (cell.json.length <= most) return cell;
  for (let length = most; ; length = Math.floor(length / 2)) {
    const text = `${(cell.text ?? '').slice(0, length)}…`;
    const json = JSON.stringify(text);
    if (json.length <= most || length === 0) return { text, json };
  }
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
