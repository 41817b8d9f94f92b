// Writes answerlake.mcpb, which assistants install with one click: a manifest that runs the program of a checkout or an installed package.

import { readFileSync, writeFileSync } from 'node:fs';
import { zipPieces } from '../dist/src/export/zip-file.js';

const { name, version, description, license, homepage, repository, engines } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

const manifest = {
  manifest_version: '0.3',
  name,
  display_name: 'answerlake',
  version,
  description,
  long_description:
    'Questions about AI-answer visibility, answered from the published file of answerlake on this machine. Read-only: it sends no request, and needs no API key.',
  author: { name: 'answerlake' },
  repository: { type: 'git', url: repository.url.replace(/^git\+/, '') },
  homepage,
  documentation: `${homepage.split('#')[0]}/blob/main/docs/mcp.md`,
  license,
  server: {
    type: 'node',
    // Hosts ask for a file of the bundle; what runs is the program that its user names, because DuckDB is built for each platform.
    entry_point: 'manifest.json',
    mcp_config: {
      command: 'node',
      args: ['${user_config.program}', 'mcp', '--config', '${user_config.config}'],
    },
  },
  tools: [
    { name: 'metric', description: 'Computes a governed figure, with n, interval, days and SQL' },
    { name: 'examples', description: 'Questions that analysts ask, with their SQL' },
    { name: 'list_views', description: 'Lists the views' },
    { name: 'describe_view', description: 'Describes a view and its columns' },
    { name: 'query', description: 'Runs one read-only SELECT, and warns of what misleads' },
  ],
  user_config: {
    program: {
      type: 'file',
      title: 'Program',
      description: 'The file bin/answerlake.js of a built checkout or of an installed package',
      required: true,
    },
    config: {
      type: 'file',
      title: 'Configuration',
      description: 'The file answerlake.yaml beside the data of answerlake',
      required: true,
    },
  },
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
};

async function* entries() {
  yield { name: 'manifest.json', parts: [`${JSON.stringify(manifest, null, 2)}\n`] };
}

const pieces = [];
for await (const piece of zipPieces(entries())) pieces.push(piece);
writeFileSync(process.argv[2] ?? `${name}.mcpb`, Buffer.concat(pieces));
