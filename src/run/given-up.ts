import type { AnswerlakeError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Problem } from './outcome.ts';

/** What a run asks no more of; its remaining slices stay owed, and the next run asks for them. */
export class GivenUp {
  readonly #log: Log;
  readonly #accounts = new Set<string>();
  readonly #projects = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  has(account: string, project: string | null): boolean {
    return this.#accounts.has(account) || this.#projects.has(placeOf(account, project));
  }

  /** Returns why, the first time. */
  account(account: string, { why, error }: { why: string; error: AnswerlakeError }): Problem[] {
    if (this.#accounts.has(account)) return [];
    this.#accounts.add(account);
    this.#log.warn('account.blocked', { account, why, error: error.message });
    return [{ error, account }];
  }

  /** The project for this account; null, a list that belongs to no project, changes nothing. */
  project(account: string, project: string | null, error: AnswerlakeError): void {
    if (project === null || this.has(account, project)) return;
    this.#projects.add(placeOf(account, project));
    this.#log.warn('project.blocked', { account, project, error: error.message });
  }
}

function placeOf(account: string, project: string | null): string {
  return JSON.stringify([account, project]);
}
