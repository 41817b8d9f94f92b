import { AnswerlakeError } from '../errors.ts';
import type { ApiAnswer } from './api-client.ts';
import { type CallContext, factsOf } from './call-context.ts';
import { AttemptFailure, type Fault, isOutage } from './fault.ts';
import type { GateTicket } from './gate.ts';
import { headerOf, readRateLimit } from './headers.ts';
import { bodyOf, judgeAnswer } from './judge.ts';
import type { QuotaNews, QuotaPermit } from './quota.ts';
import { pauseOf } from './retry.ts';
import type { WireAnswer } from './transport.ts';
import { buildWireRequest, type Call } from './wire-request.ts';

/** Where one call stands. */
export interface Progress {
  requests: number;
  unreadable: number;
}

/** Sends a call once, when everything that may hold it back lets it pass. @throws AttemptFailure when it may be repeated */
export async function attemptOnce(
  context: CallContext,
  { call, progress, ticket }: { call: Call; progress: Progress; ticket: GateTicket },
): Promise<ApiAnswer> {
  const wire = buildWireRequest(context, call);
  const permit = await passGuards(context, call);
  progress.requests += 1;
  context.totals.requests += 1;
  if (progress.requests > 1) context.totals.retries += 1;
  context.log('request.sent', { ...factsOf(call), query: call.query, attempt: progress.requests });
  let news: QuotaNews | null = { kind: 'silence', good: false };
  let settled = false;
  try {
    const answer = await context.transport.send(wire);
    context.totals.bytes += answer.bytes.length;
    const nowMs = context.effects.now();
    const { origin, maxBodyBytes, clean, cleanBody } = context;
    const { withKey, answeredStatuses = [] } = call;
    const judgement = await judgeAnswer(answer, {
      nowMs,
      origin,
      maxBodyBytes,
      answeredStatuses,
      withKey,
      clean,
      cleanBody,
    });
    news = judgement.news;
    const body = bodyOf(judgement);
    ticket.succeeded();
    context.circuit.succeeded();
    settled = true;
    return toApiAnswer(answer, { body, nowMs, requests: progress.requests });
  } catch (error) {
    if (error instanceof AttemptFailure) {
      settled = true;
      if (error.fault.neverSent === true) news = null;
      learnFault(context, { call, ticket, fault: error.fault });
    }
    throw error;
  } finally {
    if (!settled) context.circuit.withdrew();
    if (news === null) permit?.cancel();
    else permit?.settle(news);
  }
}

/** Everything that may hold a request back; null when it costs no quota. */
async function passGuards(context: CallContext, call: Call): Promise<QuotaPermit | null> {
  const { circuit, pause, quota } = context;
  if (circuit.isOpen()) throw unavailable(context);
  await pause.pass(call.signal, quota.waitBudget);
  const permit = call.withKey ? await quota.acquire(call.signal) : null;
  try {
    await context.throttle.acquire(call.signal);
    await pause.pass(call.signal, quota.waitBudget);
    call.signal?.throwIfAborted();
    if (context.closed) {
      throw new AnswerlakeError(`the client of account ${context.account} is closed`, { class: 'stopped' });
    }
    if (!circuit.allows()) throw unavailable(context);
    return permit;
  } catch (error) {
    permit?.cancel();
    throw error;
  }
}

function learnFault(
  context: CallContext,
  { call, ticket, fault }: { call: Call; ticket: GateTicket; fault: Fault },
): void {
  const limited = fault.kind === 'minute_limit' || fault.kind === 'hourly_limit';
  if (limited || fault.kind === 'timeout' || fault.status === 503) ticket.overloaded();
  context.pause.extend(pauseOf(fault));
  if (isOutage(fault)) {
    context.circuit.failed({ path: call.path, final: false, unreachable: fault.neverSent === true });
  } else if (fault.kind === 'unreadable') {
    context.circuit.withdrew();
  } else {
    context.circuit.succeeded();
  }
}

function unavailable({ origin }: CallContext): AnswerlakeError {
  return new AnswerlakeError(
    `upstream unavailable: ${origin} has not answered for a while, so nothing more is asked for the moment; run again later`,
    { class: 'transient', scope: 'run' },
  );
}

function toApiAnswer(
  answer: WireAnswer,
  told: { body: unknown; nowMs: number; requests: number },
): ApiAnswer {
  const serverTime = Date.parse(headerOf(answer.headers, 'date') ?? '');
  return {
    status: answer.status,
    body: told.body,
    fetchedAt: told.nowMs,
    requests: told.requests,
    bytes: answer.bytes.length,
    headers: {
      serverTime: Number.isFinite(serverTime) ? serverTime : null,
      requestId: headerOf(answer.headers, 'x-request-id'),
      rateLimit: readRateLimit(answer.headers, told.nowMs),
    },
  };
}
