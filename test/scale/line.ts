import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../support/scripted-server.ts';

/** A proxy to a server that can be muted: nothing passes, and nothing is closed. */
export interface Line {
  /** The address with this line between. */
  url: string;
  /** Bytes that the server has sent. */
  received(): number;
  mute(): void;
  /** What was held back passes now. */
  unmute(): void;
}

/** @param target address of a server, for example of PostgreSQL */
export async function openLine(target: string): Promise<Line> {
  const { hostname, port: farPort } = new URL(target);
  const sockets = new Set<Socket>();
  let received = 0;
  let isMute = false;
  const server = createServer((near) => {
    const far = connect(Number(farPort), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => {
        if (from === far) received += chunk.length;
        to.write(chunk);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      if (isMute) from.pause();
    }
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${String(port)}`;
  return {
    url: url.href,
    received: () => received,
    mute: () => {
      isMute = true;
      for (const socket of sockets) socket.pause();
    },
    unmute: () => {
      isMute = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
