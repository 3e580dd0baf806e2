import { AppError } from '../../errors.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpReply } from '../http/reply.ts';
import { describeUser } from '../identity.ts';
import { describeAgents } from '../routes/agent-list.ts';
import { type Asset, openWebFiles } from './web-files.ts';

const HTML = 'text/html; charset=utf-8';
/** Scripts and styles come from files of this server only, and no text becomes a script or HTML (Trusted Types). */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
const IMMUTABLE = 'public, max-age=31536000, immutable';

const BOOT = /<script type="application\/json" id="boot">[^<]*<\/script>/;

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>HoloDeck</title>
<h1>The page is not built yet</h1>
<p>In the folder of HoloDeck, run <code>npm run build</code> once and reload this address.</p>
<p>The <a href="/docs">API reference</a> works without it.</p></html>`;

/** The web page at `/` with its files. Its HTML holds who is asking and the agents, and never a conversation. */
export function addPageRoutes(app: HttpApp, deps: ServerDeps, folder?: string): void {
  const files = openWebFiles(folder);

  app.get('/', async (request, reply) => {
    const html = await files.readIndex();
    reply.type(HTML).headers({ 'content-security-policy': PAGE_POLICY, 'cross-origin-opener-policy': 'same-origin' });
    if (html === undefined) return reply.code(503).send(NOT_BUILT);
    const boot = deps.server.auth
      ? { auth: 'token' }
      : { agents: await describeAgents(deps, request.user), me: describeUser(deps, request.user) };
    return reply.send(withBoot(html, boot));
  });

  app.get<{ file: string }>('/assets/:file', async (request, reply) => {
    const asset = await files.readAsset(request.params.file, request.headers['accept-encoding']);
    if (!asset) throw new AppError('not_found', { detail: 'There is no such file of the page.' });
    return sendAsset(reply, asset);
  });
}

function sendAsset(reply: HttpReply, { bytes, type, encoding, isHashed }: Asset): HttpReply {
  return reply
    .type(type)
    .headers({
      'cache-control': isHashed ? IMMUTABLE : 'no-cache',
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    })
    .send(bytes);
}

/** No `<` leaves the JSON, so no text in it can end the element. */
function withBoot(html: string, boot: unknown): string {
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c');
  const element = `<script type="application/json" id="boot">${json}</script>`;
  return BOOT.test(html) ? html.replace(BOOT, () => element) : html.replace('</head>', () => `${element}</head>`);
}
