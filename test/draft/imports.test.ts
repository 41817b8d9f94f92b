import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = resolve('src');

const ANY_IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g;
/** What Node loads with a file: neither dynamic imports nor types. */
const LOADED = /^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)'/gm;

/** Every file that `start` reaches by imports, static, dynamic or of types; with `LOADED`, packages too. */
function reachable(start: readonly string[], imports = ANY_IMPORT): Set<string> {
  const seen = new Set<string>();
  const open = [...start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (!file.endsWith('.ts')) continue;
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imports))
      open.push(path.startsWith('.') ? resolve(dirname(file), path) : join(SOURCE, 'package', path));
  }
  return seen;
}

const namesOf = (files: Iterable<string>): string[] => [...files].map((file) => relative(SOURCE, file));

it('the commands that run jobs reach no writing call; draft push does', () => {
  const isDraft = (name: string): boolean => name.startsWith('draft/');
  for (const command of ['serving.ts', 'sync.ts', 'demo.ts']) {
    const names = namesOf(reachable([join(SOURCE, 'cli', command)]));
    expect(names).toContain('run/sync.ts');
    expect(names.filter(isDraft)).toEqual([]);
  }
  expect(namesOf(reachable([join(SOURCE, 'cli', 'draft.ts')])).filter(isDraft)).toContain(
    'draft/draft-run.ts',
  );
});

it('only the writing call posts', () => {
  const posting = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /\.post\(/.test(readFileSync(join(SOURCE, name), 'utf8')));
  expect(posting).toEqual(['draft/draft-run.ts']);
});

/** What a sync loads while its file is opened, and while its first request is under way. */
const AFTER_OPENING = ['extract/clients.ts', 'run/run-context.ts', 'run/run-to-end.ts', 'run/stages.ts'];

it.each([
  ['--help', ['cli/main.ts'], /^package\/(?!node:|commander)|^(?:config|endpoints|warehouse)\//],
  [
    'status',
    ['cli/status.ts', 'run/journal.ts', 'publish/published-file.ts'],
    /^package\/(?:undici|pino|croner|p-)|^(?:report|guide|targets|load|believe|scale)\/|^extract\/(?!api-error)/,
  ],
  [
    'the opening of a sync',
    ['cli/sync.ts', 'run/sync.ts', 'daemon/notify/run-with-notification.ts'],
    /^package\/undici|^(?:load|believe|check|targets)\/|^run\/(?:run-|stages)(?!file)|^plan\/(?!selection)/,
  ],
  [
    'sync',
    ['cli/sync.ts', 'run/sync.ts', 'daemon/notify/run-with-notification.ts', ...AFTER_OPENING],
    /^package\/(?:pg|aws|nunjucks|@mod|@clack|@resvg)|^report\/(?!text)|^targets\/[a-z]+\/|^(?:guide|scale|draft|export|daemon\/serve)\//,
  ],
] as const)('%s loads only what it needs', (_command, files, unneeded) => {
  const loaded = namesOf(
    reachable(
      files.map((file) => join(SOURCE, file)),
      LOADED,
    ),
  );
  expect(loaded.length).toBeGreaterThan(5);
  expect(loaded.filter((name) => unneeded.test(name))).toEqual([]);
});
