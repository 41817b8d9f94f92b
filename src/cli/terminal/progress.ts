import type { SyncProgress } from '../../run/progress.ts';
import { CLEAR_LINE, type Output } from './io.ts';

/** One line on a terminal that is drawn over and over; `done` takes it away. */
export interface ProgressLine {
  show(progress: SyncProgress): void;
  done(): void;
}

const REDRAW_MS = 80;

/** @param now milliseconds since the epoch */
export function openProgressLine(output: Output, now: () => number): ProgressLine {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    show: (progress) => {
      const isLast = progress.done === progress.total;
      if (!isLast && now() - drawnAt < REDRAW_MS) return;
      drawnAt = now();
      output.draw(`${CLEAR_LINE}${progressText(progress).slice(0, output.columns - 1)}`);
    },
    done: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) output.draw(CLEAR_LINE);
    },
  };
}

const BAR_CELLS = 20;

export function progressText({ stage, done, total, requests, quotaRemaining }: SyncProgress): string {
  const filled = total === 0 ? 0 : Math.floor((BAR_CELLS * Math.min(done, total)) / total);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}`;
  const quota = quotaRemaining === null ? '' : ` · ${quotaRemaining} left this hour`;
  return `${bar} ${done}/${total} slices · ${requests} requests${quota} · ${stage}`;
}
