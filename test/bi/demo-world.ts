import { toDay } from '../../src/day.ts';
import { openRig, type Rig } from '../flow/rig.ts';

export const LOST_DOMAIN = 'medium.com';
export const NEW_DOMAIN = 'newcomer.example';
export const SILENT_MODEL = 'perplexity_sonar';

type Body = Record<string, unknown>;

/**
 * The published file of the demo world after two syncs, with three planted facts about its first project: one model
 * that never names the brand, one domain lost and one new in June, and five days of June restated after the month.
 */
export async function openDemoWorld(): Promise<Rig> {
  const rig = await openRig({ world: 'demo', today: '2026-07-14', startDate: '2026-05-01' });
  const [first] = rig.simulator.world.projects;
  if (first === undefined) throw new Error('the demo world has no project');
  const brand = first.brands[0]?.name ?? '';
  rig.simulator.override('/competitor-heatmap', ({ projectId }, { body }) => {
    if (projectId !== first.id) return undefined;
    const matrix = structuredClone((body as Body)['matrix']) as Record<string, Record<string, number>>;
    const own = matrix[brand];
    if (own !== undefined) own[SILENT_MODEL] = 0;
    return { body: { ...(body as Body), matrix } };
  });
  rig.simulator.override('/citations/domains-over-time', ({ projectId, query }, { body }) => {
    const isJune = query.some(([, value]) => value.startsWith('2026-06-01'));
    if (projectId !== first.id || !isJune) return undefined;
    const kept = ((body as Body)['series'] as Body[]).filter(({ domain }) => domain !== LOST_DOMAIN);
    const [model] = kept;
    return { body: { ...(body as Body), series: [...kept, { ...model, domain: NEW_DOMAIN }] } };
  });
  await rig.pull({ projects: [first.id] });
  rig.simulator.restate({
    project: first.id,
    endpoint: 'visibility-time-series',
    days: { start: toDay('2026-06-20'), end: toDay('2026-06-24') },
    by: 0.2,
  });
  await rig.sync({ lookbackDays: 25, endpoints: ['visibility'], projects: [first.id] });
  return rig;
}
