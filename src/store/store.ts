import type { AppError } from '../errors.ts';
import type { Conversation } from '../schema/conversation.ts';
import type { Event } from '../schema/event.ts';
import type { FileVerdict } from '../schema/file.ts';
import type { TurnMessage } from '../schema/history.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { Position } from '../schema/position.ts';
import type { TurnResult, TurnStatus } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';

/** One stored turn. A conversation is a tree of turns: its head's path is what is shown and sent to the model. */
export interface StoredTurn {
  id: string;
  conversation_id: string;
  agent: string;
  status: TurnStatus;
  /** 0 = messages from before the first run of a thread: no attempt was made, and there are no events. */
  attempt: number;
  created_at: string;
  /** On the path of the conversation's head. */
  is_active: boolean;
  /** The turn before it; absent for the first one. */
  parent?: string;
  /** The turn beside it that answered the same message before. */
  replaces?: string;
  idempotency_key?: string;
  request_hash?: string;
}

/** A turn's result as it is kept. Its messages are read from the conversation. */
export type StoredResult = Omit<TurnResult, 'messages'>;

/** The right to write to a turn: it ends when another process continues the turn (a higher version). */
export interface TurnLease {
  turnId: string;
  conversationId: string;
  attempt: number;
  /** The process that the lease was given to: no other one can write with it. */
  runner: string;
  /** The conversation's version when the lease was given. */
  version: number;
}

/** A message from before the first run and what answered it, as a turn of its own: it can be answered again or edited. */
export interface SeedTurn {
  turnId: string;
  messages: readonly Message[];
}

export interface BeginTurn {
  agent: string;
  turnId: string;
  conversationId: string;
  /** The conversation is made together with the turn; otherwise it must exist and be this user's and agent's. */
  isNew: boolean;
  /** AG-UI's name for a new conversation; unique for a user and agent. */
  threadId?: string;
  idempotencyKey?: string;
  /** Hash of what was asked, so that one key cannot stand for two requests. */
  requestHash?: string;
  /**
   * The turn becomes the sibling of this ended or interrupted one, and the head moves to it. `head` is the newest turn
   * of the path that the caller saw: another one = busy.
   */
  replaces?: { turnId: string; head: string };
  /** What came before the first turn of a new conversation, oldest first. */
  seed?: readonly SeedTurn[];
  /** `turn-start` and the user's message, committed together with the turn. */
  write: TurnWrite;
  now: string;
}

/** What became of `beginTurn`. */
export type Begun =
  | { outcome: 'begun'; lease: TurnLease }
  /** The key was used before, for the same request: this is its turn. */
  | { outcome: 'known'; turn: StoredTurn }
  | { outcome: 'mismatch' }
  /**
   * A turn of the conversation is running or waiting, or somebody was first: with this conversation, its head, or a
   * message of this client id.
   */
  | { outcome: 'busy'; turn: StoredTurn }
  | { outcome: 'missing' };

/** A turn that recovery found without a living process. */
export interface RecoveredTurn {
  turnId: string;
  conversationId: string;
}

export interface AuditRecord {
  at: string;
  user_id: string;
  conversation_id: string;
  turn_id: string;
  call_id: string;
  tool: string;
  action: 'call' | 'override' | 'approval' | 'denial';
  arguments: JsonObject;
  outcome: string;
  duration_ms?: number;
}

/** An audit record as it is read back; `id` is its place for paging. */
export type AuditEntry = AuditRecord & { id: string };

/** A file that came with a message, and the text that was read of it. The file itself is not kept. */
export interface StoredAttachment extends FileVerdict {
  message_id: string;
  text: string;
}

/** An attachment as it is listed: the beginning of its text, and how long the whole is (UTF-16). */
export type AttachmentStart = StoredAttachment & { total_chars: number };

/** A server of tools: its `tools` entry of an agent. */
export interface ToolServer {
  agent: string;
  server: string;
}

/** Tool name → fingerprint of the definition that was accepted. */
export type AcceptedTools = Readonly<Record<string, string>>;

/** What is written together, or not at all. */
export interface TurnWrite {
  events: Event[];
  messages?: Message[];
  attachments?: StoredAttachment[];
  audit?: AuditRecord[];
  status?: TurnStatus;
  /** Written with the end of the turn; it outlives the events. */
  result?: StoredResult;
  metadata?: JsonObject;
}

export interface Page {
  limit: number;
  /** Ids before this one (newest first). */
  before?: string;
}

export interface ReadMessages {
  /** Only so many of the newest texts of user and assistant, with the calls and results between them. */
  last?: number;
  exceptTurn?: string;
}

