import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { sanitizeJson, sanitizeText } from '../../tools/sanitize.ts';
import type { StreamFrame } from '../stream/translator.ts';
import { aguiFrame } from './agui-open-parts.ts';

/** The part of the shared state that the agent's tools change. */
export interface SharedState {
  /** The user's tasks by id; absent without the built-in task list. */
  tasks?: Readonly<Record<string, JsonObject>>;
  /** The newest question that was put to data. */
  last_query?: JsonObject;
  /** Calls whose arguments the model is still writing, or that have not ended, by id. */
  pending?: Readonly<Record<string, JsonObject>>;
}

/** Reads the shared state of a conversation as it is now. */
export type ReadState = () => Promise<SharedState>;

interface Operation {
  op: 'add' | 'remove';
  path: string;
  value?: Json;
}

const ROOT = '/holodeck';

/**
 * Keeps the shared state of one reader. Changes are computed from the state that the reader has, so that no change is
 * sent twice; a reader whose state is not known gets the whole part.
 */
export interface StateKeeper {
  /** Takes the state that the next frame shows. */
  take(state: SharedState): void;
  /** The reader has the state of an unknown moment. */
  forget(): void;
  /** The whole state at the start of a run, without sending the client's own state back. */
  start(facts: JsonObject, options: { hasState: boolean }): StreamFrame;
  /** The changes since the last frame: none or one. */
  changes(): StreamFrame[];
  /** Takes a call that may have been a query. */
  takeCall(call: ToolCall): void;
  /** Sets or removes a call that is about to happen. */
  predict(callId: string, call: JsonObject | undefined): void;
}

export function createStateKeeper(): StateKeeper {
  let now: SharedState = {};
  let shown: SharedState | undefined;
  return {
    take(state) {
      now = { ...now, ...state };
    },
    forget() {
      shown = undefined;
    },
    start(facts, { hasState }) {
      shown = now;
      const value: JsonObject = { ...facts, ...(now.tasks && { tasks: now.tasks }), ...queryPart(now) };
      if (!hasState) return aguiFrame('STATE_SNAPSHOT', { snapshot: { holodeck: value } });
      return aguiFrame('STATE_DELTA', { delta: [{ op: 'add', path: ROOT, value }] });
    },
    changes() {
      const delta = [
        ...entryChanges('tasks', shown?.tasks, now.tasks),
        ...entryChanges('pending', shown?.pending, now.pending),
        ...queryChanges(shown?.last_query, now.last_query),
      ];
      shown = now;
      return delta.length > 0 ? [aguiFrame('STATE_DELTA', { delta })] : [];
    },
    takeCall(call) {
      const query = queryOf(call);
      if (query) now = { ...now, last_query: query };
    },
    predict(callId, call) {
      const { [callId]: had, ...others } = now.pending ?? {};
      if (had || call) now = { ...now, pending: call ? { ...others, [callId]: call } : others };
    },
  };
}

function queryPart({ last_query }: SharedState): JsonObject {
  return last_query ? { last_query } : {};
}

type Entries = Readonly<Record<string, JsonObject>>;

function entryChanges(name: string, before: Entries | undefined, after: Entries | undefined): Operation[] {
  if (!after || before === after) return [];
  if (!before) return [{ op: 'add', path: `${ROOT}/${name}`, value: after }];
  const isSame = (id: string) => JSON.stringify(before[id]) === JSON.stringify(after[id]);
  const gone = Object.keys(before).filter((id) => !(id in after));
  const changed = Object.entries(after).filter(([id]) => !isSame(id));
  return [
    ...gone.map((id): Operation => ({ op: 'remove', path: `${ROOT}/${name}/${id}` })),
    ...changed.map(([id, value]): Operation => ({ op: 'add', path: `${ROOT}/${name}/${id}`, value })),
  ];
}

function queryChanges(before: JsonObject | undefined, after: JsonObject | undefined): Operation[] {
  if (!after || before === after) return [];
  return [{ op: 'add', path: `${ROOT}/last_query`, value: after }];
}

/** A completed call that asked data: its arguments, and if the answer has them its reading and SQL. */
export function queryOf(call: ToolCall): JsonObject | undefined {
  const { id, name, domain, state, arguments: args, result } = call;
  const attachments = isObject(result) && isObject(result.content) ? result.content.queryAttachments : undefined;
  if (state !== 'completed' || (domain === undefined && !Array.isArray(attachments))) return undefined;
  const [first] = Array.isArray(attachments) ? attachments : [];
  const sql = isObject(first) && typeof first.query === 'string' ? { sql: sanitizeText(first.query) } : {};
  const reading =
    isObject(result) && typeof result.reading === 'string' ? { reading: sanitizeText(result.reading) } : {};
  return { call_id: id, tool: name, ...(domain && { domain }), arguments: sanitizeJson(args), ...reading, ...sql };
}
