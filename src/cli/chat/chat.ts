import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { User } from '../../schema/user.ts';
import type { Opened } from '../open-agent.ts';
import type { Renderer } from '../render/renderer.ts';

export interface RendererChoice {
  agent: Agent;
  verbose: boolean;
  quiet: boolean;
}

/** The user interface of a chat: a terminal, or a pipe. */
export interface Front {
  readonly isTerminal: boolean;
  /** Whether text that is being typed stays intact when something is printed. */
  readonly keepsTyped: boolean;
  /** Columns available for a line. */
  readonly width: number;
  /** The next line; undefined at the end. */
  read(): Promise<string | undefined>;
  /** Asks the person a question; undefined if there is no person or the question is dismissed. */
  ask(question: string): Promise<string | undefined>;
  /** Prints lines for people, wrapped to the window. */
  print(text: string): void;
  /** Prints a line to be copied; it is never wrapped. */
  printExact(text: string): void;
  /** Prints an error. */
  printError(text: string, code: string): void;
  createRenderer(choice: RendererChoice): Renderer;
  /** Called when an answer begins or has ended. */
  setBusy(isBusy: boolean): void;
  /** Ends the reading of lines. */
  end(): void;
  close(): void;
}

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
  /** Commands that open the web page with the same agent and data, and the agent with the model that is appended. */
  pageCommand: string;
  modelCommand: string;
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
  /** The author's sentences about a turn that failed. */
  causes: string[];
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
  state: 'initializing' | 'active' | 'terminated';
}
