import { foldEvents } from '../../agent/turn-state.ts';
import type { AttachedFile } from '../../runtime/files/attached-file.ts';
import { MAX_TAKEN } from '../../runtime/turn/caller-history.ts';
import type { CallAnswer, Event } from '../../schema/conversation/event.ts';
import type { FileContent } from '../../schema/file.ts';
import { UiMessage, type UiPart, type UiRequest } from '../../schema/fronts/ui.ts';
import { isObject } from '../../schema/json.ts';
import { parseRequest } from '../http/parse.ts';
import { addressedFile, decodeFiles, type UnreadFile } from '../rest/attachments.ts';

interface NewMessage {
  message: string;
  files: AttachedFile[];
  clientId: string;
}

/** The new message of a request: the last one, if it is the user's. */
export function newMessage({ messages }: UiRequest): NewMessage | undefined {
  const last = lastMessage(messages);
  if (last.role !== 'user') return undefined;
  const files = decodeFiles(last.parts.flatMap(fileOf));
  return { message: textOf(last.parts), files, clientId: last.id };
}

function lastMessage(messages: UiRequest['messages']): UiMessage {
  return parseRequest(UiMessage, messages.at(-1), ['messages', messages.length - 1]);
}

function textOf(parts: readonly UiPart[]): string {
  return parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('');
}

function fileOf({ type, url = '', mediaType, filename }: UiPart, index: number): (FileContent | UnreadFile)[] {
  if (type !== 'file') return [];
  return [{ ...addressedFile(url, mediaType, ['parts', index, 'url']), ...(filename && { filename }) }];
}

/** The messages before the new one, in the shape of history. They are unchecked. */
export function earlierMessages({ messages }: UiRequest): unknown[] {
  return messages
    .slice(0, -1)
    .slice(-MAX_TAKEN)
    .flatMap((message) => {
      if (!isObject(message)) return [];
      const parsed = UiMessage.safeParse(message).data;
      return [
        { role: message.role, content: parsed ? textOf(parsed.parts) : '', ...(parsed && { client_id: parsed.id }) },
      ];
    });
}

/** The answers of a request to the calls that wait: approvals in the last message, and answers beside the messages. */
export function answersOf({ messages, answers = [] }: UiRequest, events: readonly Event[]): CallAnswer[] {
  if (events.length === 0) return [];
  const last = lastMessage(messages);
  const state = foldEvents(events);
  const asked = events.findLast((event) => event.type === 'turn-wait')?.calls ?? [];
  return asked.flatMap((call_id): CallAnswer[] => {
    const given = answers.filter((answer) => answer.call_id === call_id).slice(0, 1);
    if (given.length > 0 || state.waits.get(call_id)?.kind !== 'approval') return given;
    const approval = last.parts.find((part) => part.toolCallId === call_id)?.approval;
    if (approval?.approved === undefined) return [];
    const { approved, reason } = approval;
    return [{ call_id, approved, ...(reason && { reason }) }];
  });
}
