import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Day } from '../src/day.ts';

export interface ServerOptions {
  projects: number;
  firstDay: Day;
  today: Day;
  /** False: every answer is computed when it is asked for, as a real server does. */
  remembers: boolean;
}

/** One request as a client sent it. */
export interface BenchRequest {
  path: string;
  headers: Record<string, string>;
}

export interface ServerCommand {
  latencyMs?: number;
  /** So many of the newest days report other values from now on. */
  restateDays?: number;
  /** Forget the recorded requests after they were told. */
  reset?: boolean;
}

export interface ServerReply {
  url?: string;
  requests?: BenchRequest[];
  /** When the first request came and the last answer went, milliseconds since the epoch. */
  firstAt?: number;
  lastAt?: number;
}

/** The server in a process of its own, as a real one is. */
export class BenchServer implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async open(options: ServerOptions): Promise<BenchServer> {
    const script = fileURLToPath(new URL('./server.js', import.meta.url));
    const child = fork(script, [JSON.stringify(options)]);
    const reply = await nextReply(child);
    return new BenchServer(child, reply.url ?? '');
  }

  /** What came since the last reset. */
  async tell(command: ServerCommand): Promise<Required<Omit<ServerReply, 'url'>>> {
    const reply = nextReply(this.#child);
    this.#child.send(command);
    const { requests = [], firstAt = 0, lastAt = 0 } = await reply;
    return { requests, firstAt, lastAt };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.disconnect();
    await exit;
  }
}

async function nextReply(child: ChildProcess): Promise<ServerReply> {
  const [reply] = (await once(child, 'message')) as [ServerReply];
  return reply;
}
