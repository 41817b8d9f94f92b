import type { Config } from '../config/config.ts';
import { exitCodeOf, messageOf } from '../errors.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';

/** The target besides the published file; nothing is created or changed, and nothing is said where there is none. */
export async function checkTarget({ warehouse }: Config): Promise<CheckResult[]> {
  if (warehouse.target === 'duckdb') return [];
  const { openTarget } = await import('../targets/publish-changed.ts');
  try {
    const target = await openTarget(warehouse);
    if (target === null) return [];
    const { what, publishedAt } = await target.look();
    if (publishedAt === null) {
      return [warning('target', `${what} holds nothing yet: the next publish brings it up to date`)];
    }
    return [ok('target', `${what}, up to the publish of ${publishedAt}`)];
  } catch (error) {
    return [failed('target', messageOf(error), exitCodeOf(error))];
  }
}
