import type { ToolDefinition } from '../models/model.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { createDeclaredFilter, type Kept } from './keep-declared.ts';
import { isLookAlike } from './look-alike.ts';
import { removePath } from './remove-path.ts';
import { fromEntries } from './schema-walk.ts';
import type { Tool } from './tool.ts';

export interface Filled {
  /** The model's arguments without the bound paths: what the reduced schema is about. */
  own: JsonObject;
  /** What goes to the tool. */
  sent: JsonObject;
  /** Bound paths where the model had put something, and arguments of its own that the tool does not declare. */
  overridden: string[];
}

export interface Binding {
  /** What the model sees. */
  definition: ToolDefinition;
  fill(args: JsonObject, user: User): Filled;
}

export interface BindOptions {
  /** The tool may be offered although it does not take a bound argument. */
  mayLackBound?: boolean;
}

interface BoundPath {
  name: string;
  path: string[];
  value: string;
  /** False when the tool does not take it: then nothing is sent there, also nothing of the model's. */
  isTaken: boolean;
}

/** Takes the bound arguments out of what the model sees; refuses where that cannot be done for certain. */
export function bindTool(tool: Tool, options: BindOptions = {}): Binding | { refused: string } {
  let inputSchema = tool.inputSchema;
  const bound: BoundPath[] = [];
  for (const [name, value] of Object.entries(tool.bind ?? {})) {
    const path = name.split('.');
    const fault = findBindFault(path, value, bound);
    if (fault) return { refused: `bind ${name}: ${fault}` };
    const reduced = removePath(inputSchema, path);
    if (reduced.outcome === 'unsafe') return { refused: `${name} cannot be hidden from the model: ${reduced.reason}` };
    if (reduced.outcome === 'missing' && !options.mayLackBound) return { refused: `it does not take ${name}` };
    if (reduced.outcome === 'removed') inputSchema = reduced.schema;
    bound.push({ name, path, value, isTaken: reduced.outcome === 'removed' });
  }
  const definition = { name: tool.name, description: tool.description, inputSchema };
  const keepDeclared = bound.length > 0 ? createDeclaredFilter(tool.inputSchema) : keepAll;
  return { definition, fill: (args, user) => fillBound(args, { bound, keepDeclared }, user) };
}

const VALUES: Record<string, (user: User) => Json | undefined> = {
  '$user.id': (user) => user.id,
  '$user.name': (user) => user.name,
};

function findBindFault(path: string[], value: string, others: readonly BoundPath[]): string | undefined {
  if (path.some((part) => part === '' || Object.hasOwn(Object.prototype, part))) return 'this is not a path';
  if (value.startsWith('$') && !Object.hasOwn(VALUES, value))
    return `${value} is not known; use ${Object.keys(VALUES).join(' or ')}`;
  const overlaps = (other: BoundPath) => {
    const [short, long] = other.path.length < path.length ? [other.path, path] : [path, other.path];
    return short.every((part, index) => part === long[index]);
  };
  const overlapping = others.find(overlaps);
  return overlapping ? `it overlaps with ${overlapping.name}` : undefined;
}

interface Bound {
  bound: readonly BoundPath[];
  /**
   * Of a bound tool only declared arguments are sent: a server that reads more than it declares could take the user from
   * an argument that nobody checked.
   */
  keepDeclared(args: JsonObject): Kept;
}

function keepAll(args: JsonObject): Kept {
  return { args, left: [] };
}

function fillBound(args: JsonObject, { bound, keepDeclared }: Bound, user: User): Filled {
  const overridden: string[] = [];
  let own = args;
  for (const { name, path } of bound) {
    const { rest, hadValue } = takeOut(own, path);
    own = rest;
    if (hadValue) overridden.push(name);
  }
  const kept = keepDeclared(own);
  own = kept.args;
  overridden.push(...kept.left);
  let sent = own;
  for (const { path, value, isTaken } of bound) {
    const filled = Object.hasOwn(VALUES, value) ? VALUES[value]?.(user) : value;
    if (isTaken && filled !== undefined) sent = putIn(sent, path, filled);
  }
  return { own, sent, overridden };
}

/** Without the path, and without keys that could be read as another spelling of it. */
function takeOut(args: JsonObject, [head = '', ...rest]: string[]): { rest: JsonObject; hadValue: boolean } {
  const isDropped = (key: string) =>
    isLookAlike(key, head) || key === '__proto__' || (key === head && rest.length === 0);
  const entries = Object.entries(args).filter(([key]) => !isDropped(key));
  const hadDropped = entries.length < Object.keys(args).length;
  const inner = rest.length > 0 && Object.hasOwn(args, head) ? args[head] : undefined;
  if (!isObject(inner)) return { rest: fromEntries(entries), hadValue: hadDropped || inner !== undefined };
  const taken = takeOut(inner, rest);
  const changed = entries.map(([key, value]): [string, Json] => [key, key === head ? taken.rest : value]);
  return { rest: fromEntries(changed), hadValue: hadDropped || taken.hadValue };
}

function putIn(args: JsonObject, [head = '', ...rest]: string[], value: Json): JsonObject {
  if (rest.length === 0) return { ...args, [head]: value };
  const inner = Object.hasOwn(args, head) ? args[head] : undefined;
  return { ...args, [head]: putIn(isObject(inner) ? inner : {}, rest, value) };
}
