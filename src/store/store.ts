import type { AppError } from '../errors.ts';
import type { Conversation } from '../schema/conversation/conversation.ts';
import type { Event } from '../schema/conversation/event.ts';
import type { TurnMessage } from '../schema/conversation/history.ts';
import type { AssistantMessage, Message, UserMessage } from '../schema/conversation/message.ts';
import type { Feedback, TurnResult, TurnStatus } from '../schema/conversation/turn.ts';
import type { FileVerdict } from '../schema/file.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Position } from '../schema/position.ts';
import type { User } from '../schema/user.ts';
import type { SecretStore } from './secrets.ts';
import type { SharedStore, StoredTurn } from './shared.ts';
import type { SpendingStore } from './spending.ts';

export type { StoredTurn } from './shared.ts';

/** A turn's result as it is stored. Its messages are read from the conversation. */
export type StoredResult = Omit<TurnResult, 'messages'>;

/** A turn with the parts that a list of turns shows. */
export interface DescribedTurn extends StoredTurn {
  message?: UserMessage;
  /** The last text of the assistant. */
  answer?: AssistantMessage;
  result?: StoredResult;
  /** The user's feedback on the answer. */
  feedback?: Feedback;
}

/** The right to write to a turn. It ends when another process continues the turn (a higher version). */
export interface TurnLease {
  turnId: string;
  conversationId: string;
  attempt: number;
  /** The process that holds the lease; no other one can write with it. */
  runner: string;
  /** The conversation's version when the lease was granted (a fencing token). */
  version: number;
}

/** An earlier message and its answer, as a turn of their own, so that the message can be answered again or edited. */
export interface SeedTurn {
  turnId: string;
  messages: readonly Message[];
}

/** A conversation that is made whole, without a run: a copy of another one. */
export interface NewConversation {
  conversationId: string;
  agent: string;
  /** Oldest first. Each is a turn that has ended, without events and without a key. */
  turns: readonly (SeedTurn & { attachments: readonly StoredAttachment[]; createdAt: string })[];
  metadata: JsonObject;
  now: string;
}

export interface UserLimits {
  /** Turns that run at once. */
  turns?: number;
  turnsPerMinute?: number;
}

export interface BeginTurn {
  agent: string;
  turnId: string;
  conversationId: string;
  /** The conversation is created together with the turn; otherwise it must exist and belong to this user and agent. */
  isNew: boolean;
  /** AG-UI's name for a new conversation; unique per user and agent. */
  threadId?: string;
  idempotencyKey?: string;
  /** Hash of the request, so that a key cannot be used for two different requests. */
  requestHash?: string;
  /**
   * The new turn becomes the sibling of this ended or interrupted turn, and the head moves to it. `head` is the newest
   * turn of the path that the caller saw; if it has changed, the outcome is busy.
   */
  replaces?: { turnId: string; head: string };
  /**
   * Facts that another server needs to continue the turn by itself; present if the request asked to go on. Emptied when
   * the turn ends.
   */
  continues?: JsonObject;
  /**
   * The turn that the new conversation belongs to: it is deleted with that turn, and is in no list. `turn_taken_over` is
   * thrown unless this attempt at the turn is the newest and runs.
   */
  child?: Pick<TurnLease, 'turnId' | 'attempt'>;
  /** Limits of this user over all servers; a store that is not shared ignores them. */
  limits?: UserLimits;
  /** Messages before the first turn of a new conversation, oldest first. */
  seed?: readonly SeedTurn[];
  /** `turn-start` and the user's message, committed together with the turn. */
  write: TurnWrite;
  now: string;
}

/** The outcome of `beginTurn`. */
export type Begun =
  | { outcome: 'begun'; lease: TurnLease }
  /** The key was used before for the same request; this is its turn. */
  | { outcome: 'known'; turn: StoredTurn }
  | { outcome: 'mismatch' }
  /**
   * A turn of the conversation is running or waiting, or another request was first: with this conversation, its head,
   * or a message with this client id.
   */
  | { outcome: 'busy'; turn: StoredTurn }
  | { outcome: 'missing' }
  /** The user is at a limit that counts over all servers. */
  | { outcome: 'limited'; limit: keyof UserLimits };

