import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import type { RunReport } from '../../src/run/run-to-end.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import { openRig, runUnpublished } from '../flow/rig.ts';
import { virtualEffects } from '../support/virtual-effects.ts';
import { serveNight, type AlteredAnswer, type Placement } from './altered-answers.ts';
import { dayOfNight, FIRST_NIGHT, KEY, LOOKBACK_DAYS, START } from './attacked-api.ts';
import { contentOf, type Content } from './warehouse-content.ts';

export interface Night {
  /** 0 loads the base. */
  number: number;
  endpoints: readonly string[] | null;
  placements: readonly Placement[];
  /** The weekly job, which asks for all days again. */
  isWeekly?: boolean;
  /** Asks for everything again, whatever is known. */
  isFull?: boolean;
  /** UTC hour of the run. */
  hour?: number;
}

export interface NightReport {
  exitCode: number;
  failures: readonly string[];
  /** Of each request. */
  paths: readonly string[];
  altered: readonly AlteredAnswer[];
  content: Content;
}

/** A configuration and files in a folder of its own, behind a server that alters answers. */
export type AttackedWarehouse = Awaited<ReturnType<typeof openAttackedWarehouse>>;

const HOUR_MS = 3_600_000;
const ALL_DAYS = 60;

/** @param simulators the API on each night; the caller closes them */
export async function openAttackedWarehouse(simulators: readonly Simulator[]) {
  const rig = await openRig({
    world: 'empty',
    key: KEY,
    today: FIRST_NIGHT,
    startDate: START,
    isNew: true,
    change: attackedConfig,
  });
  const data = join(rig.folder, 'data');
  const workingFile = workingPath(rig.config.warehouse.path);
  return {
    projectIds: simulators[0]?.world.projects.map(({ id }) => id) ?? [],
    workingFile,
    run: async ({
      number,
      endpoints,
      placements,
      isWeekly,
      isFull = false,
      hour = 3,
    }: Night): Promise<NightReport> => {
      const effects = virtualEffects(Date.parse(dayOfNight(number)) + hour * HOUR_MS);
      const tonight = simulators[number];
      if (tonight === undefined) throw new RangeError(`no night ${String(number)}`);
      const before = simulators[number - 1] ?? tonight;
      rig.simulator.resetRequests();
      const altered = serveNight(rig.simulator, { placements, tonight, before, now: effects.now });
      const lookbackDays = isWeekly === true ? ALL_DAYS : null;
      const request = syncRequest({ maxWaitMs: 0, endpoints, lookbackDays, full: isFull });
      const end = await runUnpublished(request, { ...rig.context, effects }).catch(notBegun);
      return {
        exitCode: end.exit_code,
        failures: end.failures.map(({ message }) => message),
        paths: rig.simulator.requests.map(({ path }) => path),
        altered,
        content: await contentOf(workingFile, endpoints),
      };
    },
    /** Copies the files; returns the folder of the copy. */
    keep: (): string => {
      const kept = `${data}.kept`;
      cpSync(data, kept, { recursive: true });
      return kept;
    },
    /** Replaces the files by a copy; null: by nothing. */
    restore: (kept: string | null): void => {
      rmSync(data, { recursive: true, force: true });
      if (kept !== null) cpSync(kept, data, { recursive: true });
    },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

function attackedConfig(plain: Config): Config {
  const weekly = { grains: ['day', 'week'] as ('day' | 'week')[] };
  return {
    ...plain,
    api: { ...plain.api, attempts: 3 },
    sync: {
      ...plain.sync,
      lookbackDays: LOOKBACK_DAYS,
      // Rolling windows are asked on one night: the odd worlds judge them.
      windows: ['month'],
      maxPromptLookups: 0,
      endpoints: {
        prompts: { limit: 5 },
        events: { limit: 3 },
        brand_visibility: { limit: 40 },
        visibility: { ...weekly, maxWindowDays: 29 },
        share_of_voice: weekly,
        sentiment: { maxWindowDays: 10 },
        domain_citations: { maxWindowDays: 12 },
        visitor_visits: { maxWindowDays: 9 },
      },
    },
  };
}

type Ended = Pick<RunReport, 'exit_code' | 'requests' | 'warnings'> & {
  failures: readonly { message: string }[];
};

/** A run that could not begin has touched nothing. */
export function notBegun(error: unknown): Ended {
  if (!(error instanceof AnswerlakeError)) throw error;
  const { exitCode, message } = error;
  return { exit_code: exitCode, failures: [{ message }], warnings: [], requests: 0 };
}
