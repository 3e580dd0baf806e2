import { toAppError } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import { isLoopback } from '../../schema/scalars.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpReply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import { findAgent } from './agents.ts';

const CALLBACK = '/oauth/callback';
const COOKIE = 'holodeck_login';
const COOKIE_SECONDS = 600;
const BEGIN_MS = 60_000;

interface LoginRoute {
  name: string;
  server: string;
}

/**
 * Logins to MCP servers with `auth: oauth`. The request that begins a login sets a cookie, and the answer of the login
 * server counts only in a browser with that cookie: nobody can be led into another user's login.
 */
export function addLoginRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;

  app.get<{ name: string }>('/agent/:name/logins', async (request) => {
    const { name } = findAgent(runtime, request.params.name);
    return { logins: await runtime.listLogins(request.user, name) };
  });

  app.post<LoginRoute>('/agent/:name/logins/:server', async (request, reply) => {
    const { name: agent } = findAgent(runtime, request.params.name);
    deps.takeTurn(request.user);
    const browser = systemIds.uuid();
    const redirectUri = `${originOf(request)}${request.base}${CALLBACK}`;
    const signal = AbortSignal.timeout(BEGIN_MS);
    const input = { agent, server: request.params.server, redirectUri, browser, signal };
    const { url } = await runtime.beginLogin(request.user, input);
    reply.header('set-cookie', cookieOf(browser, redirectUri));
    return { url };
  });

  app.delete<LoginRoute>('/agent/:name/logins/:server', async (request) => {
    const { name: agent } = findAgent(runtime, request.params.name);
    return { ended: await runtime.endLogin(request.user, { agent, server: request.params.server }) };
  });

  app.get(CALLBACK, async (request, reply) => {
    const params = new URLSearchParams(request.query as Record<string, string>); // parsed from the address
    const browser = readCookie(request);
    // With authentication a browser that was sent here has no token; state and cookie name the user.
    const user = deps.server.auth ? undefined : request.user;
    try {
      const { server } = await runtime.finishLogin({ params, ...(browser && { browser }), ...(user && { user }) });
      return sendPage(reply, 200, `You are logged in to ${server}.`);
    } catch (error) {
      const { message, status } = toAppError(error);
      return sendPage(reply, status >= 500 && status !== 502 ? status : 400, message);
    }
  });
}

/** A login server accepts plain http for this machine only. */
function originOf({ host }: HttpRequest): string {
  return `${isLoopback(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) ? 'http' : 'https'}://${host}`;
}

function cookieOf(value: string, redirectUri: string): string {
  const secure = redirectUri.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=${new URL(redirectUri).pathname}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

function readCookie({ headers }: HttpRequest): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === COOKIE)?.[1];
}

function sendPage(reply: HttpReply, status: number, text: string): HttpReply {
  const shown = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>HoloDeck</title>
<p>${shown}</p><p><a href="/">Back to the page</a></p></html>`;
  return reply.code(status).type('text/html; charset=utf-8').send(html);
}
