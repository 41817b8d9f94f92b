import type { AccountConfig } from '../config/config.ts';
import { validate, validateV1 } from '../endpoints/reference.ts';
import { AnswerlakeError, exitCodeOf, messageOf } from '../errors.ts';
import type { ApiAnswer } from '../extract/call.ts';
import type { ApiClient } from '../extract/client.ts';
import { validateAccount } from '../extract/validate-account.ts';
import type { SyncContext } from '../run/sync-request.ts';
import { LARGEST_SKEW_MS, skewText } from '../run/server-day.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';

const UNREMARKABLE_SKEW_MS = 120_000;
const MAX_NAMED = 10;

export interface AccountCheck {
  results: CheckResult[];
  /** Whether a sync would get something with this key. */
  isUseful: boolean;
  /** Ids of the projects that the key reaches; null when not all are known. */
  projects: readonly string[] | null;
}

/** Key, projects, quota and clock of one account: two requests, and one for each project of an organization key. */
export async function checkAccount(
  account: AccountConfig,
  client: ApiClient,
  context: SyncContext,
): Promise<AccountCheck> {
  const name = `account ${account.name}`;
  try {
    const validated = await validateAccount({
      config: account,
      client,
      path: context.config.sync.endpoints[validate.name]?.path,
      wanted: null,
      signal: context.signal,
    });
    const { isOrganizationKey } = validated.account;
    const ids = validated.projects.map(({ projectId }) => projectId);
    const shown = ids.slice(0, MAX_NAMED).join(', ');
    const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
    const reach = `${ids.length} ${ids.length === 1 ? 'project' : 'projects'}: ${shown}${more}`;
    const results = [
      ok(name, `the ${isOrganizationKey ? 'organization' : 'project'} key works (v2)`),
      ids.length === 0
        ? failed(name, 'the key reaches none of the configured projects: check accounts[].projects', 4)
        : ok(name, reach),
      ...validated.problems.map((problem) => failed(name, problem.message, problem.exitCode)),
      ...(await checkVersion1(name, client, context)),
    ];
    return { results, isUseful: ids.length > 0, projects: validated.problems.length === 0 ? ids : null };
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AnswerlakeError)) throw error;
    const exitCode = exitCodeOf(error);
    // Partly done needs something that was done, and a key without a usable answer did nothing.
    return {
      // Some messages name the account, which stands before each line here.
      results: [failed(name, error.message.replace(`${name}: `, ''), exitCode === 3 ? 4 : exitCode)],
      isUseful: false,
      projects: null,
    };
  }
}

async function checkVersion1(name: string, client: ApiClient, context: SyncContext): Promise<CheckResult[]> {
  const path = context.config.sync.endpoints[validateV1.name]?.path ?? validateV1.path;
  try {
    const answer = await client.get({ path, query: [], withKey: true, signal: context.signal });
    return [
      ok(name, 'the key works (v1)'),
      checkQuota(name, answer, context.effects.now()),
      checkClock(answer),
    ];
  } catch (error) {
    if (context.signal.aborted || !(error instanceof AnswerlakeError)) throw error;
    return [failed(name, `v1: ${messageOf(error)}`, exitCodeOf(error))];
  }
}

function checkQuota(name: string, { headers: { rateLimit } }: ApiAnswer, nowMs: number): CheckResult {
  if (rateLimit === null)
    return warning(name, 'the answer does not state the hourly quota (X-RateLimit headers)');
  const { limit, remaining, resetAt } = rateLimit;
  const minutes = resetAt === null ? null : Math.max(0, Math.round((resetAt - nowMs) / 60_000));
  const reset = minutes === null ? '' : `, reset in ${minutes} min`;
  const text = `${remaining} of ${limit} requests left this hour${reset}`;
  return remaining === 0 ? warning(name, `${text}: a sync waits for the next hour`) : ok(name, text);
}

function checkClock({ headers: { serverTime }, fetchedAt }: ApiAnswer): CheckResult {
  if (serverTime === null) return warning('clock', 'the server does not state its time');
  const aheadMs = serverTime - fetchedAt;
  const skewMs = Math.abs(aheadMs);
  if (skewMs <= UNREMARKABLE_SKEW_MS) {
    return ok('clock', `within ${Math.max(1, Math.round(skewMs / 1000))} s of the server's`);
  }
  return skewMs > LARGEST_SKEW_MS
    ? failed('clock', `${skewText(aheadMs)}: a sync refuses to run until this machine's clock is set`, 2)
    : warning(
        'clock',
        `${skewText(aheadMs)}: set this machine's clock; a sync goes by the server's day meanwhile`,
      );
}
