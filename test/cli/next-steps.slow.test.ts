import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from './run.ts';
import { openSmallWorld, TODAY } from './small-world.ts';

it('every command names the next one on stderr, and not with --quiet or --json', async () => {
  const { run, folder } = await openSmallWorld();
  cpSync('jobs', join(folder, 'jobs'), { recursive: true });
  const output = join(folder, 'lake');
  const steps: string[] = [];
  for (const argv of [
    ['check'],
    ['plan', '--endpoint', 'events', '--today', TODAY],
    ['sync', '--endpoint', 'events', '--today', TODAY],
    ['status'],
    ['gaps'],
    ['publish'],
    ['report', '--output', join(folder, 'page.html')],
    ['export', '--output', output, '--table', 'calendar', '--overwrite'],
    ['describe'],
    ['examples'],
    ['schedule', '--systemd'],
  ]) {
    const { stderr } = await run(argv);
    const [, next = ''] = stderr.split('\nNext:\n');
    expect(next, argv.join(' ')).not.toBe('');
    steps.push(...next.split('\n').flatMap((line) => /^ {2}answerlake (\w+)/.exec(line)?.[1] ?? []));
  }
  for (const name of ['status', 'gaps', 'describe']) {
    for (const flag of ['--quiet', '--json'])
      expect((await run([name, flag])).stderr, `${name} ${flag}`).not.toContain('Next:');
  }
  for (const name of new Set(steps)) expect((await cli(['help', name])).code, name).toBe(0);
  expect(steps).toContain('report');
});
