import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveHttp } from '../../src/mcp/serve/serve.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { ALICE } from '../build.ts';

/** Faults and rules of the login server; a test changes them while it runs. */
interface LoginRules {
  /** Overrides keys of the metadata of the login server. */
  metadata: Record<string, unknown>;
  /** Overrides keys of the metadata of the tool server. */
  resource: Record<string, unknown>;
  /** Added to the address that the browser is sent back to. */
  callback: Record<string, string>;
  /** Seconds that an access token is good for. */
  expiresIn: number;
  /** Text in front of the metadata, to make them huge. */
  padding: string;
  /** Where metadata requests are redirected to. */
  redirect?: string;
  /** The scope that the tool `whoami` needs. */
  callScope?: string;
  /** The body of every refused token request. */
  errorText?: string;
}

export interface LoginServer {
  /** The address of the tool server behind the login. */
  url: string;
  issuer: string;
  rules: LoginRules;
  /** Every secret that was handed out: no log and no file may hold one. */
  secrets: string[];
  /** Paths of requests to the login server. */
  seen: string[];
  registrations: Record<string, unknown>[];
  /** Form bodies of token and revocation requests. */
  forms: URLSearchParams[];
  /** Ends all grants, as an administrator of the login server would. */
  endAll(): void;
  /** Forgets the access tokens; the grants stay good. */
  expireAll(): void;
  /** The person: opens the address as `who` and returns the address that the browser is sent back to. */
  visit(address: string, who: string): Promise<URL>;
  close(): Promise<void>;
}

interface Code {
  who: string;
  challenge: string;
  redirectUri: string;
  clientId: string;
  scope: string;
  resource: string;
}

interface Grant extends Code {
  refreshToken: string;
  isEnded: boolean;
}

/**
 * A login server and a tool server behind it, over real HTTP: registration, PKCE, refresh tokens that are good once (a
 * second use ends the grant), revocation, resource indicators and `iss`.
 */
