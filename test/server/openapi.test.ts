import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type OpenApiDocument, openApiDocument } from '../../src/server/openapi/openapi.ts';
import { operations } from '../../src/server/openapi/operations.ts';
import { buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { keepRuns } from './kept-runs.ts';
import { buildWebFolder, openServer, readAnswer, SCRIPT_NAME } from './server.ts';

const fixture = (name: string) => ({
  name,
  type: 'mcp',
  transport: 'stdio',
  command: process.execPath,
  args: [join(import.meta.dirname, '../fixtures/mcp-servers/servers.mjs'), name],
});
const TOOLS = [
  fixture('plain'),
  fixture('picky'),
  { ...fixture('gone'), command: 'there-is-no-such-command' },
  { name: 'tasks', type: 'mcp', transport: 'builtin', server: 'tasks', bind: { user_id: '$user.id' } },
];
const domain = (name: string) => ({ name, display_name: name, description: name, mcp_tools: [`ask_${name}`] });
const AGENT = { tools: TOOLS, domains: [domain('stock'), domain('sales')] };
const CALLS = {
  text: 'Well. ',
  calls: [
    { name: 'ask_stock', arguments: {} },
    { name: 'ask_nobody', arguments: {} },
  ],
};

/** A server with sources of every kind, after a conversation. */
async function openUsedServer() {
  const tools = [buildTool({ name: 'ask_stock' })];
  const { folder: runs, newest: run } = keepRuns('helper');
  const app = { webFolder: buildWebFolder(), runsFolder: () => runs };
  const opened = await openServer({ replies: [CALLS, 'Done.', 'Again.'], agent: AGENT, tools, app });
  const files = [{ content: 'YQ==', mime_type: 'text/plain', filename: 'a.txt' }];
  const body = { message: 'hello', files };
  const chat = await opened.call('POST /agent/helper/chat', { body });
  const { session_id: id } = await readAnswer(chat.clone());
  const document = (await (await opened.call('GET /openapi.json')).json()) as OpenApiDocument; // checked by the linter
  const { turn } = (await (await opened.call(`GET /sessions/${id}`)).json()) as { turn: { id: string } }; // as SessionHistory has it
  const parts: Record<string, string> = {
    name: 'helper',
    id,
    turn: turn.id,
    response: `resp_${turn.id}`,
    file: SCRIPT_NAME,
    run,
  };
  const call = (what: string, options?: Parameters<typeof opened.call>[1]) =>
    opened.call(
      what.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? name),
      options,
    );
  return { call, chat, check: checkerOf(document) };
}

interface Told {
  content?: Record<string, { schema: object }>;
  $ref?: string;
}

/** Checks that an answer has no part that the document lacks. */
function checkerOf(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ ...document, $id: 'api' });
  return async (what: string, response: Response): Promise<unknown> => {
    const [method = '', path = ''] = what.split(' ');
    const operation = document.paths[path]?.[method.toLowerCase()] as {
      responses: Record<string, Told>; // the shape of OpenAPI
      'x-responses'?: Record<string, Told>;
    };
    const told = { ...operation.responses, ...operation['x-responses'] }[response.status];
    const named = told?.$ref?.split('/').at(-1) ?? '';
    const content = (told?.$ref ? (document.components.responses?.[named] as Told) : told)?.content; // the shape of OpenAPI
    const type = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
    const text = await response.text();
    if (told && !content && type === '' && text === '') return [];
    if (!content?.[type]) return `${what} answers ${response.status} ${type}, which is not told`;
    if (!type.endsWith('json')) return [];
    const schema = JSON.parse(JSON.stringify(content[type].schema).replaceAll('"#/', '"api#/'));
    const validate = ajv.compile(schema);
    validate(JSON.parse(text));
    return (validate.errors ?? []).map((error) => ({ ...error, schema: undefined }));
  };
}

/** Routes that exist only with `server.auth`, a document of an agent that has none, and a running turn: here nothing runs. */
const OTHER_STATUS: Readonly<Record<string, number>> = {
  '/.well-known/oauth-protected-resource': 404,
  '/.well-known/oauth-protected-resource/mcp': 404,
  '/agent/{name}/knowledge/{document}': 404,
  '/agent/{name}/ui/{id}/stream': 204,
};
const READS = operations
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => path)
  // A page for people, also where it refuses: test/server/logins.test.ts reads it.
  .filter((path) => path !== '/oauth/callback');

