import { counted, minuteOf } from '../../quantity.ts';
import { request } from 'undici';
import { connectionFault, openDispatcher } from '../../connect.ts';
import type { Secret } from '../../secret.ts';
import type { SyncContext } from '../../run/sync-request.ts';
import { oneLine } from '../../errors.ts';
import { headerOf, LONGEST_WAIT_MS, parseRetryAfter, statusClass } from '../../extract/headers.ts';
import { ageText } from '../../warehouse/freshness.ts';
import type { FinishedRun, Notification } from './decide-notifications.ts';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { openPublishedFile } from '../../publish/published-file.ts';
import { readSql } from '../../warehouse/sql.ts';
import { PART_WORDS, withSign } from '../../report/text.ts';

/** The body of a Slack-compatible webhook. */
export type WebhookMessage = ReturnType<typeof messageOfLines>;

const LONGEST_TEXT = 2900;
const LONGEST_REASON = 300;
const MAX_LISTED = 5;

/** Redacts every known secret in a text. */
type Redact = (text: string) => string;

/** A message for people. */
export function notificationText(notification: Notification, redact: Redact): WebhookMessage {
  return messageOfLines(linesOf(notification, redact), redact);
}

/** The message of `answerlake check --notify`. */
export const TEST_MESSAGE = messageOfLines(['answerlake: a test', 'The webhook works.'], String);

function messageOfLines(lines: readonly string[], redact: Redact) {
  // Project names must not become mentions, links or lines of their own.
  const [text = '', ...details] = lines.map((line) =>
    oneLine(redact(line)).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
  const body = shorten([`*${text}*`, ...details].join('\n'), LONGEST_TEXT);
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: body } }] };
}

function linesOf({ alert, isOver, run, stale }: Notification, redact: Redact): string[] {
  const { kind, told_at: toldAt } = alert;
  const since = minuteOf(Date.parse(alert.since));
  if (kind === 'stale') {
    if (isOver) return ['answerlake: data is fresh again', `It was stale since ${since}.`];
    const late = stale.map((one) => `${one.project} ${one.endpoint}: answered ${ageText(one.ageMs)} ago`);
    const head = ['answerlake: data is stale', 'The newest answers are older than they should be for:'];
    return [...head, ...listed(late), 'See answerlake status and answerlake gaps.'];
  }
  const name = run.job === null ? 'sync' : `job ${run.job}`;
  const loaded = `${counted(run.slices_loaded, 'slice')} loaded`;
  const ended = `ended ${minuteOf(Date.parse(run.finished_at))}`;
  if (isOver) {
    const told = `It had failed since ${since}; ${loaded}, ${ended}`;
    return [`answerlake: ${name} works again`, told];
  }
  return [
    `answerlake: ${name} ${VERBS[run.status]} (exit code ${run.exit_code})`,
    ...(toldAt === null ? [] : [`It has failed like this since ${since}.`]),
    `${loaded}, ${run.slices_failed} failed, ${counted(run.requests, 'request')}, ${ended}`,
    ...listed(run.failures.map((failure) => failureLine(failure, redact))),
    ADVICE[run.exit_code] ?? 'See answerlake status, and docs/operations.md for what to do.',
  ];
}

const VERBS = {
  ok: 'is done',
  partial: 'is partly done',
  failed: 'failed',
  parked: 'is parked until there is quota',
  stopped: 'was stopped',
} as const;

const ADVICE: Readonly<Record<number, string>> = {
  3: 'The next run requests the missing slices; see answerlake status.',
  4: 'No configured key worked: run answerlake check.',
  5: 'The next run continues where this one stopped.',
  6: 'No run has had the working file for a day: see who holds it (the message above names it), and end that process.',
  7: 'The published file is unchanged. Check the disk, then run answerlake check.',
};

/** Cut after redaction: half a key is a secret too. */
function failureLine(failure: FinishedRun['failures'][number], redact: Redact): string {
  const { project_name: name, project, endpoint } = failure;
  const where = [name ?? project, endpoint].filter((part) => part !== null).join(' ');
  const reason = shorten(redact(failure.message), LONGEST_REASON);
  return `${where === '' ? '' : `${where} `}(${failure.class}): ${reason}`;
}

