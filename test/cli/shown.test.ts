import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realEffects } from '../../src/effects.ts';
import { openFolder } from '../support/folder.ts';
import { writePublished } from './published.ts';
import { cli, type CliOptions, type CliResult } from './run.ts';
import { openSynced, openSmallWorld, TODAY } from './small-world.ts';

const TERMINAL: CliOptions = {
  columns: 80,
  effects: { ...realEffects, now: () => Date.parse('2025-03-08T12:00:00Z') },
};

it('people see what is written down of each command, in 80 columns', async () => {
  const folder = openFolder();
  const config = await writePublished(folder, { covered: false });
  const small = await openSmallWorld({ isNew: true });
  const synced = await openSynced();
  const shown: string[] = [];
  const show = async (
    argv: readonly string[],
    run: (argv: readonly string[], options?: CliOptions) => Promise<CliResult>,
    options?: CliOptions,
  ): Promise<void> => {
    const { stdout, stderr } = await run(argv, options);
    shown.push(`$ answerlake ${argv.join(' ')}\n${stdout}${stderr}`);
  };
  const read = (argv: readonly string[], options?: CliOptions): Promise<CliResult> =>
    cli([...argv, '--config', config], options);
  await show(['check'], small.run);
  await show(['sync', '--endpoint', 'visibility', '--today', TODAY, '--log-level', 'error'], small.run);
  const sql = 'select 1234 as n, 0.5 as half, 1.25::double as mean, null::double as none';
  for (const argv of [['status'], ['gaps'], ['describe', 'targets'], ['examples', '12'], ['query', sql]])
    await show(argv, read, TERMINAL);
  await show(['plan', '--offline', '--today', '2025-02-12', '--endpoint', 'events'], synced.run, TERMINAL);
  const [lake, book] = [join(synced.folder, 'lake'), join(synced.folder, 'book.xlsx')];
  for (const output of [[lake], [lake, '--changed'], [book]]) {
    const argv = ['export', '--table', 'daily_kpis', 'core.projects', '--output', ...output];
    await show(argv, synced.run, TERMINAL);
  }
  const text = [folder, small.folder, synced.folder]
    .reduce((all, path) => all.replaceAll(path, '/lake'), shown.join('\n'))
    // A temporary folder with blanks is quoted in commands.
    .replaceAll(/'(\/lake[\w./]*)'/g, '$1')
    .replaceAll(/\b\d[\d.]* (?:KiB|MiB|GiB|min|ms|s)\b|\b\d+[hm](?: \d+[ms])?\b/g, '…')
    .replaceAll(/published \d.* UTC|(?:disk|Node\.js): .*/g, '…')
    .replaceAll(/\d\d,\d{3} (?:of 50,000|left until [\d:]+)/g, '…');
  await expect(text).toMatchFileSnapshot('shown.txt');
});
