import type { LogFields } from '../../log.ts';
import type { SyncProgress } from '../../run/progress.ts';
import { amount, counted, formatDuration } from '../../quantity.ts';
import { CLEAR_LINE, type TextOutput, USUAL_WIDTH } from './io.ts';

/** A line on a terminal that is redrawn continually, and cleared when disposed of. */
export interface ProgressLine extends Disposable {
  show(progress: SyncProgress): void;
  /** Shows the reason for waiting until the next progress. @param untilMs left out: unknown, Infinity: to the end; milliseconds since the epoch */
  wait(reason: string, untilMs?: number): void;
}

const TICK_MS = 1_000;
/** The first answers are a poor measure of the pace. */
const MEASURED_MS = 5_000;

/** @param now milliseconds since the epoch */
export function openProgressLine(output: TextOutput, now: () => number): ProgressLine {
  const startedAt = now();
  let progress: SyncProgress | null = null;
  let waiting: { reason: string; untilMs: number | null } | null = {
    reason: 'opening the warehouse and checking the keys',
    untilMs: null,
  };
  const draw = (): void => {
    const { untilMs = null } = waiting ?? {};
    if (untilMs !== null && untilMs <= now()) waiting = null;
    const parts = [
      progress && progressText(progress, now() - startedAt, waiting === null),
      waiting && waitText(waiting, now()),
    ];
    const line = parts.filter((part) => part !== null).join(' · ');
    const room = (output.width ?? USUAL_WIDTH) - 1;
    // A wait and its end are more important than the bar.
    const short = line.replace(/^[█░]+ /, '');
    const fitting = [line, short].find(({ length }) => length <= room) ?? short.replace(SAFE, '');
    output.draw(CLEAR_LINE + fitting.slice(0, room));
  };
  draw();
  const timer = setInterval(draw, TICK_MS).unref();
  return {
    show: (next) => {
      progress = next;
      if (waiting?.untilMs === null) waiting = null;
      draw();
    },
    wait: (reason, untilMs) => {
      waiting = { reason, untilMs: untilMs ?? null };
      draw();
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      output.draw(CLEAR_LINE);
    },
  };
}

const BAR_CELLS = 20;
const SAFE = '; Ctrl-C is safe';

function progressText(progress: SyncProgress, elapsedMs: number, isWhole: boolean): string {
  const { percent, done, planned, isPlanned, project, quotaRemaining } = progress;
  const filled = Math.floor((BAR_CELLS * percent) / 100);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}`;
  const counts = `${amount(done)}/${amount(planned)}${isPlanned ? '' : ', more to be planned'}`;
  const parts = [`${bar} ${String(percent)} % (${counts})`];
  // A wait replaces the other details.
  if (!isWhole) return parts.join(' · ');
  if (project !== null) parts.push(project);
  if (isPlanned && elapsedMs >= MEASURED_MS && done < planned)
    parts.push(`${formatDuration((elapsedMs / done) * (planned - done))} left`);
  if (quotaRemaining !== null) parts.push(`${counted(quotaRemaining, 'request')} left this hour`);
  return parts.join(' · ');
}

function waitText({ reason, untilMs }: { reason: string; untilMs: number | null }, nowMs: number): string {
  if (untilMs === null || untilMs === Infinity) return reason;
  const time = new Date(untilMs).toISOString().slice(11, 19).replace(/:00$/, '');
  return `${reason} until ${time} UTC, ${formatDuration(untilMs - nowMs)}${SAFE}`;
}

const LONG_WAIT_MS = 60_000;

/** Prints the reason for a wait of a quiet run once it lasts longer than a minute. */
export function tellLongWaits(output: TextOutput, now: () => number): Pick<ProgressLine, 'wait'> {
  return {
    wait: (reason, untilMs) => {
      const nowMs = now();
      if (untilMs !== undefined && untilMs - nowMs > LONG_WAIT_MS)
        output.write(`${waitText({ reason, untilMs }, nowMs)}\n`);
    },
  };
}

/** The log events of a wait: its reason, and the field with its end. */
const WAITS: Readonly<Record<string, (fields: LogFields) => [reason: string, until?: string]>> = {
  'quota.waiting': () => ['waiting for the quota', 'resetAt'],
  'key.paused': () => ['waiting as the server asked', 'until'],
  'throttle.waiting': (fields) => [
    `waiting for api.requests_per_minute (${String(fields['requestsPerMinute'])})`,
    'until',
  ],
  'request.retried': (fields) => [`asking ${String(fields['path'])} again: ${String(fields['reason'])}`],
  'request.slow': (fields) => [`no answer from ${String(fields['path'])} for 10 s`],
};

/** Shows the wait that a run logs. */
export function showWait(line: Pick<ProgressLine, 'wait'>, event: string, fields: LogFields): void {
  const [reason, until] = WAITS[event]?.(fields) ?? [];
  const untilMs = until === undefined ? undefined : Date.parse(String(fields[until]));
  if (reason !== undefined) line.wait(reason, untilMs);
}