/** A turn that recovery found without a live process. */
export interface RecoveredTurn {
  turnId: string;
  conversationId: string;
}

export interface AuditRecord {
  at: string;
  user_id: string;
  /** Absent for a change outside a conversation. */
  conversation_id?: string;
  turn_id?: string;
  call_id: string;
  tool: string;
  action: 'call' | 'override' | 'approval' | 'denial';
  arguments: JsonObject;
  outcome: string;
  duration_ms?: number;
}

/** An audit record as it is read back; `id` is its position for paging. */
export type AuditEntry = AuditRecord & { id: string };

/** A file that came with a message, and the text read from it. The file itself is not stored. */
export interface StoredAttachment extends FileVerdict {
  message_id: string;
  text: string;
}

/** An attachment as it is listed: the beginning of its text, and the length of the whole text (UTF-16). */
export type AttachmentStart = StoredAttachment & { total_chars: number };

/** A tool server: its `tools` entry of an agent. */
export interface ToolServer {
  agent: string;
  server: string;
}

/** Tool name → fingerprint of the accepted definition. */
export type AcceptedTools = Readonly<Record<string, string>>;

/** Everything in it is written together or not at all. */
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
  /** Returns entries before this id (newest first). */
  before?: string;
}

/** A conversation with the status of its newest turn. */
export type ListedConversation = Conversation & { status: TurnStatus | null };

/** A hit of a search; `preview` is the text around it, absent where only the title fits. */
export type FoundConversation = ListedConversation & { preview?: string };

export interface SearchPage extends Page {
  q: string;
  agent?: string;
}

export interface ConversationChanges {
  title?: string | null;
  pinned?: boolean;
  /** The user's own values, in place of the earlier ones; keys of the server are kept. */
  metadata?: JsonObject;
}

export interface ReadMessages {
  /**
   * Limits the result to this many of the newest texts of user and assistant, with the calls and results between them.
   */
  last?: number;
  exceptTurn?: string;
}

/**
 * All stored data. The owner is the first argument of every method: another user's data looks exactly like missing
 * data. The promise of a write resolves when it is on the disk.
 */
