import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import type { Model } from '../../src/models/model.ts';
import { createRuntime, type Runtime } from '../../src/runtime/runtime.ts';
import type { Agent } from '../../src/schema/agent.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import { TurnResult } from '../../src/schema/conversation/turn.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import type { Tool, ToolOutcome, ToolSource } from '../../src/tools/tool.ts';
import { ALICE, buildAgent, buildTool } from '../build.ts';
import { collect, temporaryFolder } from '../runtime.ts';

export interface Asked {
  result: TurnResult;
  events: Event[];
  conversationId: string;
}

/** Asks a question and checks the result against its schema. */
export async function ask(runtime: Runtime, message: string, conversationId?: string): Promise<Asked> {
  const agent = runtime.agents[0]?.name ?? '';
  const turn = await runtime.chat(ALICE, { agent, message, ...(conversationId && { conversationId }) });
  const events = await collect(turn);
  const end = events.find((event) => event.type === 'turn-end');
  if (!end) throw new Error('the turn has no end');
  return { result: TurnResult.parse(end.result), events, conversationId: turn.conversationId };
}

/** The retail agent for all tests of a file: it reads its data once. */
export function retailOfFile(): { readonly runtime: Runtime } {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-retail-'));
  let runtime: Runtime | undefined;
  beforeAll(async () => {
    const agent = await loadAgent(join(import.meta.dirname, '../../agents/retail/agent.yaml'));
    runtime = await createRuntime({ agents: [agent], folder });
  });
  afterAll(async () => {
    await runtime?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get runtime() {
      if (!runtime) throw new Error('the agent is not open yet');
      return runtime;
    },
  };
}

export interface DomainScene {
  name: string;
  capabilities: string[];
  /** The answer of the space, or its failure; if absent, its server is missing. */
  answer?: (args: JsonObject) => Promise<ToolOutcome>;
}

/** An agent whose domains are served by the test's functions. */
export async function openDomains(
  scenes: readonly DomainScene[],
  parts: Record<string, unknown> = {},
  model?: Model,
): Promise<Runtime> {
  const domains = scenes.map(({ name, capabilities }, index) => ({
    name,
    display_name: name.charAt(0).toUpperCase() + name.slice(1),
    description: name,
    capabilities,
    mcp_tools: [`query_space_${name}`, `poll_response_${name}`],
    related_domains: [scenes[(index + 1) % scenes.length]?.name].filter((other) => other !== name),
  }));
  const sources = scenes.map(toSource);
  return open(buildAgent({ domains, ...parts }), { sources, ...(model && { model }) });
}

function toSource({ name, answer }: DomainScene): ToolSource {
  const schema = {
    type: 'object',
    properties: { query: { type: 'string' }, conversation_id: { type: 'string' } },
    required: ['query'],
  };
  const tools: Tool[] = answer
    ? [
        {
          ...buildTool({ name: `query_space_${name}`, inputSchema: schema, source: `${name}_space`, readOnly: true }),
          run: answer,
        },
        buildTool({ name: `poll_response_${name}`, source: `${name}_space` }),
      ]
    : [];
  return {
    name: `${name}_space`,
    tools: async () => tools,
    status: () => ({ state: answer ? 'ready' : 'unavailable', tools: [] }),
    close: async () => {},
  };
}

async function open(agent: Agent, more: { sources?: ToolSource[]; model?: Model } = {}): Promise<Runtime> {
  const runtime = await createRuntime({ agents: [agent], folder: temporaryFolder(), ...more });
  onTestFinished(() => runtime.stop());
  return runtime;
}

/** A complete answer of a space. */
export function answered(text: string, rows: JsonObject[] = []): ToolOutcome {
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({ name, type_name: 'STRING' }));
  const data = rows.map((row) => Object.values(row)) as Json[];
  return {
    result: {
      conversationId: 'c1',
      messageId: 'm1',
      status: 'COMPLETED',
      content: {
        textAttachments: [text],
        queryAttachments: [
          {
            query: 'SELECT 1',
            statement_response: { manifest: { schema: { columns } }, result: { data_array: data } },
          },
        ],
      },
    },
  };
}
