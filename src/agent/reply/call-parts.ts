import type { ModelChunk } from '../../models/model.ts';
import type { EventBody } from '../../schema/conversation/event.ts';

type CallPart = Extract<ModelChunk, { type: 'call-part' }>;

/** The calls of a reply whose arguments are still arriving. */
export interface CallParts {
  /** The event that shows a piece to viewers. */
  add(part: CallPart, messageId: string): EventBody;
  /** The id of a whole call, if viewers have exactly its arguments. */
  idOf(index: number, call: { name: string; arguments: string }): { callId?: string };
  /** The reply begins anew. */
  forget(): void;
}

export function createCallParts(newId: () => string): CallParts {
  const open = new Map<number, { id: string; name: string; text: string }>();
  return {
    add({ index, name, text }, message_id) {
      const call = open.get(index) ?? { id: newId(), name, text: '' };
      const start = call.text.length;
      open.set(index, { ...call, text: call.text + text });
      return { type: 'tool-call-delta', call_id: call.id, tool: call.name, message_id, start, text };
    },
    idOf(index, { name, arguments: text }) {
      const call = open.get(index);
      return call && call.name === name && call.text === text ? { callId: call.id } : {};
    },
    forget: () => open.clear(),
  };
}
