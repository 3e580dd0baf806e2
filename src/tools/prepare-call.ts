import type { Problem } from '../errors.ts';
import type { ToolCall, ToolError } from '../schema/conversation/tool-call.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import type { OfferedTool } from './offer.ts';
import type { Validator } from './validate.ts';

const MAX_DEPTH = 64;
const MAX_CHARS = 1_000_000;

/** Parses the arguments of a model, or returns the problem. Never throws. Keys named `__proto__` are dropped. */
export function parseArguments(text: string): { arguments: JsonObject } | { problem: string } {
  if (text.trim() === '') return { arguments: {} };
  if (text.length > MAX_CHARS) return { problem: `the arguments are longer than ${MAX_CHARS} characters` };
  const value = parseJson(text, (key, inner) => (key === '__proto__' ? undefined : inner));
  if (value === undefined) return { problem: 'the arguments are not JSON; write one JSON object' };
  if (isTooDeep(value)) return { problem: `the arguments are nested deeper than ${MAX_DEPTH} levels` };
  if (!isObject(value)) return { problem: 'the arguments are not a JSON object' };
  return { arguments: value };
}

function isTooDeep(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** A fully checked call that may run. */
export interface PreparedCall {
  offered: OfferedTool;
  sentArguments: JsonObject;
  /** Bound paths where the model had set a value. */
  overridden: string[];
}

interface PrepareCallInput {
  call: Pick<ToolCall, 'name' | 'arguments'>;
  tools: ReadonlyMap<string, OfferedTool>;
  user: User;
  validator: Validator;
}

/**
 * Finds the tool, fills in the user, and checks the model's and the sent arguments. Problems become an error for the
 * model.
 */
export function prepareCall(input: PrepareCallInput): PreparedCall | { error: ToolError } {
  const { call, tools, user, validator } = input;
  const offered = tools.get(call.name);
  if (!offered) return { error: unknownTool(call.name, [...tools.keys()]) };
  const { own, sent, overridden } = offered.fill(call.arguments, user);
  const problems = validator.check(offered.definition.inputSchema, own);
  if (problems.length > 0) return { error: invalidArguments(call.name, problems) };
  const sentProblems = validator.check(offered.tool.inputSchema, sent);
  if (sentProblems.length > 0) return { error: invalidArguments(call.name, sentProblems) };
  return { offered, sentArguments: sent, overridden };
}

function unknownTool(name: string, known: string[]): ToolError {
  const list = known.length > 0 ? `Known tools: ${known.join(', ')}.` : 'There are no tools.';
  return { error_type: 'ToolInvocationError', message: `There is no tool named "${name.slice(0, 100)}". ${list}` };
}

function invalidArguments(name: string, problems: Problem[]): ToolError {
  const list = problems.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ');
  return {
    error_type: 'ValidationError',
    message: `The arguments of ${name} are not valid: ${list}.`,
    details: problems.map(({ path, message }) => ({ path, message })),
  };
}
