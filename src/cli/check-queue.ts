import type { Config } from '../config/config.ts';
import { exitCodeOf, messageOf } from '../errors.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';
import type { CommandContext } from './context.ts';

/** Queue and landing zone; nothing is created or changed, and nothing is said where no queue is configured. */
export async function checkQueue(config: Config, context: CommandContext): Promise<CheckResult[]> {
  const { url } = config.queue;
  if (url === null) return [];
  const { watchQueue } = await import('../scale/queue/queue-state.ts');
  const { queueLines, queueProblems } = await import('../scale/queue/queue-state.ts');
  const results: CheckResult[] = [];
  let zone: string | null = null;
  try {
    const state = await watchQueue(url);
    zone = state.zone;
    const problems = queueProblems(state);
    results.push(
      problems.length === 0 ? ok('queue', queueLines(state)[0] ?? '') : warning('queue', problems.join('; ')),
    );
  } catch (error) {
    results.push(failed('queue', messageOf(error), exitCodeOf(error)));
  }
  return [...results, await checkLanding(config, { context, queue: zone })];
}

async function checkLanding(
  { landing }: Config,
  { context: { env, signal }, queue }: { context: CommandContext; queue: string | null },
): Promise<CheckResult> {
  const { openZone } = await import('../scale/landing/zone.ts');
  const { readZoneId, requireSameZone } = await import('../scale/landing/zone-identity.ts');
  try {
    await using zone = openZone(landing, { env, signal });
    const own = await readZoneId(zone);
    requireSameZone(zone, { own, queue });
    return own !== null
      ? ok('landing', landing)
      : warning('landing', `${landing} is empty: the loader makes it its own at its first start`);
  } catch (error) {
    return failed('landing', messageOf(error), exitCodeOf(error));
  }
}
