import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mostRepeated } from './organizations.ts';
import { Fleet, wait, type Served } from './fleet.ts';

const PAGE = readFileSync('docs/scale.md', 'utf8').replaceAll(/\s+/g, ' ');
const DAYS = ['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'] as const;

/** Code on the page: a command or its output. */
function onPage(text: string): string {
  expect(PAGE).toContain(`\`${text}\``);
  return text;
}

test('the steps of the page, from one file to a queue and back, keep the content of one process', async () => {
  const fleet = await Fleet.open(1, { today: DAYS[0], isInitialized: false });
  const { organizations } = fleet;
  const settings = readFileSync(join(fleet.folder, 'answerlake.yaml'), 'utf8');
  const [one, moved] = ['one.yaml', 'moved.yaml'];
  writeFileSync(join(fleet.folder, one), settings.replace(/^queue:.*$/m, ''));
  writeFileSync(join(fleet.folder, moved), `${settings}landing: elsewhere\n`);
  /** Runs a command of the page: it prints what the page says. */
  const step = async (command: string, prints: string, config?: string): Promise<void> => {
    const argv = onPage(`answerlake ${command}`).split(' ').slice(1);
    const { code, stdout } = await fleet.run(argv, { config });
    // Commands that it prints name the configuration.
    const plain = stdout.replaceAll(/ --config \S+\.yaml/g, '');
    expect([command, code, plain]).toEqual([command, 0, expect.stringContaining(prints)]);
  };
  const night = async (today: string, config?: string): Promise<void> => {
    organizations.setToday(today);
    const argv = [...onPage('answerlake queue run --wait').split(' ').slice(1), '--today', today];
    const { code, stderr } = await fleet.run(argv, { config });
    expect([today, code, stderr]).toEqual([today, 0, expect.stringMatching(/^\nNext:\n/)]);
  };
  const sync = async (today: string): Promise<void> => {
    organizations.setToday(today);
    expect(await fleet.run(['sync', '--today', today], { config: one })).toMatchObject({ code: 0 });
  };
  const start = async (role: 'loader' | 'worker', config = 'answerlake.yaml'): Promise<Served> => {
    const started = fleet.serve(role, { config });
    await started.saw(`${role}.ready`);
    return started;
  };

  await sync(DAYS[0]);
  await step('queue init', onPage('The queue is ready: start answerlake loader and answerlake worker.'));
  const loader = await start('loader');
  const worker = await start('worker');
  await step('queue status', onPage('1 worker, 1 loader'));
  const busy = await fleet.run(['sync', '--today', DAYS[0]], { config: one });
  expect(busy.code).toBe(6);
  await night(DAYS[1]);

  organizations.setToday(DAYS[2]);
  organizations.resetRequests();
  organizations.setLatency(60);
  const run = fleet.run(['queue', 'run', '--wait', '--today', DAYS[2]]);
  while (organizations.requests().length < 8) await wait(5);
  await worker.stop();
  organizations.setLatency(0);
  const newer = await start('worker');
  expect(await run).toMatchObject({ code: 0 });
  expect(mostRepeated(organizations.requests())).toBe(1);

  await step('queue pause', onPage('Paused: to continue, run answerlake queue resume.'));
  await newer.stop();
  await loader.stop();
  for (const command of ['worker', 'loader', 'check']) {
    const { code, stdout, stderr } = await fleet.run([command], { config: moved });
    expect([command, code]).toEqual([command, 2]);
    expect(stdout + stderr).toContain(onPage('is not the landing zone of this queue'));
  }
  cpSync(join(fleet.folder, 'data', 'landing'), join(fleet.folder, 'elsewhere'), { recursive: true });
  const there = [await start('loader', moved), await start('worker', moved)];
  await step('queue resume', 'Resumed.', moved);
  await night(DAYS[3], moved);

  await step('queue pause', 'Paused', moved);
  for (const one of there) await one.stop();
  await sync(DAYS[4]);
  expect(await fleet.differences(DAYS)).toEqual([]);
  await step('replay', 'without one request', one);
  expect(await fleet.differences(DAYS)).toEqual([]);
});
