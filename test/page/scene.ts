import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { linkDatabases } from '../../src/evals/run/case-parts.ts';
import { createRuntime, type Runtime } from '../../src/runtime/runtime.ts';
import type { Agent } from '../../src/schema/agent.ts';
import type { AppOptions } from '../../src/server/app.ts';
import type { Tool, ToolSource } from '../../src/tools/tool.ts';
import { ALICE, buildAgent } from '../build.ts';
import { type FakeReply, startModelServer } from '../fakes/model-server.ts';
import { temporaryFolder } from '../runtime.ts';
import { serveRuntime } from '../server/server.ts';
import { readStored } from './stored.ts';

const AGENTS = join(import.meta.dirname, '../../agents');
const JWT = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };

export interface PageScene {
  /** Replies of the loopback model, the last one again and again. */
  replies?: readonly FakeReply[];
  tools?: readonly Tool[];
  /** Keys of agent.yaml. */
  agent?: Record<string, unknown>;
  /** Data folder; a new one unless given. */
  folder?: string;
  /** Tokens are `alice` and `bob`. Without it, everybody is Alice. */
  hasAuth?: boolean;
  app?: Partial<AppOptions>;
}

/** A real server in this process, whose agent asks a model on a loopback port. Closed when the test is over. */
export async function servePage(scene: PageScene = {}) {
  const model = await startModelServer(scene.replies ?? []);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const agent = buildAgent({
    model: { provider: 'openai_compatible', name: 'fake', endpoint: `${model.url}/v1` },
    ...scene.agent,
    ...(scene.hasAuth && { server: { auth: { jwt: JWT } } }),
  });
  return { model, ...(await serveAgents([agent], scene)) };
}

/** The same with agents that ship with the product, which need no model. With `replies` they ask the loopback model. */
export async function serveShipped(names: readonly ('todo' | 'retail')[], scene: PageScene = {}) {
  const model = await startModelServer(scene.replies ?? []);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const shipped = await Promise.all(names.map((name) => loadAgent(join(AGENTS, name, 'agent.yaml'))));
  const agents = shipped.map((agent) => (scene.replies ? { ...agent, model: modelAt(model.url) } : agent));
  const folder = scene.folder ?? temporaryFolder();
  if (!scene.folder) linkDatabases(folder, inject('databases'), ['spaces']);
  return { model, ...(await serveAgents(agents, { ...scene, folder })) };
}

function modelAt(url: string): Agent['model'] {
  return buildAgent({ model: { provider: 'openai_compatible', name: 'fake', endpoint: `${url}/v1` } }).model;
}

async function serveAgents(agents: readonly Agent[], { tools = [], folder, hasAuth, app }: PageScene) {
  const data = folder ?? temporaryFolder();
  const runtime = await createRuntime({ agents, folder: data, sources: [toSource(tools)] });
  onTestFinished(() => runtime.stop());
  const served = await serveRuntime(runtime, { ...(!hasAuth && { identify: async () => ALICE }), ...app });
  const stored = (conversationId: string | undefined) => readStored(data, ALICE, conversationId);
  return { ...served, runtime, folder: data, stored };
}

function toSource(tools: readonly Tool[]): ToolSource {
  return {
    name: 'test',
    tools: async () => [...tools],
    status: () => ({ state: 'ready', tools: [] }),
    close: async () => {},
  };
}

/** A conversation of Alice with this many questions, `question 1` and so on, each with its answer; returns its id. */
export async function fillConversation(runtime: Runtime, turns: number): Promise<string> {
  let conversationId: string | undefined;
  for (let turn = 1; turn <= turns; turn++) conversationId = await askOnce(runtime, `question ${turn}`, conversationId);
  return conversationId ?? '';
}

/** Asks the runtime's first agent and waits for the whole answer. */
export async function askOnce(runtime: Runtime, message: string, conversationId?: string): Promise<string> {
  const agent = runtime.agents[0]?.name ?? '';
  const turn = await runtime.chat(ALICE, { agent, message, ...(conversationId && { conversationId }) });
  for await (const _event of turn.events);
  return turn.conversationId;
}
