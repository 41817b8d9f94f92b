import { hostname } from 'node:os';
import { AnswerlakeError } from '../../errors.ts';
import { correctionMs, LARGEST_SKEW_MS, skewText } from '../../run/server-day.ts';

/** This host's clock is too far off for anything to be asked or landed by it. */
export class WrongClockError extends AnswerlakeError {
  constructor(serverAheadMs: number) {
    super(`${skewText(serverAheadMs)}: set this machine's clock, then start the worker again`, {
      class: 'configuration',
    });
  }
}

/** This host's clock beside the server's, as the first answer of a round that tells the time shows it. */
export class RoundClock {
  readonly #told: (account: string) => number | null;
  #serverAheadMs: number | null = null;

  /** @param told how far the server's clock is ahead by the last answer to an account; null when none told it */
  constructor(told: (account: string) => number | null) {
    this.#told = told;
  }

  /** @throws WrongClockError when the two clocks differ by more than 36 hours */
  heard(account: string): void {
    this.#serverAheadMs ??= this.#told(account);
    const aheadMs = this.#serverAheadMs;
    if (aheadMs !== null && Math.abs(aheadMs) > LARGEST_SKEW_MS) throw new WrongClockError(aheadMs);
  }

  /** What to add to an instant of this host's clock; 0 while the two clocks agree. */
  get correctionMs(): number {
    return correctionMs(this.#serverAheadMs);
  }

  /** For the report of the run, where the clock was corrected. */
  warnings(): string[] {
    const aheadMs = this.#serverAheadMs;
    if (aheadMs === null || this.correctionMs === 0) return [];
    return [
      `worker on ${hostname()}: ${skewText(aheadMs)}: its answers are entered by the server's clock; set that machine's clock`,
    ];
  }
}
