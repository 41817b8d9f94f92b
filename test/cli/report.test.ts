import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, openFolder } from '../support/folder.ts';
import { writePublished } from './published.ts';
import { cli } from './run.ts';

const config = await writePublished(makeFolder());

const report = (...argv: string[]) => cli(['report', '--config', config, ...argv]);

it.each([
  [['--chart', 'visibility'], '--chart goes with --format svg or png'],
  [['--open', '--format', 'svg'], '--open shows an HTML page'],
  [['--format', 'svg', '--output', 'one.svg'], 'is one file, and there are'],
])('answerlake report refuses %j', async (argv, message) => {
  expect(await report(...argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

it.each(['svg', 'png'])(
  'answerlake report writes one chart as %s, or names what has no data',
  async (format) => {
    const output = join(openFolder(), 'pictures');
    const { code, stdout } = await report(
      '--format',
      format,
      '--chart',
      'visibility',
      '--output',
      output,
      '--json',
    );
    const { files, skipped } = JSON.parse(stdout) as Record<'files' | 'skipped', { chart: string }[]>;
    expect([code, ...files, ...skipped]).toMatchObject([0, { chart: 'visibility' }]);
    const written = existsSync(output) ? readdirSync(output) : [];
    expect(written.map((name) => name.slice(-4))).toEqual(files.map(() => `.${format}`));
  },
);
