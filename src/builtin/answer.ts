import type { WordVectors } from '../language/word-vectors.ts';
import type { ModelChunk, ModelRequest, ToolDefinition } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import { DATA, readTurns, type TurnView } from './conversation.ts';
import { type FileTurn, readFileTurn } from './files/plan-files.ts';
import { type Plan, type PlannedCall, playPlan, type Step } from './plan.ts';
import type { ReaderThread } from './reader/reader-thread.ts';
import { planSpelledCall } from './spelled-call.ts';
import { planTaskTurn } from './tasks/plan/task-turn.ts';
import { type Readings, readAhead } from './tasks/read/read-ahead.ts';
import { findTaskTools, isUndoTool, keepsTasks } from './tasks/task-tools.ts';
import { answersToolQuestion, clearlyMeansTool, planToolTurn } from './tools/plan-tools.ts';

/** Plans a turn over data domains or documents; undefined, or `otherwise`, leaves the turn to the other tools. */
export type Planner = (
  turns: readonly TurnView[],
  request: ModelRequest,
  otherwise: (request: ModelRequest) => Plan,
) => Plan | undefined;

/** The model's knowledge besides the request. Tables are read on first use. */
export interface Knowledge {
  intents: Agent['intents'];
  vectors: () => WordVectors;
  reader: () => ReaderThread;
  plan?: Planner | undefined;
}

/** Answers a model call: replays the turn's plan over the calls made so far. */
export async function* answer(request: ModelRequest, knowledge: Knowledge): AsyncGenerator<ModelChunk> {
  const turns = readTurns(request.messages);
  const current = turns.at(-1);
  const readings = await readTurn(turns, request, knowledge);
  const step = current ? playPlan(choosePlan(turns, request, { ...knowledge, readings }), current.records) : undefined;
  if (step?.type === 'calls' && current && request.tools.length > 0) {
    yield* step.calls.map((call, index) => toChunk(call, `${current.message.id}-${step.index + index + 1}`));
    yield { type: 'finish', reason: 'tool-calls' };
    return;
  }
  yield* say(step);
  const data = step?.type === 'reply' ? step.reply.data : undefined;
  yield { type: 'finish', reason: 'stop', ...(data && { metadata: { [DATA]: data } }) };
}

/** Readings of the messages of agents that keep tasks; others do not need the reader. */
async function readTurn(
  turns: readonly TurnView[],
  request: ModelRequest,
  { intents, reader }: Knowledge,
): Promise<Readings> {
  const names = findTaskTools(request.tools.length > 0 ? request.tools : namedTools(intents), intents);
  if (!keepsTasks(names)) return new Map();
  return await readAhead(turns, names, reader());
}

interface Prepared extends Knowledge {
  readings: Readings;
}

function choosePlan(turns: readonly TurnView[], request: ModelRequest, knowledge: Prepared): Plan {
  const files = readFileTurn(turns, request.tools);
  if (files?.isAsked) return files.plan();
  const otherwise = (asked: ModelRequest) => planTurn(turns, asked, { ...knowledge, files });
  return knowledge.plan?.(turns, request, otherwise) ?? otherwise(request);
}

function planTurn(
  turns: readonly TurnView[],
  request: ModelRequest,
  { intents, vectors, readings, files }: Prepared & { files: FileTurn | undefined },
): Plan {
  const { now, timezone = Intl.DateTimeFormat().resolvedOptions().timeZone } = request;
  const tools = request.tools.length > 0 ? request.tools : namedTools(intents);
  const names = findTaskTools(tools, intents);
  const others = tools.filter(({ name }) => !Object.values(names).includes(name) && !isUndoTool(name));
  const talkOf = (offered: readonly ToolDefinition[]) => {
    return { intents, tools: offered, now, timezone, vectors: vectors(), files };
  };
  const spelled = planSpelledCall(turns.at(-1)?.message.content ?? '', others);
  if (spelled) return spelled;
  if (!keepsTasks(names)) return planToolTurn(turns, talkOf(tools));
  const otherwise = {
    plan: () => planToolTurn(turns, talkOf(others)),
    isAnswered: () => others.length > 0 && answersToolQuestion(turns, talkOf(others)),
    isClearlyMeant: () => others.length > 0 && clearlyMeansTool(turns, talkOf(others)),
  };
  const hasOthers = others.length > 0 || files?.hasBrought;
  return planTaskTurn(turns, {
    ...{ intents, tools, now, timezone, files, readings },
    ...(hasOthers && { otherwise }),
  });
}

/** The last summary offers no tools; the intents still name the tools of the turn. */
function namedTools(intents: Agent['intents']): ToolDefinition[] {
  const names = Object.values(intents).flatMap((intent) => intent.tool ?? []);
  return names.map((name) => ({ name, description: '', inputSchema: {} }));
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
