import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { newUlid } from '../../schema/ids.ts';
import type { User } from '../../schema/user.ts';
import type { LogFacts } from '../request-log.ts';

/** One request, as routes and hooks see it. */
export interface HttpRequest<Params = unknown> {
  readonly raw: IncomingMessage;
  readonly id: string;
  readonly method: string;
  /** Without the query, as it came. */
  readonly path: string;
  /** The name that it came under. */
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: unknown;
  /** Of the route that was found. */
  params: Params;
  /** The route that was found, such as /sessions/:id. */
  route?: string;
  body?: unknown;
  /** Who is asking; set before any route that needs it. */
  user: User;
  isKnownHost: boolean;
  facts: LogFacts;
}

export function createRequest(raw: IncomingMessage, { trustsProxy }: { trustsProxy: boolean }): HttpRequest {
  const { method = 'GET', headers } = raw;
  const { path, search, authority } = splitTarget(raw.url ?? '/');
  let query: unknown;
  return {
    raw,
    id: newUlid(),
    method,
    path,
    host: (trustsProxy ? lastForwarded(headers) : undefined) ?? authority ?? hostOf(raw),
    headers,
    get query() {
      query ??= { ...parseQuery(search) };
      return query;
    },
    params: {},
    // The cast: the hook that finds the user runs before every route that reads it.
    user: undefined as unknown as User,
    isKnownHost: false,
    facts: {},
  };
}

/** What is asked for: a path, or a whole address, whose host then counts instead of the header's. */
function splitTarget(target: string): { path: string; search: string; authority?: string } {
  const whole = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  if (whole) return { path: whole.pathname, search: whole.search.slice(1), authority: whole.host };
  const [path = '/'] = target.split('?', 1);
  return { path, search: target.slice(path.length + 1) };
}

/** Two hosts are none: somebody on the way may have believed the other one. */
function hostOf({ headers, rawHeaders }: IncomingMessage): string {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name));
  return hosts.length === 1 ? (headers.host ?? '') : '';
}

/** Each proxy on the way adds its own at the end. */
function lastForwarded(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-forwarded-host'];
  return (
    String(value ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  );
}
