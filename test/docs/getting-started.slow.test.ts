import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSimulator } from '../../simulator/simulator.ts';
import { openFolder } from '../support/folder.ts';
import { startProgram } from '../support/program.ts';
import { blocksOf, runCommands } from './page-commands.ts';

const PAGE = 'docs/getting-started.md';
const SHOWN_URL = 'http://127.0.0.1:8787';

it('every command of docs/getting-started.md works, in its order', async () => {
  await using simulator = await startSimulator({ world: 'demo' });
  const home = openFolder();
  const run = async (folder: string, script: string): Promise<void> => {
    await runCommands(join(home, folder), script);
  };
  const blocks = blocksOf(PAGE).filter(({ language }) => language === 'sh');

  // In a checkout, as README.md has it.
  const inCheckout = blocks.filter(({ note, text }) => note === '' && text.startsWith('npm '));
  expect(inCheckout.map(({ text }) => text)).toEqual(['npm ci && npm run build\nnpx answerlake --help\n']);
  const first = blocks.filter((one) => one.note === '' && !inCheckout.includes(one)).map(({ text }) => text);
  expect(first).toHaveLength(3);
  await run('first', first.join('').replaceAll(SHOWN_URL, simulator.url));
  const made = ['answerlake.yaml', 'data/answers.duckdb', 'impact.csv', 'report.html'];
  for (const name of made) expect(existsSync(join(home, 'first', name))).toBe(true);
  expect(readFileSync(join(home, 'first', 'impact.csv'), 'utf8').split('\n').length).toBeGreaterThan(3);

  const own = blocks.find(({ note }) => note === 'with your own address and key')?.text ?? '';
  await run(
    'own',
    own.replace('https://server.example.com', simulator.url).replace('your-own-key', 'demo-project-key'),
  );
  expect(existsSync(join(home, 'own', 'data', 'answers.duckdb'))).toBe(true);

  const schedule = blocks.find(({ note }) => note === 'ends by Ctrl-C')?.text.trim();
  expect(schedule).toBe('answerlake schedule');
  const daemon = startProgram(['schedule'], {
    cwd: join(home, 'own'),
    env: { ANSWERLAKE_KEY: 'demo-project-key' },
  });
  await daemon.saw('schedule.waiting', 'reference-daily');
  daemon.child.kill('SIGINT');
  expect((await daemon.ended).code).toBe(130);

  const simulate = blocks.find(({ note }) => note === 'a terminal of its own')?.text.trim() ?? '';
  const words = [...simulate.split(' ').slice(1), '--port', '0'];
  const { child, ended } = startProgram(words, { cwd: home });
  await new Promise((settle) => child.stdout.once('data', settle));
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130 });
  expect((await ended).stdout).toContain('demo-organization-key');
});
