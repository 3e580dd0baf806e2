/** An answer of the server that is no success, in the words of RFC 9457. */
export class ServerProblem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface ApiOptions {
  token(): string | undefined;
  onSignedOut(): void;
  fetch: typeof fetch;
}

interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Another token than the user's; its refusal signs nobody out. */
  token?: string;
}

/** Requests to the server that the page came from, with the user's token. Refusals are thrown as ServerProblem. */
export interface Api {
  /** The answer's JSON; undefined for 204. */
  read<T>(path: string, request?: Request): Promise<T>;
  open(path: string, request?: Request): Promise<Response>;
}

export function createApi(options: ApiOptions): Api {
  const open = async (path: string, request: Request = {}): Promise<Response> => {
    const response = await options.fetch(path, toInit(request, request.token ?? options.token()));
    if (response.ok) return response;
    if (response.status === 401 && !request.token) options.onSignedOut();
    throw await readProblem(response);
  };
  return {
    open,
    async read<T>(path: string, request?: Request) {
      const response = await open(path, request);
      const text = await response.text();
      // The server checks its own answers against the same schemas; the page does not check them again.
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
  };
}

function toInit({ method, json, form, headers, signal }: Request, token: string | undefined): RequestInit {
  const body = json === undefined ? form : JSON.stringify(json);
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    cache: 'no-store',
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  };
}

async function readProblem(response: Response): Promise<ServerProblem> {
  const text = await response.text().catch(() => '');
  const { code, detail, title } = parseProblem(text);
  return new ServerProblem(response.status, code ?? `http_${response.status}`, detail ?? title ?? response.statusText);
}

function parseProblem(text: string): { code?: string; detail?: string; title?: string } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export function isProblem(error: unknown, ...statuses: number[]): error is ServerProblem {
  return error instanceof ServerProblem && (statuses.length === 0 || statuses.includes(error.status));
}

/** 128 random bits. `crypto.randomUUID` is missing where the page came over plain HTTP from another machine. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
