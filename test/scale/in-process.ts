import { onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { realEffects } from '../../src/effects.ts';
import type { Heartbeat } from '../../src/scale/queue/processes.ts';
import { openOutput } from '../../src/cli/terminal/io.ts';
import type { LogEvent } from '../support/program.ts';

/** A command that runs in this process until it is stopped. */
export interface InProcess {
  events: readonly LogEvent[];
  /** Resolves when the log says the event. */
  saw(event: string): Promise<void>;
  stop(): Promise<number>;
}

export interface ServeOptions {
  env: Readonly<Record<string, string>>;
  heartbeat: Heartbeat;
}

export function startInProcess(argv: readonly string[], { env, heartbeat }: ServeOptions): InProcess {
  const stopping = new AbortController();
  const events: LogEvent[] = [];
  let text = '';
  const output = openOutput(
    {
      write: (chunk, onWritten) => {
        text += chunk;
        onWritten?.();
        for (const line of chunk.split('\n'))
          if (line.startsWith('{')) events.push(JSON.parse(line) as LogEvent);
      },
      on: () => undefined,
      isTTY: false,
      columns: 0,
    },
    { NO_COLOR: '1' },
  );
  const io = {
    stdout: output,
    stderr: output,
    logTarget: output,
    isInteractive: false,
  };
  let code: number | null = null;
  const ended = runCli({ argv, env, effects: realEffects, heartbeat, signal: stopping.signal, io }).then(
    (told) => (code = told),
  );
  const stop = async (): Promise<number> => {
    stopping.abort(new Error('SIGTERM'));
    return await ended;
  };
  onTestFinished(async () => void (await stop()));
  return {
    events,
    saw: async (event) => {
      while (!events.some((one) => one.event === event)) {
        if (code !== null) throw new Error(`ended with ${String(code)} without ${event}:\n${text}`);
        await new Promise((settle) => setTimeout(settle, 20));
      }
    },
    stop,
  };
}
