import type { TokenUsage } from '../../src/schema/conversation/token-usage.ts';
import type { Citation, TurnResult, TurnStatus } from '../../src/schema/conversation/turn.ts';
import type { FileNote, FileVerdict } from '../../src/schema/file.ts';
import type { Json } from '../../src/schema/json.ts';
import type { DueTasks, Task } from '../../src/schema/task.ts';

/** GET /agents */
export interface AgentInfo {
  name: string;
  description?: string;
  starters: readonly string[];
  model: { provider: string; name: string; is_builtin: boolean };
  tools: number;
  has_domains: boolean;
  has_tasks: boolean;
  has_knowledge?: true;
  has_logins?: true;
  has_runs?: true;
  state: 'ready' | 'degraded' | 'failed' | 'starting';
  problem?: string;
}

/** GET /me */
export interface Me {
  id: string;
  name?: string;
  zone: string;
  auth: 'none' | 'token' | 'app';
  reach: 'loopback' | 'network';
  is_developer: boolean;
  version: string;
}

/** JSON inside the HTML. With sign-in on, it names only the kind of sign-in. */
export interface Boot {
  auth?: 'token';
  agents?: readonly AgentInfo[];
  me?: Me;
}

/** A row of GET /sessions */
export interface Session {
  session_id: string;
  agent: string;
  title?: string | null;
  pinned?: boolean;
  status?: TurnStatus | null;
  preview?: string;
  last_activity?: string;
  last_updated: string;
  message_count: number;
  thread_id?: string;
  metadata?: { title?: string; forked_from?: { session_id: string; message_id: string }; [key: string]: unknown };
}

export interface SessionPage {
  sessions: readonly Session[];
  next_before?: string;
}

/** A frame of GET /sessions/events */
export type SessionChange =
  | { type: 'created' | 'updated'; session: Session }
  | { type: 'deleted'; session: { session_id: string } };

export type Rating = 'up' | 'down' | null;

export interface Feedback {
  rating: Rating;
  comment?: string;
}

/** A row of GET /sessions/{id}/turns, newest first. */
export interface StoredTurn {
  id: string;
  status: TurnStatus;
  created_at: string;
  active: boolean;
  attempt: number;
  parent?: string;
  replaces?: string;
  run_id?: string;
  started_at?: string;
  ended_at?: string;
  /** Kept text of an interrupted turn. */
  partial?: string;
  user_message?: { id: string; client_id?: string; content: string; files?: readonly FileNote[] };
  result?: Partial<TurnResult>;
  feedback?: Feedback;
  /** Why the model failed, for developers. */
  cause?: string;
}

export interface TurnPage {
  turns: readonly StoredTurn[];
  next_before?: string;
}

/** Facts in `RUN_FINISHED.result`: the turn's result without texts and calls. */
export interface ResultFacts {
  message_id?: string | undefined;
  /** The agent that has the conversation, in a team whose agents hand over to each other. */
  agent?: string | undefined;
  confidence?: 'high' | 'medium' | 'low' | undefined;
  sources?: readonly string[] | undefined;
  /** Passages that the answer cites. */
  citations?: readonly Citation[] | undefined;
  suggestions?: readonly string[] | undefined;
  partial_results?: boolean | undefined;
  intent?: { clarification_question?: string | undefined } | undefined;
  error_details?: readonly { domain?: string | undefined; tool?: string | undefined; reason: string }[] | undefined;
  files?: readonly FileVerdict[] | undefined;
  warning?: string | undefined;
  status?: TurnStatus | undefined;
  finish_reason?: string | undefined;
  execution_time_ms?: number | undefined;
  tokens_used?: TokenUsage | undefined;
  /** In dollars, if the price of the model is known. */
  cost_usd?: number | undefined;
}

/** 202 for a message that was accepted. */
export interface Accepted {
  session_id: string;
  turn_id: string;
  run_id?: string;
  status: TurnStatus;
}

/** A row of GET /agent/{name}/tasks */
export type ShownTask = Omit<Task, 'user_id'>;

/** Answer of POST /agent/{name}/reminders */
export type DueAnswer = Omit<DueTasks, 'tasks'> & { tasks: readonly ShownTask[] };

interface DocumentPlace {
  knowledge: string;
  /** The path of the file in the agent's folder. */
  document: string;
  title: string;
}

interface Building {
  done: number;
  total: number;
}

export interface DocumentInfo extends DocumentPlace {
  state: 'read' | 'partly' | 'unread';
  reason?: string;
  passages: number;
  read_at: string;
}

/** GET /agent/{name}/knowledge */
export interface DocumentList {
  documents: readonly DocumentInfo[];
  remarks: readonly string[];
  building?: Building;
}

export interface ShownPassage extends DocumentPlace {
  page?: number;
  breadcrumb: readonly string[];
  version: string;
  start: number;
  end: number;
  text: string;
}

/** GET /agent/{name}/knowledge/{document} */
export type OpenedPassage = ShownPassage & { is_current: boolean };

/** POST /agent/{name}/knowledge/search */
export interface FoundPassages {
  is_found: boolean;
  passages: readonly (ShownPassage & { is_above_floor: boolean })[];
  building?: Building;
}

export type { Citation, FileNote, FileVerdict, Json };
