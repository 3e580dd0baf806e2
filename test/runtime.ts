import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createScriptedModel, type ScriptedModel } from '../src/models/scripted.ts';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import type { ChatTurn } from '../src/runtime/turn/turn.ts';
import type { Event } from '../src/schema/conversation/event.ts';
import type { Store } from '../src/store/store.ts';
import type { Tool, ToolSource } from '../src/tools/tool.ts';
import { buildAgent, buildTool } from './build.ts';

type Replies = Parameters<typeof createScriptedModel>[0];

export interface Scene {
  replies: Replies;
  tools?: Tool[];
  /** In addition to the tools. */
  sources?: ToolSource[];
  agent?: Record<string, unknown>;
  folder?: string;
  /** Replaces SQLite in the folder. */
  store?: Store;
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-test-'));
  // Some tests leave 100,000 files.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), 600_000);
  return folder;
}

/** A real runtime over a real store, with a scripted model. It is stopped after the test. */
export async function openRuntime(scene: Scene): Promise<{ runtime: Runtime; model: ScriptedModel; folder: string }> {
  const folder = scene.folder ?? temporaryFolder();
  const model = createScriptedModel(scene.replies);
  const sources = [toSource(scene.tools ?? [buildTool()]), ...(scene.sources ?? [])];
  const runtime = await createRuntime({
    agents: [buildAgent(scene.agent)],
    folder,
    model,
    sources,
    ...(scene.store && { store: scene.store }),
  });
  onTestFinished(() => runtime.stop());
  return { runtime, model, folder };
}

export async function collect(turn: ChatTurn): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of turn.events) events.push(event);
  return events;
}

function toSource(tools: Tool[]): ToolSource {
  return {
    name: 'test',
    tools: async () => tools,
    status: () => ({ state: 'ready', tools: [] }),
    close: async () => {},
  };
}
