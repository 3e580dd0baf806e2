import type { Model, ModelChunk, ModelRequest, ToolDefinition } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import { readTurns, type TurnView } from './conversation.ts';
import { type IntentModel, loadIntentModel } from './intent-model.ts';
import { type Plan, type PlannedCall, playPlan, type Step } from './plan.ts';
import { planTaskTurn } from './task-plan.ts';
import { findTaskTools, keepsTasks } from './task-tools.ts';

export interface BuiltinModelOptions {
  agent: Pick<Agent, 'intents'>;
}

/** The model that needs no key: the same messages always give the same calls and the same words. */
export function createBuiltinModel({ agent }: BuiltinModelOptions): Model {
  const tables = lazily(() => loadIntentModel());
  return {
    label: 'built-in',
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      yield* answer(request, { intents: agent.intents, tables });
    },
  };
}

interface Knowledge {
  intents: Agent['intents'];
  tables: () => IntentModel;
}

/** Makes a value when it is first asked for, and keeps it. */
function lazily<T>(make: () => T): () => T {
  let value: { made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}

function* answer(request: ModelRequest, knowledge: Knowledge): Generator<ModelChunk> {
  const turns = readTurns(request.messages);
  const current = turns.at(-1);
  const step = current ? playPlan(planTurn(turns, request, knowledge), current.records) : undefined;
  if (step?.type === 'calls' && current && request.tools.length > 0) {
    yield* step.calls.map((call, index) => toChunk(call, `${current.message.id}-${step.index + index + 1}`));
    yield { type: 'finish', reason: 'tool-calls' };
    return;
  }
  yield* say(step);
  yield { type: 'finish', reason: 'stop' };
}

function planTurn(turns: readonly TurnView[], request: ModelRequest, { intents, tables }: Knowledge): Plan {
  const { now, timezone } = request;
  const tools = request.tools.length > 0 ? request.tools : namedTools(intents);
  if (keepsTasks(findTaskTools(tools, intents)))
    return planTaskTurn(turns, { intents, tools, now, timezone, model: tables() });
  return planNothing();
}

/** At the last summary no tool is offered; the intents still tell which ones the turn was about. */
function namedTools(intents: Agent['intents']): ToolDefinition[] {
  const names = Object.values(intents).flatMap((intent) => intent.tool ?? []);
  return names.map((name) => ({ name, description: '', inputSchema: {} }));
}

// biome-ignore lint/correctness/useYield: a plan that needs no call
function* planNothing(): Plan {
  return { text: "I don't know how to help with that.", intents: [] };
}

function* say(step: Step | undefined): Generator<ModelChunk> {
  if (step?.type !== 'reply') {
    yield { type: 'text', text: "I couldn't finish this. What was done so far is shown above." };
    return;
  }
  if (step.reply.intents.length > 0) yield { type: 'intent', intents: step.reply.intents };
  yield { type: 'text', text: step.reply.text };
}

function toChunk(call: PlannedCall, id: string): ModelChunk {
  return { type: 'tool-call', id, name: call.name, arguments: JSON.stringify(call.arguments) };
}
