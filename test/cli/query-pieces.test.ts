import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeOutput } from '../../src/cli/output-file.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { openOutput } from '../../src/cli/terminal/io.ts';
import { makeFolder, openFolder } from '../support/folder.ts';
import { writePublished } from './published.ts';
import { cli } from './run.ts';

const config = await writePublished(makeFolder());

/** What a large result was written as, piece by piece; the reader has gone away once it has so many of them. */
async function pieces(format: string, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const written: string[] = [];
  let loseReader: (error: NodeJS.ErrnoException) => void = () => undefined;
  const stdout = openOutput(
    {
      write: (text, onWritten) => {
        if (text !== '') written.push(text);
        if (written.length >= most) loseReader(Object.assign(new Error('gone'), { code: 'EPIPE' }));
        onWritten?.();
      },
      on: (_, listener) => {
        loseReader = listener;
      },
    },
    {},
  );
  const { code } = await cli(['query', 'from range(10000)', '--config', config, '--format', format], {
    stdout,
  });
  expect(code).toBe(0);
  return written;
}

it('answerlake query writes a large result piece by piece', async () => {
  const [csv, json] = [await pieces('csv'), await pieces('json')];
  const numbers = Array.from({ length: 10_000 }, (_, range) => range);
  expect(csv.join('')).toBe(`range\n${numbers.join('\n')}\n`);
  expect(JSON.parse(json.join(''))).toEqual(numbers.map((range) => ({ range })));
  for (const written of [csv, json]) {
    expect(Math.max(...written.map(({ length }) => length))).toBeLessThan(written.join('').length / 2);
  }
});

it('answerlake query reads no further until a slow reader has room again', async () => {
  const state = { written: 0, waiting: 0, most: 0 };
  const stdout = openOutput(
    {
      write: (text, onWritten) => {
        if (text !== '') state.waiting += 1;
        state.most = Math.max(state.most, state.waiting);
        if (onWritten === undefined) return;
        setImmediate(() => {
          state.written += state.waiting;
          state.waiting = 0;
          onWritten();
        });
      },
      on: () => undefined,
    },
    {},
  );
  const argv = ['query', 'from range(10000)', '--config', config, '--format', 'csv'];
  expect((await cli(argv, { stdout })).code).toBe(0);
  expect(state.most).toBe(1);
  expect(state.written).toBeGreaterThan(3);
});

it('answerlake query reads no further for a reader that went away', async () => {
  expect(await pieces('csv', 2)).toHaveLength(2);
  expect((await pieces('csv')).length).toBeGreaterThan(3);
});

it('a reader that went away is no loss; an output that cannot be written is reported once', () => {
  const lost: string[] = [];
  for (const code of ['EPIPE', 'ENOSPC']) {
    let fail: (error: NodeJS.ErrnoException) => void = () => undefined;
    const stream = {
      write: () => undefined,
      on: (_: string, listener: typeof fail) => void (fail = listener),
    };
    openOutput(stream, {}, (error) => lost.push(error.message));
    for (let times = 0; times < 2; times += 1) fail(Object.assign(new Error(code), { code }));
  }
  expect(lost).toEqual(['ENOSPC']);
});

it('answerlake query leaves an old file alone when it is stopped while it writes', async () => {
  const folder = openFolder();
  const output = join(folder, 'rows.csv');
  writeFileSync(output, 'old');
  async function* broken(): AsyncGenerator<string> {
    yield 'new';
    await Promise.resolve();
    throw new AnswerlakeError('Stopped by SIGTERM.', { class: 'stopped', exitCode: 143 });
  }
  await expect(writeOutput(output, broken())).rejects.toMatchObject({ exitCode: 143 });
  expect(readFileSync(output, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['rows.csv']);
});
