import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../clock.ts';
import { loadAgent } from '../../config/load-agent.ts';
import { AppError, toAppError } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import type { LoginViews } from '../../runtime/login-views.ts';
import { loginViews, openLogins } from '../../runtime/logins.ts';
import { openStore } from '../../runtime/open-store.ts';
import type { Agent } from '../../schema/agent.ts';
import type { User } from '../../schema/user.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { untilSignal } from '../called-as.ts';
import { dataFolder } from '../folders.ts';
import { openBrowser } from '../open-browser.ts';
import type { OwnStoreOptions } from '../own-store.ts';
import { userOption, withDatabase } from '../own-store.ts';

interface LoginOptions extends OwnStoreOptions {
  open?: boolean;
}

const CALLBACK = '/oauth/callback';

/** `holodeck mcp login`: prints the address of a login, and waits on this machine for its answer. */
export function runMcpLogin(name: string, file: string, options: LoginOptions): Promise<void> {
  return withLogins(file, options, async ({ logins, agent, user }) => {
    const { server, answered } = await awaitAnswer((params) => logins.finishLogin({ params, user }));
    try {
      const { port } = server.address() as AddressInfo; // it listens on a port
      const redirectUri = `http://127.0.0.1:${port}${CALLBACK}`;
      const signal = AbortSignal.timeout(60_000);
      const { url } = await logins.beginLogin(user, { agent: agent.name, server: name, redirectUri, signal });
      process.stdout.write(`Open this address in a browser on this machine, and log in there:\n\n${url}\n\n`);
      if (options.open) openBrowser(url);
      const isDone = await Promise.race([answered.then(() => true), untilSignal().then(() => false)]);
      process.stdout.write(isDone ? `You are logged in to ${name}.\n` : 'Nothing was changed.\n');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
}

/** `holodeck mcp logout`: ends a login here and at its login server. */
export function runMcpLogout(name: string, file: string, options: LoginOptions): Promise<void> {
  return withLogins(file, options, async ({ logins, agent, user }) => {
    const ended = await logins.endLogin(user, { agent: agent.name, server: name });
    process.stdout.write(`${ENDED[ended].replace('NAME', name)}\n`);
  });
}

const ENDED = {
  none: 'You are not logged in to NAME.',
  revoked: 'You are logged out of NAME, and its tokens are revoked.',
  removed: 'You are logged out of NAME here. Its login server did not confirm that the tokens are revoked.',
} as const;

interface Opened {
  logins: LoginViews;
  agent: Agent;
  user: User;
}

async function withLogins(file: string, options: LoginOptions, action: (opened: Opened) => Promise<void>) {
  const [agent] = withDatabase([await loadAgent(file)], options);
  if (!agent) return;
  const folder = dataFolder(options.data, agent);
  const user = userOption(options.user, folder, [agent]);
  const store = await openStore({ database: agent.database, folder, clock: systemClock, ids: systemIds });
  try {
    const open = await openLogins({ store, folder, clock: systemClock });
    const logins = loginViews(
      async () => open,
      () => agent,
    );
    await action({ logins, agent, user });
  } finally {
    await store.close();
  }
}

/** Listens on this machine until one answer was taken. A refused answer leaves the login open for the right one. */
async function awaitAnswer(finish: (params: URLSearchParams) => Promise<unknown>) {
  const { promise: answered, resolve, reject } = Promise.withResolvers<void>();
  const server: Server = createServer(async ({ url = '/', method }, reply) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const say = (status: number, text: string) =>
      reply.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).end(text);
    if (pathname !== CALLBACK || method !== 'GET') return say(404, 'There is nothing here.');
    try {
      await finish(searchParams);
      say(200, 'You are logged in. You can close this page.');
      resolve();
    } catch (error) {
      const { message } = toAppError(error);
      say(400, sanitizeText(message));
      reject(new AppError('login_failed', { detail: message }));
    }
  });
  answered.catch(() => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, answered };
}
