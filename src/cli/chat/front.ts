import type { Agent } from '../../schema/agent.ts';
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
