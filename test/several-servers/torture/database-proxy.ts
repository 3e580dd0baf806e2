import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  port: number;
  /** Resets all connections. */
  cut(): void;
  /** Passes nothing on while true. */
  stall(isStalled: boolean): void;
  close(): void;
}

/** A loopback proxy between the servers and one PostgreSQL. */
export async function openDatabaseProxy(targetPort: number): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const database = connect(targetPort, '127.0.0.1');
    for (const [from, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (piece) => other.write(piece));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        other.destroy();
      });
      if (isStalled) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    port,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    stall(stalled) {
      isStalled = stalled;
      for (const socket of sockets) stalled ? socket.pause() : socket.resume();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
