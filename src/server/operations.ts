import type * as z from 'zod';
import { PROTOBUF, SSE } from './encode.ts';
import type { InputName, OutputName } from './openapi-schemas.ts';
import { EventsQuery } from './routes/events.ts';
import { HistoryQuery, ListQuery, TurnsQuery } from './routes/sessions.ts';

/** One operation of the API, as its document tells it. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  tag: 'chat' | 'ag-ui' | 'sessions' | 'agents' | 'server';
  summary: string;
  description?: string;
  query?: z.ZodType;
  headers?: readonly Record<string, unknown>[];
  body?: InputName;
  takesForm?: boolean;
  answer?: OutputName;
  status?: number;
  /** 204 when there is nothing to send. */
  canBeEmpty?: boolean;
  /** `Prefer: respond-async` is answered with 202. */
  canAccept?: boolean;
  /** Media types of streams and pages. */
  streams?: readonly string[];
  /** The data of one event of the stream. */
  event?: 'RestEvent' | 'AguiEvent' | 'StreamEvent';
  /** Statuses beside those that every operation has. */
  problems?: readonly number[];
  /** Needs no token. */
  isOpen?: boolean;
  /** Says no with 503 and the same shape. */
  isProbe?: boolean;
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description,
});
const KEY = header('Idempotency-Key', 'The same key with the same request is the same turn, for a day.');
const PREFER = header(
  'Prefer',
  '`respond-async`: the turn continues when the client leaves. Unless Accept names an event stream, the answer is 202.',
);
const GOES_ON = header(
  'Idempotency-Key',
  'The turn continues when the client leaves. The key of a run is its threadId and runId.',
);
const LAST_EVENT = header('Last-Event-ID', 'What the client has already; the rest is sent.');

const TURN_PROBLEMS = [400, 404, 409, 413, 415, 422, 429, 503];
const chat = {
  method: 'POST',
  tag: 'chat',
  body: 'ChatRequest',
  takesForm: true,
  headers: [KEY, PREFER],
  canAccept: true,
} as const;
const run = {
  method: 'POST',
  tag: 'ag-ui',
  body: 'RunAgentInput',
  headers: [GOES_ON, PREFER],
  canAccept: true,
  streams: [SSE, PROTOBUF],
  event: 'AguiEvent',
} as const;
const open = { method: 'GET', tag: 'server', isOpen: true } as const;

export const operations: readonly Operation[] = [
  {
    ...chat,
    id: 'chat',
    path: '/agent/{name}/chat',
    summary: 'Send a message and get the whole answer',
    description: 'Without session_id a new conversation begins. `error` is set when status is `error`.',
    answer: 'ChatResponse',
    problems: TURN_PROBLEMS,
  },
  {
    ...chat,
    id: 'chatStream',
    path: '/agent/{name}/chat/stream',
    summary: 'Send a message and hear the answer as it is made',
    description: 'Each event is a RestEvent; the last one is stream_end (a ChatResponse) or error.',
    streams: [SSE],
    event: 'RestEvent',
    problems: TURN_PROBLEMS,
  },
  { ...run, id: 'run', path: '/awp', summary: 'Run the only agent served (AG-UI)', problems: TURN_PROBLEMS },
  { ...run, id: 'runAgent', path: '/agent/{name}/awp', summary: 'Run an agent (AG-UI)', problems: TURN_PROBLEMS },
  {
    id: 'capabilities',
    method: 'GET',
    path: '/awp/capabilities',
    tag: 'ag-ui',
    summary: 'What the only agent served can do (AG-UI)',
    answer: 'Capabilities',
    problems: [404],
  },
  {
    id: 'agentCapabilities',
    method: 'GET',
    path: '/agent/{name}/awp/capabilities',
    tag: 'ag-ui',
    summary: 'What an agent can do (AG-UI)',
    answer: 'Capabilities',
    problems: [404],
  },
  {
    id: 'listSessions',
    method: 'GET',
    path: '/sessions',
    tag: 'sessions',
    summary: 'Own conversations, newest activity first',
    query: ListQuery,
    answer: 'Sessions',
    problems: [422],
  },
  {
    id: 'readSession',
    method: 'GET',
    path: '/sessions/{id}',
    tag: 'sessions',
    summary: 'A conversation with its newest messages',
    query: HistoryQuery,
    answer: 'SessionHistory',
    problems: [404, 422],
  },
  {
    id: 'listTurns',
    method: 'GET',
    path: '/sessions/{id}/turns',
    tag: 'sessions',
    summary: 'All turns of a conversation with their results, newest first; regenerated and edited ones too',
    query: TurnsQuery,
    answer: 'Turns',
    problems: [404, 422],
  },
  {
    id: 'deleteSession',
    method: 'DELETE',
    path: '/sessions/{id}',
    tag: 'sessions',
    summary: 'Delete a conversation; a running turn is stopped first',
    status: 204,
    problems: [422],
  },
  {
    id: 'readEvents',
    method: 'GET',
    path: '/sessions/{id}/events',
    tag: 'sessions',
    summary: 'The newest turn, or all after an event; with follow=1 later ones too',
    query: EventsQuery,
    headers: [LAST_EVENT],
    streams: [SSE],
    event: 'StreamEvent',
    canBeEmpty: true,
    problems: [404, 422],
  },
  {
    id: 'cancelTurn',
    method: 'POST',
    path: '/sessions/{id}/cancel',
    tag: 'sessions',
    summary: 'Stop the running or waiting turn and keep what is there',
    answer: 'Cancelled',
    problems: [404, 409, 422],
  },
  {
    id: 'resumeTurn',
    method: 'POST',
    path: '/sessions/{id}/resume',
    tag: 'sessions',
    summary: 'Answer what a turn waits for and go on with it',
    body: 'Answers',
    headers: [KEY, PREFER],
    canAccept: true,
    answer: 'ChatResponse',
    streams: [SSE],
    event: 'RestEvent',
    problems: [400, 404, 409, 415, 422, 429, 503],
  },
  {
    id: 'listDomains',
    method: 'GET',
    path: '/agent/{name}/domains',
    tag: 'agents',
    summary: 'The data domains that an agent answers about',
    answer: 'Domains',
    problems: [404],
  },
  {
    id: 'listTools',
    method: 'GET',
    path: '/agent/{name}/tools',
    tag: 'agents',
    summary: 'The tools of an agent, and the state of each server',
    answer: 'Tools',
    problems: [404],
  },
  { ...open, id: 'health', path: '/health', summary: 'Whether it is well', answer: 'Health', isProbe: true },
  { ...open, id: 'ready', path: '/ready', summary: 'Whether it takes requests', answer: 'Ready', isProbe: true },
  {
    ...open,
    id: 'openapi',
    path: '/openapi.json',
    summary: 'This document',
    answer: 'OpenApi',
    problems: [421],
  },
  { ...open, id: 'docs', path: '/docs', summary: 'This document to read', streams: ['text/html'], problems: [421] },
  { ...open, id: 'page', path: '/', summary: 'The same as /docs', streams: ['text/html'], problems: [421] },
];
