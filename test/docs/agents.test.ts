import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readExamples } from '../../src/guide/examples.ts';
import { GOVERNED } from '../../src/guide/governed.ts';
import { readVersion } from '../../src/files.ts';
import { openFolder } from '../support/folder.ts';
import { readZip } from '../support/xlsx.ts';

const manifestSchema = z.looseObject({
  manifest_version: z.literal('0.3'),
  name: z.literal('answerlake'),
  version: z.string(),
  description: z.string().min(1),
  author: z.object({ name: z.string() }),
  server: z.object({
    type: z.literal('node'),
    entry_point: z.string(),
    mcp_config: z.object({ command: z.literal('node'), args: z.array(z.string()) }),
  }),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  user_config: z.record(z.string(), z.looseObject({ type: z.literal('file'), required: z.literal(true) })),
});

it('the bundle for assistants runs the program of a checkout, which no registry needs to have, and names the tools of the server', () => {
  const path = join(openFolder(), 'answerlake.mcpb');
  execFileSync(process.execPath, ['scripts/mcpb.js', path]);
  const files = readZip(path);
  const manifest = manifestSchema.parse(JSON.parse(files.get('manifest.json') ?? ''));
  expect(manifest.version).toBe(readVersion());
  expect(files.has(manifest.server.entry_point)).toBe(true);
  expect(manifest.server.mcp_config.args).toEqual([
    '${user_config.program}',
    'mcp',
    '--config',
    '${user_config.config}',
  ]);
  const registered = readFileSync('src/cli/mcp.ts', 'utf8').matchAll(/registerTool\(\s*'(\w+)'/g);
  expect(manifest.tools.map(({ name }) => name)).toEqual([...registered].map(([, name]) => name));
});

it('no page runs a package of a registry, whose name anybody may take', () => {
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  const texts = [
    'README.md',
    'AGENTS.md',
    'llms.txt',
    'scripts/mcpb.js',
    ...pages.map((path) => `docs/${path}`),
  ];
  const found = texts.filter((path) =>
    /npx (?:--yes|-y) answerlake|'--yes'|"--yes"/.test(readFileSync(path, 'utf8')),
  );
  expect(found).toEqual([]);
});

it('AGENTS.md has at most 150 lines, and its counts are those of the program', () => {
  const text = readFileSync('AGENTS.md', 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(150);
  expect(text).toContain(`${String(GOVERNED.length)} governed figures`);
  expect(text).toContain(`${String(readExamples().length)} questions`);
  expect(readFileSync('llms.txt', 'utf8')).toContain(`${String(readExamples().length)} questions`);
});
