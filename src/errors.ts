/** How far the damage reaches: a failure in one scope never stops its siblings. */
export type ErrorScope = 'run' | 'key' | 'project' | 'endpoint' | 'slice';

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 129 | 130 | 143;

/** The exit code of each class, and the remedy if the error's message has none. */
const CLASSES = {
  bug: { exitCode: 1, remedy: 'Run again with --log-level debug and report what it prints.' },
  configuration: {
    exitCode: 2,
    remedy: 'Correct it and run again; answerlake check tries the configuration.',
  },
  contract: { exitCode: 3, remedy: toRun`Run ${'answerlake check --api'} to see what the server answers.` },
  auth: { exitCode: 4, remedy: toRun`Run ${'answerlake check'} to see which keys work.` },
  quota: { exitCode: 5, remedy: 'Run again later: it continues where it stopped.' },
  transient: { exitCode: 5, remedy: 'Run again later: it continues where it stopped.' },
  locked: { exitCode: 6, remedy: 'Wait until the other run has ended, then run again.' },
  storage: { exitCode: 7, remedy: 'Check the disk, its space and its permissions, then run again.' },
  stopped: { exitCode: 130, remedy: 'Run again: it continues where it stopped.' },
} as const satisfies Record<string, { exitCode: ExitCode; remedy: Part }>;

/** The class of an error follows from what happens next; each class has one exit code (docs: `docs/operations.md`). */
export type ErrorClass = keyof typeof CLASSES;

/** Precedence within one run: the first one in this list that occurred wins. */
const PRECEDENCE: readonly ExitCode[] = [143, 130, 129, 1, 7, 6, 2, 4, 5, 3, 0];

/** A remedy that one command of ours is enough for: `next` of `--json`. */
export interface Remedy {
  readonly text: string;
  readonly command: string;
}

/** Text with the command that it names. */
export function toRun([before = '', after = '']: TemplateStringsArray, command: string): Remedy {
  return { text: before + command + after, command };
}

type Part = string | Remedy;

/** What is wrong, with its closing punctuation, and what to do if that is more than the remedy of its class. */
export type Message = string | readonly Part[];

/** A message as one text. */
export function textOf(message: Message): string {
  const texts = [message].flat().map((part) => (typeof part === 'string' ? part : part.text));
  return texts.reduce((what, todo) => `${what}${what.endsWith('\n') ? '' : ' '}${todo}`);
}

export interface AnswerlakeErrorOptions {
  class: ErrorClass;
  scope?: ErrorScope;
  cause?: unknown;
  exitCode?: ExitCode;
  waitUntilMs?: number | null;
}

/** An error for people: its message has the cause, the place and the remedy. */
export class AnswerlakeError extends Error {
  /** What is wrong and, if more than the remedy of the class, what to do. */
  readonly parts: readonly Part[];
  readonly class: ErrorClass;
  readonly scope: ErrorScope;
  readonly exitCode: ExitCode;
  /** Until when the whole key waits, for its quota hour or at the server's request, milliseconds since the epoch; null for other errors. */
  readonly waitUntilMs: number | null;
  /** Number of requests that led to it, repeats included. */
  requests = 0;

  constructor(message: Message, options: AnswerlakeErrorOptions) {
    super(textOf(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AnswerlakeError';
    this.parts = [message].flat();
    this.class = options.class;
    this.scope = options.scope ?? 'run';
    this.exitCode = options.exitCode ?? CLASSES[options.class].exitCode;
    this.waitUntilMs = options.waitUntilMs ?? null;
  }

  get what(): string {
    const [what = '', remedy] = this.parts;
    return remedy === undefined ? textOf([what]) : `${textOf([what]).replace(/[.;:]?\n?$/, '')}.`;
  }

  get #todo(): Part {
    const [, todo = CLASSES[this.class].remedy] = this.parts;
    return todo;
  }

  get remedy(): string {
    const remedy = textOf([this.#todo]);
    return `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}`;
  }

  /** The command that fixes it; null without one. */
  get command(): string | null {
    return typeof this.#todo === 'string' ? null : this.#todo.command;
  }
}

/** The command line or the configuration is invalid: exit 2, nothing was touched. */
export function usageError(message: Message, cause?: unknown): AnswerlakeError {
  return new AnswerlakeError(message, { class: 'configuration', cause });
}

/** A file, a disk or a database cannot be used: exit 7. */
export function storageError(message: Message, cause?: unknown): AnswerlakeError {
  return new AnswerlakeError(message, { class: 'storage', cause });
}

/** The server's answers deviate from the documentation: exit 3. */
export function contractError(message: Message, scope: ErrorScope, cause?: unknown): AnswerlakeError {
  return new AnswerlakeError(message, { class: 'contract', scope, cause });
}

/** A bug of answerlake: exit 1. */
export function bugError(message: Message, cause?: unknown): AnswerlakeError {
  return new AnswerlakeError(message, { class: 'bug', cause });
}

/** Anything thrown, as an error for people; an unknown error is a bug. */
export function knownError(error: unknown): AnswerlakeError {
  if (error instanceof AnswerlakeError) return error;
  return bugError([`This is a bug in answerlake: ${messageOf(error)}.`, CLASSES.bug.remedy]);
}

/** The exit code that takes precedence among `codes`. */
export function strongestExitCode(codes: Iterable<ExitCode>): ExitCode {
  const seen = new Set(codes);
  return PRECEDENCE.find((code) => seen.has(code)) ?? 0;
}

/** The exit code of anything thrown; an error that is not an AnswerlakeError is a bug. */
export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof AnswerlakeError ? error.exitCode : 1;
}

/** The class of anything thrown. */
export function errorClassOf(error: unknown): ErrorClass {
  return error instanceof AnswerlakeError ? error.class : 'bug';
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The result of `read`; null if it throws, whatever the reason. */
export function orNull<Read>(read: () => Read): Read | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The code of an error of the operating system, like `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

// Control sequences that move a terminal, and marks that reverse the text around them.
const CONTROL = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Text that is safe to print: control characters as JSON writes them (`\u001b`), line breaks and tabs unchanged. */
export function visibleText(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A text on one line: a name may have line breaks. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** `did you mean …?` with the nearest candidate, or the list of candidates. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const wanted = normal(word);
  const [nearest] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(wanted, normal(candidate)) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= Math.max(2, Math.floor(wanted.length / 3))
    ? `did you mean ${nearest.candidate}?`
    : `there is: ${candidates.join(', ')}`;
}

function normal(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s.]/g, '');
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      current.push(Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + cost));
    }
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Quotes a word for pasting into a shell. */
export function shellWord(word: string): string {
  return /^[\w./:,=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
