import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { newUlid } from '../../schema/new-ulid.ts';
import type { User } from '../../schema/user.ts';

/** What the log tells beside the request itself; routes fill it in while they work. */
interface LogFacts {
  session_id?: string;
  turn_id?: string;
  /** Only with --debug: what was said. */
  message?: string;
  error?: string;
  /** The stack of a failure of ours. */
  cause?: string;
}

/** One request, as routes and hooks see it. */
export class HttpRequest<Params = unknown> {
  readonly raw: IncomingMessage;
  readonly id = newUlid();
  readonly method: string;
  /** Without the query, as it came. */
  readonly path: string;
  /** The name that it came under. */
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  /** Of the route that was found. */
  params: Params;
  /** The route that was found, such as /sessions/:id. */
  route = '';
  #body: unknown;
  /** Who is asking; the hook that finds him runs before every route that reads it. */
  user!: User;
  isKnownHost = false;
  facts: LogFacts = {};
  readonly #search: string;

  constructor(raw: IncomingMessage, params: Params, { trustsProxy }: { trustsProxy: boolean }) {
    const { path, search, authority } = splitTarget(raw.url ?? '/');
    this.raw = raw;
    this.method = raw.method ?? 'GET';
    this.path = path;
    this.headers = raw.headers;
    this.host = (trustsProxy ? lastForwarded(raw.headers) : undefined) ?? authority ?? hostOf(raw);
    this.params = params;
    this.#search = search;
  }

  setBody(body: unknown): void {
    this.#body = body;
  }

  /** Given out once: an answer that streams for long holds nothing of what was sent for it. */
  takeBody(): unknown {
    const body = this.#body;
    this.#body = undefined;
    return body;
  }

  get query(): unknown {
    return { ...parseQuery(this.#search) };
  }
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
