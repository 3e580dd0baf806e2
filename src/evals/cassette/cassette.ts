import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';
import { Json, JsonObject, parseJson } from '../../schema/json.ts';

const Step = z.union([
  z.strictObject({ progress: z.string() }),
  z.strictObject({ ask: z.strictObject({ text: z.string(), schema: JsonObject.optional() }) }),
]);
export type Step = z.infer<typeof Step>;

/** A recorded exchange with the world outside the loop. */
export const Entry = z.strictObject({
  /** Milliseconds since the recording began, when the reply was complete. */
  at_ms: z.number().nonnegative(),
  /** The turn that wrote it: the path of calls that lead to it. Absent for the root turn. */
  lane: z.string().optional(),
  kind: z.enum(['model', 'judge', 'tool', 'mcp', 'file', 'id', 'clock', 'events', 'front']),
  request_hash: z.string().optional(),
  request: Json.optional(),
  /** A value, or the chunks of a streamed reply with their times. */
  reply: Json,
  /** Questions and progress of a tool while it ran. */
  steps: z.array(Step).optional(),
});
export type Entry = z.infer<typeof Entry>;

/** Format 1 had no lanes: all its entries are in that of the root. */
const FORMAT = 2;
const Head = z.object({
  format: z.number(),
  agent: z.string(),
  node: z.string(),
  hidden: z.array(z.string()).optional(),
});

export interface Cassette {
  format: number;
  agent: string;
  /** The names of the secrets that were replaced. Absent in a recording whose requests were hashed with their secrets. */
  hidden?: string[] | undefined;
  entries: Entry[];
}

/** The file of a case's cassette. */
export function cassettePath(folder: string, name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return join(folder, `${plain.slice(0, 60)}-${hashOf(name).slice(0, 8)}.jsonl`);
}

/** Writes a cassette. Its entries hold no secrets. */
export function writeCassette(
  path: string,
  agent: Agent,
  { hidden, entries }: Pick<Cassette, 'hidden' | 'entries'>,
): void {
  const head = { format: FORMAT, agent: agentHash(agent), node: process.version, hidden };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, [head, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

/** Adds to a cassette. */
export function addEntries(path: string, entries: readonly Entry[]): void {
  appendFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
}

/** Reads a cassette. Throws `cases_invalid` if there is none, or if another version wrote it. */
export function readCassette(path: string): Cassette {
  const [first = '', ...rest] = readLines(path);
  const head = Head.safeParse(parseJson(first)).data;
  if (!head) throw invalid(path, 'its first line is not that of a cassette');
  const { format, agent, hidden } = head;
  if (format > FORMAT) throw invalid(path, `it has format ${format}; this version reads up to ${FORMAT}`);
  const entries = rest.map((line, index) => {
    const entry = Entry.safeParse(parseJson(line)).data;
    if (!entry) throw invalid(path, `line ${index + 2} cannot be read`);
    return entry;
  });
  return { format, agent, hidden, entries };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    throw invalid(path, 'there is no such cassette; record it with --record');
  }
}

function invalid(path: string, what: string): AppError {
  return new AppError('cases_invalid', { detail: `${path}: ${what}.` });
}

export function agentHash({ instructions, tools, domains, intents, model }: Agent): string {
  const { api_key: _key, headers: _headers, ...named } = model;
  return hashOf(JSON.stringify({ instructions, tools: tools.map(({ name }) => name), domains, intents, named }));
}

export function hashOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