describe('every answer matches openapi.json', () => {
  it('to every GET', { timeout: 60_000 }, async () => {
    const { call, check } = await openUsedServer();
    const found: Record<string, unknown> = {};
    for (const path of READS) {
      const response = await call(`GET ${path}`);
      expect([path, response.status]).toEqual([path, OTHER_STATUS[path] ?? 200]);
      found[path] = await check(`GET ${path}`, response);
    }
    expect(found).toEqual(Object.fromEntries(READS.map((path) => [path, []])));
  });

  it('to a message, to a stop and to requests for missing things', { timeout: 60_000 }, async () => {
    const { call, chat, check } = await openUsedServer();
    expect(await check('POST /agent/{name}/chat', chat)).toEqual([]);
    const headers = { prefer: 'respond-async' };
    const accepted = await call('POST /agent/{name}/chat', { body: { message: 'later' }, headers });
    expect([accepted.status, await check('POST /agent/{name}/chat', accepted)]).toEqual([202, []]);
    const once = 'POST /agent/{name}/run';
    const history = [{ role: 'user', content: 'hello' }];
    expect(await check(once, await call(once, { body: { message: 'again', history } }))).toEqual([]);
    const cancelled = 'POST /sessions/{id}/cancel';
    expect(await check(cancelled, await call(cancelled))).toEqual([]);
    expect(await check('GET /sessions', await call('GET /sessions?limit=0'))).toEqual([]);
    expect(await check('GET /agent/{name}/tools', await call('GET /agent/nobody/tools'))).toEqual([]);
    expect(await check('GET /sessions/{id}', await call('GET /sessions/{id}', { as: 'nobody' }))).toEqual([]);
  });
});

const REDOCLY = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');

describe('openapi.json', () => {
  it('is linted clean', async () => {
    const path = join(temporaryFolder(), 'openapi.json');
    writeFileSync(path, JSON.stringify(openApiDocument()));
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stderr } = await promisify(execFile)(process.execPath, [REDOCLY, 'lint', path], { env });
    expect(stderr).toContain('Your API description is valid');
    expect(stderr).not.toMatch(/warning/i);
  });

  it('lists every route, and no other', async () => {
    const { app } = await openServer({ replies: [] });
    const served = app.routes.map(({ method, route }) => `${method} ${route}`);
    const told = operations.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
    expect(served.toSorted()).toEqual(told.toSorted());
  });
});

describe('/docs', () => {
  it('loads its own two files and nothing from outside', async () => {
    const { call } = await openServer({ replies: [] });
    const response = await call('GET /docs', { as: 'nobody' });
    const html = await response.text();
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(html).toContain('/agent/{name}/chat/stream');
    expect(html.match(/<(script|link)[^>]*>/g)).toEqual([
      '<link rel="stylesheet" href="/docs/style.css">',
      '<script type="module" src="/docs/script.js">',
    ]);
    expect(html.match(/(src|href)="[^"#/][^"]*"|@import|url\(| on\w+=| style=/g)).toBeNull();
    for (const file of ['script.js', 'style.css']) {
      const text = await (await call(`GET /docs/${file}`, { as: 'nobody' })).text();
      expect(text.match(/https?:|innerHTML|eval|import\(|url\(/g)).toBeNull();
    }
  });

  it('has an example for every route, and a form for every route but DELETE', async () => {
    const { call } = await openServer({ replies: [] });
    const html = await (await call('GET /docs')).text();
    const forms = [...html.matchAll(/<form data-method="(\w+)" data-path="([^"]+)"/g)];
    const told = operations.filter(({ method }) => method !== 'DELETE');
    expect(forms.map(([, method, path]) => `${method} ${path}`).toSorted()).toEqual(
      told.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    expect(html.match(/curl -s/g)).toHaveLength(operations.length);
  });

  it('has examples that the server takes', async () => {
    const { call } = await openServer({ replies: () => 'Hi.' });
    const html = await (await call('GET /docs')).text();
    const bodyOf = (path: string) => {
      const form = html.split(`data-path="${path}"`)[1] ?? '';
      const text = /<textarea[^>]*>([^<]*)</.exec(form)?.[1] ?? '';
      return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    };
    for (const path of ['/agent/{name}/chat', '/agent/{name}/awp']) {
      const response = await call(`POST ${path.replace('{name}', 'helper')}`, { body: bodyOf(path) });
      expect([path, response.status]).toEqual([path, 200]);
      await response.text();
    }
  });
});