export interface Store extends SharedStore, SecretStore, SpendingStore {
  /** Checks the request, creates the conversation if it is new and takes the turn, in one transaction. */
  beginTurn(user: User, begin: BeginTurn): Promise<Begun>;
  /**
   * Takes the next attempt at an interrupted or waiting turn. Returns undefined if the turn has another status or
   * attempt, is not this user's, has left the head's path, or another turn of its conversation is open.
   */
  continueTurn(user: User, next: { turnId: string; attempt: number; write: TurnWrite }): Promise<TurnLease | undefined>;
  /** Throws `turn_taken_over` if the lease is no longer the newest. */
  writeTurn(user: User, lease: TurnLease, write: TurnWrite): Promise<void>;
  /**
   * Interrupts a turn of this process that no longer runs: it becomes `interrupted`, its running calls `unknown`.
   * Throws `turn_taken_over` if the lease is no longer the newest.
   */
  interruptTurn(user: User, lease: TurnLease): Promise<void>;
  readTurn(user: User, turnId: string): Promise<StoredTurn | undefined>;
  readNewestTurn(user: User, conversationId: string): Promise<StoredTurn | undefined>;
  /** The turn of the same conversation that began after this one. */
  readNextTurn(user: User, turnId: string): Promise<StoredTurn | undefined>;
  /** The turn of a user message by the client's id for it: the turn on the head's path, else the newest. */
  readTurnByMessage(user: User, conversationId: string, clientId: string): Promise<StoredTurn | undefined>;
  /** The turn that holds a message of this conversation, by the message's own id. */
  readTurnOfMessage(user: User, conversationId: string, messageId: string): Promise<StoredTurn | undefined>;
  /** All turns of a conversation, newest first. */
  listTurns(user: User, conversationId: string, page: Page): Promise<StoredTurn[]>;
  /** The same turns with their messages, results and feedback. Events are not needed. */
  describeTurns(user: User, conversationId: string, page: Page): Promise<DescribedTurn[]>;
  /** The final result of this user's turn; undefined until the turn has ended. */
  readResult(user: User, turnId: string): Promise<StoredResult | undefined>;
  /** The turn of an Idempotency-Key that is not older than a day. */
  readTurnByKey(user: User, agent: string, key: string): Promise<StoredTurn | undefined>;
  /** All events of a turn in order, deltas as segments. */
  readEvents(user: User, turnId: string): Promise<Event[]>;
  /** The events of a turn after this position, in order; earlier ones are not read. */
  readEventsAfter(user: User, position: Position): Promise<Event[]>;
  readConversation(user: User, id: string): Promise<Conversation | undefined>;
  /** The conversation of an AG-UI thread of this user and agent. */
  readThread(user: User, agent: string, threadId: string): Promise<Conversation | undefined>;
  /** The newest conversation whose thread begins with this prefix. */
  readNewestThread(user: User, agent: string, prefix: string): Promise<Conversation | undefined>;
  /** Most recently active first, without single calls (`CALL_THREAD`) and children (`BeginTurn.child`). */
  listConversations(user: User, page: Page & { agent?: string }): Promise<ListedConversation[]>;
  /**
   * Own conversations with a user's or assistant's text of the active path, or an own title, that holds all words of `q`;
   * the last word may be a beginning. Case and accents do not count (`search-text.ts`). Newest activity first.
   */
  searchConversations(user: User, page: SearchPage): Promise<FoundConversation[]>;
  /** Sets the user's own title (null removes it) and mark; false when there is no such conversation. */
  updateConversation(user: User, id: string, changes: ConversationChanges): Promise<boolean>;
  /** Another value after each change of the stored data, also by another process. */
  changeMark(): Promise<number>;
  /** The messages of the head's path, in order. */
  readMessages(user: User, conversationId: string, options?: ReadMessages): Promise<Message[]>;
  /** The same messages with their turns; the last text of an ended turn has that turn's result, without its calls. */
  readHistory(user: User, conversationId: string, options?: Pick<ReadMessages, 'last'>): Promise<TurnMessage[]>;
  /**
   * The attachments of the head's path in the order of reading, each with at most the given number of characters of its
   * text.
   */
  readAttachments(user: User, conversationId: string, options: { maxChars: number }): Promise<AttachmentStart[]>;
  /** The whole text of one attachment, by its index in that order (from 0). */
  readAttachmentText(user: User, conversationId: string, index: number): Promise<string | undefined>;
  /** Replaces earlier feedback; false if the conversation has no answer with this id. */
  setFeedback(user: User, conversationId: string, given: Feedback & { messageId: string }): Promise<boolean>;
  /** Messages of the path that ends with this turn, in order; the turn may be off the head's path. */
  readPath(user: User, turnId: string): Promise<Pick<TurnMessage, 'turnId' | 'message'>[]>;
  addConversation(user: User, made: NewConversation): Promise<void>;
  touchConversation(user: User, id: string, at: string): Promise<void>;
  /** Number of conversations of an agent, of all users, with a request at or after this time, without single calls. */
  countActive(agent: string, since: string): Promise<number>;
  /** Deletes a conversation with everything in it; false if there was none. */
  deleteConversation(user: User, id: string): Promise<boolean>;
  /** Adds records of calls outside a conversation. */
  addAudit(user: User, records: readonly AuditRecord[]): Promise<void>;
  /** Newest first. The audit outlives its conversations. */
  readAudit(user: User, page: Page): Promise<AuditEntry[]>;
  /**
   * The accepted tool definitions of a server: of this user's own connection, or, without a user, of the connection
   * shared by all users. Undefined if none were ever accepted.
   */
  readAcceptedTools(user: User | undefined, of: ToolServer): Promise<AcceptedTools | undefined>;
  /** Replaces the list that was accepted before. */
  acceptTools(user: User | undefined, of: ToolServer, accepted: AcceptedTools): Promise<void>;
  /**
   * Why no turn can be written now, such as a full disk or a removed database file; undefined if turns can be written.
   */
  findProblem(): AppError | undefined;
  /** Marks turns of dead processes as `interrupted` and their running calls as `unknown`. Returns the turns. */
  recover(): Promise<RecoveredTurn[]>;
  close(): Promise<void>;
}
