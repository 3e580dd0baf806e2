import type { IncomingHttpHeaders } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { systemIds } from '../../ids.ts';
import type { User } from '../../schema/user.ts';
import type { HttpSource } from './exchange.ts';

/** Log fields besides those of the request itself; routes fill them in. */
interface LogFacts {
  session_id?: string;
  turn_id?: string;
  /** The user's text; only with --debug. */
  message?: string;
  error?: string;
  /** The stack of an internal failure. */
  cause?: string;
}

/** A request as routes and hooks see it. */
export class HttpRequest<Params = unknown> {
  readonly source: HttpSource;
  readonly id = systemIds.ulid();
  readonly method: string;
  /** The path as received, without the query and without the base path. */
  readonly path: string;
  /** The path below which an app serves the routes; empty for our own server. */
  readonly base: string;
  /** The host name that the client used. */
  readonly host: string;
  /** The scheme that the client used, as a trusted proxy reports it. */
  readonly scheme: 'http' | 'https';
  readonly headers: IncomingHttpHeaders;
  /** The parameters of the matched route. */
  params: Params;
  /** The matched route, such as /sessions/:id. */
  route = '';
  #body: unknown;
  /** The authenticated user; set by a hook that runs before every route that reads it. */
  user!: User;
  isKnownHost = false;
  /** Sent as WWW-Authenticate if the request has no valid token; undefined = the app signs its users in. */
  challenge: string | undefined;
  facts: LogFacts = {};
  readonly #search: string;

  constructor(source: HttpSource, params: Params, { trustsProxy, base = '' }: { trustsProxy: boolean; base?: string }) {
    const { path, search, authority } = splitTarget(source.target);
    const { headers } = source;
    this.source = source;
    this.method = source.method;
    this.base = base;
    this.path = withoutBase(path, base);
    this.headers = headers;
    this.host = (trustsProxy ? lastForwarded(headers) : undefined) ?? authority ?? hostOf(source);
    const isSecure = source.isSecure || (trustsProxy && lastForwarded(headers, 'x-forwarded-proto') === 'https');
    this.scheme = isSecure ? 'https' : 'http';
    this.params = params;
    this.#search = search;
  }

  setBody(body: unknown): void {
    this.#body = body;
  }

  /** Returns the body once, so that a long stream does not keep it in memory. */
  takeBody(): unknown {
    const body = this.#body;
    this.#body = undefined;
    return body;
  }

  /** The address of a path below the base path, such as one of a route. */
  addressOf(path: string): string {
    return `${this.scheme}://${this.host}${this.base}${path}`;
  }

  get query(): unknown {
    return { ...parseQuery(this.#search) };
  }
}

/** Splits the request target: a path, or an absolute URL, whose host overrides the Host header. */
function splitTarget(target: string): { path: string; search: string; authority?: string } {
  const whole = /^https?:\/\//i.test(target) ? URL.parse(target) : null;
  if (whole) return { path: whole.pathname, search: whole.search.slice(1), authority: whole.host };
  const [path = '/'] = target.split('?', 1);
  return { path, search: target.slice(path.length + 1) };
}

/** Two Host headers count as none: a proxy may have routed by the other one. */
function hostOf(source: HttpSource): string {
  return source.countHeader('host') === 1 ? (source.headers.host ?? '') : '';
}

/** Some frameworks remove the base path themselves. */
function withoutBase(path: string, base: string): string {
  if (path === base) return '/';
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}

/** Each proxy appends its own value at the end. */
function lastForwarded(headers: IncomingHttpHeaders, name = 'x-forwarded-host'): string | undefined {
  const value = headers[name];
  return (
    String(value ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  );
}
