import { isDeepStrictEqual } from 'node:util';
import { carryCalls, standingEffects } from '../../agent/earlier-calls.ts';
import { foldEvents, type TurnState } from '../../agent/turn-state.ts';
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { EventBody } from '../../schema/conversation/event.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { BeginTurn, Store, StoredAttachment, StoredTurn } from '../../store/store.ts';
import { type AttachedFile, noteFiles } from '../files/attached-file.ts';

/** The start of a turn that replaces an earlier one. */
export interface Sibling {
  replaces: NonNullable<BeginTurn['replaces']>;
  alreadyRan: ToolCall[];
  /** Events after `turn-start`: the files read before, and the replaced turn's calls with their outcomes. */
  carried: EventBody[];
  /** The files of the same message, if the request does not bring them again. */
  attachments: Omit<StoredAttachment, 'message_id'>[];
  metadata?: JsonObject;
  /** Whether the conversation begins with this message and is named after it. */
  isFirst: boolean;
}

export interface NewVersion {
  replaced: StoredTurn;
  message: string;
  files: readonly AttachedFile[];
}

/**
 * Prepares a new answer to a message that was answered before. The same text starts with the calls of the replaced
 * turn, another text with a note of them; either way no completed call is run again.
 */
export async function prepareSibling(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  user: User,
  { replaced, message, files }: NewVersion,
): Promise<Sibling> {
  const turns = await store.listTurns(user, replaced.conversation_id, { limit: Number.MAX_SAFE_INTEGER });
  const head = turns.find((turn) => turn.is_active) ?? replaced;
  const read = async ({ id }: StoredTurn) => foldEvents(await store.readEvents(user, id));
  const before = await read(replaced);
  const left = await Promise.all(leavingTurns(turns, replaced).map(read));
  const isSame = isSameMessage(before, message, files);
  const carried = isSame ? carryCalls(before, { at: clock.date().toISOString(), ids }) : [];
  const ofReplaced = isSame ? withoutUsed(before) : standingEffects(before);
  const effects = [...ofReplaced, ...left.flatMap(standingEffects)];
  const isCopied = isSame && files.length === 0 && before.messages[0]?.metadata.files !== undefined;
  const attachments = isCopied ? await filesOf(store, user, { turn: replaced, state: before }) : [];
  const fileEvents = attachments.map(({ text: _, ...file }): EventBody => ({ type: 'file', file }));
  return {
    replaces: { turnId: replaced.id, head: head.id },
    alreadyRan: [...new Map(effects.map((call) => [call.id, call])).values()],
    carried: [...fileEvents, ...carried],
    attachments,
    isFirst: isFirstRun(turns, replaced),
    ...(isCopied && { metadata: { files: before.messages[0]?.metadata.files ?? [] } }),
  };
}

/** The turns that leave the active path when it is cut before the replaced turn; oldest first. */
function leavingTurns(turns: readonly StoredTurn[], replaced: StoredTurn): StoredTurn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const kept = new Set<string>();
  for (let id = replaced.parent; id !== undefined; id = byId.get(id)?.parent) kept.add(id);
  return turns.filter((turn) => turn.is_active && !kept.has(turn.id) && turn.id !== replaced.id).reverse();
}

/** Whether only seeded messages come before this turn. */
function isFirstRun(turns: readonly StoredTurn[], { parent }: StoredTurn): boolean {
  return !turns.some(({ id, attempt }) => id === parent && attempt > 0);
}

function isSameMessage({ messages: [before] }: TurnState, message: string, files: readonly AttachedFile[]): boolean {
  if (before?.content !== message) return false;
  return files.length === 0 || isDeepStrictEqual(before.metadata.files, noteFiles(files).files);
}

/** Calls of abandoned paths whose outcome the replaced turn reused are carried over with that turn. */
function withoutUsed({ alreadyRan, calls }: TurnState): ToolCall[] {
  const used = new Set(calls.map((call) => call.repeats));
  return alreadyRan.filter((call) => !used.has(call.id));
}

async function filesOf(
  store: Store,
  user: User,
  { turn, state }: { turn: StoredTurn; state: TurnState },
): Promise<Sibling['attachments']> {
  const files = await store.readAttachments(user, turn.conversation_id, { maxChars: Number.MAX_SAFE_INTEGER });
  const own = files.filter((file) => file.message_id === state.messages[0]?.id);
  return own.map(({ message_id: _, total_chars: __, ...file }) => file);
}
