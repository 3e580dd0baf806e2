import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** Switches the network off until the test ends: sockets, names and fetch throw. Returns the attempts. */
export function switchNetworkOff(): string[] {
  const attempts: string[] = [];
  const refuse = (what: string) => () => {
    attempts.push(what);
    throw new Error(`the network is switched off: ${what}`);
  };
  const spies = [
    vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(refuse('connect')),
    vi.spyOn(net.Server.prototype, 'listen').mockImplementation(refuse('listen')),
    vi.spyOn(dns, 'lookup').mockImplementation(Object.assign(refuse('lookup'), { __promisify__: dns.promises.lookup })),
    vi.spyOn(dgram.Socket.prototype, 'send').mockImplementation(refuse('send')),
    vi.spyOn(globalThis, 'fetch').mockImplementation(refuse('fetch')),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return attempts;
}
