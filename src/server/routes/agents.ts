import { AppError } from '../../errors.ts';
import type { DomainState } from '../../runtime/agents/domains.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { describeUser } from '../identity.ts';
import { describeAgents } from './agent-list.ts';

const LIST_TIMEOUT_MS = 10_000;

interface AgentRoute {
  name: string;
}

export function addAgentRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;
  addKnowledgeRoutes(app, deps);
  app.get('/agents', async ({ user }) => ({ agents: await describeAgents(deps, user) }));

  app.get('/me', ({ user }) => describeUser(deps, user));

  app.get<AgentRoute>('/agent/:name/domains', async (request) => {
    const { name } = findAgent(runtime, request.params.name);
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    const states = await runtime.listDomains(request.user, name, { signal });
    return { domains: states.map(toShown), servers: serversOf(runtime, name) };
  });

  app.get<AgentRoute>('/agent/:name/tools', async (request) => {
    const { name } = findAgent(runtime, request.params.name);
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    const { offered, refusals } = await runtime.listTools(request.user, name, { signal });
    const { model } = runtime.describe(name);
    return {
      agent: name,
      model,
      tools: [...offered.values()].map(({ tool, definition }) => ({
        name: tool.name,
        description: definition.description,
        source: tool.source,
        input_schema: definition.inputSchema,
        needs_approval: tool.needsApproval ?? false,
      })),
      not_offered: refusals.map(({ tool, source, reason }) => ({ tool, source, reason })),
      servers: serversOf(runtime, name),
    };
  });
}

/** The handlers are loaded with the first request. */
function addKnowledgeRoutes(app: HttpApp, deps: ServerDeps): void {
  const handlers = () => import('./knowledge.ts');
  const nameOf = ({ params }: { params: AgentRoute }) => findAgent(deps.runtime, params.name).name;
  app.get<AgentRoute>('/agent/:name/knowledge', async (request) =>
    deps.runtime.listKnowledge(request.user, nameOf(request)),
  );
  app.get<AgentRoute & { document: string }>('/agent/:name/knowledge/:document', async (request) =>
    (await handlers()).openDocument(deps, nameOf(request), request),
  );
  app.post<AgentRoute>('/agent/:name/knowledge/search', async (request) =>
    (await handlers()).searchDocuments(deps, nameOf(request), request),
  );
}

function toShown({ domain, reason }: DomainState) {
  const { enabled: _enabled, mcp_tools: _tools, ...shown } = domain;
  return { ...shown, available: reason === undefined, ...(reason !== undefined && { reason }) };
}

/** Other facts about a source are part of its `detail`. */
function serversOf(runtime: Runtime, name: string) {
  return runtime
    .describe(name)
    .sources.map(({ name, state, detail }) => ({ name, state, ...(detail !== undefined && { detail }) }));
}

export function findAgent(runtime: Runtime, name: string): Agent {
  const agent = runtime.agents.find((candidate) => candidate.name === name);
  if (agent) return agent;
  const names = runtime.agents.map((candidate) => candidate.name).join(', ');
  throw new AppError('agent_not_found', { detail: `There is no such agent. Available: ${names}.` });
}
