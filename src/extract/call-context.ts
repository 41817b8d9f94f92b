import type { Secret } from '../secret.ts';
import type { Effects } from '../effects.ts';
import type { RequestTotals } from './api-client.ts';
import type { Circuit } from './circuit.ts';
import type { Fault } from './fault.ts';
import type { Gate } from './gate.ts';
import type { KeyPause } from './key-pause.ts';
import type { Quota } from './quota.ts';
import type { RequestLog } from './request-log.ts';
import type { RetryBudget } from './retry-budget.ts';
import type { Throttle } from './throttle.ts';
import type { Transport } from './transport.ts';
import type { Call } from './wire-request.ts';

/** What all calls of one client share. */
export interface CallContext {
  account: string;
  origin: string;
  key: Secret | null;
  userAgent: string;
  attempts: number;
  maxBodyBytes: number;
  effects: Effects;
  transport: Transport;
  gate: Gate;
  throttle: Throttle;
  quota: Quota;
  circuit: Circuit;
  pause: KeyPause;
  budget: RetryBudget;
  totals: RequestTotals;
  closed: boolean;
  clean: (text: string) => string;
  cleanBody: (text: string) => string;
  log: RequestLog;
}

/** What a log line says about a call and its last fault. */
export function factsOf(call: Call, fault?: Fault): Record<string, unknown> {
  return {
    method: call.method,
    path: call.path,
    projectId: call.projectId ?? null,
    ...(fault === undefined
      ? {}
      : { fault: fault.kind, status: fault.status ?? null, code: fault.code ?? null, reason: fault.message }),
  };
}
