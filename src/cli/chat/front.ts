import type { LoopConfig } from '../../schema/agent.ts';
import type { Renderer } from '../render/renderer.ts';

export interface RendererChoice {
  loop: LoopConfig;
  verbose: boolean;
  quiet: boolean;
}

/** Where a chat takes place: a terminal, or a pipe. */
export interface Front {
  readonly isTerminal: boolean;
  /** Columns that a line may take. */
  readonly width: number;
  /** The next line; undefined at the end. */
  read(): Promise<string | undefined>;
  /** A question to the person; undefined where there is none or it is waved away. */
  ask(question: string): Promise<string | undefined>;
  /** Lines for people, folded where the window is narrow. */
  print(text: string): void;
  /** A line that can be copied: it is never folded. */
  printExact(text: string): void;
  /** What went wrong. */
  printError(text: string, code: string): void;
  createRenderer(choice: RendererChoice): Renderer;
  /** An answer begins or has ended. */
  setBusy(isBusy: boolean): void;
  /** Takes away what was printed before. */
  clear(): void;
  /** No more lines are read. */
  end(): void;
  close(): void;
}
