import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import { type OwnMetadata, withoutServerKeys } from '../../schema/conversation/conversation.ts';
import type { Event, EventBody } from '../../schema/conversation/event.ts';
import type { UserMessage } from '../../schema/conversation/message.ts';
import type { JsonObject } from '../../schema/json.ts';
import { formatPosition } from '../../schema/position.ts';
import type { BeginTurn, TurnWrite } from '../../store/store.ts';
import type { ReadyAgent } from '../agents/ready-agent.ts';
import { type AttachedFile, noteFiles } from '../files/attached-file.ts';
import { messagesOf } from './journal.ts';
import type { Sibling } from './replace-turn.ts';

const TITLE_CHARS = 60;

interface NewMessage {
  agent: string;
  message: string;
  clientId?: string;
  metadata?: JsonObject;
  ownMetadata?: OwnMetadata;
  files?: readonly AttachedFile[];
  responseFormat?: JsonObject;
}

export interface FirstWrite {
  deps: { clock: Clock; ids: Ids; findAgent(name: string): ReadyAgent };
  input: NewMessage;
  target: Pick<BeginTurn, 'conversationId' | 'isNew'>;
  sibling: Sibling | undefined;
}

/** The write that begins a turn: its start, the user's message, and the parts that a sibling takes over. */
export function firstWrite({ deps, input, target, sibling }: FirstWrite): { turnId: string; write: TurnWrite } {
  const turnId = deps.ids.ulid();
  const at = deps.clock.date().toISOString();
  const message: UserMessage = { id: deps.ids.ulid(), ...messageOf(input, sibling, at) };
  const start: EventBody = {
    type: 'turn-start',
    turn_id: turnId,
    conversation_id: target.conversationId,
    agent: input.agent,
    message,
    ...(input.responseFormat && { response_format: input.responseFormat }),
    ...(sibling && { replaces: sibling.replaces.turnId }),
    ...(sibling && sibling.alreadyRan.length > 0 && { already_ran: sibling.alreadyRan }),
  };
  const bodies = [start, ...(sibling?.carried ?? [])];
  const events = bodies.map(
    (body, index): Event => ({
      ...body,
      id: formatPosition({ turn: turnId, attempt: 1, seq: index + 1, offset: 0 }),
      at,
    }),
  );
  const { tool_output_chars } = deps.findAgent(input.agent).agent.limits;
  const write: TurnWrite = {
    events,
    messages: [message, ...messagesOf(events, tool_output_chars)],
    ...((target.isNew || sibling?.isFirst) && {
      metadata: { ...withoutServerKeys(input.ownMetadata), title: titleOf(input.message) },
    }),
    ...(sibling && { attachments: sibling.attachments.map((file) => ({ ...file, message_id: message.id })) }),
  };
  return { turnId, write };
}

function messageOf(input: NewMessage, sibling: Sibling | undefined, timestamp: string): Omit<UserMessage, 'id'> {
  const metadata = { ...input.metadata, ...noteFiles(input.files ?? []), ...sibling?.metadata };
  const known = input.clientId && { client_id: input.clientId };
  return { role: 'user', content: input.message, timestamp, metadata, ...known };
}

function titleOf(message: string): string {
  return message.split('\n', 1)[0]?.slice(0, TITLE_CHARS) ?? '';
}
