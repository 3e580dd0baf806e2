import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';

/** Passes each request to the next server, without sticky sessions. */
export interface Balancer {
  name: 'haproxy' | 'round robin';
  url: string;
  close(): Promise<void>;
}

export function hasHaproxy(): boolean {
  return spawnSync('haproxy', ['-v']).status === 0;
}

/** As deploy/haproxy.cfg, with the ports of this run. */
const CONFIG = (port: number, servers: readonly number[]) => `defaults
  mode http
  timeout connect 5s
  timeout client 2m
  timeout server 2m
  timeout tunnel 1h
  option redispatch
  retries 2
frontend agents
  bind 127.0.0.1:${port}
  default_backend servers
backend servers
  balance roundrobin
  option httpchk GET /ready
  default-server check inter 1s fall 2 rise 1
${servers.map((one, index) => `  server s${index} 127.0.0.1:${one}`).join('\n')}
`;

export async function startHaproxy(servers: readonly number[]): Promise<Balancer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, CONFIG(port, servers));
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  return {
    name: 'haproxy',
    url: `http://127.0.0.1:${port}`,
    async close() {
      const exited = once(child, 'exit');
      if (child.kill('SIGKILL')) await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server that refuses the connection is passed over. */
export async function startRoundRobin(servers: readonly number[]): Promise<Balancer> {
  let count = 0;
  const proxy = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    response.on('error', () => {});
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const tryNext = (left: number) => {
      const port = servers[count++ % servers.length];
      const { method, url: path, headers } = request;
      const passed = http.request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => response.destroy());
        answer.pipe(response);
      });
      response.once('close', () => passed.destroy());
      passed.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && left > 0) tryNext(left - 1);
        else if (response.headersSent) response.destroy();
        else response.writeHead(502).end('{}');
      });
      passed.end(body);
    };
    tryNext(servers.length - 1);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    name: 'round robin',
    url: `http://127.0.0.1:${port}`,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
