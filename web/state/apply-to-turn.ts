import {
  type BaseEvent,
  type CustomEvent,
  EventType,
  type MessagesSnapshotEvent,
  type ReasoningMessageContentEvent,
  type RunErrorEvent,
  type RunFinishedEvent,
  type RunStartedEvent,
  type SubagentFinishedEvent,
  type SubagentStartedEvent,
  type TextMessageContentEvent,
  type TextMessageStartEvent,
  type ToolCallArgsEvent,
  type ToolCallResultEvent,
  type ToolCallStartEvent,
} from '@ag-ui/client';
import type { ToolCallState } from '../../src/schema/conversation/tool-call.ts';
import type { AnswerCheck } from '../../src/schema/conversation/turn.ts';
import type { Citation, FileVerdict, Json, ResultFacts } from '../api/shapes.ts';
import { type Call, type Part, type Routing, splitChecks, type Turn } from './turn.ts';

type Change = (turn: Turn, event: BaseEvent) => Turn;

/** `BaseEvent` is no union, so each entry names the shape that its type stands for. */
function on<T extends BaseEvent>(change: (turn: Turn, event: T) => Turn): Change {
  return (turn, event) => change(turn, event as T);
}

const CHANGES: Partial<Record<EventType, Change>> = {
  [EventType.RUN_STARTED]: on(startRun),
  [EventType.STEP_STARTED]: (turn) => ({ ...turn, step: turn.step + 1 }),
  [EventType.TEXT_MESSAGE_START]: on((turn, { messageId, name }: TextMessageStartEvent) =>
    addSpeaker(addText(turn, messageId, ''), messageId, name),
  ),
  [EventType.TEXT_MESSAGE_CONTENT]: on((turn, { messageId, delta }: TextMessageContentEvent) =>
    addText(turn, messageId, delta),
  ),
  [EventType.REASONING_MESSAGE_CONTENT]: on((turn, { messageId, delta }: ReasoningMessageContentEvent) =>
    addReasoning(turn, messageId, delta),
  ),
  [EventType.TOOL_CALL_START]: on(startCall),
  [EventType.TOOL_CALL_ARGS]: on((turn, { toolCallId, delta }: ToolCallArgsEvent) =>
    changeCall(turn, toolCallId, (call) => ({ ...call, arguments: call.arguments + delta })),
  ),
  [EventType.TOOL_CALL_RESULT]: on(endCall),
  [EventType.SUBAGENT_STARTED]: on(startMember),
  [EventType.SUBAGENT_FINISHED]: on(pauseMember),
  [EventType.MESSAGES_SNAPSHOT]: on(resetText),
  [EventType.CUSTOM]: on((turn, { name, value }: CustomEvent) => applyCustom(turn, name, value)),
  [EventType.RUN_FINISHED]: on(finishRun),
  [EventType.RUN_ERROR]: on(failRun),
};

export function applyToTurn(turn: Turn, event: BaseEvent): Turn {
  return CHANGES[event.type]?.(turn, event) ?? turn;
}

function startRun(turn: Turn, { runId }: RunStartedEvent): Turn {
  const { failure: _failure, endedAt: _endedAt, ...rest } = turn;
  const running = turn.waits.map(({ toolCallId }) => toolCallId ?? '');
  const open = { ...rest, runId, status: 'running' as const, waits: [] };
  return running.reduce((next, id) => changeCall(next, id, (call) => ({ ...call, state: 'running' })), open as Turn);
}

function addText(turn: Turn, id: string, delta: string): Turn {
  return { ...turn, parts: appendTo(turn.parts, 'text', id, delta) };
}

/** In a team, a text names its agent. */
function addSpeaker(turn: Turn, id: string, agent: string | undefined): Turn {
  if (!agent) return turn;
  return { ...turn, parts: turn.parts.map((part) => (part.id === id ? { ...part, agent } : part)) };
}

