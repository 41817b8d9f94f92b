import { visibleText } from '../../errors.ts';

/** Returns to the start of a terminal's line and clears it. */
export const CLEAR_LINE = '\r\u001B[2K';

const COLORS = { red: 31, green: 32, yellow: 33 } as const;
type Color = keyof typeof COLORS;

/** The streams of a command. */
export type TextOutput = ReturnType<typeof openOutput>;

/** Data goes to stdout, everything else to stderr. */
export interface Io {
  stdout: TextOutput;
  stderr: TextOutput;
  /** Takes JSON log lines instead of file descriptor 2. */
  readonly logTarget?: { write(line: string): void };
  /** True if questions can be asked. */
  readonly isInteractive: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Width of a terminal that does not state its own, and of help without a terminal. */
export const USUAL_WIDTH = 80;

/** The part of a stream that an output uses. */
interface OutputStream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  write(text: string, onWritten?: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** A reader that closes (EPIPE) is not an error. @param onLost called once if data could not be written, for example to a full disk */
export function openOutput(stream: OutputStream, env: Env, onLost: (error: Error) => void = () => undefined) {
  let isGone = false;
  stream.on('error', (error) => {
    if (!isGone && error.code !== 'EPIPE') onLost(error);
    isGone = true;
  });
  const isTerminal = stream.isTTY === true;
  /** True if colours may be used (a terminal, and no `NO_COLOR`). */
  const color = isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  /** Writes escape sequences of our own, and text that is safe to print. */
  const draw = (text: string): void => {
    if (!isGone) stream.write(text);
  };
  return {
    isTerminal,
    color,
    draw,
    /** Writes text, without control characters on a terminal. Does nothing once the reader has closed. */
    write: (text: string, chosen?: Color): void => {
      const shown = isTerminal ? visibleText(text) : text;
      draw(chosen !== undefined && color ? `\u001B[${COLORS[chosen]}m${shown}\u001B[0m` : shown);
    },
    /** Resolves once the reader has received everything, or has closed. */
    flushed: async (): Promise<void> => {
      if (!isGone) await new Promise<void>((resolve) => void stream.write('', resolve));
    },
    /** True once the reader has closed: further output is not read. */
    get isGone() {
      return isGone;
    },
    /** The width to fit tables in; undefined if the output is not a terminal. */
    get width() {
      return isTerminal ? stream.columns || USUAL_WIDTH : undefined;
    },
  };
}