function listed(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_LISTED).map((line) => `• ${line}`);
  return lines.length > MAX_LISTED ? [...shown, `… and ${lines.length - MAX_LISTED} more`] : shown;
}

function shorten(text: string, longest: number): string {
  // An escaped character stays whole or is removed.
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/&[a-z]*$/, '')}…`;
}

const TRIES = 2;
const TIMEOUT_MS = 10_000;
const PAUSE_MS = 1000;
/** If a webhook asks for a longer wait, the next run sends the message. */
const LONGEST_PAUSE_MS = 10_000;

type Sender = Pick<SyncContext, 'effects' | 'signal'>;

/**
 * Posts a message, at most twice: the second time to the address that its file has by then. Never throws, never reveals the address.
 * Returns the problem, null without one, and the wait that the webhook requested, milliseconds.
 */
export async function postWebhook(webhook: Secret, message: WebhookMessage, { effects, signal }: Sender) {
  let problem = 'was not tried';
  let waitMs: number | null = null;
  for (let attempt = 1; attempt <= TRIES && !signal.aborted; attempt += 1) {
    const address = webhook.reveal();
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const { statusCode: status, headers } = await post(address, message, deadline);
      if (statusClass(status) === 2) return { problem: null, waitMs: null };
      const asked = parseRetryAfter(headerOf(headers, 'retry-after'), effects.now());
      problem = `answered ${status}`;
      waitMs = asked && Math.min(asked, LONGEST_WAIT_MS);
    } catch (error) {
      const { code, message, isOfProxy, advice } = connectionFault(address, error);
      // Other messages than a proxy's may contain the address.
      const what = isOfProxy || code === '' ? message : code;
      problem = `failed: ${advice === null ? what : `${what}; ${advice}`}`;
      waitMs = null;
    }
    const isOther = webhook.readAgain(address, `the webhook ${problem}`);
    const pauseMs = isOther ? 0 : (waitMs ?? PAUSE_MS);
    if (attempt === TRIES || pauseMs > LONGEST_PAUSE_MS) break;
    await effects.sleep(pauseMs, signal).catch(() => undefined);
  }
  return { problem, waitMs };
}

async function post(address: string, message: WebhookMessage, signal: AbortSignal) {
  const dispatcher = openDispatcher(address, { connections: 1, pipelining: 0 });
  try {
    const answer = await request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      dispatcher,
      signal,
    });
    // The answer's body is not needed; read only a little of it.
    await answer.body.dump({ limit: 16_384, signal });
    return answer;
  } finally {
    await dispatcher.destroy();
  }
}

const weekRow = z.object({
  project: z.string(),
  before: z.number(),
  after: z.number(),
  change: z.number(),
  typical: z.number().nullable(),
  parts: z.array(z.object({ part: z.string(), points: z.number() })),
});

/** The weekly message: why the visibility of each project moved over the last 7 days compared with the 7 before, largest change first; null if unknown. */
export async function readWeek(path: string, redact: Redact): Promise<WebhookMessage | null> {
  if (!existsSync(path)) return null;
  await using file = await openPublishedFile(path, { threads: 1 });
  const projects = (await file.rowsAs(weekRow, readSql('report/week'))).map(lineOf);
  const title = 'answerlake: visibility over the last 7 days against the 7 before';
  return projects.length === 0 ? null : messageOfLines([title, ...listed(projects)], redact);
}

/** `Fernhill −9.1 (54.2 to 45.1): new prompts −8.7, real change −0.4`. */
function lineOf({ project, change, before, after, typical, parts }: z.output<typeof weekRow>): string {
  const points = (value: number): string => withSign(value, (size) => size.toFixed(1));
  const told = parts.map(
    (one) => `${(PART_WORDS[one.part] ?? one.part).toLowerCase()} ${points(one.points)}`,
  );
  const usual = typical !== null && Math.abs(change) <= typical ? ', within its usual range' : '';
  const why = told.length === 0 ? '' : `: ${told.join(', ')}`;
  return `${project} ${points(change)} (${before.toFixed(1)} to ${after.toFixed(1)}${usual})${why}`;
}
