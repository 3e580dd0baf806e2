import { setTimeout as delay } from 'node:timers/promises';

export interface ChatAnswer {
  status: string;
  content: string;
  session_id: string;
}

export interface Call {
  token: string;
  key?: string;
  session?: string;
}

/** Sends one message and returns the response. */
export function send(url: string, message: string, { token, key, session }: Call, accept = 'application/json') {
  const path = accept === 'text/event-stream' ? 'chat/stream' : 'chat';
  return fetch(`${url}/agent/counter/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      accept,
      ...(key && { 'idempotency-key': key }),
    },
    body: JSON.stringify({ message, ...(session && { session_id: session }) }),
  });
}

export async function get<T>(url: string, path: string, token: string): Promise<T> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T; // the caller names the route's type
}

/**
 * Sends a message with its key until it is answered, each time to the next server, as a client behind a load balancer
 * does.
 */
export async function sendUntilAnswered(
  nextUrl: () => string,
  message: string,
  call: Call & { key: string },
  timeoutMs = 60_000,
): Promise<ChatAnswer> {
  const until = performance.now() + timeoutMs;
  let last = '';
  while (performance.now() < until) {
    try {
      const response = await send(nextUrl(), message, call);
      const body = (await response.json()) as ChatAnswer;
      if (response.status === 200 && body.status === 'completed') return body;
      last = `${response.status} ${JSON.stringify(body)}`;
    } catch (error) {
      last = String(error);
    }
    await delay(150);
  }
  throw new Error(`not answered within ${timeoutMs} ms; last: ${last}`);
}
