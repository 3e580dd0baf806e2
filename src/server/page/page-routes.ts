import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../errors.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpReply } from '../http/reply.ts';
import { describeUser } from '../identity.ts';
import { describeAgents } from '../routes/agent-list.ts';

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

/** A checkout keeps the built page in dist/web; in the package the page lies beside the bundle. */
const WEB_FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/web/' : './web/', import.meta.url),
);

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};
/** A plain file name: no folder, no leading dot, an extension of the table. */
const ASSET = new RegExp(`^\\w[\\w.-]*\\.(?<extension>${Object.keys(TYPES).join('|')})$`);
/** The build puts a hash of the content into the name, so this name never gets another content. */
const HASHED = /-[\w-]{8,}\.\w+$/;

/** Encodings that the build prepares, best first. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

interface Asset {
  bytes: Buffer;
  type: string;
  /** Absent for the file as it is. */
  encoding?: string;
  isHashed: boolean;
}

/** The files of the built page. */
interface WebFiles {
  /** Undefined when the page is not built. */
  readIndex(): Promise<string | undefined>;
  /** A file of assets/ in the best encoding that the client accepts; undefined for any other name. */
  readAsset(name: string, acceptEncoding: string | undefined): Promise<Asset | undefined>;
}

function openWebFiles(folder: string = WEB_FOLDER): WebFiles {
  return {
    readIndex: async () => (await readIfThere(join(folder, 'index.html')))?.toString('utf8'),
    async readAsset(name, acceptEncoding) {
      const extension = ASSET.exec(name)?.groups?.extension;
      const type = extension && TYPES[extension];
      if (!type) return undefined;
      const path = join(folder, 'assets', name);
      const facts = { type, isHashed: HASHED.test(name) };
      const accepted = readEncodings(acceptEncoding);
      for (const encoding of ENCODINGS) {
        if (!accepted.has(encoding.name)) continue;
        const bytes = await readIfThere(`${path}${encoding.extension}`);
        if (bytes) return { ...facts, bytes, encoding: encoding.name };
      }
      const bytes = await readIfThere(path);
      return bytes && { ...facts, bytes };
    },
  };
}

/** The encodings that `Accept-Encoding` names without `q=0`. */
function readEncodings(header = ''): Set<string> {
  const entries = header
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()));
  const wanted = entries.filter(([, quality = '']) => !/^q=0(\.0*)?$/.test(quality));
  return new Set(wanted.map(([name = '']) => name));
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const isAbsent =
      error instanceof Error && 'code' in error && ['ENOENT', 'EISDIR', 'ENOTDIR'].includes(String(error.code));
    if (isAbsent) return undefined;
    throw error;
  }
}
