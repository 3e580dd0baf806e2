import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { ChatState } from '../../schema/conversation.ts';
import type { TurnResult } from '../../schema/turn.ts';
import type { User } from '../../schema/user.ts';
import type { Opened } from '../open-agent.ts';
import type { Front } from './front.ts';

/** One chat: a conversation with one agent, and what the person has chosen on the way. */
export interface Chat {
  runtime: Runtime;
  user: User;
  opened: Opened;
  front: Front;
  /** As the file stands now. */
  agent: Agent;
  /** The words that start this chat again. */
  command: string;
  /** Undefined until the first message. */
  conversationId: string | undefined;
  verbose: boolean;
  quiet: boolean;
  /** What a single letter picks. */
  choices: readonly string[];
  lastResult: TurnResult | undefined;
  /** Conversations of the newest `/sessions`, for `/resume 2`. */
  listed: string[];
  /** Paths of files that go with the next message. */
  attachments: string[];
  /** Tools that may always run in this chat, with the definition that was agreed to. */
  allowed: Set<string>;
  /** Settings chosen while chatting, on top of the file. */
  overrides: Record<string, unknown>;
  /** Said when the answer is over. */
  notices: string[];
  /** Stops the running answer. */
  stop: (() => void) | undefined;
  /** How full the context was when the person was last told. */
  warnedAt: number;
  /** Ctrl+C, one after the other. */
  interrupts: number;
  /** Active from the first screen on; terminated when the person leaves or a signal ends it. */
  state: ChatState;
}
