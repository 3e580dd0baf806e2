import { isDeepStrictEqual } from 'node:util';
import type { Ids } from '../ids.ts';
import { keepCalls } from '../models/kept-metadata.ts';
import type { EventBody } from '../schema/conversation/event.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { JsonObject } from '../schema/json.ts';
import { cutText, sanitizeText } from '../tools/sanitize.ts';
import { type RunningTurn, toolsNow } from './running-turn.ts';
import { outcomeText } from './tool-message.ts';
import { openCalls, type TurnState } from './turn-state.ts';

const NOTE_CALLS = 20;
const NOTE_CHARS = 300;

/** Calls that changed something or may have. A member that read an answer reads the next one anew. */
function effectsOf(calls: readonly ToolCall[]): ToolCall[] {
  const may = ['completed', 'timeout', 'unknown'];
  return calls.filter((call) => !call.read_only && !call.reads_answer && may.includes(call.state));
}

/** All effects that this turn knows of: its own, and those of the turns that it replaced. */
export function standingEffects({ calls, alreadyRan }: TurnState): ToolCall[] {
  // A call that repeats another call's outcome had no effect itself. A carried call repeats its own id.
  const own = effectsOf(calls).filter(({ id, repeats }) => repeats === undefined || repeats === id);
  return [...alreadyRan, ...own];
}

/**
 * Returns the replaced turn's calls as the first events of the turn that answers the same message again. Failed calls
 * are left out so that they can be tried again.
 */
export function carryCalls(state: TurnState, { at, ids }: { at: string; ids: Ids }): EventBody[] {
  const effects = new Map(effectsOf(state.calls).map((call) => [call.id, call]));
  return state.messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    const requests = message.tool_calls ?? [];
    const calls = requests.flatMap(({ id }) => effects.get(id) ?? []);
    const metadata = keepCalls(message.metadata, (index) => effects.has(requests[index]?.id ?? ''));
    return calls.length === 0 ? [] : carryReply({ calls, metadata, timestamp: at, ids });
  });
}

interface CarriedReply {
  calls: readonly ToolCall[];
  metadata: JsonObject;
  timestamp: string;
  ids: Ids;
}

/** The reply keeps its metadata: providers require the signatures that came with its calls. */
function carryReply({ calls, metadata, timestamp, ids }: CarriedReply): EventBody[] {
  const message_id = ids.ulid();
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
  const message = { id: message_id, role: 'assistant' as const, content: '', tool_calls, timestamp, metadata };
  return [
    { type: 'step-start', iteration: 1, message_id },
    { type: 'step-end', iteration: 1, message, carried: true },
    ...tool_calls.map(
      (call): EventBody => ({ type: 'tool-call-start', call: { ...call, state: 'pending' }, message_id }),
    ),
    ...calls.map(
      (call): EventBody => ({ type: 'tool-call-end', call: { ...call, repeats: call.id }, message_id: ids.ulid() }),
    ),
  ];
}

/**
 * Ends open calls that repeat work already done, with the earlier outcome. A carried call answers every repetition. A
 * call from a replaced turn answers only one, because the edited message may ask for more of the same. A call with an
 * unknown effect counts as done unless its tool is idempotent.
 */
export function repeatEarlier(turn: RunningTurn): EventBody[] {
  const { state, deps } = turn;
  const used = new Set(state.calls.map((call) => call.repeats));
  const carried = state.calls.filter(({ id, repeats }) => repeats === id);
  if (carried.length === 0 && state.alreadyRan.length === 0) return [];
  const tools = toolsNow(turn);
  return openCalls(state).flatMap((call): EventBody[] => {
    if (state.waits.has(call.id) || call.state !== 'pending') return [];
    const isSame = (other: ToolCall) =>
      (other.state === 'completed' || !tools.get(call.name)?.tool.idempotent) &&
      other.name === call.name &&
      isDeepStrictEqual(other.arguments, call.arguments);
    const earlier = carried.find(isSame) ?? state.alreadyRan.find((other) => !used.has(other.id) && isSame(other));
    if (!earlier) return [];
    used.add(earlier.id);
    const at = deps.clock.date().toISOString();
    const { state: outcome, result, error } = earlier;
    const time = { started_at: at, completed_at: at, duration_ms: 0 };
    const said = error ? { error } : { result: result ?? null };
    const ended = { ...call, state: outcome, ...said, repeats: earlier.id, ...time };
    return [{ type: 'tool-call-end', call: ended, message_id: deps.ids.ulid() }];
  });
}

/** Describes calls that are no longer among the messages that the model reads. */
export function noteForModel(calls: readonly ToolCall[]): string[] {
  if (calls.length === 0) return [];
  const lines = calls
    .slice(-NOTE_CALLS)
    .map((call) => `- ${cutText(`${call.name} ${JSON.stringify(call.arguments)}: ${outcomeText(call)}`, NOTE_CHARS)}`);
  const head =
    'An earlier version of this conversation, which the user edited, already ran these calls. ' +
    'Their effects remain. Do not repeat them; undo one only if the user asks for it.';
  return [[head, ...lines].join('\n')];
}

export function noteForPeople(calls: readonly ToolCall[]): string[] {
  if (calls.length === 0) return [];
  const names = calls.slice(-NOTE_CALLS).map((call) => {
    const values = Object.values(call.arguments).filter(
      (value) => typeof value === 'string' || typeof value === 'number',
    );
    return values.length === 0 ? call.name : `${call.name} (${cutText(values.join(', '), 80)})`;
  });
  return [`Done before this change and not undone: ${sanitizeText(names.join('; '))}.`];
}
