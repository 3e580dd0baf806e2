import type { Message, ToolMessage, UserMessage } from '../schema/conversation/message.ts';
import { ToolError } from '../schema/conversation/tool-call.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../schema/json.ts';

/** The outcome of a call, as far as the messages show it. */
export type Outcome = { result: Json; cut?: boolean } | Failure;

export interface Failure {
  error: ToolError;
  /** True if the call may have had its effect. */
  isUnknown?: boolean;
}

export interface CallRecord {
  name: string;
  arguments: JsonObject;
  outcome: Outcome;
}

/** A user message with everything that followed it. */
export interface TurnView {
  message: UserMessage;
  records: CallRecord[];
  /** The last text of the assistant; absent while the turn runs. */
  reply?: string;
  /** The data that the built-in model sent with that text. */
  data?: JsonObject;
  /** True for texts of a caller's history: they are no evidence of what was asked or done. */
  isSeeded?: boolean;
}

/** The name of our data in the metadata of an assistant message. */
export const DATA = 'builtin';

/** Groups the messages into turns, oldest first. Calls without an outcome are left out. */
export function readTurns(messages: readonly Message[]): TurnView[] {
  const turns: TurnView[] = [];
  const requests = new Map<string, { name: string; arguments: JsonObject }>();
  for (const message of messages) {
    if (message.role === 'user') turns.push({ message, records: [] });
    const turn = turns.at(-1);
    if (!turn) continue;
    if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) requests.set(call.id, call);
      if (message.content.trim() === '') continue;
      turn.reply = message.content;
      const { seeded, [DATA]: data } = message.metadata;
      if (seeded === true) turn.isSeeded = true;
      else if (isObject(data ?? null)) turn.data = data as JsonObject;
    }
    if (message.role === 'tool') {
      const request = requests.get(message.tool_call_id);
      if (request) {
        turn.records.push({ name: request.name, arguments: request.arguments, outcome: readOutcome(message) });
      }
    }
  }
  return turns;
}

function readOutcome({ content, metadata }: ToolMessage): Outcome {
  const value = parseJson(content);
  if (value === undefined) {
    const saved = content.startsWith('[') ? readCutArray(content) : undefined;
    return saved ? { result: saved, cut: true } : { result: content };
  }
  const error = isObject(value) && Object.keys(value).length === 1 ? ToolError.safeParse(value.error) : undefined;
  if (!error?.success) return { result: value };
  return metadata.state === 'unknown' ? { error: error.data, isUnknown: true } : { error: error.data };
}

/** The complete elements of an array of objects whose text was cut. */
function readCutArray(content: string): Json[] | undefined {
  for (let end = content.lastIndexOf('},{'); end > 0; end = content.lastIndexOf('},{', end - 1)) {
    const value = parseJson(`${content.slice(0, end)}}]`);
    if (Array.isArray(value)) return value;
  }
  return undefined;
}

/** Ids in the results of earlier turns, newest first. */
export function readIds(turns: readonly TurnView[]): string[] {
  const text = JSON.stringify(turns.flatMap((turn) => turn.records.map((record) => record.outcome)));
  const found = text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) ?? [];
  return [...new Set(found.toReversed())];
}
