import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = resolve('src');

/** Every file that `start` reaches by imports, static, dynamic or of types. */
function reachable(start: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const open = [...start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      open.push(resolve(dirname(file), path ?? ''));
    }
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
