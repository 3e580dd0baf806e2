import type { Clock } from '../../clock.ts';
import type { Tool } from '../../tools/tool.ts';

export interface AskOptions {
  clock: Clock;
  /** Random source for the jitter between retries. */
  random?: () => number;
}

/**
 * Asks one kind of data domain. An adapter turns a domain's tools into one tool that takes a question and returns the
 * answer. Every answer has the same shape: conversation_id, answer, sql_query, columns, rows. The suite in
 * domain-adapter-contract.ts holds for each adapter.
 */
export interface DomainAdapter {
  readonly name: string;
  /** Returns true for a tool that takes questions for this kind of domain. */
  asks(tool: Tool): boolean;
  /** Returns the tools that are used together with `tool` and are not offered; undefined when one of them is missing. */
  findHelpers(tool: Tool, tools: readonly Tool[]): readonly Tool[] | undefined;
  /** Returns true for the name of a helper, with or without the prefix of its entry. */
  isHelperName(name: string): boolean;
  /** Joins the tool and its helpers into one tool that asks and waits for the answer. */
  join(tool: Tool, helpers: readonly Tool[], options: AskOptions): Tool;
  /** The argument that continues the domain's own conversation. */
  readonly conversationArgument: string;
}
