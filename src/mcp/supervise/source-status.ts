import type { SourceStatus } from '../../tools/tool.ts';
import { describeState } from '../client/call-sender.ts';
import type { DefinitionChanges, Refusal } from './definitions.ts';
import type { ServerPool } from './server-pool.ts';
import type { SupervisedServer } from './supervised-server.ts';

export interface McpSourceStatus extends SourceStatus {
  /** The server's definitions changed since they were accepted; the changes wait for a person. */
  pending?: DefinitionChanges;
  /** Tools of the server that are not offered, with reasons. */
  refused: readonly Refusal[];
}

/** The status of a source over all its connections; the most recently used one provides the definitions. */
export function describeSource(
  config: { name: string; allow?: string[] | undefined; prefix?: string | undefined },
  pool: ServerPool,
): McpSourceStatus {
  const { name, allow, prefix = '' } = config;
  const servers = pool.all();
  const known = servers.findLast((server) => server.definitions.accepted !== undefined);
  const offered = (known?.definitions.accepted ?? []).filter((tool) => !allow || allow.includes(tool.serverName));
  const pending = servers.findLast((server) => server.definitions.pending)?.definitions.pending;
  const refused = known?.definitions.refused ?? [];
  const down = servers.findLast((server) => server.state().state === 'unavailable');
  const details = [
    down && describeState(name, down.state()),
    pool.isFull() ? 'every connection is in use' : undefined,
    pending && describeChanges(pending),
    ...refused.map((refusal) => `${refusal.name} is not offered: ${refusal.reason}`),
    ...missingNames(known, allow).map((missing) => `allow names ${missing}, which the server does not have`),
  ].filter((detail) => detail !== undefined);
  const status: McpSourceStatus = {
    state: combineStates(servers),
    tools: offered.map((tool) => ({ name: `${prefix}${tool.name}`, description: tool.description })),
    refused,
  };
  if (pending) status.pending = pending;
  if (details.length > 0) status.detail = details.join('; ');
  return status;
}

function combineStates(servers: readonly SupervisedServer[]): SourceStatus['state'] {
  const states = new Set(servers.map((server) => server.state().state));
  if (states.has('ready')) return states.has('unavailable') ? 'degraded' : 'ready';
  if (states.has('starting')) return 'starting';
  return states.has('unavailable') ? 'unavailable' : 'idle';
}

function describeChanges({ added, changed, removed }: DefinitionChanges): string {
  const parts = [
    added.length > 0 ? `new: ${added.join(', ')}` : undefined,
    changed.length > 0 ? `changed: ${changed.join(', ')}` : undefined,
    removed.length > 0 ? `gone: ${removed.join(', ')}` : undefined,
  ];
  return `the server changed its tools (${parts.filter((part) => part !== undefined).join('; ')}); new and changed tools are not used until you accept them`;
}

function missingNames(server: SupervisedServer | undefined, allow: readonly string[] | undefined): string[] {
  const names = server?.definitions.accepted?.map((tool) => tool.serverName);
  return names ? (allow ?? []).filter((name) => !names.includes(name)) : [];
}
