import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { openRig } from './rig.ts';

const PLAIN = {
  world: 'demo',
  today: '2026-07-14',
  startDate: '2026-07-05',
  change: (config: Config): Config => ({ ...config, sync: { ...config.sync, scopes: {} } }),
} as const;

it('a project that answers 402 is given up after the requests under way; its siblings go on', async () => {
  await using rig = await openRig(PLAIN);
  const [first] = rig.simulator.world.projects;
  const message = 'The plan of this organization has ended.';
  const isOfFirst = ({ path, projectId }: { path: string; projectId: string | undefined }): boolean =>
    projectId === first?.id && !path.endsWith('/validate');
  rig.simulator.override(isOfFirst, () => ({
    status: 402,
    body: { error: 'Payment Required', message, details: {} },
  }));
  const report = await rig.sync();
  expect(report).toMatchObject({ exit_code: 3, status: 'partial', projects: 3 });
  const asked = rig.simulator.requests.filter(({ path, projectId }) =>
    isOfFirst({ path, projectId: projectId ?? undefined }),
  );
  // Eight under way at the first path, one that takes the slot of the first refusal, and one at a second path.
  expect(asked.length).toBeLessThanOrEqual(10);
  expect(report.failures.every((failure) => failure.message.includes(message))).toBe(true);
  expect(
    await rig.rows('select count(distinct project_id)::integer as projects from core.visibility'),
  ).toEqual([{ projects: 2 }]);

  rig.simulator.override(isOfFirst, undefined);
  expect(await rig.sync()).toMatchObject({ exit_code: 0 });
  expect(
    await rig.rows('select count(distinct project_id)::integer as projects from core.visibility'),
  ).toEqual([{ projects: 3 }]);
});
