import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startOrganizations } from './organizations.ts';
import { QueueRig } from './queue-rig.ts';

const TODAY = '2026-03-01';

test('a worker whose landing zone is gone leaves the rounds to one that has it', async () => {
  await using organizations = await startOrganizations(4, { today: TODAY, latencyMs: 500 });
  const rig = await QueueRig.open({ organizations, startDate: '2026-02-25' });
  const inFolder = (...names: string[]): string => join(rig.folder, ...names);
  const loader = rig.start(['loader']);
  await loader.saw('loader.ready');
  const mount = inFolder('mount');
  mkdirSync(mount);
  symlinkSync(inFolder('data', 'landing', 'zone.json'), join(mount, 'zone.json'));
  const settings = readFileSync(inFolder('answerlake.yaml'), 'utf8');
  writeFileSync(inFolder('worker.yaml'), `${settings}landing: mount\n`);
  const good = rig.start(['worker']);
  const bad = rig.start(['worker', '--config', inFolder('worker.yaml')]);
  await Promise.all([good.saw('worker.ready'), bad.saw('worker.ready')]);
  rmSync(mount, { recursive: true });
  mkdirSync(mount);
  const { code, stdout } = await rig.run(['queue', 'run', '--wait', '--json', '--today', TODAY]);
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, failures: [] });
  expect(code).toBe(0);
  expect(bad.events.map(({ event }) => event)).toContain('worker.without_zone');
});
