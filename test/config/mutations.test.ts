import { readFileSync } from 'node:fs';
import { array, assert, constantFrom, nat, oneof, property, string, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/file.ts';
import { toDay } from '../../src/day.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { runs } from '../support/runs.ts';
import { KEY, openWorkspace } from './loaded.ts';

const LINES = readFileSync('config/example.yaml', 'utf8')
  .split('\n')
  .filter((line) => !line.trimStart().startsWith('#'));

const text = oneof(
  string({ maxLength: 12 }),
  constantFrom('null', '[]', '{}', '-1', '1e999', '*a', '&a', '!!js x', '__proto__: 1', '- - -'),
);

/** What becomes of a line. */
const CHANGES: readonly ((line: string, text: string) => string[])[] = [
  () => [],
  (line) => [`  ${line}`],
  (line, text) => [line.replace(/: .*/, () => `: ${text}`)],
  (line, text) => [line, `${/^ */.exec(line)?.[0] ?? ''}${text}`],
];
const mutation = tuple(nat({ max: LINES.length - 1 }), constantFrom(...CHANGES), text);

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
  const tries = runs(500);
  let refused = 0;
  assert(
    property(array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      let lines = LINES;
      for (const [line, change, text] of mutations)
        lines = lines.toSpliced(line, 1, ...change(lines[line] ?? '', text));
      const path = write('answerlake.yaml', lines.join('\n'));
      const message = refusal(path);
      if (message === null) return true;
      refused += 1;
      return /answerlake\.yaml:\d+:\d+ /.test(message) && !message.includes(KEY);
    }),
    tries,
  );
  expect(refused).toBeGreaterThan(0.3 * tries.numRuns);
});