function addReasoning(turn: Turn, id: string, delta: string): Turn {
  return { ...turn, parts: appendTo(turn.parts, 'reasoning', id, delta) };
}

function appendTo(parts: readonly Part[], kind: 'text' | 'reasoning', id: string, delta: string): readonly Part[] {
  const index = parts.findLastIndex((part) => part.kind === kind && part.id === id);
  const part = parts[index];
  if (!part || part.kind === 'calls') return [...parts, { kind, id, text: delta }];
  return parts.with(index, { ...part, text: part.text + delta });
}

function startCall(turn: Turn, { toolCallId, toolCallName }: ToolCallStartEvent): Turn {
  const call: Call = { id: toolCallId, name: toolCallName, arguments: '', state: 'running' };
  const last = turn.parts.at(-1);
  const isGroup = last?.kind === 'calls';
  const group: Part = isGroup
    ? { ...last, calls: [...last.calls, toolCallId] }
    : { kind: 'calls', id: toolCallId, calls: [toolCallId] };
  const parts = isGroup ? turn.parts.with(-1, group) : [...turn.parts, group];
  return { ...turn, parts, calls: { ...turn.calls, [toolCallId]: call } };
}

function changeCall(turn: Turn, id: string, change: (call: Call) => Call): Turn {
  const call = turn.calls[id];
  return call ? { ...turn, calls: { ...turn.calls, [id]: change(call) } } : turn;
}

function endCall(turn: Turn, { toolCallId, content }: ToolCallResultEvent): Turn {
  const result = typeof content === 'string' ? parseJson(content) : (content as Json);
  return changeCall(turn, toolCallId, ({ progress: _progress, ...call }) => {
    const error = errorOf(result);
    return error === undefined ? { ...call, state: 'completed', result } : { ...call, state: 'failed', error };
  });
}

/** A member begins to work for a call, or goes on. */
function startMember(
  turn: Turn,
  { subagentRunId: turnId, name: agent, parentToolCallId: id }: SubagentStartedEvent,
): Turn {
  return changeCall(turn, id ?? '', (call) => ({ ...call, state: 'running', member: { agent, turnId } }));
}

