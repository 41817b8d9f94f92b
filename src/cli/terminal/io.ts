import { visibleText } from '../../text.ts';

/** Back to the start of a terminal's line, and nothing left on it. */
export const CLEAR_LINE = '\r\u001B[2K';

const COLORS = { red: 31, green: 32, yellow: 33 } as const;
type Color = keyof typeof COLORS;

/** Where a command writes to. */
export interface TextOutput {
  /**
   * Writes text; what goes to a terminal only shows control characters. Silently does nothing once the reader went away.
   */
  write(text: string, color?: Color): void;
  /** Writes escape sequences of our own, and text that is known to be visible. */
  draw(text: string): void;
  /** Resolves once the reader has all that was written, or went away. */
  flushed(): Promise<void>;
  /** True once the reader went away: nothing written is read any more. */
  readonly isGone: boolean;
  readonly isTerminal: boolean;
  /** Width of the terminal; 80 if the output is not a terminal. */
  readonly columns: number;
  /** True when colours may be used (a terminal, and no `NO_COLOR`). */
  readonly color: boolean;
}

/** Data goes to stdout, everything else to stderr. */
export interface Io {
  stdout: TextOutput;
  stderr: TextOutput;
  /** Takes JSON log lines instead of file descriptor 2. */
  readonly logTarget?: { write(line: string): void };
  /** True when questions can be asked. */
  readonly isInteractive: boolean;
}

/** The width to fit tables in; undefined if the output is not a terminal. */
export function terminalWidth({ isTerminal, columns }: TextOutput): number | undefined {
  return isTerminal ? columns : undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The streams of this process; a reader that goes away (EPIPE) never ends a run.
 * @param onLost told once when data could not be written, for example to a full disk
 */
export function openProcessIo(env: Env, onLost: (error: Error) => void): Io {
  return {
    stdout: openOutput(process.stdout, env, onLost),
    stderr: openOutput(process.stderr, env),
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
  };
}

/** What an output needs of a stream. */
interface OutputStream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  write(text: string, onWritten?: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** A reader that goes away is no error. */
export function openOutput(
  stream: OutputStream,
  env: Env,
  onLost: (error: Error) => void = () => undefined,
): TextOutput {
  let isGone = false;
  stream.on('error', (error) => {
    if (!isGone && error.code !== 'EPIPE') onLost(error);
    isGone = true;
  });
  const isTerminal = stream.isTTY === true;
  const hasColor = isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const draw = (text: string): void => {
    if (!isGone) stream.write(text);
  };
  return {
    write: (text, color) => {
      const shown = isTerminal ? visibleText(text) : text;
      draw(color !== undefined && hasColor ? `\u001B[${COLORS[color]}m${shown}\u001B[0m` : shown);
    },
    draw,
    flushed: async () => {
      if (!isGone) await new Promise<void>((resolve) => void stream.write('', resolve));
    },
    get isGone() {
      return isGone;
    },
    isTerminal,
    get columns() {
      const { columns = 0 } = stream;
      return isTerminal && columns > 0 ? columns : 80;
    },
    color: hasColor,
  };
}
