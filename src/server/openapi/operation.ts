import type * as z from 'zod';
import type { InputName, OutputName, QueryName } from './openapi-schemas.ts';

/** An operation of the API, as described in the OpenAPI document. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  tag: 'chat' | 'ag-ui' | 'openai' | 'clients' | 'sessions' | 'agents' | 'server';
  summary: string;
  description?: string;
  /** A name if the schema is loaded with its route. */
  query?: z.ZodType | QueryName;
  headers?: readonly Record<string, unknown>[];
  body?: InputName;
  takesForm?: boolean;
  answer?: OutputName;
  status?: number;
  /** 204 if there is nothing to send. */
  canBeEmpty?: boolean;
  /** `Prefer: respond-async` is answered with 202. */
  canAccept?: boolean;
  /** Media types of streams and pages. */
  streams?: readonly string[];
  /** The schema of one event's data. */
  event?: 'RestEvent' | 'AguiEvent' | 'StreamEvent' | 'SessionEvent';
  /** Status codes besides those that every operation has. */
  problems?: readonly number[];
  /** Needs no token. */
  isOpen?: boolean;
  /** Responds with 503 and the same schema if the answer is no. */
  isProbe?: boolean;
}

export const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description,
});
export const KEY = header(
  'Idempotency-Key',
  'Requests with the same key and content share one turn, for at least one day.',
);
export const PREFER = header(
  'Prefer',
  '`respond-async`: the turn continues when the client disconnects. Unless Accept names an event stream, the response is 202.',
);
