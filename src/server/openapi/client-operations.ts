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
  { ...metadata, id: 'resourceMetadata', path: '/.well-known/oauth-protected-resource' },
  { ...metadata, id: 'mcpResourceMetadata', path: '/.well-known/oauth-protected-resource/mcp' },
];
