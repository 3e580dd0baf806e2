import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAgent } from '../../src/config/load-agent.ts';
import { userFromId } from '../../src/identity/user.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import type { TurnResult } from '../../src/schema/conversation/turn.ts';
import { DataQuery } from '../../src/schema/data-query.ts';
import type { DataTable } from './compare-rows.ts';

const AGENT = fileURLToPath(new URL('../../agents/retail/agent.yaml', import.meta.url));
const user = userFromId('123e4567-e89b-12d3-a456-426614174000');

/** The result of one tool call, read from its JSON alone. */
interface Call {
  space: string;
  table: DataTable;
  query?: DataQuery;
}

export interface Answer {
  content: string;
  confidence: 'high' | 'medium' | 'low' | 'none';
  calls: Call[];
  /** The words that the answer names as not understood. */
  left: string;
  domains: string[];
}

export interface Desk {
  /** Asks in a new conversation, or in the one that is given. */
  ask(message: string, conversation?: { id?: string }): Promise<Answer>;
  close(): Promise<void>;
}

/** The shipped retail agent with the built-in model, as a user has it. */
export async function openDesk(): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-data-'));
  const agent = await loadAgent(AGENT);
  const runtime = await createRuntime({ agents: [agent], folder });
  return {
    async ask(message, conversation = {}) {
      const { id } = conversation;
      const turn = await runtime.chat(user, {
        agent: agent.name,
        message,
        ...(id !== undefined && { conversationId: id }),
      });
      for await (const event of turn.events) {
        if (event.type !== 'turn-end') continue;
        conversation.id ??= turn.conversationId;
        return toAnswer(event.result);
      }
      throw new Error(`The turn of "${message}" did not end.`);
    },
    async close() {
      await runtime.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toAnswer(result: TurnResult): Answer {
  const calls = result.tool_calls.flatMap(({ name, result: data }) => {
    const space = /^(?:query_space|run_query)_(\w+)$/.exec(name)?.[1];
    if (space === undefined) return [];
    return tablesOf(data).map((table): Call => {
      const query = queryOf(data);
      return { space, table, ...(query && { query }) };
    });
  });
  return {
    content: result.content,
    confidence: result.confidence ?? 'none',
    calls,
    left: [result.content, JSON.stringify(result.error_details ?? '')].join(' '),
    domains: result.routing?.identified_domains ?? [],
  };
}

/** Every object inside a JSON value. */
function* objectsOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* objectsOf(part);
}

function queryOf(data: unknown): DataQuery | undefined {
  for (const one of objectsOf(data)) {
    if (!Array.isArray(one.measures) || !Array.isArray(one.dimensions)) continue;
    const known = Object.fromEntries(
      Object.entries(one).filter(([name]) => Object.hasOwn(DataQuery.unwrap().shape, name)),
    );
    const parsed = DataQuery.safeParse(known);
    if (parsed.success) return parsed.data;
  }
  return undefined;
}

interface Tabled {
  columns: { name: string; format?: string }[];
  rows: Record<string, unknown>[];
  row_count?: number;
  truncated?: boolean;
}

const MAX_ROWS = 50;

/** The rows of each executed query. An answer without rows has none. */
function tablesOf(data: unknown): DataTable[] {
  return [...objectsOf(data)].flatMap((one) => {
    if (!Array.isArray(one.columns) || !Array.isArray(one.rows)) return [];
    const { columns, rows, row_count: count = rows.length, truncated } = one as unknown as Tabled; // checked above
    const names = columns.map(({ name }) => name);
    const shares = new Set(columns.flatMap(({ format }, at) => (format === 'percent' ? [at] : [])));
    const isCut = truncated === true || count > rows.length || rows.length >= MAX_ROWS;
    return [{ columns: names, rows: rows.map((row) => names.map((name) => row[name] ?? null)), isCut, shares }];
  });
}
