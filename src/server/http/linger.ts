import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** More than the largest form that is accepted. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_MS = 10_000;

const lingering = new WeakSet<Socket>();

/**
 * Closes the connection of a refused body as nginx does: after the response it sends FIN and discards what still
 * arrives. Node would close the socket at once; the reset that follows makes clients lose the response while they are
 * sending.
 */
export function lingerAfter(request: IncomingMessage): void {
  const { socket } = request;
  lingering.add(socket);
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_BYTES) socket.destroy();
  });
  // Node calls this when the response is sent.
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), MAX_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.end(() => {
      if (request.complete) socket.destroy();
      else request.once('end', () => socket.destroy());
    });
  };
}

/** The response to the refused body is the last one of its connection, so a request that follows must not run. */
export function isLingering({ socket }: IncomingMessage): boolean {
  return lingering.has(socket);
}
