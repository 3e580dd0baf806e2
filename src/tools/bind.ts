import type { ToolDefinition } from '../models/model.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { fromEntries } from './json-schema/schema-walk.ts';
import { createDeclaredFilter, type Kept } from './keep-declared.ts';
import { isSimilarName } from './known-names.ts';
import { removePath } from './remove-path.ts';
import type { Tool } from './tool.ts';

export interface Filled {
  /** The model's arguments without the bound paths, as the reduced schema describes them. */
  own: JsonObject;
  /** The arguments that are sent to the tool. */
  sent: JsonObject;
  /** Bound paths where the model had set a value, and arguments of the model that the tool does not declare. */
  overridden: string[];
}

export interface Binding {
  /** The definition that the model sees. */
  definition: ToolDefinition;
  fill(args: JsonObject, user: User): Filled;
}

export interface BindOptions {
  /** True if the tool may be offered although it does not take a bound argument. */
  mayLackBound?: boolean;
}

interface BoundPath {
  name: string;
  path: string[];
  value: string;
  /** False if the tool does not take it: then nothing is sent at this path, not even the model's value. */
  isTaken: boolean;
}

/** Removes the bound arguments from the model's view. Refuses if that cannot be done with certainty. */
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
   * Sends only declared arguments of a bound tool: a server that reads more than it declares could take the user from
   * an unchecked argument.
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

/** Removes the path, and keys that could be read as another spelling of it. */
function takeOut(args: JsonObject, [head = '', ...rest]: string[]): { rest: JsonObject; hadValue: boolean } {
  const isDropped = (key: string) =>
    isSimilarName(key, head) || key === '__proto__' || (key === head && rest.length === 0);
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