/** A member that waits leaves its call waiting; the end of the call itself follows otherwise. */
function pauseMember(turn: Turn, { subagentRunId, outcome }: SubagentFinishedEvent): Turn {
  const call = Object.values(turn.calls).find(({ member }) => member?.turnId === subagentRunId);
  if (outcome?.type !== 'suspended' || !call) return turn;
  return changeCall(turn, call.id, (one) => ({ ...one, state: 'waiting' }));
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function errorOf(result: Json): string | undefined {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined;
  const { error } = result;
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return undefined;
  return typeof error.message === 'string' && typeof error.error_type === 'string' ? error.message : undefined;
}

/** After a crash the server sends the text that was kept; text beyond it was never stored. */
function resetText(turn: Turn, { messages }: MessagesSnapshotEvent): Turn {
  const kept = new Map(messages.map((message) => [message.id, message]));
  const parts = turn.parts.flatMap((part): Part[] => {
    if (part.kind !== 'text') return [part];
    const message = kept.get(part.id);
    return typeof message?.content === 'string' ? [{ ...part, text: message.content }] : [];
  });
  return { ...turn, parts };
}

function finishRun(turn: Turn, event: RunFinishedEvent): Turn {
  const { outcome, usage } = event;
  // The server puts the turn's result there; AG-UI leaves its shape open.
  const facts = { ...turn.facts, ...((event.result ?? {}) as ResultFacts) };
  const used = addTokens(facts, usage);
  const done: Turn = { ...turn, facts: used, files: facts.files ?? turn.files, endedAt: new Date().toISOString() };
  if (outcome?.type === 'interrupt') return waitFor({ ...done, status: 'waiting', waits: outcome.interrupts });
  if (outcome?.type === 'cancelled') return { ...done, status: 'cancelled' };
  return { ...done, status: facts.status ?? 'completed' };
}

function waitFor(turn: Turn): Turn {
  const waiting = turn.waits.map(({ toolCallId }) => toolCallId ?? '');
  return waiting.reduce((next, id) => changeCall(next, id, (call) => ({ ...call, state: 'waiting' })), turn);
}

function addTokens(facts: ResultFacts, usage: RunFinishedEvent['usage']): ResultFacts {
  if (!usage?.length) return facts;
  const before = facts.tokens_used;
  const prompt_tokens = usage.reduce((sum, entry) => sum + (entry.inputTokens ?? 0), before?.prompt_tokens ?? 0);
  const completion_tokens = usage.reduce(
    (sum, entry) => sum + (entry.outputTokens ?? 0),
    before?.completion_tokens ?? 0,
  );
  return {
    ...facts,
    tokens_used: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  };
}

const INTERRUPTED = 'turn_interrupted';

function failRun(turn: Turn, { code, message }: RunErrorEvent): Turn {
  const failure = { code: code ?? 'error', message };
  const open = Object.values(turn.calls).filter(({ state }) => state === 'running' || state === 'pending');
  const isCut = code === INTERRUPTED;
  const closed = open.reduce((next, { id }) => changeCall(next, id, (call) => ({ ...call, state: 'unknown' })), turn);
  return { ...closed, failure, status: isCut ? 'interrupted' : 'error', endedAt: new Date().toISOString() };
}

interface ToolTime {
  call_id: string;
  started_at?: string;
  duration_ms?: number;
  state?: ToolCallState;
  domain?: string;
}

/** Values of the server's own events. Their shapes are the server's schemas, which it checks before it sends them. */
interface CustomValues {
  routing: Routing;
  annotation: readonly AnswerCheck[];
  citations: readonly Citation[];
  file: FileVerdict;
  file_progress: { filename: string; text: string };
  tool_call_progress: { toolCallId: string; text: string };
  tool_time: ToolTime;
  hand_over: { to: string };
  notice: string;
}

const CUSTOM_CHANGES: { [Name in keyof CustomValues]: (turn: Turn, value: CustomValues[Name]) => Turn } = {
  routing: (turn, routing) => ({ ...turn, routing }),
  annotation: (turn, checks) => ({ ...turn, ...splitChecks(checks) }),
  citations: (turn, citations) => ({ ...turn, facts: { ...turn.facts, citations } }),
  file: addFile,
  file_progress: (turn, { filename, text }) => ({ ...turn, fileProgress: `${filename}: ${text}` }),
  tool_call_progress: (turn, { toolCallId, text }) =>
    changeCall(turn, toolCallId, (call) => ({ ...call, progress: text })),
  tool_time: (turn, { call_id, started_at, duration_ms, state, domain }) =>
    changeCall(turn, call_id, (call) => ({
      ...call,
      ...(started_at && { startedAt: started_at }),
      ...(duration_ms !== undefined && { durationMs: duration_ms }),
      ...(state && { state }),
      ...(domain && { domain }),
    })),
  hand_over: (turn, { to: agent }) => ({ ...turn, facts: { ...turn.facts, agent } }),
  notice: (turn, text) => ({ ...turn, notices: [...turn.notices, text] }),
};

/** An event of a name that the page does not know changes nothing. */
function applyCustom(turn: Turn, name: string, value: unknown): Turn {
  if (!Object.hasOwn(CUSTOM_CHANGES, name)) return turn;
  // The name decides the shape of the value, which TypeScript cannot follow through a table.
  const change = CUSTOM_CHANGES[name as keyof CustomValues] as (turn: Turn, value: unknown) => Turn;
  return change(turn, value);
}

function addFile(turn: Turn, file: FileVerdict): Turn {
  const { fileProgress: _progress, ...rest } = turn;
  return { ...rest, files: [...turn.files, file] };
}
