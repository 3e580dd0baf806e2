import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { ChatState } from '../../schema/conversation/conversation.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { User } from '../../schema/user.ts';
import type { Opened } from '../open-agent.ts';
import type { Front } from './front.ts';

/** A chat: a conversation with one agent, and the person's choices so far. */
export interface Chat {
  runtime: Runtime;
  user: User;
  opened: Opened;
  front: Front;
  /** The agent as its file currently defines it. */
  agent: Agent;
  /** The command that starts this chat again. */
  command: string;
  /** The command that opens the web page with the same agent and data. */
  pageCommand: string;
  /** Undefined until the first message. */
  conversationId: string | undefined;
  verbose: boolean;
  quiet: boolean;
  /** The choices that a single letter selects. */
  choices: readonly string[];
  lastResult: TurnResult | undefined;
  /** Conversations of the last `/sessions`, for `/resume 2`. */
  listed: string[];
  /** Paths of files for the next message. */
  attachments: string[];
  /** Tools that may always run in this chat, each with the definition that was approved. */
  allowed: Set<string>;
  /** Settings chosen while chatting; they override the file. */
  overrides: Record<string, unknown>;
  /** Shown when the answer is complete. */
  notices: string[];
  /** Reads the times of the tasks again; shows those that have come. */
  remind(): Promise<void>;
  /** Stops the running answer. */
  stop: (() => void) | undefined;
  /** How full the context was at the last warning. */
  warnedAt: number;
  /** Aborted when the chat ends. */
  closing: AbortSignal;
  /** Number of consecutive Ctrl+C. */
  interrupts: number;
  /** Active from the first screen; terminated when the person leaves or a signal ends the chat. */
  state: ChatState;
}
