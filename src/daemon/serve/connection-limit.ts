import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections of a server without refusing one: the newest is taken, and the one that waits longest is closed,
 * one without a request under way first. So idle connections keep no probe out.
 */
export function limitConnections(server: Server, most: number): void {
  // Oldest first; true while an answer is owed.
  const sockets = new Map<Socket, boolean>();
  server.on('connection', (socket: Socket) => {
    if (sockets.size >= most) {
      const [oldest] = sockets.keys();
      const idle = [...sockets].find(([, isBusy]) => !isBusy)?.[0];
      (idle ?? oldest)?.destroy();
    }
    sockets.set(socket, false);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }: { socket: Socket }, response: ServerResponse) => {
    sockets.set(socket, true);
    response.once('close', () => {
      if (sockets.has(socket)) sockets.set(socket, false);
    });
  });
}
