import * as z from 'zod';
import type { Agent, ToolEntry } from '../schema/agent.ts';
import { a2aKind } from './a2a.ts';
import { functionsKind } from './functions.ts';
import { httpKind } from './http.ts';
import type { Inspection, InspectOptions, ToolKind } from './kind.ts';
import { spaceKind } from './space.ts';
import { stdioKind } from './stdio.ts';
import { tasksKind } from './tasks.ts';

/** Every kind of `tools` entry. The keys that choose a kind are tried in the order of `CHOOSING_KEYS`. */
export const TOOL_KINDS: readonly ToolKind[] = [tasksKind, spaceKind, stdioKind, httpKind, functionsKind, a2aKind];

/** Keys whose values choose the kind of an entry. */
export const CHOOSING_KEYS = ['type', 'transport', 'server', 'tool'] as const;

/** The kind of a checked entry. */
export function kindOf(entry: ToolEntry, kinds: readonly ToolKind[] = TOOL_KINDS): ToolKind {
  const found = kinds.find((kind) => CHOOSING_KEYS.every((key) => chosenBy(kind, key)?.includes(entry[key]) ?? true));
  if (!found) throw new TypeError(`no kind of tool for type ${entry.type}`);
  return found;
}

/** The reason why an entry of the Python HoloDeck is left out here; undefined for any other. */
export function describeUnsupported(entry: unknown): string | undefined {
  const { type, file, transport } = Object(entry) as Record<string, unknown>;
  if (type === 'prompt' || type === 'skill' || type === 'hosted')
    return `${type} tools are not supported yet; this tool is left out`;
  if (type === 'mcp' && transport === 'websocket')
    return 'websocket is not supported yet; this tool is left out. Serve it over http';
  if (type !== 'function' || !/\.py$/.test(String(file))) return undefined;
  return 'functions in Python are not supported yet; this tool is left out. Write it in TypeScript, or serve it over MCP';
}

/** A program or an address is behind the entry. */
export function isRemote(entry: ToolEntry): boolean {
  return kindOf(entry).describeStart !== undefined;
}

/** The entries of a kind that brings something, such as the task list. */
export function entriesThatBring(agent: Agent, part: NonNullable<ToolKind['brings']>): ToolEntry[] {
  return agent.tools.filter((entry) => kindOf(entry).brings === part);
}

const OF_TOOLS = TOOL_KINDS.filter(({ brings }) => brings !== 'member');

/** The schema of one entry of `tools`: nested unions, so that a problem names the first key that fits no kind. */
export function entrySchema(kinds: readonly ToolKind[] = OF_TOOLS): z.ZodType<ToolEntry> {
  // Every kind's schema accepts only entries, and a union of such schemas does too.
  return unionBy(kinds, CHOOSING_KEYS) as unknown as z.ZodType<ToolEntry>;
}

/** The kinds' own descriptions of a key of agent.yaml, such as `tools[].server`. */
export function kindTexts(path: string): string[] {
  if (!path.startsWith('tools[].')) return [];
  return TOOL_KINDS.flatMap(({ texts }) => texts?.[path.slice('tools[].'.length)] ?? []);
}

type Union = z.ZodObject | z.ZodDiscriminatedUnion;

function unionBy(kinds: readonly ToolKind[], [key, ...rest]: readonly string[]): Union {
  const [only] = kinds;
  if (only && kinds.length === 1) return only.schema;
  if (key === undefined) throw new TypeError('two kinds of tools have the same choosing values');
  const groups = Map.groupBy(kinds, (kind) => JSON.stringify(chosenBy(kind, key) ?? null));
  if (groups.size === 1) return unionBy(kinds, rest);
  const [first, ...others] = [...groups.values()].map((group) => unionBy(group, rest));
  if (!first) throw new TypeError('there are no kinds of tools');
  return z.discriminatedUnion(key, [first, ...others]);
}

/** The literal values that a kind's schema has for a key; undefined if the key does not choose. */
function chosenBy(kind: ToolKind, key: string): readonly unknown[] | undefined {
  const schema = kind.schema.shape[key];
  return schema instanceof z.ZodLiteral ? [...schema.values] : undefined;
}

/** Finds faults in the files that an agent's tools consist of. Starts nothing. */
export async function inspectTools(agent: Agent, options: InspectOptions): Promise<Inspection> {
  const groups = Map.groupBy(agent.tools, (entry) => kindOf(entry));
  const inspections = await Promise.all([...groups].map(([kind, entries]) => kind.inspect?.(entries, agent, options)));
  const found = inspections.filter((inspection) => inspection !== undefined);
  return {
    problems: found.flatMap(({ problems }) => problems),
    warnings: found.flatMap(({ warnings }) => warnings),
    findings: found.flatMap(({ findings }) => findings),
  };
}

/** The names of an entry's tools as a model sees them; undefined if only the running server knows. */
export async function toolNamesOf(entry: Agent['tools'][number], agent: Agent): Promise<string[] | undefined> {
  const { allow, prefix = '' } = entry;
  const names = await kindOf(entry).names(entry, agent);
  return names?.filter((name) => allow?.includes(name) ?? true).map((name) => `${prefix}${name}`);
}