export async function startLoginServer(): Promise<LoginServer> {
  const state = createState();
  const tools = await serveHttp({ name: 'tools', version: '1', tools: [whoami(state)], user: ALICE, port: 0 });
  const server = createServer((request, reply) => void handle(state, request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  state.tools = tools.url;
  const { rules, secrets, seen, registrations, forms, issuer } = state;
  return {
    ...{ url: `${issuer}/mcp`, issuer, rules, secrets, seen, registrations, forms },
    endAll() {
      for (const grant of state.grants) grant.isEnded = true;
    },
    expireAll: () => state.access.clear(),
    async visit(address, person) {
      const answer = await fetch(`${address}&who=${person}`, { redirect: 'manual' });
      return new URL(answer.headers.get('location') ?? '');
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await tools.close();
    },
  };
}

type State = ReturnType<typeof createState>;

function createState() {
  const rules: LoginRules = { metadata: {}, resource: {}, callback: {}, expiresIn: 3600, padding: '' };
  return {
    issuer: '',
    tools: '',
    who: '',
    rules,
    secrets: [] as string[],
    seen: [] as string[],
    forms: [] as URLSearchParams[],
    registrations: [] as Record<string, unknown>[],
    clients: new Map<string, string>(),
    codes: new Map<string, Code>(),
    grants: [] as Grant[],
    access: new Map<string, { grant: Grant; until: number }>(),
    spent: new Map<string, Grant>(),
  };
}

function whoami(state: State): Tool {
  return {
    name: 'whoami',
    description: 'The person whose token it is',
    inputSchema: { type: 'object', properties: {} },
    source: 'tools',
    run: async () => ({ result: { who: state.who } }),
  };
}

function make({ secrets }: State, kind: string): string {
  const secret = `${kind}-${randomUUID()}`;
  secrets.push(secret);
  return secret;
}

function json(reply: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): unknown {
  return reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A hostile text: it repeats every secret. */
function refuse({ rules, secrets }: State, reply: ServerResponse, error: string): unknown {
  if (rules.errorText !== undefined) return reply.writeHead(400).end(rules.errorText);
  return json(reply, 400, { error, error_description: `no: ${secrets.join(' ')}` });
}

async function handle(state: State, request: IncomingMessage, reply: ServerResponse): Promise<unknown> {
  const { issuer, rules } = state;
  const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
  const body = await readBody(request);
  if (pathname === '/mcp') return serveTools(state, request, { reply, body });
  state.seen.push(`${request.method} ${pathname}`);
  if (pathname.startsWith('/.well-known/') && rules.redirect)
    return reply.writeHead(302, { location: rules.redirect }).end();
  switch (pathname) {
    case '/.well-known/oauth-protected-resource/mcp': {
      const facts = { resource: `${issuer}/mcp`, authorization_servers: [issuer], scopes_supported: ['use'] };
      return json(reply, 200, { ...facts, ...rules.resource });
    }
    case '/.well-known/oauth-authorization-server': {
      const padding = rules.padding && { padding: rules.padding };
      return json(reply, 200, { ...metadataOf(issuer), ...rules.metadata, ...padding });
    }
    case '/register':
      return register(state, reply, JSON.parse(body));
    case '/authorize':
      return authorize(state, reply, searchParams);
    case '/token':
      return token(state, reply, { form: new URLSearchParams(body), authorization: request.headers.authorization });
    case '/revoke':
      return revoke(state, reply, new URLSearchParams(body));
    default:
      return json(reply, 404, {});
  }
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  };
}

function register(state: State, reply: ServerResponse, wanted: Record<string, unknown>): unknown {
  state.registrations.push(wanted);
  const client_id = `client-${randomUUID()}`;
  const client_secret = make(state, 'secret');
  state.clients.set(client_id, client_secret);
  const method = { token_endpoint_auth_method: 'client_secret_basic' };
  return json(reply, 201, { ...wanted, client_id, client_secret, ...method });
}

function authorize(state: State, reply: ServerResponse, query: URLSearchParams): unknown {
  const get = (name: string) => query.get(name) ?? '';
  const code = make(state, 'code');
  state.codes.set(code, {
    who: get('who'),
    challenge: get('code_challenge'),
    redirectUri: get('redirect_uri'),
    clientId: get('client_id'),
    scope: get('scope'),
    resource: get('resource'),
  });
  const back = new URL(get('redirect_uri'));
  const answer = { code, state: get('state'), iss: state.issuer, ...state.rules.callback };
  for (const [name, value] of Object.entries(answer)) if (value !== '') back.searchParams.set(name, value);
  return reply.writeHead(302, { location: back.href }).end();
}

interface TokenRequest {
  form: URLSearchParams;
  authorization: string | undefined;
}

function token(state: State, reply: ServerResponse, { form, authorization = '' }: TokenRequest): unknown {
  state.forms.push(form);
  const [id = '', secret = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  if (state.clients.get(id) !== secret) return refuse(state, reply, 'invalid_client');
  if (form.get('grant_type') === 'refresh_token') return refresh(state, reply, form);
  const given = form.get('code') ?? '';
  const code = state.codes.get(given);
  state.codes.delete(given);
  const verifier = form.get('code_verifier') ?? '';
  const isGood =
    code?.clientId === id &&
    code.challenge === createHash('sha256').update(verifier).digest('base64url') &&
    code.redirectUri === form.get('redirect_uri') &&
    code.resource === form.get('resource');
  if (!code || !isGood) return refuse(state, reply, 'invalid_grant');
  const grant: Grant = { ...code, refreshToken: '', isEnded: false };
  state.grants.push(grant);
  return handOut(state, reply, grant);
}

function refresh(state: State, reply: ServerResponse, form: URLSearchParams): unknown {
  const given = form.get('refresh_token') ?? '';
  const reused = state.spent.get(given);
  if (reused) reused.isEnded = true;
  const grant = state.grants.find(({ refreshToken }) => refreshToken === given);
  if (!grant || grant.isEnded || form.get('resource') !== grant.resource) return refuse(state, reply, 'invalid_grant');
  state.spent.set(given, grant);
  return handOut(state, reply, grant);
}

function handOut(state: State, reply: ServerResponse, grant: Grant): unknown {
  const { expiresIn: expires_in } = state.rules;
  grant.refreshToken = make(state, 'refresh');
  const access_token = make(state, 'access');
  state.access.set(access_token, { grant, until: Date.now() + expires_in * 1000 });
  const { refreshToken: refresh_token, scope } = grant;
  return json(reply, 200, { access_token, token_type: 'Bearer', expires_in, refresh_token, scope });
}

function revoke({ forms, grants, access }: State, reply: ServerResponse, form: URLSearchParams): unknown {
  forms.push(form);
  const given = form.get('token') ?? '';
  const grant = grants.find(({ refreshToken }) => refreshToken === given) ?? access.get(given)?.grant;
  if (grant) grant.isEnded = true;
  return reply.writeHead(200).end();
}

/** The check of the tool server: a live token that was made for this address, and the scope of a call. */
async function serveTools(
  state: State,
  request: IncomingMessage,
  { reply, body }: { reply: ServerResponse; body: string },
): Promise<unknown> {
  const { issuer, rules } = state;
  const held = state.access.get((request.headers.authorization ?? '').replace('Bearer ', ''));
  const place = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`;
  if (!held || held.grant.isEnded || held.until < Date.now() || held.grant.resource !== `${issuer}/mcp`)
    return json(reply, 401, { error: 'invalid_token' }, { 'www-authenticate': `Bearer ${place}, scope="use"` });
  const scopes = held.grant.scope.split(' ');
  if (body.includes('"tools/call"') && rules.callScope && !scopes.includes(rules.callScope)) {
    const challenge = `Bearer error="insufficient_scope", ${place}, scope="${rules.callScope}"`;
    return json(reply, 403, { error: 'insufficient_scope' }, { 'www-authenticate': challenge });
  }
  state.who = held.grant.who;
  const own = ['host', 'authorization', 'content-length', 'connection'];
  const headers = Object.entries(request.headers).filter(([name]) => !own.includes(name));
  const sent = Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
  const method = request.method ?? 'GET';
  const answer = await fetch(state.tools, { method, headers: sent, ...(method === 'POST' && { body }) });
  const type = answer.headers.get('content-type');
  return reply.writeHead(answer.status, type ? { 'content-type': type } : {}).end(await answer.text());
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
