/** Back to the start of a terminal's line, and nothing left on it. */
export const CLEAR_LINE = '\r\u001B[2K';

/** Where a command writes to. */
export interface Output {
  /** Writes text as it is; silently does nothing once the reader went away. */
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Width of the terminal; 80 when there is none. */
  readonly columns: number;
  /** True when colours may be used (a terminal, and no `NO_COLOR`). */
  readonly color: boolean;
}

/** Data goes to stdout, everything else to stderr. */
export interface Io {
  stdout: Output;
  stderr: Output;
  /** Takes JSON log lines instead of file descriptor 2. */
  readonly logTarget?: { write(line: string): void };
  /** True when questions can be asked. */
  readonly isInteractive: boolean;
  /** All of stdin as text. */
  readInput(): Promise<string>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The streams of this process; a reader that goes away (EPIPE) never ends a run. */
export function openProcessIo(env: Env): Io {
  return {
    stdout: outputOf(process.stdout, env),
    stderr: outputOf(process.stderr, env),
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    readInput: async () => {
      process.stdin.setEncoding('utf8');
      let input = '';
      for await (const chunk of process.stdin) input += String(chunk);
      return input;
    },
  };
}

function outputOf(stream: NodeJS.WriteStream, env: Env): Output {
  let isGone = false;
  stream.on('error', () => {
    isGone = true;
  });
  const isTerminal = stream.isTTY;
  return {
    write: (text) => {
      if (!isGone) stream.write(text);
    },
    isTerminal,
    get columns() {
      return isTerminal && stream.columns > 0 ? stream.columns : 80;
    },
    color: isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
  };
}
