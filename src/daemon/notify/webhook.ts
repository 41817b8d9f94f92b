import { Agent, request } from 'undici';
import type { Secret } from '../../secret.ts';
import type { Effects } from '../../effects.ts';
import { messageOf, codeOf } from '../../errors.ts';
import type { WebhookMessage } from './message.ts';

export interface WebhookParts {
  effects: Effects;
  signal: AbortSignal;
  /** Deadline of one try; 10 s when left out. */
  timeoutMs?: number;
}

const TRIES = 2;
const TIMEOUT_MS = 10_000;
const PAUSE_MS = 1000;

/** Posts a message, twice at most. What went wrong, null when nothing did; never throws, never names the address. */
export async function postWebhook(
  webhook: Secret,
  message: WebhookMessage,
  { effects, signal, timeoutMs = TIMEOUT_MS }: WebhookParts,
): Promise<string | null> {
  let problem = 'was not tried';
  for (let attempt = 1; attempt <= TRIES && !signal.aborted; attempt += 1) {
    try {
      if (attempt > 1) await effects.sleep(PAUSE_MS, signal);
      const status = await post(webhook, message, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
      if (status >= 200 && status < 300) return null;
      problem = `answered ${status}`;
    } catch (error) {
      problem = `failed: ${codeOf(error) ?? messageOf(error)}`;
    }
  }
  return problem;
}

async function post(webhook: Secret, message: WebhookMessage, signal: AbortSignal): Promise<number> {
  const dispatcher = new Agent({ connections: 1, pipelining: 0 });
  try {
    const { statusCode, body } = await request(webhook.reveal(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      dispatcher,
      signal,
    });
    // The answer's body is not needed; read only a little of it.
    await body.dump({ limit: 16_384, signal });
    return statusCode;
  } finally {
    await dispatcher.destroy();
  }
}
