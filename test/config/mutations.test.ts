import { readFileSync } from 'node:fs';
import {
  array,
  assert,
  constantFrom,
  nat,
  oneof,
  property,
  record,
  string,
  type Arbitrary,
} from 'fast-check';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { runs } from '../support/runs.ts';
import { openWorkspace } from './workspace.ts';

const KEY = 'pk_live_9f8e7d6c5b4a';
const LINES = readFileSync('config/example.yaml', 'utf8')
  .split('\n')
  .filter((line) => !line.trimStart().startsWith('#'));

type Mutation = { line: number; kind: 'drop' | 'indent' | 'value' | 'insert'; text: string };

const text = oneof(
  string({ maxLength: 12 }),
  constantFrom(
    'null',
    '~',
    '[]',
    '{}',
    '-1',
    '1e999',
    '*a',
    '&a',
    '!!js x',
    '__proto__: 1',
    'constructor: 1',
    '- - -',
  ),
);
const mutation: Arbitrary<Mutation> = record({
  line: nat({ max: LINES.length - 1 }),
  kind: constantFrom('drop', 'indent', 'value', 'insert'),
  text,
});

function mutate(lines: readonly string[], { line, kind, text }: Mutation): string[] {
  const old = lines[line] ?? '';
  const before = lines.slice(0, line);
  const after = lines.slice(line + 1);
  switch (kind) {
    case 'drop':
      return [...before, ...after];
    case 'indent':
      return [...before, `  ${old}`, ...after];
    case 'value':
      return [...before, old.replace(/: .*/, () => `: ${text}`), ...after];
    case 'insert':
      return [...before, old, `${/^ */.exec(old)?.[0] ?? ''}${text}`, ...after];
    default:
      return kind satisfies never;
  }
}

/** The message of the refusal; null when the file is taken. */
function refusal(path: string): string | null {
  try {
    loadConfig({ path, env: { ANSWERLAKE_KEY: KEY }, today: toDay('2025-06-30') });
    return null;
  } catch (error) {
    if (error instanceof AnswerlakeError && error.exitCode === 2) return error.message;
    throw error;
  }
}

it('loadConfig on a damaged file takes it or says where it is wrong, and never shows the key', () => {
  const { write } = openWorkspace();
  const tries = runs(1000);
  let refused = 0;
  assert(
    property(array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      const path = write('answerlake.yaml', mutations.reduce<string[]>(mutate, LINES).join('\n'));
      const message = refusal(path);
      if (message === null) return true;
      refused += 1;
      return /answerlake\.yaml:\d+:\d+ /.test(message) && !message.includes(KEY);
    }),
    tries,
  );
  expect(refused).toBeGreaterThan(0.3 * tries.numRuns);
});
