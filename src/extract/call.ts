import { setMaxListeners } from 'node:events';
import pRetry from 'p-retry';
import type { ApiAnswer } from './api-client.ts';
import { attemptOnce, type Progress } from './attempt.ts';
import { type CallContext, factsOf } from './call-context.ts';
import { AttemptFailure, type Fault, isOutage } from './fault.ts';
import { giveUp } from './give-up.ts';
import { decideRetry } from './retry.ts';
import type { Call } from './wire-request.ts';

/** Runs calls one by one or together: waits, sends, judges, repeats, gives up. */
export function openCalls(context: CallContext): (call: Call) => Promise<ApiAnswer> {
  return (call) => {
    // One signal stops every call of a run; Node warns of a leak from the eleventh listener on.
    if (call.signal !== undefined) setMaxListeners(0, call.signal);
    return context.gate.admit(() => runCall(context, call));
  };
}

async function runCall(context: CallContext, call: Call): Promise<ApiAnswer> {
  const progress: Progress = { requests: 0, unreadable: 0 };
  const attempts = call.method === 'POST' ? 1 : context.attempts;
  context.budget.earn();
  try {
    return await pRetry(
      () => context.gate.run((ticket) => attemptOnce(context, { call, progress, ticket })),
      {
        retries: attempts - 1,
        minTimeout: 0,
        shouldRetry: ({ error, attemptNumber }) =>
          error instanceof AttemptFailure &&
          prepareRetry(context, { call, progress, fault: error.fault, attempt: attemptNumber, attempts }),
      },
    );
  } catch (error) {
    call.signal?.throwIfAborted();
    if (!(error instanceof AttemptFailure)) throw error;
    const { fault } = error;
    const { method, path, projectId } = call;
    if (isOutage(fault)) {
      context.circuit.failed({ path, final: true, unreachable: fault.neverSent === true });
    }
    const { account } = context;
    const failure = giveUp({ fault, method, path, account, projectId, requests: progress.requests });
    context.log('request.failed', {
      ...factsOf(call, fault),
      requests: progress.requests,
      class: failure.class,
    });
    throw failure;
  }
}

async function prepareRetry(
  context: CallContext,
  failed: { call: Call; progress: Progress; fault: Fault; attempt: number; attempts: number },
): Promise<boolean> {
  const { call, progress, fault } = failed;
  if (fault.kind === 'unreadable') progress.unreadable += 1;
  const { unreadable } = progress;
  const decision = decideRetry({ ...failed, unreadable, random: context.effects.random() });
  if (!decision.retry) return false;
  if (decision.charged && !context.budget.spend()) {
    context.log('request.retry_budget_spent', factsOf(call, fault));
    return false;
  }
  const { delayMs } = decision;
  context.log('request.retried', { ...factsOf(call, fault), attempt: failed.attempt, delayMs });
  if (delayMs > 0) await context.effects.sleep(delayMs, call.signal);
  return true;
}
