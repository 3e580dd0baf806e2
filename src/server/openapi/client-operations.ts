import { SSE } from '../http/encode.ts';
import type { Operation } from './operation.ts';

const metadata = {
  method: 'GET',
  tag: 'clients',
  summary: 'The issuer of the tokens of /mcp (RFC 9728)',
  description: 'Without `server.auth` there is none: 404.',
  answer: 'ResourceMetadata',
  isOpen: true,
  problems: [404, 421],
} as const;

const card = { method: 'GET', tag: 'clients', answer: 'AgentCard', isOpen: true, problems: [404, 421] } as const;

/** Operations of clients with protocols of their own. */
export const clientOperations: readonly Operation[] = [
  {
    id: 'mcp',
    method: 'POST',
    path: '/mcp',
    tag: 'clients',
    summary: 'The agents as an MCP server (Streamable HTTP)',
    description:
      'One tool per agent, `ask_<name>`, and your conversations as resources. Errors of the protocol are JSON-RPC errors.',
    body: 'McpMessage',
    answer: 'McpAnswer',
    streams: [SSE],
    status: 200,
    problems: [400, 413, 415, 429],
  },
  {
    id: 'a2a',
    method: 'POST',
    path: '/agent/{name}/a2a',
    tag: 'clients',
    summary: 'An agent by A2A 1.0 and 0.3 (JSON-RPC)',
    description:
      'SendMessage, SendStreamingMessage, GetTask, ListTasks, SubscribeToTask and CancelTask. A task is a turn, a context is a conversation. Errors of the protocol are JSON-RPC errors.',
    body: 'A2aRequest',
    answer: 'A2aAnswer',
    streams: [SSE],
    problems: [400, 404, 413, 415, 422, 429, 503],
  },
  { ...card, id: 'agentCard', path: '/.well-known/agent-card.json', summary: 'The A2A card of the only agent served' },
  {
    ...card,
    id: 'agentCardOf',
    path: '/agent/{name}/.well-known/agent-card.json',
    summary: 'The A2A card of an agent',
  },
  {
    id: 'uiChat',
    method: 'POST',
    path: '/agent/{name}/ui',
    tag: 'clients',
    summary: "The AI SDK's UI message stream, for `useChat`",
    description: 'The `id` of the request names the conversation. Each event is a chunk of the message.',
    body: 'UiRequest',
    streams: [SSE],
    problems: [400, 404, 409, 413, 415, 422, 429, 503],
  },
  {
    id: 'uiResume',
    method: 'GET',
    path: '/agent/{name}/ui/{id}/stream',
    tag: 'clients',
    summary: 'The running answer of a chat from its beginning, for `useChat({ resume: true })`',
    description: '204 if nothing runs. `id` is the chat of `POST /agent/{name}/ui`, or a `session_id`.',
    canBeEmpty: true,
    streams: [SSE],
    problems: [404, 422, 429, 503],
  },
  { ...metadata, id: 'resourceMetadata', path: '/.well-known/oauth-protected-resource' },
  { ...metadata, id: 'mcpResourceMetadata', path: '/.well-known/oauth-protected-resource/mcp' },
];
