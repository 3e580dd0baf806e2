import type * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { WordVectors } from '../language/word-vectors.ts';
import type { Log, Report } from '../log.ts';
import type { OAuthServer } from '../mcp/oauth/grant.ts';
import type { Logins } from '../mcp/oauth/logins.ts';
import type { Agent, ToolEntry } from '../schema/agent.ts';
import type { ComposedSpace } from '../space/space-composer.ts';
import type { Store } from '../store/store.ts';
import type { OpenedSource } from '../tools/tool.ts';
import type { Finding, Path } from '../yaml/problem.ts';

/**
 * A kind of `tools` entry: one file here and one row of `TOOL_KINDS`. Nothing outside asks for an entry's type,
 * transport or server.
 */
export interface ToolKind<Entry = ToolEntry> {
  /** The whole entry. Literal values of `type`, `transport` and `server` choose the kind. */
  schema: z.ZodObject;
  /** Descriptions of keys that only this kind has, and of its values of keys that several kinds have, by path. */
  texts?: Readonly<Record<string, string>>;
  /** The part of an agent that the kind brings beside its tools. */
  brings?: 'tasks' | 'data' | 'member';
  /**
   * A line about the program or address behind the entry, without arguments and paths, which may hold secrets. Kinds of
   * this process have none; of others only an attempt shows the tools.
   */
  describeStart?(entry: Entry): string;
  /** Rules across the entry's keys. Reads no other file. */
  check?(entry: Entry, path: Path): Finding[];
  /** The entry with settings that follow from others. */
  complete?(entry: Entry): Entry;
  /** Names of its tools, as the server has them; undefined if only the running server knows. Starts nothing. */
  names(entry: Entry, agent: Agent): Promise<string[] | undefined>;
  /** Faults in the files of all entries of this kind, for `holodeck check`. Starts nothing. */
  inspect?(entries: readonly Entry[], agent: Agent, options: InspectOptions): Promise<Inspection>;
  /** The login that users need before its tools can be called. */
  login?(entry: Entry, agent: Agent): OAuthServer | undefined;
  /** Opens one source for each entry, or one for all of them. A server starts when it is first needed. */
  open(entries: readonly Entry[], options: OpenOptions): Promise<OpenedSource>[];
}

export interface InspectOptions {
  clock: Clock;
  signal?: AbortSignal;
}

export interface Inspection {
  problems: string[];
  warnings: string[];
  /** Problems with a place in agent.yaml, relative to the agent. */
  findings: Finding[];
}

export interface OpenOptions {
  agent: Agent;
  /** The data folder, where built-in tools store their tables. */
  folder: string;
  clock: Clock;
  ids: Ids;
  /** Word vectors for comparing questions; loaded on first use. */
  vectors: () => WordVectors;
  /** Stores which tool definitions of MCP servers were accepted; without it they are kept in memory. */
  store?: Store;
  /** Logins of users to MCP servers; without it such servers cannot be used. */
  logins?: () => Promise<Logins>;
  log?: Log;
  /** Receives details that only the agent's author should see. */
  report?: Report;
  /** Receives each local space, for reading questions over all of them. */
  onSpace?: (space: ComposedSpace) => void;
}

/** A row of the table. A kind is only ever given entries that its own schema accepted. */
export function defineKind<Schema extends z.ZodObject>(
  schema: Schema,
  kind: Omit<ToolKind<z.infer<Schema>>, 'schema'>,
): ToolKind {
  return { schema, ...kind } as unknown as ToolKind;
}
