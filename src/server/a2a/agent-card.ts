import packageJson from '../../../package.json' with { type: 'json' };
import type { Agent } from '../../schema/agent.ts';
import { MIME_TYPES } from '../../schema/file.ts';
import type { HttpRequest } from '../http/request.ts';

export const CARD_PATH = '/.well-known/agent-card.json';
const TEXT = 'text/plain';

/** An agent as other agents find it: what it is for, where it answers, and how to sign in. It names no user. */
export function toAgentCard(agent: Agent, { scheme, host }: HttpRequest): Record<string, unknown> {
  const { name, server, starters } = agent;
  const description = agent.description ?? `The agent ${name}.`;
  const url = `${scheme}://${host}/agent/${name}/a2a`;
  return {
    name,
    description,
    version: packageJson.version,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: [TEXT, ...MIME_TYPES.filter((type) => type !== TEXT)],
    defaultOutputModes: [TEXT],
    skills: [{ id: name, name, description, tags: ['chat'], examples: starters }],
    ...(server.auth && {
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    }),
  };
}