/**
 * Everything that is kept. The owner comes first in every method: another user's thing answers exactly like one that
 * does not exist. A promise of a write resolves when it is on the disk.
 */
export interface Store {
  /** Checks, makes the conversation if it is new and takes the turn, in one transaction. */
  beginTurn(user: User, begin: BeginTurn): Promise<Begun>;
  /**
   * The next attempt at an interrupted or waiting turn; undefined when it is neither, is at another attempt, is not
   * this user's, has left the head's path, or another turn of its conversation is open.
   */
  continueTurn(user: User, next: { turnId: string; attempt: number; write: TurnWrite }): Promise<TurnLease | undefined>;
  /** Throws `turn_taken_over` when the lease is no longer the newest. */
  writeTurn(user: User, lease: TurnLease, write: TurnWrite): Promise<void>;
  /**
   * Gives up a turn of ours that runs no more: it becomes `interrupted`, its running calls `unknown`. Throws
   * `turn_taken_over` when the lease is no longer the newest.
   */
  interruptTurn(user: User, lease: TurnLease): Promise<void>;
  readTurn(user: User, turnId: string): Promise<StoredTurn | undefined>;
  readNewestTurn(user: User, conversationId: string): Promise<StoredTurn | undefined>;
  /** The turn of the same conversation that was begun after this one. */
  readNextTurn(user: User, turnId: string): Promise<StoredTurn | undefined>;
  /** The turn of a user message by the client's id for it: the one on the head's path, else the newest. */
  readTurnByMessage(user: User, conversationId: string, clientId: string): Promise<StoredTurn | undefined>;
  /** All turns of a conversation, newest first. */
  listTurns(user: User, conversationId: string, page: Page): Promise<StoredTurn[]>;
  /** What a turn of this user ended with; undefined while it has no end. */
  readResult(user: User, turnId: string): Promise<StoredResult | undefined>;
  /** The turn of an Idempotency-Key that is not older than a day. */
  readTurnByKey(user: User, agent: string, key: string): Promise<StoredTurn | undefined>;
  /** All events of a turn in order, deltas as segments. */
  readEvents(user: User, turnId: string): Promise<Event[]>;
  /** The events of a turn whose positions come after this one, in order: nothing before it is read. */
  readEventsAfter(user: User, position: Position): Promise<Event[]>;
  readConversation(user: User, id: string): Promise<Conversation | undefined>;
  /** AG-UI's thread of this user and agent. */
  readThread(user: User, agent: string, threadId: string): Promise<Conversation | undefined>;
  /** Newest activity first. */
  listConversations(user: User, page: Page & { agent?: string }): Promise<Conversation[]>;
  /** Those of the head's path, in order. */
  readMessages(user: User, conversationId: string, options?: ReadMessages): Promise<Message[]>;
  /** The same messages with their turns; the last text of an ended turn has that turn's result, without its calls. */
  readHistory(user: User, conversationId: string, options?: Pick<ReadMessages, 'last'>): Promise<TurnMessage[]>;
  /** Those of the head's path in the order in which they were read, each with at most so many characters of its text. */
  readAttachments(user: User, conversationId: string, options: { maxChars: number }): Promise<AttachmentStart[]>;
  /** The whole text of one, by its place in that order (from 0). */
  readAttachmentText(user: User, conversationId: string, index: number): Promise<string | undefined>;
  touchConversation(user: User, id: string, at: string): Promise<void>;
  /** How many conversations of an agent had a request at or after this time, of all users. */
  countActive(agent: string, since: string): Promise<number>;
  /** With everything in it; false when there was none. */
  deleteConversation(user: User, id: string): Promise<boolean>;
  /** Newest first. Outlives the conversation that it tells about. */
  readAudit(user: User, page: Page): Promise<AuditEntry[]>;
  /**
   * The definitions of a server's tools that were accepted: of this user's own connection, or without a user of the one
   * that all users share. Undefined when none ever were.
   */
  readAcceptedTools(user: User | undefined, of: ToolServer): Promise<AcceptedTools | undefined>;
  /** Takes the place of what was accepted before. */
  acceptTools(user: User | undefined, of: ToolServer, accepted: AcceptedTools): Promise<void>;
  /** Why no turn can be written now, such as a full disk or a database file that was removed; undefined when turns can. */
  findProblem(): AppError | undefined;
  /** Turns whose process is gone become `interrupted`, their running calls `unknown`. Returns them. */
  recover(): Promise<RecoveredTurn[]>;
  close(): Promise<void>;
}
