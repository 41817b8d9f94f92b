import { expect } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { toDay } from '../../src/day.ts';
import type { RunReport, SyncRequest } from '../../src/run/sync-request.ts';
import type { OverrideHandler } from '../../simulator/overrides.ts';
import { openRig, type RigOptions } from '../flow/rig.ts';

/** A warehouse that is synced night by night; what its server alters goes with `repair`. */
export type Nights = Awaited<ReturnType<typeof openNights>>;

export const JULY = { world: 'small', today: '2026-07-14', startDate: '2026-06-20' } as const;

/** Without the series of models and monitors. */
export const PROJECT_ONLY = { ...JULY, change: withSync({ scopes: {} }) } as const;

export function withSync(changed: Partial<Config['sync']>): (config: Config) => Config {
  return (config) => ({ ...config, sync: { ...config.sync, ...changed } });
}

export async function openNights(options: RigOptions) {
  const rig = await openRig(options);
  const altered = new Set<string>();
  let last: Partial<SyncRequest> = {};
  const answer = (path: string, reply: OverrideHandler): void => {
    altered.add(path);
    rig.simulator.override(path, reply);
  };
  return {
    rig,
    projectId: rig.simulator.world.projects[0]?.id ?? '',
    night: async (day: string, request: Partial<SyncRequest> = {}): Promise<RunReport> => {
      rig.simulator.setToday(toDay(day));
      rig.simulator.resetRequests();
      last = request;
      return await rig.sync(request);
    },
    /** Changes the bodies of answers to a path; `undefined` leaves a body unchanged. */
    alter: (
      path: string,
      change: (body: unknown, query: Readonly<Record<string, string>>) => unknown,
    ): void => {
      answer(path, (request, usual) => {
        if (usual.status !== 200) return undefined;
        const body = change(structuredClone(usual.body), Object.fromEntries(request.query));
        return body === undefined ? undefined : { body };
      });
    },
    /** Replaces whole answers; `undefined` leaves one unchanged. */
    answer,
    repair: (): void => {
      for (const path of altered) rig.simulator.override(path, undefined);
      altered.clear();
    },
    /** Requests of the last night whose path ends with `path`. */
    asked: (path: string): readonly Record<string, string>[] =>
      rig.simulator.requests
        .filter((request) => request.path.endsWith(path))
        .map(({ query }) => Object.fromEntries(query)),
    rows: (sql: string) => rig.rows(sql),
    /** Gaps of the endpoints of the last night. */
    gaps: () => {
      const asked = (last.endpoints ?? []).map((name) => `'${name}'`).join(', ');
      const which = asked === '' ? '' : ` where endpoint in (${asked})`;
      return rig.rows(`select endpoint, date, scope, status from detail.sync_gaps${which} order by all`);
    },
    vanishing: () => rig.rows('select table_name, change, witnessed_on from meta.vanishing order by all'),
    /** Fails unless the tables equal those of a warehouse that is new tonight. */
    expectTruth: async (tables: readonly string[], request: Partial<SyncRequest> = last): Promise<void> => {
      await using plain = await openRig({ ...options, today: rig.simulator.today });
      await plain.sync(request);
      for (const table of tables) {
        const sql = `select * exclude (_run_id, _changed_at) from core.${table} order by all`;
        expect(await rig.rows(sql), table).toEqual(await plain.rows(sql));
      }
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

/** Fails unless two nights of a repaired server owe nothing, wait for nothing and hold the truth. */
export async function expectHealed(
  { night, repair, gaps, vanishing, expectTruth }: Nights,
  {
    days,
    tables,
    request,
  }: { days: readonly string[]; tables: readonly string[]; request: Partial<SyncRequest> },
): Promise<void> {
  repair();
  for (const day of days)
    expect(await night(day, request), day).toMatchObject({ exit_code: 0, failures: [] });
  expect(await gaps()).toEqual([]);
  expect(await vanishing()).toEqual([]);
  await expectTruth(tables, request);
}
