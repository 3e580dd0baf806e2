import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../schema/json.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import type { ListedTool } from '../client/client.ts';
import { REFUSED_META } from '../client/repair-tools.ts';

/** A server's tool as we adopted it. */
export interface Definition {
  /** The name that models use. */
  name: string;
  /** The name that the server uses. */
  serverName: string;
  description: string;
  inputSchema: JsonObject;
  readOnly: boolean;
  idempotent: boolean;
  /** Changes if anything changes that a model or a person relies on. */
  fingerprint: string;
}

export interface Refusal {
  name: string;
  reason: string;
}

/** The changes that a person is asked to accept. */
export interface DefinitionChanges {
  added: string[];
  changed: string[];
  removed: string[];
}

const MAX_TOOLS = 256;
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 4_000;
const MAX_REFUSALS = 20;
const MAX_SHOWN_CHARS = 80;

/** Adopts the tools that can be offered and gives the reasons for the rest. */
export function readDefinitions(listed: readonly ListedTool[]): { definitions: Definition[]; refused: Refusal[] } {
  const refused: Refusal[] = [];
  const definitions: Definition[] = [];
  const counts = countBy(listed.map((tool) => offeredName(tool.name)));
  for (const tool of listed) {
    const reason = findProblem(tool, counts) ?? (definitions.length >= MAX_TOOLS ? tooMany(listed.length) : undefined);
    if (reason) refused.push({ name: shownName(tool.name), reason });
    else definitions.push(toDefinition(tool));
  }
  return { definitions, refused: cutRefusals(refused) };
}

/** A server decides how many tools it lists and how they are named, so people see a limited part. */
function cutRefusals(refused: readonly Refusal[]): Refusal[] {
  const kept = refused.slice(0, MAX_REFUSALS);
  const rest = refused.length - kept.length;
  return rest === 0 ? kept : [...kept, { name: `${rest} more`, reason: 'only the first are listed here' }];
}

function shownName(name: string): string {
  return sanitizeText(name.slice(0, MAX_SHOWN_CHARS)).replaceAll('\n', ' ');
}

/** Compares a list with the accepted one: name → fingerprint. */
export function compareDefinitions(
  accepted: Readonly<Record<string, string>>,
  next: readonly Definition[],
): DefinitionChanges | undefined {
  const before = new Map(Object.entries(accepted));
  const after = new Map(next.map((definition) => [definition.name, definition.fingerprint]));
  const added = [...after.keys()].filter((name) => !before.has(name));
  const removed = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after.keys()].filter((name) => before.has(name) && before.get(name) !== after.get(name));
  return added.length + removed.length + changed.length > 0 ? { added, changed, removed } : undefined;
}

/** Models accept letters, digits, - and _; the protocol also allows dots and slashes. */
function offeredName(name: string): string {
  return name.replace(/[./]/g, '_');
}

function findProblem(tool: ListedTool, counts: ReadonlyMap<string, number>): string | undefined {
  const name = offeredName(tool.name);
  const reason = tool._meta?.[REFUSED_META];
  if (typeof reason === 'string') return reason;
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) return 'its name may hold only letters, digits, -, _, . and /';
  if (name.length > MAX_NAME_CHARS) return `its name is longer than ${MAX_NAME_CHARS} characters`;
  if ((counts.get(name) ?? 0) > 1) return `the server lists more than one tool as ${name}`;
  return isTooDeep(tool) ? 'its schema is nested too deeply' : undefined;
}

function isTooDeep(tool: ListedTool): boolean {
  try {
    sortedText([toJson(tool.inputSchema), toJson(tool.outputSchema)]);
    return false;
  } catch {
    // Too deep for the stack.
    return true;
  }
}

function tooMany(count: number): string {
  return `the server lists ${count} tools; the first ${MAX_TOOLS} are taken`;
}

function toDefinition(tool: ListedTool): Definition {
  const description = tool.description ?? tool.title ?? '';
  const identity = [tool.name, description, tool.title, tool.annotations, tool.inputSchema, tool.outputSchema];
  return {
    name: offeredName(tool.name),
    serverName: tool.name,
    description: description.slice(0, MAX_DESCRIPTION_CHARS),
    // Values from the wire are JSON.
    inputSchema: tool.inputSchema as JsonObject,
    readOnly: tool.annotations?.readOnlyHint === true,
    idempotent: tool.annotations?.idempotentHint === true,
    fingerprint: createHash('sha256')
      .update(sortedText(identity.map(toJson)))
      .digest('hex'),
  };
}

/** Values from the wire are JSON, but may be absent. */
function toJson(value: unknown): Json {
  return (value ?? null) as Json;
}

/** JSON text that does not depend on the order of keys. */
export function sortedText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedText(toJson(value[key]))}`).join(',')}}`;
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
